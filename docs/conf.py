"""Configuration of the documentation: Sphinx, MyST (Markdown), furo."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import centrode

project = "Centrode"
author = "The Centrode authors"
copyright = "2026, the Centrode authors"
version = release = centrode.__version__

extensions = ["myst_parser", "sphinx.ext.mathjax", "centrode_reference"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_extensions", "measured-results.md"]

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "smartquotes"]
myst_heading_anchors = 3
math_eqref_format = "({number})"
numfig = True

html_theme = "furo"
html_title = "Centrode"
html_show_sourcelink = False

# A room whose pages are not written yet is no fault of the build. Sphinx documents `toc.empty_glob` for
# suppress_warnings, but gives the message no type, so that the setting does not reach it.
logging.getLogger("sphinx.sphinx.directives.other").addFilter(
    lambda record: getattr(record, "subtype", None) != "empty_glob"
)
