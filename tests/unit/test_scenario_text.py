"""YAML text and expressions: YAML 1.2 meaning, faults with lines, nothing but InputError on any text."""

import contextlib
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.math.expressions import evaluate, substitute
from centrode.scenario.tree import decode, parse
from centrode.scenario.writing import emit


def plain(text):
    return parse(text).plain()


def test_yaml_12_scalars():
    text = "[1e-3, 1E+2, .5, 5., 12, -7, 0x1F, yes, on, no, true, False, ~, null, .inf, -.inf, "
    text += "'12', 1_000, 2020-01-01, 12:30]"
    assert plain(text) == [
        1e-3, 100.0, 0.5, 5.0, 12, -7, 31, "yes", "on", "no", True, False, None, None, math.inf, -math.inf,
        "12", "1_000", "2020-01-01", "12:30",
    ]  # fmt: skip


def test_lines_of_values_and_keys():
    root = parse("a: 1\nb:\n  c: 2\n  d:\n    - 3\n    - 4\n")
    assert root.value["b"].key_line == 2
    assert root.value["b"].value["d"].value[1].line == 6


def test_anchors_and_merges():
    assert plain("a: &x {m: 1, n: 2}\nb: {<<: *x, n: 3}\n")["b"] == {"m": 1, "n": 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("a: 1\nb: 2\na: 3\n", "f:3: key given twice, got 'a' (first in line 1)"),
        ("a:\n\t- b\n", "f:2: not valid YAML: a tab"),
        ("a: [1\n", "f:1: not valid YAML: '[' is opened and never closed"),
        ("a: b: c\n", "put text that contains ': ' in quotes"),
        ("a: 1\n---\nb: 2\n", "more than one document"),
        ("a: *nothing\n", "f:1: not valid YAML: found undefined alias"),
        ("a: &a [*a]\n", "nested too deeply"),
        ("[" * 5000, "nested too deeply"),
        ("a: 1\nb: !!python/object:os.system x\n", "f:2: tags are not used"),
        ("? [1, 2]\n: 3\n", "a key must be a name"),
        ("a: \x00\n", "a character that YAML does not allow"),
        ("a: 1e999\n", "number out of range"),
        ("x: " + "1" * 5000, "number out of range"),
        ("a: {b: link${i}}\n", "an expression needs quotes"),
    ],
)
def test_faulty_text(text, message):
    with pytest.raises(InputError) as caught:
        parse(text, "f")
    assert message in str(caught.value)


def test_aliases_of_aliases_do_not_fill_the_memory():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(InputError, match="too many values"):
        parse("\n".join(lines))


def test_giant_text_is_refused_before_it_is_read():
    with pytest.raises(InputError, match="too large"):
        parse("#" * (5 << 20))


@pytest.mark.parametrize(
    "raw", [b"a: \xff\n", b"\x00\x01\x02\xff" * 20, "a: ä".encode("latin-1"), "a: 1".encode("utf-16")]
)
def test_other_encodings_are_refused(raw):
    with pytest.raises(InputError):
        parse(decode(raw, "f"), "f")


def test_byte_order_mark_is_dropped():
    assert plain(decode(b"\xef\xbb\xbfa: 1")) == {"a": 1}


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=80), st.text(alphabet="abc:-[]{}&*!|>'\"%@`#,? \n\t0.~<", max_size=60)))
def test_any_text_is_read_or_refused(text):
    try:
        parse(text, "f")
    except InputError as error:
        assert error.faults


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(raw):
    try:
        parse(decode(raw, "f"), "f")
    except InputError as error:
        assert error.faults


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc_d1 :#", max_size=5), inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None)
@given(st.dictionaries(st.text("abcxyz_-", min_size=1, max_size=6), values, min_size=1, max_size=5))
def test_what_is_written_reads_back(data):
    assert plain(emit(data)) == data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${0.1*i}", 0.30000000000000004),
        ("${i}", 3),
        ("link${i-1}", "link2"),
        ("${5*i} deg", "15 deg"),
        ("${2**0.5}", math.sqrt(2)),
        ("${-i // 2}", -2),
        ("${1 if i > 2 else 0}", 1),
        ("${hypot(i, 4)}", 5.0),
        ("${max(1, i, 2)}", 3),
        ("$${i}", "${i}"),
        ("costs 5 $", "costs 5 $"),
        ("${cos(pi)}", -1.0),
    ],
)
def test_expressions(text, value):
    result = substitute(text, {"i": 3})
    assert result == value and type(result) is type(value)


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')", "i.real", "i[0]", "lambda: 1", "(1, 2)", "'a' * 9", "9**9**9**9", "1/0", "x", "", "1 +",
        "[j for j in i]", "abs(*i)", "round(i, ndigits=2)", "sqrt(-1)", "1e308 * 10", "min()", "i := 4",
        "+" * 200 + "1", "f'{i}'", "not i", "1 < 2 < 3", "floor(1e400)", "0 ** -1", "True.real",
    ],
)  # fmt: skip
def test_what_an_expression_must_not_do(expression):
    with pytest.raises(InputError):
        evaluate(expression, {"i": 3})


@given(st.text(alphabet="i0123456789.+-*/%()<>= e", max_size=40))
def test_any_expression_has_a_value_or_is_refused(expression):
    with contextlib.suppress(InputError):
        assert math.isfinite(evaluate(expression, {"i": 2}))
