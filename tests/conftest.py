"""What all tests share: reproducible examples, no silent skips."""

import os

import hypothesis
import pytest

# Run as scripts, each in a process or an environment of its own.
collect_ignore = ["core_only.py", "sources/spark_contract.py", "sources/spark_faults.py", "logs/make_logs.py"]
# Needs logs that the harnesses have written: .ci/logs makes them.
collect_ignore += [] if os.environ.get("TIEBREAK_LOGS") else ["logs/written.py"]

hypothesis.settings.register_profile("default", deadline=None, max_examples=60, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("TIEBREAK_HYPOTHESIS", "default"))


def pytest_addoption(parser):
    parser.addoption(
        "--refuse-skips", action="store_true", help="a skipped test fails: nothing optional may be missing here"
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped and item.config.getoption("--refuse-skips") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in a run that refuses to skip: {report.longrepr}"
