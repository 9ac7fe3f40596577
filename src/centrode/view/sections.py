"""What pages for reading are made of: one style, sections, pictures, warnings."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable

STYLE = """
body { margin: 0 auto; max-width: 1060px; padding: 24px 28px 60px; color: #1d252c; background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 34px 0 10px; border-bottom: 1px solid #d9dfe3; }
#centrode { height: 540px; border-radius: 8px; overflow: hidden; margin: 18px 0; }
table { border-collapse: collapse; font-size: 13px; } th { text-align: left; background: #f3f6f8; }
th, td { padding: 3px 12px 3px 6px; border-bottom: 1px solid #e6ebee; } td.number, th.number { text-align: right;
  font-variant-numeric: tabular-nums; }
img { max-width: 100%; } figure { margin: 12px 0; } figcaption { color: #56636d; font-size: 13px; }
pre { background: #f6f8f9; padding: 12px; overflow-x: auto; font-size: 12px; border-radius: 6px; }
dt { font-weight: 600; }
.warning { border-left: 4px solid #e4572e; background: #fdf2ee; padding: 6px 12px; margin: 6px 0; }
.good { border-left: 4px solid #2a9d6f; background: #eef8f3; padding: 6px 12px; margin: 6px 0; }
details > summary { cursor: pointer; color: #24414f; }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  pre { white-space: pre-wrap; } }
h3 { font-size: 14px; margin: 18px 0 6px; break-after: avoid; }
.note { color: #56636d; font-size: 13px; margin: 4px 0; }
section { overflow-x: auto; } .sheet img { width: 100%; border: 1px solid #e6ebee; }
@page { size: A4; margin: 14mm; }
@page a4sheet { size: A4 landscape; margin: 0; }
@page a3sheet { size: A3 landscape; margin: 0; }
@media print { section { overflow: visible; } table { font-size: 10.5px; } th, td { padding: 2px 5px; }
  .sheet { break-before: page; break-after: page; overflow: hidden; } .sheet h2, .sheet .note { display: none; }
  .sheet img { display: block; border: 0; max-width: none; break-inside: avoid; }
  .a4 { page: a4sheet; } .a4 img { width: 297mm; height: 210mm; }
  .a3 { page: a3sheet; } .a3 img { width: 420mm; height: 297mm; } thead { display: table-header-group; } }
"""


def section(title: str, content: str) -> str:
    """A heading and what stands below it; nothing when there is nothing."""
    return f"<section><h2>{html.escape(title)}</h2>{content}</section>" if content else ""


def image(data: bytes, caption: str) -> str:
    """A picture (PNG) with its caption."""
    text = base64.b64encode(data).decode("ascii")
    return (
        f'<figure><img src="data:image/png;base64,{text}" alt="{html.escape(caption)}">'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )


def vector_sheet(data: bytes, title: str, size: tuple[float, float]) -> str:
    """A drawing (SVG) of a size [mm] on a page of its own, at its true scale when printed."""
    text = base64.b64encode(data).decode("ascii")
    name = "a3" if max(size) > 300.0 else "a4"
    said = f"Printed without scaling, the scale holds on this {name.upper()} page."
    return (
        f'<section class="sheet {name}"><h2>{html.escape(title)}</h2>'
        f'<img src="data:image/svg+xml;base64,{text}" alt="{html.escape(title)}">'
        f'<p class="note">{said}</p></section>'
    )


def warnings(texts: Iterable[str]) -> str:
    """Sentences that a reader must not miss."""
    return "".join(f'<p class="warning">{html.escape(text)}</p>' for text in texts)


def preformatted(text: str) -> str:
    """A text as it stands; nothing when it is empty."""
    return f"<pre>{html.escape(text)}</pre>" if text else ""
