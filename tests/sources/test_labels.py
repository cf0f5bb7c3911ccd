"""Labels are compared as they are: nothing is coerced, kinds are never mixed, missing is recognised everywhere."""

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from tiebreak.errors import MixedLabels, TiebreakError
from tiebreak.sources.labels import graded, label_of, labels_of, text_reader


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1.0, 1), (-0.0, 0), (np.int8(3), 3), (np.float32(2.0), 2), (Decimal("4.0"), 4), (Decimal("0.5"), 0.5),
        (True, True), (np.bool_(False), False), ("01", "01"), (np.str_("a"), "a"), (2**70, 2**70),
        (None, None), (math.nan, None), (np.nan, None), (pd.NA, None), (pd.NaT, None), (Decimal("nan"), None),
        (dt.date(2026, 1, 2), "2026-01-02"), (dt.datetime(2026, 1, 2, 3, 4), "2026-01-02 03:04:00"), (b"x", b"x"),
    ],
)  # fmt: skip
def test_a_raw_value_becomes_its_label(value, label):
    found = label_of(value, "y")
    assert found == label
    assert type(found) is type(label)


@pytest.mark.parametrize("value", [2.0**53, -(2.0**60), np.float64(1e300)])
def test_floats_that_have_lost_digits_are_refused(value):
    with pytest.raises(TiebreakError, match="lose digits"):
        label_of(value, "y")


@pytest.mark.parametrize("values", [[1, "1"], [True, 1], ["a", 2.5], [None, "a", False], [dt.date(2026, 1, 1), "x"]])
def test_mixed_kinds_are_refused_with_an_example_of_each(values):
    with pytest.raises(MixedLabels, match=r"column 'y' holds .* and .*: labels are compared as they are"):
        labels_of(values, "y")


def test_structures_are_no_labels():
    with pytest.raises(TiebreakError, match="a label must be one value"):
        label_of(["a"], "y")


@pytest.mark.parametrize(
    ("columns", "text", "value"),
    [
        ({"y": ["1", "2"], "p": ["2", None]}, "2", 2),
        ({"y": ["1", "2.5"]}, "2.5", 2.5),
        ({"y": ["1", "2.50"]}, "2.50", "2.50"),
        ({"y": ["1", "1e5"]}, "1e5", "1e5"),
        ({"y": ["1", "0.12345678901234567891"]}, "1", "1"),
        ({"y": ["1", "1e-05"]}, "1e-05", 1e-05),
        ({"y": ["1", "02"]}, "1", "1"),
        ({"y": ["1", "2"], "p": ["a", "1"]}, "1", "1"),
        ({"y": ["+1"]}, "+1", "+1"),
        ({"y": [" 1"]}, " 1", " 1"),
        ({"y": ["0x1"]}, "0x1", "0x1"),
        ({"y": ["1_000"]}, "1_000", "1_000"),
        ({"y": ["-0"]}, "-0", "-0"),
        ({"y": ["-0.0"]}, "-0.0", -0.0),
        ({"y": ["cat", "None"]}, "None", "None"),
    ],
)
def test_text_is_numbers_only_if_every_value_of_every_column_is_one(columns, text, value):
    found = text_reader(columns)(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("spelling", ["NaN", "nan", "NA", "n/a", "null", "None", "<NA>"])
def test_a_spelled_missing_value_among_numbers_is_not_guessed(spelling):
    with pytest.raises(MixedLabels, match=f"--na {spelling}"):
        text_reader({"y": ["1", "2"], "p": ["1", spelling]})


def test_a_class_with_such_a_name_can_be_declared():
    assert text_reader({"y": ["1", "2"], "p": ["1", "none"]}, ["1", "2", "none"])("1") == "1"


def test_graded_answers():
    assert graded([1, 0, 1.0, True, "true", "FALSE", None], "p") == [True, False, True, True, True, False, None]
    assert graded(["1", "0", "1.0", "0.0"], "p") == [True, False, True, False]
    for wrong in (2, 0.5, "yes", "01"):
        with pytest.raises(TiebreakError, match="every answer is 0 or 1"):
            graded([1, wrong], "p")
