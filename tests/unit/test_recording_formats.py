"""Versions of the recording file: old ones open, newer ones are refused by name, flipped bits are found.

``data/recording_format_1.nc`` was written by the last Centrode of format 1 and is never written again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.recording.channel import Channel
from centrode.recording.provenance import Account, Provenance
from centrode.recording.recording import Recording
from centrode.recording.store import FORMAT, checksum

OLD = Path(__file__).parent / "data" / "recording_format_1.nc"


def made(path: Path) -> Recording:
    time = np.linspace(0.0, 1.0, 50)
    data = {"arm.position": np.outer(time, [1.0, 2.0, 3.0]), "arm.gap": np.where(time > 0.5, np.nan, np.cos(time))}
    channels = [Channel("arm.position", "m", ("xyz",)), Channel("arm.gap", "m")]
    run = Recording(time=time, data=data, channels=channels, account=Account(provenance=Provenance(title="made")))
    run.save(path)
    return run


def format_of(path: Path) -> int:
    import h5netcdf

    with h5netcdf.File(path, "r") as file:
        return int(file.attrs["centrode_format"])


def test_a_recording_of_format_1_opens_with_all_it_holds() -> None:
    assert format_of(OLD) == 1
    run = Recording.load(OLD)
    assert run.provenance.title == "A recording of format 1" and run.status.completed
    assert len(run) == 61 and run.duration == pytest.approx(1.2, abs=1e-12)
    # As the Centrode that wrote the file read it back.
    assert run["weight.position"][30].tolist() == [0.2263265503203947, 0.20571093918620006, 0.8396296702693569]
    (taut,) = run.events
    assert (taut.kind, taut.subject) == ("rope taut", "rope") and taut.values["impulse"] == pytest.approx(3.99018, 1e-5)
    assert run.final_state and run.scenario().system.parts["rope"].length == 1.2


def test_saving_an_old_recording_makes_one_of_today(tmp_path: Path) -> None:
    old = Recording.load(OLD)
    old.save(tmp_path / "new.nc")
    assert format_of(tmp_path / "new.nc") == FORMAT > 1
    assert old.differences(Recording.load(tmp_path / "new.nc")) == []


def test_a_recording_of_format_1_can_be_viewed_reported_and_plotted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert centrode(["view", str(OLD), "--html", "old.html"]) == 0
    assert centrode(["report", str(OLD), "-o", "report.html"]) == 0
    assert centrode(["plot", str(OLD), "weight.position", "-o", "old.png"]) == 0
    for name in ("old.html", "report.html"):
        text = (tmp_path / name).read_text()
        assert "A recording of format 1" in text and '"rope taut"' in text


@pytest.mark.parametrize(("number", "said"), [(FORMAT + 1, "newer Centrode"), (0, "not a format of Centrode")])
def test_other_formats_are_refused_by_number(tmp_path: Path, number: int, said: str) -> None:
    import h5netcdf

    made(tmp_path / "a.nc")
    with h5netcdf.File(tmp_path / "a.nc", "a") as file:
        file.attrs["centrode_format"] = number
    with pytest.raises(InputError, match=rf"{said}, got 'format {number}'"):
        Recording.load(tmp_path / "a.nc")


def test_every_flipped_number_is_found(tmp_path: Path) -> None:
    """Also in a file without a seal, as that of an older Centrode; then the channel is named."""
    run = made(tmp_path / "a.nc")
    sealed = (tmp_path / "a.nc").read_bytes()
    raw = sealed[: sealed.rindex(b"\nCentrode seal")]
    for name, value in (("arm.position", run["arm.position"][20]), ("arm.gap", run["arm.gap"][20:22])):
        at = raw.index(np.asarray(value, "<f8").tobytes())
        for bit in (0, 3, 7):
            flipped = raw[: at + 1] + bytes([raw[at + 1] ^ (1 << bit)]) + raw[at + 2 :]
            (tmp_path / "b.nc").write_bytes(flipped + sealed[len(raw) :])
            with pytest.raises(InputError, match="damaged recording"):
                Recording.load(tmp_path / "b.nc")
            (tmp_path / "b.nc").write_bytes(flipped)
            with pytest.raises(InputError, match=f"{name}.*damaged recording|damaged recording.*{name}"):
                Recording.load(tmp_path / "b.nc")[name]


def test_a_flipped_time_is_found(tmp_path: Path) -> None:
    run = made(tmp_path / "a.nc")
    raw = bytearray((tmp_path / "a.nc").read_bytes())
    raw[raw.index(run.time[7:10].astype("<f8").tobytes()) + 2] ^= 1
    (tmp_path / "b.nc").write_bytes(raw)
    with pytest.raises(InputError, match="damaged recording"):
        Recording.load(tmp_path / "b.nc")


def test_a_checksum_goes_on_from_block_to_block() -> None:
    values = np.random.default_rng(1).normal(size=(97, 3))
    assert checksum(values[40:], checksum(values[:40])) == checksum(values)
    assert checksum(values[:, :2]) == checksum(values[:, :2].copy())  # whatever the strides are
