"""Write real logs, offline: lm-eval's command with its dummy model, and Inspect's own log writer.

Run in an environment of its own that has both: `python make_logs.py FOLDER`.
"""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

TASK = """\
task: {name}
dataset_path: json
dataset_kwargs:
  data_files: {docs}
test_split: train
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
doc_to_choice: ["yes", "no", "maybe"]
metric_list:
  - metric: acc
  - metric: acc_norm
metadata:
  version: {version}
"""
FILTERED = """\
task: filtered
dataset_path: json
dataset_kwargs:
  data_files: {docs}
test_split: train
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "lol"
generation_kwargs:
  until: ["\\n"]
filter_list:
  - name: strict
    filter: [{{function: regex, regex_pattern: "^(x)$"}}, {{function: take_first}}]
  - name: loose
    filter: [{{function: regex, regex_pattern: "(lol)"}}, {{function: take_first}}]
metric_list:
  - metric: exact_match
"""


def write_docs(path, questions):
    path.write_text("".join(json.dumps({"question": f"question {i}", "answer": i % 3}) + "\n" for i in questions))


def run_lm_eval(folder, tasks, name, out, seed, *options):
    command = [Path(sys.executable).parent / "lm_eval", "--model", "dummy", "--include_path", tasks, "--tasks", name,
               "--log_samples", "--output_path", folder / out, "--seed", str(seed), *options]  # fmt: skip
    done = subprocess.run(
        list(map(str, command)), env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}, text=True,
        capture_output=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


def lm_eval_logs(folder):
    tasks = folder / "tasks"
    tasks.mkdir(parents=True)
    write_docs(tasks / "docs.jsonl", range(40))
    write_docs(tasks / "changed.jsonl", [*range(20), *range(100, 120)])
    (tasks / "tiny.yaml").write_text(TASK.format(name="tiny", docs=tasks / "docs.jsonl", version=1.0))
    (tasks / "filtered.yaml").write_text(FILTERED.format(docs=tasks / "docs.jsonl"))
    run_lm_eval(folder, tasks, "tiny", "small", 1)
    run_lm_eval(folder, tasks, "tiny", "large", 2)
    run_lm_eval(folder, tasks, "tiny", "subset", 3, "--limit", "30")
    run_lm_eval(folder, tasks, "filtered", "filtered/small", 1)
    run_lm_eval(folder, tasks, "filtered", "filtered/large", 2)
    (tasks / "tiny.yaml").write_text(TASK.format(name="tiny", docs=tasks / "docs.jsonl", version=2.0))
    run_lm_eval(folder, tasks, "tiny", "newer", 4)
    (tasks / "tiny.yaml").write_text(TASK.format(name="tiny", docs=tasks / "changed.jsonl", version=1.0))
    run_lm_eval(folder, tasks, "tiny", "changed", 5)


def inspect_logs(folder):
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
    from inspect_ai.scorer import Score

    folder.mkdir(parents=True)

    def write(name, model, wrong, *, epochs=1, status="success", version=1):
        samples = [
            EvalSample(
                id=f"q{i}",
                epoch=epoch,
                input=f"question {i}",
                target="a",
                scores={
                    "match": Score(value="I" if i % wrong == 0 else "C"),
                    "graded": Score(value={"style": i / 20, "truth": 1.0}),
                },
            )
            for i in range(20)
            for epoch in range(1, epochs + 1)
        ]
        spec = EvalSpec(
            created=datetime(2026, 1, 1, tzinfo=UTC).isoformat(),
            task="arith",
            task_version=version,
            model=model,
            dataset=EvalDataset(name="arith", samples=20),
            config=EvalConfig(epochs=epochs),
        )
        log = EvalLog(status=status, eval=spec, samples=samples)
        write_eval_log(log, str(folder / name), format=name.rsplit(".", 1)[1])

    write("small.eval", "mock/small", 2)
    write("large.eval", "mock/large", 5)
    write("large.json", "mock/large", 5)
    write("small3.eval", "mock/small", 2, epochs=3)
    write("large3.eval", "mock/large", 5, epochs=3)
    write("stopped.eval", "mock/stopped", 3, status="error")
    write("newer.eval", "mock/newer", 3, version=2)


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    lm_eval_logs(target / "lm_eval")
    inspect_logs(target / "inspect")
    print(target)
