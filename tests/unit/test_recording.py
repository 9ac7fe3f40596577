"""Recordings: equal after a round trip, same bytes for the same run, readable after kill -9, clear refusals."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError, RunStop
from centrode.recording.channel import Channel, check_channels
from centrode.recording.events import Event, Events
from centrode.recording.provenance import Provenance, Statistics, Status
from centrode.recording.recording import Recording
from centrode.recording.writer import RecordingWriter

CHANNELS = (
    Channel("arm.position", "m", ("xyz",), "world", "position of the origin"),
    Channel("arm.orientation", "1", ("wxyz",), "world"),
    Channel("energy.total", "J"),
    Channel("car.load", "N", ("wheel",)),
)
COORDINATES = {"wheel": ("front left", "front right")}
MADE = Provenance("abc", "centrode: 1\n", "0.1", "rk4", {"step": 0.01, "gravity": (0, 0, -9.81)}, 3, "Test")


def write_run(path, *, frames=300, resume=False, die_at=None, chunk=7):
    """A run whose frame k holds numbers that depend on k alone; the state is the count of frames so far."""
    writer = RecordingWriter(CHANNELS, MADE, path, coordinates=COORDINATES, resume=resume)
    k = int(writer.resumed.state["k"]) if writer.resumed else 0
    while k < frames:
        index = np.arange(k, min(k + chunk, frames))
        writer.append(index * 0.1, np.sin(np.outer(index, np.arange(1, 11))))
        if k % 2:
            writer.add_events([Event(k * 0.1, "contact-begin", "a - b", {"depth": k / 3})])
        k = int(index[-1]) + 1
        if k % 4 == 0:
            writer.checkpoint({"k": np.array(k), "flags": np.array([True, False])}, {"steps": k})
        if die_at is not None and k >= die_at:
            writer.abandon()
            return None
    return writer.close(
        statistics=Statistics(frames, 1, 4 * frames, {"projections": 2.0}, wall_seconds=1.5),
        final_state={
            "k": np.array(k),
            "q": np.linspace(0, 1, 5),
            "flags": np.array([True, False]),
            "none": np.zeros((0, 3)),
        },
    )


def test_file_and_memory_are_the_same(tmp_path):
    stored, kept = write_run(tmp_path / "a.nc"), write_run(None)
    assert stored == kept and stored.differences(kept) == []
    kept.save(tmp_path / "b.nc")
    assert (tmp_path / "a.nc").read_bytes() == (tmp_path / "b.nc").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a.nc", "b.nc"]
    again = Recording.load(tmp_path / "a.nc")
    assert again == kept and again.provenance == MADE
    assert np.isnan(again.statistics.wall_seconds) and stored.statistics.wall_seconds == 1.5
    assert again.final_state["flags"].dtype == bool and again.final_state["none"].shape == (0, 3)


def test_chunks_do_not_matter(tmp_path):
    write_run(tmp_path / "a.nc", chunk=7)
    first = Recording.load(tmp_path / "a.nc")
    other = write_run(None, chunk=7)
    assert first["arm.position"].shape == (300, 3)
    assert np.array_equal(first["arm.position"], other["arm.position"])
    one_by_one = RecordingWriter([Channel("x", "m")], MADE)
    at_once = RecordingWriter([Channel("x", "m")], MADE)
    for k in range(5):
        one_by_one.append(float(k), np.array([k**2]))
    at_once.append(np.arange(5.0), {"x": np.arange(5.0) ** 2})
    assert one_by_one.close() == at_once.close()


def test_differences_are_named():
    one, two = write_run(None), write_run(None)
    two["arm.position"][5, 1] += 1e-12
    two.status = Status("stopped", RunStop("singular", 1.0))
    assert one != two and one.differences(two) == ["status", "arm.position"]


@pytest.mark.parametrize("die_at", [3, 30, 150, 299])
def test_resumed_run_has_the_same_bytes(tmp_path, die_at):
    write_run(tmp_path / "whole.nc")
    write_run(tmp_path / "cut.nc", die_at=die_at)
    assert not (tmp_path / "cut.nc").exists()
    partial = Recording.load(tmp_path / "cut.nc.partial")
    assert partial.status.outcome == "interrupted" and die_at <= len(partial) <= die_at + 7
    write_run(tmp_path / "cut.nc", resume=True)
    assert (tmp_path / "cut.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()
    assert not (tmp_path / "cut.nc.partial").exists()


def test_killed_process_leaves_every_flushed_frame(tmp_path):
    """kill -9 in the middle of writing; then the run goes on and ends with the bytes of an uninterrupted one."""
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent("""
        import sys
        import numpy as np
        from centrode.recording.channel import Channel
        from centrode.recording.provenance import Provenance
        from centrode.recording.writer import RecordingWriter

        def run(path, resume, forever):
            writer = RecordingWriter([Channel("x", "m", ("xyz",))], Provenance("d"), path, resume=resume)
            k = int(writer.resumed.state["k"]) if writer.resumed else 0
            while k < 20000 or forever:
                writer.append(np.arange(k, k + 10) * 1e-3, np.cos(np.outer(np.arange(k, k + 10), [1, 2, 3])))
                k += 10
                if k % 2000 == 0:
                    writer.checkpoint({"k": np.array(k)}, {"steps": k})
                    print(k, flush=True)
            writer.close()

        run(sys.argv[1], "resume" in sys.argv, "forever" in sys.argv)
        """)
    )
    target = tmp_path / "killed.nc"
    process = subprocess.Popen([sys.executable, str(script), str(target), "forever"], stdout=subprocess.PIPE, text=True)
    flushed = 0
    for line in process.stdout:
        flushed = int(line)
        if flushed >= 6000:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    assert process.returncode == -signal.SIGKILL and not target.exists()
    partial = Recording.load(tmp_path / "killed.nc.partial")
    assert len(partial) >= flushed
    assert np.array_equal(partial["x"][:, 1], np.cos(2 * np.arange(len(partial))))
    # The endless run may be past the end of the finite one; cut it to the first checkpoints like an earlier kill.
    cut_journal(tmp_path / "killed.nc.partial", checkpoints=3)
    subprocess.run([sys.executable, str(script), str(target), "resume"], check=True, capture_output=True)
    subprocess.run([sys.executable, str(script), str(tmp_path / "whole.nc")], check=True, capture_output=True)
    assert target.read_bytes() == (tmp_path / "whole.nc").read_bytes()
    assert len(Recording.load(target)) == 20000


def cut_journal(path, checkpoints):
    from centrode.recording import journal

    ends = [end for kind, _, end in journal.records(path) if kind == b"C"]
    with path.open("r+b") as file:
        file.truncate(ends[checkpoints - 1] + 5)  # five bytes into the next record, as a kill may leave it


def test_damaged_journals_end_at_the_damage(tmp_path):
    write_run(tmp_path / "a.nc", die_at=200)
    path = tmp_path / "a.nc.partial"
    whole = path.read_bytes()
    full = len(Recording.load(path))
    lengths = []
    for size in range(len(whole) - 1, 600, -len(whole) // 17):
        path.write_bytes(whole[:size])
        lengths.append(len(Recording.load(path)))
    assert lengths == sorted(lengths, reverse=True) and lengths[0] <= full and lengths[-1] < full
    broken = bytearray(whole)
    broken[len(whole) // 2] ^= 0xFF
    path.write_bytes(bytes(broken))
    assert len(Recording.load(path)) < full


def test_resume_refuses_another_run(tmp_path):
    write_run(tmp_path / "a.nc", die_at=100)
    with pytest.raises(InputError, match="the interrupted run is another one"):
        RecordingWriter(CHANNELS, Provenance("other"), tmp_path / "a.nc", coordinates=COORDINATES, resume=True)
    # nothing was lost by the refusal
    write_run(tmp_path / "a.nc", resume=True)


def test_resume_without_a_journal_starts_anew(tmp_path):
    assert write_run(tmp_path / "a.nc", resume=True) == write_run(None)


def test_an_exception_keeps_the_journal_and_the_old_result(tmp_path):
    old = write_run(tmp_path / "a.nc", frames=5)
    with pytest.raises(ZeroDivisionError), RecordingWriter([Channel("x")], MADE, tmp_path / "a.nc") as writer:
        writer.append(0.0, [1.0])
        raise ZeroDivisionError
    assert Recording.load(tmp_path / "a.nc") == old
    assert len(Recording.load(tmp_path / "a.nc.partial")) == 1


def test_xarray_opens_the_file_with_units(tmp_path):
    import xarray

    run = write_run(tmp_path / "a.nc")
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as data:
        assert data["arm.position"].attrs == {"units": "m", "long_name": "position of the origin", "frame": "world"}
        assert list(data["wheel"].values) == ["front left", "front right"]
        assert data["time"].attrs["units"] == "s"
        assert np.array_equal(data["arm.position"].sel(xyz="y"), run["arm.position.y"])
        own = run.to_xarray()
        for name in own.variables:
            assert np.array_equal(own[name], data[name]) and own[name].attrs == data[name].attrs
    with xarray.open_dataset(tmp_path / "a.nc", group="events", engine="h5netcdf") as events:
        assert list(events["kind"].values) == ["contact-begin"] * len(run.events)
    text = (tmp_path / "a.nc").read_bytes()
    assert str(tmp_path).encode() not in text


class AsH5netcdfWrites:
    """The interface of ``centrode.recording.netcdf.Group``, written by h5netcdf."""

    def __init__(self, group):
        self._group = group

    def say(self, attributes):
        self._group.attrs.update(attributes)

    def dimension(self, name, size):
        self._group.dimensions[name] = size

    def variable(self, name, dims, dtype, attributes=None):
        made = self._group.create_variable(name, dims, dtype)
        made.attrs.update(attributes or {})
        return made

    def group(self, name):
        return AsH5netcdfWrites(self._group.create_group(name))


@pytest.mark.parametrize("frames", [0, 1, 40], ids=lambda n: f"{n} frames")
def test_xarray_finds_in_a_file_what_h5netcdf_would_have_written(tmp_path, monkeypatch, frames):
    import contextlib

    import h5netcdf
    import xarray

    @contextlib.contextmanager
    def by_h5netcdf(path):
        with h5netcdf.File(path, "w") as file:
            yield AsH5netcdfWrites(file)

    write_run(tmp_path / "ours.nc", frames=frames)
    monkeypatch.setattr("centrode.recording.store.new_file", by_h5netcdf)
    write_run(tmp_path / "theirs.nc", frames=frames)
    assert (tmp_path / "ours.nc").read_bytes() != (tmp_path / "theirs.nc").read_bytes(), "two writers"
    for group in ("/", "events", "final_state"):
        ours, theirs = (
            xarray.open_dataset(tmp_path / name, group=group, engine="h5netcdf") for name in ("ours.nc", "theirs.nc")
        )
        with ours, theirs:
            assert ours.identical(theirs), group
            assert list(ours.variables) == list(theirs.variables) and list(ours.attrs) == list(theirs.attrs)
            assert {n: v.dtype for n, v in ours.variables.items()} == {n: v.dtype for n, v in theirs.variables.items()}
    with h5netcdf.File(tmp_path / "ours.nc") as ours, h5netcdf.File(tmp_path / "theirs.nc") as theirs:
        for one, other in ((ours, theirs), *((ours[name], theirs[name]) for name in ("events", "final_state"))):
            sizes = [[(dim, size.size) for dim, size in group.dimensions.items()] for group in (one, other)]
            assert sizes[0] == sizes[1], "dimensions and their order"


def test_thousands_of_channels_lie_over_one_dimension(tmp_path):
    """Each leaves 16 bytes at the dimension, and an attribute of the usual kind ends at 64 KB."""
    import h5py

    names = [f"body{number}.height" for number in range(4200)]
    with RecordingWriter([Channel(name, "m") for name in names], MADE, tmp_path / "a.nc") as writer:
        for time in (0.0, 0.1):
            writer.append(time, np.arange(len(names)) + time)
        run = writer.close()
    assert run[names[-1]].tolist() == [4199.0, 4199.1]
    with h5py.File(tmp_path / "a.nc") as file:
        assert [axis[0] == file["time"] for axis in file[names[-1]].dims] == [True]
        assert len(file["time"].attrs["REFERENCE_LIST"]) == len(names)


def test_csv_is_exact(tmp_path):
    run = write_run(None)
    run.to_csv(tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0].split(",")[:3] == ["time [s]", "arm.position.x [m]", "arm.position.y [m]"]
    assert [float(item) for item in lines[18].split(",")][1:4] == list(run["arm.position"][17])
    run.to_csv(tmp_path / "b.csv", ["energy"])
    assert (tmp_path / "b.csv").read_text().splitlines()[0] == "time [s],energy.total [J]"


def test_looking_at_a_recording():
    run = write_run(None)
    text = run.summary()
    assert "arm.position.x" in text and "completed" in text and "300 (1 rejected, 1200 evaluations)" in text
    assert "<table>" in run._repr_html_() and "arm.position.x" in run._repr_html_()
    assert repr(run) == "<Recording: 300 frames, 4 channels, completed>"
    assert "contact-begin" in run.events.table() and Events().table() == "no events"
    assert len(run.events.of("contact-begin", "a - b")) == len(run.events)
    assert len(run.plot("arm", "energy.total").axes) == 3
    assert run.at("arm.position.x", 0.25) == pytest.approx((run["arm.position.x"][2] + run["arm.position.x"][3]) / 2)
    with pytest.raises(InputError, match=r"did you mean 'arm\.position'"):
        run["arm.positon"]
    with pytest.raises(InputError, match="outside"):
        run.at("arm.position", -1)


def test_markup_in_titles_is_text():
    writer = RecordingWriter([Channel("x")], Provenance(title="<script>alert(1)</script>"))
    writer.append(0.0, [1.0])
    assert "<script>" not in writer.close()._repr_html_()


def test_foreign_truncated_and_newer_files_are_refused(tmp_path):
    import h5netcdf

    good = tmp_path / "a.nc"
    write_run(good)
    raw = good.read_bytes()
    for name, data, message in [
        ("empty.nc", b"", "not a Centrode recording"),
        ("text.nc", b"time,x\n0,1\n", "not a Centrode recording"),
        ("cut.nc", raw[: len(raw) // 2], "cut short or damaged"),
        ("head.nc", raw[:100], "cut short or damaged"),
    ]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=message):
            Recording.load(tmp_path / name)
    with h5netcdf.File(tmp_path / "foreign.nc", "w") as file:
        file.dimensions["time"] = 3
    with pytest.raises(InputError, match="not a Centrode recording"):
        Recording.load(tmp_path / "foreign.nc")
    with h5netcdf.File(good, "a") as file:
        file.attrs["centrode_format"] = 99
    with pytest.raises(InputError, match=r"newer Centrode, got 'format 99'"):
        Recording.load(good)
    with pytest.raises(InputError, match="no such recording"):
        Recording.load(tmp_path / "nothing.nc")
    (tmp_path / "x.nc.partial").write_bytes(b"something else")
    with pytest.raises(InputError, match="not a Centrode journal"):
        Recording.load(tmp_path / "x.nc.partial")
    with pytest.raises(InputError, match="no such folder"):
        RecordingWriter([Channel("x")], MADE, tmp_path / "nowhere" / "a.nc")


@settings(max_examples=60)
@given(st.integers(0, 2**31), st.integers(1, 12))
def test_a_damaged_file_is_refused_or_read(tmp_path_factory, seed, flips):
    """Random bytes of the file overwritten: a clear refusal or a recording, never another exception."""
    folder = tmp_path_factory.getbasetemp()
    source = folder / "flip_source.nc"
    if not source.exists():
        write_run(source, frames=20)
    raw = bytearray(source.read_bytes())
    random = np.random.default_rng(seed)
    for place in random.integers(0, len(raw), flips):
        raw[place] = random.integers(0, 256)
    target = folder / "flipped.nc"
    target.write_bytes(bytes(raw))
    try:
        run = Recording.load(target)
        for name in run:
            run[name]
    except InputError as error:
        assert error.faults


def test_damaged_bytes_never_reach_the_library(tmp_path, monkeypatch):
    """HDF5 may hang on them, or end the process: a digest is compared first."""
    import h5py

    def opened(*given, **more):
        raise AssertionError("HDF5 was asked")

    file = tmp_path / "a.nc"
    write_run(file, frames=5)
    raw = file.read_bytes()
    monkeypatch.setattr(h5py, "File", opened)
    for place in np.random.default_rng(3).integers(0, len(raw) - 60, 40):
        file.write_bytes(raw[:place] + bytes([raw[place] ^ 0x41]) + raw[place + 1 :])
        with pytest.raises(InputError, match="damaged recording, got 'bytes that are not those that were written'"):
            Recording.load(file)


def test_a_file_that_other_programs_wrote_into_is_opened(tmp_path):
    """They cut off what stands behind the end that the file states; the numbers keep their checksums."""
    import h5py

    file = tmp_path / "a.nc"
    write_run(file, frames=5)
    loaded = Recording.load(file)
    before = {name: loaded[name] for name in loaded}
    with h5py.File(file, "a") as other:
        other.attrs["comment"] = "seen"
    after = Recording.load(file)
    for name, values in before.items():
        np.testing.assert_array_equal(after[name], values)


def test_channels_are_checked():
    with pytest.raises(InputError, match="same name"):
        RecordingWriter([Channel("x"), Channel("x")], MADE)
    with pytest.raises(InputError, match="unknown axis"):
        RecordingWriter([Channel("x", "m", ("nonsense",))], MADE)
    with pytest.raises(InputError, match="cannot have this name"):
        RecordingWriter([Channel("a/b")], MADE)
    with pytest.raises(InputError, match="an axis has the name of a channel"):
        RecordingWriter([Channel("x", "m", ("xyz",)), Channel("xyz")], MADE)
    with pytest.raises(KeyError, match="unknown channel"):
        RecordingWriter([Channel("x")], MADE).append(0.0, {"x": [1.0], "y": [2.0]})


AXES = ["xyz", "wxyz", "row"]
names = st.text("abcxyz_.-é", min_size=1, max_size=8).filter(lambda name: name.strip(".") == name and name not in AXES)
finite = st.floats(allow_nan=True, allow_infinity=True)


@settings(max_examples=40)
@given(st.data())
def test_any_recording_survives_the_round_trip(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "property.nc"
    dims = st.lists(st.sampled_from(AXES), max_size=2, unique=True).map(tuple)
    channels = [
        Channel(
            name,
            data.draw(st.sampled_from(["m", "1", "N*m/rad"])),
            data.draw(dims),
            meaning=data.draw(st.text("ab <", max_size=4)),
        )
        for name in data.draw(st.lists(names, unique=True, max_size=4))
    ]
    frames = data.draw(st.integers(0, 6))
    provenance = Provenance(
        data.draw(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9))
    )
    writer = RecordingWriter(channels, provenance)
    row = st.lists(finite, min_size=writer.width - 1, max_size=writer.width - 1)
    for index in range(frames):
        writer.append(index * 0.5, np.array(data.draw(row)))
    writer.add_events(
        Event(time, kind, subject, values)
        for time, kind, subject, values in data.draw(
            st.lists(st.tuples(finite, names, names, st.dictionaries(names, finite, max_size=2)), max_size=3)
        )
    )
    stop = data.draw(st.none() | st.builds(RunStop, names, st.floats(0, 9), names, names))
    run = writer.close(Status("stopped" if stop else "completed", stop), Statistics(frames), {"q": np.arange(frames)})
    run.save(path)
    again = Recording.load(path)
    assert again.differences(run) == [] and run == again
    before = path.read_bytes()
    again.save(path)
    assert path.read_bytes() == before


def test_long_runs_stay_out_of_memory(tmp_path):
    """Twenty blocks' worth of frames while the writer never holds more than its buffer."""
    writer = RecordingWriter([Channel(f"c{i}", "m", ("xyz",)) for i in range(50)], MADE, tmp_path / "a.nc")
    chunk = np.ones((200, 150))
    for k in range(100):
        writer.append(np.arange(k * 200, k * 200 + 200) * 1e-3, chunk * k)
        assert sum(rows.nbytes for rows in writer._rows) <= (1 << 20) + chunk.nbytes * 2
    run = writer.close()
    assert run["c49"].shape == (20000, 3) and run["c49"][-1, 0] == 99.0 and run["c0"][200, 0] == 1.0


def test_provenance_is_plain_json(tmp_path):
    run = write_run(tmp_path / "a.nc")
    assert json.loads(json.dumps(run.provenance.settings)) == {"step": 0.01, "gravity": [0, 0, -9.81]}


def test_two_runs_cannot_write_one_output(tmp_path):
    pytest.importorskip("fcntl")
    first = RecordingWriter([Channel("x")], MADE, tmp_path / "a.nc")
    first.append(0.0, [1.0])
    for resume in (False, True):
        with pytest.raises(InputError, match="another run is writing this output"):
            RecordingWriter([Channel("x")], MADE, tmp_path / "a.nc", resume=resume)
    assert len(first.close()) == 1
    RecordingWriter([Channel("x")], MADE, tmp_path / "a.nc").close()


def test_recordings_go_to_other_processes(tmp_path):
    import pickle

    for run in (write_run(None), write_run(tmp_path / "a.nc")):
        assert pickle.loads(pickle.dumps(run)) == run


def test_two_channels_of_one_name_are_refused_with_advice():
    with pytest.raises(InputError, match=r"'collisions\.energy' \(rename the part that records it; contacts"):
        check_channels([Channel("collisions.energy"), Channel("collisions.energy")], None)


def test_events_at_an_unknown_time_are_equal_and_not_unequal():
    one, other = (Events([Event(np.nan, "note", "a", {"x": np.nan})]) for _ in range(2))
    assert (one == other, one != other) == (True, False)
    assert (one == Events(), one != Events()) == (False, True)
