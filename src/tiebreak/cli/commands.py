"""The commands and their options; each calls the library and hands its answer to `output`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tiebreak._version import __version__
from tiebreak.cli.arguments import names_of, reading
from tiebreak.cli.output import deliver, progress_while, refuse_existing, refuse_same

if TYPE_CHECKING:
    from tiebreak.comparison import Comparison
    from tiebreak.sources import Instances, Ranked

Command = TypeVar("Command", bound=Callable[..., Any])

CELLS = (
    "both_right",
    "right_wrong",
    "wrong_right",
    "both_wrong",
    "primary_better",
    "alternative_better",
    "tied",
    "any",
)

_DATA = [
    click.argument("files", nargs=-1, required=True, metavar="FILE..."),
    click.option("--truth", metavar="COL", help="Column of the true labels [default: y_true, truth, label, …]."),
    click.option("--models", metavar="A,B,…", help="Model columns [default: every column no other option names]."),
    click.option("--id", "id_", metavar="COL", help="Column that identifies an instance [default: the one called id]."),
    click.option("--task", type=click.Choice(["classification", "correct", "clustering", "regression", "scores"]),
                 default="classification", show_default=True,
                 help="What the columns hold: labels; answers already graded right or wrong (0/1, no truth); clusters; "
                 "predicted numbers; or graded scores (higher is better, no truth)."),
    click.option("--long", "long_", metavar="MODEL,PREDICTION", help="Long layout: these two columns, with --id."),
    click.option("--missing", type=click.Choice(["raise", "wrong", "drop"]), default="raise", show_default=True,
                 help="What a missing prediction means."),
    click.option("--na", metavar="TEXT", help="Reads as missing, besides the empty field."),
    click.option("--weight", metavar="COL", help="Column of sample weights."),
    click.option("--group", metavar="COL", help="Column of dependent instances (documents, patients, questions)."),
    click.option("--labels", metavar="A,B,…", help="Order of the classes."),
    click.option("--metric", metavar="NAME", help="Of eval logs: the metric, where they have several."),
    click.option("--filter", metavar="NAME", help="Of lm-eval logs: the filter, where they have several."),
    click.option("--scorer", metavar="NAME", help="Of Inspect logs: the scorer, where they have several."),
    click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of whatever is drawn at random."),
    click.option("--memory-limit", default="2GB", show_default=True, help="What the engine may use before it spills."),
    click.option("--temp-dir", metavar="DIR", type=click.Path(exists=True, file_okay=False), help="Where it spills."),
]  # fmt: skip

_DOUBT = [
    click.option("--correction", type=click.Choice(["holm", "romano-wolf", "none"]), default="holm", show_default=True,
                 help="Adjustment of p-values for their number."),
    click.option("--interval", "interval", metavar="METHOD", help="Another interval of the differences: tango, "
                 "newcombe, bonett_price, bootstrap_percentile, bootstrap_bca."),
    click.option("--rope", type=float, metavar="X", help="Region of practical equivalence: differences within ±X."),
    click.option("--tau", type=float, metavar="X", help="Prior scale: the usual size of a true difference."),
]  # fmt: skip

_TASKS = [
    click.option("--tolerance", type=float, metavar="X", help="Numbers: within X counts as right."),
    click.option("--loss", type=click.Choice(["absolute", "squared"]), default="absolute", show_default=True,
                 help="Regression: what is averaged."),
    click.option("--noise", type=click.Choice(["cluster", "singleton"]), default="cluster", show_default=True,
                 help="Clustering: what label -1 is."),
    click.option("--floor", type=float, default=0.0, show_default=True,
                 help="Numbers: the smallest loss that matters in a profile."),
    click.option("--cost", metavar="FILE", help="What each answer costs: a square CSV, rows true labels."),
    click.option("--by", metavar="A,B,…", help="One comparison for each value of these columns."),
    click.option("--conjunctions", is_flag=True, help="With --by: also for each pair of values of two columns."),
    click.option("--proba", multiple=True, metavar="MODEL=COL", help="A column of class probabilities, MODEL=COL or "
                 "MODEL:LABEL=COL; repeat it."),
    click.option("--positive", metavar="LABEL", help="With --proba of two classes: the class that is looked for."),
    click.option("--stratify", metavar="COL", help="Several test sets: a table for each, and a stratified total."),
]  # fmt: skip
_BADGE = click.option("--badge", metavar="FILE", help="Also write a badge there, as JSON for a shields.io endpoint.")

_OUTPUT = [
    click.option("--json", "form", flag_value="json", help="One JSON document."),
    click.option("--markdown", "form", flag_value="markdown", help="Markdown tables."),
    click.option("--latex", "form", flag_value="latex", help="LaTeX tables."),
    click.option("--output", "-o", metavar="FILE", help="Write there instead of standard output."),
    click.option("--force", is_flag=True, help="Replace an output that exists."),
    click.option("--quiet", is_flag=True, help="No progress and no notes on standard error."),
    click.option("--traceback", is_flag=True, hidden=True),
]


# What commands that lack an option mean by it.
_PLAIN: dict[str, Any] = {
    "baseline": None, "correction": "none", "interval": None, "rope": None, "tau": None, "tolerance": None,
    "loss": "absolute", "noise": "cluster", "floor": 0.0, "cost": None, "by": None, "conjunctions": False, "proba": (),
    "positive": None, "stratify": None,
}  # fmt: skip


def _with(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tiebreak")
def tiebreak() -> None:
    """Compare models instance by instance: who is right where the other is wrong."""


@tiebreak.command()
@_with(_DATA)
@_with(_DOUBT)
@_with(_TASKS)
@click.option("--baseline", metavar="NAME", help="Compare every model with this one only.")
@click.option("--all-pairs", is_flag=True, help="List every pair in JSON, also above 100 models.")
@click.option("--report", metavar="OUT.html", help="Write a page of it as well: one file, complete without a network.")
@click.option("--leaderboard", "form", flag_value="leaderboard", help="The ranking alone, as Markdown for a README.")
@_BADGE
@_with(_OUTPUT)
def compare(**options: Any) -> None:
    """Compare two or more models: a table and a verdict.

    FILE is CSV, TSV, Parquet, JSON Lines, JSON or Arrow/Feather, or - for CSV on standard input. Several files are
    joined on --id; NAME=FILE names a file's model.
    """
    _refuse_outputs(options)
    refuse_existing(options["report"], force=options["force"], inputs=options["files"], argument="report")
    comparison = _compared(options)
    _say_notes(comparison, options)
    _write_badge(comparison, options)
    if options["report"] is not None:
        comparison.report(options["report"], force=options["force"])
    text = (
        comparison.to_json(all_pairs=options["all_pairs"])
        if options["form"] == "json"
        else _written(comparison, options["form"])
    )
    deliver(text, options["output"], force=options["force"])


@tiebreak.command()
@_with(_DATA)
@click.option("--primary", metavar="A", help="The first model [default: the first column].")
@click.option("--alternative", metavar="B", help="The second model [default: the second column].")
@click.option("--cell", type=click.Choice(CELLS),
              help="Which instances [default: right_wrong; of numbers any, the widest gap first; of clusterings those "
              "that contribute most].")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="At most this many.")
@_with(_OUTPUT)
def show(**options: Any) -> None:
    """Show the instances of one cell, such as those on which only A is right."""
    refuse_existing(options["output"], force=options["force"], inputs=options["files"])
    comparison = _compared(options)
    primary = options["primary"] or next(n for n in comparison.names if n != options["alternative"])
    alternative = options["alternative"] or next(n for n in comparison.names if n != primary)
    found = comparison.instances(primary, alternative, options["cell"], options["limit"])
    text = _as_json(found) if options["form"] == "json" else _written(found, options["form"])
    deliver(text, options["output"], force=options["force"])


@tiebreak.command()
@_with(_DATA)
@click.option("--baseline", metavar="A", help="The model in use [default: the first].")
@click.option("--candidate", metavar="B", help="The model that would replace it [default: the second].")
@click.option("--margin", type=float, required=True, metavar="X", help="The largest loss that does not matter.")
@click.option("--must-pass", metavar="FILE", type=click.Path(exists=True, dir_okay=False),
              help="Ids that may not regress, one a line.")  # fmt: skip
@click.option("--interval", "interval", metavar="METHOD", help="Another interval of the difference; see compare.")
@click.option("--github", is_flag=True, help="Annotate the run on GitHub and write its step summary.")
@_BADGE
@_with(_OUTPUT)
@click.pass_context
def gate(context: click.Context, /, **options: Any) -> None:
    """Decide whether a candidate may replace the baseline.

    Exit code 0: improved or not worse by more than the margin; 1: worse; 3: not enough evidence; 2: the call or the
    data is wrong.
    """
    from tiebreak.cli.gate import EXIT_CODES, decided, write

    _refuse_outputs(options)
    pair = [options["baseline"], options["candidate"]]
    if all(pair) and pair[0] != pair[1] and options["models"] is None:
        # Two models make one comparison; others in the same table have no part in it.
        options["models"] = pair
    comparison = _compared({**options, "baseline": None})
    decision = decided(comparison, options)
    _say_notes(comparison, options)
    _write_badge(decision, options)
    write(comparison, decision, options)
    context.exit(EXIT_CODES[decision.outcome])


@tiebreak.command()
@_with(_DATA)
@click.option("--output", "-o", metavar="PART.tally", required=True, help="Where the tally is written.")
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@click.option("--quiet", is_flag=True, help="No progress and no notes on standard error.")
@click.option("--traceback", is_flag=True, hidden=True)
def count(**options: Any) -> None:
    """Count the outcomes only, and keep them in a small file: compare adds *.tally files of any number of parts."""
    from tiebreak.cli.count import counted_to_file

    refuse_existing(options["output"], force=options["force"], inputs=options["files"])
    counted_to_file(options)


@tiebreak.command()
@_with(_OUTPUT)
def demo(**options: Any) -> None:
    """Show the whole thing on data that ships with the package."""
    from tiebreak.cli.demo import demonstration

    refuse_existing(options["output"], force=options["force"])
    deliver(demonstration(options["form"]), options["output"], force=options["force"])


@tiebreak.command()
@click.option("--seeds", type=click.IntRange(min=1), default=100, show_default=True,
              help="How many seeds to try for learners that the papers left unseeded.")  # fmt: skip
@_with(_OUTPUT)
def papers(**options: Any) -> None:
    """Recompute the published tables, side by side with what was printed."""
    from tiebreak.papers import all_tables

    refuse_existing(options["output"], force=options["force"])
    tables = all_tables(seeds=options["seeds"])
    text = tables.to_json() if options["form"] == "json" else _written(tables, options["form"])
    deliver(text, options["output"], force=options["force"])


def _refuse_outputs(options: dict[str, Any]) -> None:
    """Refuse what would be overwritten before anything is computed; a badge is renewed with every run."""
    listed_ids = options.get("must_pass")
    read = [*options["files"], *([] if listed_ids is None else [listed_ids])]
    refuse_existing(options["output"], force=options["force"], inputs=read)
    refuse_existing(options["badge"], force=True, inputs=read)
    refuse_same([options["output"], options["badge"], options.get("report")])


def _write_badge(result: object, options: dict[str, Any]) -> None:
    if options["badge"] is not None:
        import json

        from tiebreak.views import badge

        deliver(json.dumps(badge(result), ensure_ascii=False), options["badge"], force=True)


def _compared(options: dict[str, Any]) -> Comparison:
    from tiebreak.comparison import compare as run

    options = {**_PLAIN, **options}
    with progress_while(not options["quiet"]) as progress:
        return run(
            **reading(options),
            baseline=options["baseline"],
            correction=options["correction"],
            interval=options["interval"],
            rope=options["rope"],
            tau=options["tau"],
            tolerance=options["tolerance"],
            loss=options["loss"],
            noise=options["noise"],
            floor=options["floor"],
            cost=options["cost"],
            by=_slices(options),
            y_proba=options["proba"] or None,
            positive=options["positive"],
            stratify=options["stratify"],
            level=options["level"],
            seed=options["seed"],
            progress=progress,
        )


def _slices(options: dict[str, Any]) -> list[str | tuple[str, str]] | None:
    """The columns of --by, and with --conjunctions every two of them."""
    columns = names_of(options["by"])
    if columns is None:
        return None
    pairs = itertools.combinations(columns, 2) if options["conjunctions"] else ()
    return [*columns, *pairs]


def _say_notes(comparison: Comparison, options: dict[str, Any]) -> None:
    """Warnings belong to standard error where the answer is a document for a program."""
    if options["form"] == "json" and not options["quiet"]:
        for note in comparison.warnings:
            click.echo(f"tiebreak: {note}", err=True)


def _written(result: Any, form: str | None) -> str:
    if form == "markdown":
        return str(result.to_markdown())
    if form == "latex":
        return str(result.to_latex())
    if form == "leaderboard":
        from tiebreak.views import leaderboard

        return leaderboard(result).markdown()
    return str(result)


def _as_json(found: Instances | Ranked) -> str:
    from tiebreak._format import json_text

    document = {
        "schema": 1,
        "primary": found.primary,
        "alternative": found.alternative,
        "cell": found.which,
        "total": found.total,
        "instances": [{column: _plain(value) for column, value in row.items()} for row in found],
    }
    return json_text(document)


def _plain(value: object) -> object:
    """A field as JSON knows it; what is no number is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
