"""What a JSON document must keep: every null has a reason, and every reason belongs to a null."""

import re

# What was not asked for, or does not belong to the data, is null without being undefined.
ABSENT = {
    "truth",
    "weight",
    "groups",
    "baseline",
    "interval",
    "rope",
    "tau",
    "tolerance",
    "cochran_q",
    "profile",
    "pool",
}


# In slices an open question and a missing value are null, and so is a price that turns nothing.
OPEN = re.compile(r"(slices|strata)\S*\.(better|value)$|break_even\[\d+\]\.\w+$")


def nulls(value, path=""):
    """The paths of all nulls."""
    if value is None and OPEN.search(path):
        return
    if value is None:
        yield path
    elif isinstance(value, dict):
        for name, entry in value.items():
            if path or not (name == "undefined" or (entry is None and name in ABSENT)):
                yield from nulls(entry, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for place, entry in enumerate(value):
            yield from nulls(entry, f"{path}[{place}]")


def assert_every_null_has_its_reason(document):
    document = {name: entry for name, entry in document.items() if name != "cost"}
    found = sorted(nulls(document))
    assert found == sorted(entry["path"] for entry in document["undefined"])
    assert all(entry["reason"] for entry in document["undefined"])
