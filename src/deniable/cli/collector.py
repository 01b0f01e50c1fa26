"""``deniable collector``: what an operator asks of a collector, running or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli import options
from deniable.cli.output import check_files, show, show_json
from deniable.cli.serve import Data, Database, Keys, check_installed, connected_to
from deniable.engines.open_any import read_document
from deniable.engines.survey_files import DOCUMENT, write_document
from deniable.estimation.table import Table
from deniable.estimation.words import amount
from deniable.protocol.checks import check_choice, near
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import new_folder
from deniable.surveys.authoring import unstated
from deniable.surveys.crowd_opening import with_key
from deniable.surveys.survey import Survey

RELEASED = "released"
KEY_LOST = "the key of {} is not there: no parcel of it can be opened until it is put back"
GAPS = " (some may be missing: the storage was restored)"
Named = Annotated[str, typer.Argument(metavar="SURVEY", help="Its name, or the beginning of its digest.")]
Period = Annotated[str, typer.Option("--period", metavar="PERIOD", help="Such as once, 2026-08-01, 2026-W31, 2026-08.")]


def put(
    survey: Annotated[Path, typer.Argument(metavar="FILE", help="A survey's document, such as survey.json.")],
    data: Data,
    database: Database = None,
    address: Annotated[
        str | None,
        typer.Option("--address", metavar="URL", help="Where a mixer reaches this collector, if it has a crowd."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The document with address and key, for the mixer.")
    ] = None,
    keys: Keys = None,
) -> None:
    """Serve a survey: from now on its answers are taken."""
    document = read_document(survey)
    options.warn_of_unstated(unstated(document.contact, document.responsible))
    is_complete = document.crowd is None or document.crowd.key is not None
    if (address is None or out is None) != is_complete:
        got = "some for a survey that needs none" if is_complete else "a survey that has neither address nor key yet"
        raise ParameterError(f"--address and --out must be given for a survey with a crowd, got {got}")
    check_files([out], [survey])
    with connected_to(data, database, keys=keys) as operator:
        if address is not None and out is not None:
            document = with_key(document, address, operator.ask("POST", "/v1/keys")["key"])
        row = operator.put_document(document.document)
        show(f"{row['name']} is served at {operator.url}/v1/surveys/{row['digest']}")
    if out is not None:
        write_document(document, out)
        show(f"its document with the key is written to {out}: the mixer allows that one")


def status(data: Data, database: Database = None, as_json: options.Json = False) -> None:
    """Show the surveys, their periods, how many answers each has, and what was refused."""
    with connected_to(data, database) as operator:
        surveys = operator.ask("GET", "/v1/status")
    if as_json:
        show_json(surveys)
        return
    rows = [
        (
            survey["name"],
            survey["digest"][:12],
            period["period"],
            _words(period),
            f"{period['answers']:,}{GAPS if period['gaps'] else ''}",
        )
        for survey in surveys
        for period in survey["periods"] or [{"period": "", "phase": survey["phase"], "answers": 0, "gaps": False}]
    ]
    show(Table("Surveys", ("survey", "digest", "period", "state", "answers"), rows))
    if crowds := [_crowd(survey, each) for survey in surveys if survey["crowd"] for each in survey["crowd"]["periods"]]:
        show(Table("Crowds", ("survey", "period", "codes", "of the answers", "level", "together"), crowds))
    for survey in surveys:
        if survey["crowd"] and survey["crowd"]["key"] == "lost":
            show(KEY_LOST.format(survey["name"]))
    refused = [
        (survey["name"], each["period"], each["kind"], f"{each['uploads']:,}")
        for survey in surveys
        for each in survey["refused"]
    ]
    if refused:
        show(Table("Refused uploads", ("survey", "period", "reason", "uploads"), refused))


def _crowd(survey: Any, crowd: Any) -> tuple[str, ...]:
    """How the crowd of a period stands, as a row."""
    weaker = " (not as promised)" if crowd["lowered"] else ""
    level = "" if crowd["level"] is None else f"{crowd['level']:g}{weaker}"
    codes = "" if crowd["lost"] else f"{crowd['codes']:,}"
    return survey["name"], crowd["period"], codes, _became(crowd), level, f"{crowd['together']:g}"


def _became(crowd: Any) -> str:
    """What became of the answers of a period, in a few words."""
    if crowd["lost"]:
        return "lost: a parcel came, and the storage was put back from a backup"
    if crowd["withheld"]:
        return f"{crowd['withheld']:,} withheld by the mixer"
    counts = ("answers", "repeated", "unreadable")
    words = [f"{crowd[name]:,} {name}" for name in counts] if "answers" in crowd else ["a parcel came"]
    return ", ".join([*words, *([f"{crowd['again']:,} FROM ANOTHER PERIOD"] if crowd["again"] else [])])


def close(survey: Named, data: Data, database: Database = None) -> None:
    """Close a survey now; answers that are on their way are taken until its grace is over."""
    with connected_to(data, database) as operator:
        row = operator.ask("POST", f"/v1/surveys/{digest_of(operator, survey)}/close")
    show(f"{row['name']} takes no new answers")


def delete(
    survey: Named,
    data: Data,
    title: Annotated[
        str, typer.Option("--title", metavar="TITLE", help="Its title as it is, or its name if it has none.")
    ],
    database: Database = None,
) -> None:
    """Delete a survey that is over or was never answered, for good: its document, its answers and its results."""
    with connected_to(data, database) as operator:
        row = operator.ask("POST", f"/v1/surveys/{digest_of(operator, survey)}/delete", {"title": title})
    show(f"{row['name']} is deleted; backups, exports and tallies that exist keep what they have")


def recount(
    survey: Named, data: Data, period: Period = "once", database: Database = None, as_json: options.Json = False
) -> None:
    """Count the kept answers again; exit with 1 unless the result is the same to the byte."""
    with connected_to(data, database) as operator:
        digest = digest_of(operator, survey)
        _period_status(operator, digest, period)
        recounted = operator.ask("POST", _path(digest, period, "recount"))
    if as_json:
        show_json(recounted)
    elif not recounted["kept"]:
        show("the answers are no longer kept, so nothing can be counted again")
    else:
        outcome = "the same" if recounted["same"] else "NOT THE SAME"
        show(f"{amount(recounted['answers'], 'answer')}, counted again: {outcome} to the byte")
    if recounted["kept"] and not recounted["same"]:
        raise typer.Exit(1)


def export(
    survey: Named,
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new folder for the files of answers.")],
    period: Period = "once",
    database: Database = None,
) -> None:
    """Write the answers of a closed period as files, which deniable tally and Spark count to the same numbers."""
    with connected_to(data, database) as operator, new_folder(out):
        digest = digest_of(operator, survey)
        status = _period_status(operator, digest, period)
        if status["state"] != RELEASED:
            still = ", ".join(filter(None, (_words(status).lower(), status["until"])))
            raise ParameterError(f"a period must be closed and its grace over to be exported, got one that is {still}")
        document = Survey.from_stored(operator.document(digest))
        width = len(str(len(document.arms) - 1))
        for arm in range(len(document.arms)):
            path = _path(digest, period, f"answers.parquet?arm={arm}")
            operator.download(path, out / f"arm-{arm:0{width}}.parquet")
        write_document(document, out / DOCUMENT)
    show(f"written to {out}; count them with: deniable tally {out} --out survey.tally")


def backup(
    data: Data,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the backup, in DIR/backups.")],
    database: Database = None,
) -> None:
    """Write a backup while the collector runs."""
    with connected_to(data, database) as operator:
        show(operator.back_up(name)["path"])


def restore(
    backup: Annotated[Path, typer.Argument(metavar="FILE", help="What deniable collector backup wrote.")],
    data: Data,
    keys: Keys = None,
) -> None:
    """Put a backup in the place of a stopped collector's storage, which is kept beside the backups."""
    check_installed()
    from deniable.collector.http.operator import restored, surveys_without_keys

    earlier = restored(backup, data)
    show(f"{backup} is in its place; periods that were open say that answers may be missing")
    show("tokens that were deleted since the backup are good again: look through them")
    show("everybody signs in anew, and every link to results has ended")
    for name in surveys_without_keys(data, keys):
        show(KEY_LOST.format(name))
    if earlier is not None:
        show(f"what was there before is in {earlier}; delete it once nothing of it is needed")


def export_keys(
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A folder for the copy, for its owner alone.")],
    keys: Keys = None,
) -> None:
    """Copy the keys that a crowd's answers are sealed for: no backup has them, and without them no parcel is opened."""
    check_installed()
    from deniable.collector.keys import KEYS, KeyFolder

    count = KeyFolder(keys or data / KEYS).export(out)
    show(f"{amount(count, 'key')} copied to {out}: whoever has them and a parcel can open it")


def check(data: Data, database: Database = None, as_json: options.Json = False) -> None:
    """Read everything that is stored; exit with 1 if anything is damaged, which is set aside."""
    with connected_to(data, database) as operator:
        report = operator.ask("POST", "/v1/check")
    rows = [(each["name"], each["digest"][:12], each["period"], each["damaged"]) for each in report["periods"]]
    rows += [("", "", "", line) for line in report["beside"]]  # what is of no period
    if as_json:
        show_json(report)
    elif rows:
        show(Table("Damaged", ("survey", "digest", "period", "what"), rows))
    else:
        show("everything is as it was written")
    if rows:
        raise typer.Exit(1)


def clock(data: Data, database: Database = None) -> None:
    """Confirm that the clock is right, after a jump kept periods from being closed."""
    with connected_to(data, database) as operator:
        operator.ask("POST", "/v1/clock")
    show("the clock is taken to be right")


def link(data: Data) -> None:
    """Print a link that opens the pages of a running collector: good once, for 15 minutes."""
    operator = _running(data)
    show(operator.address(operator.ask("POST", "/links")["path"]))


def sign_out(data: Data) -> None:
    """Sign everybody out of the pages of a running collector, its operator too."""
    _running(data).ask("POST", "/sign-out")
    show("everybody is signed out")


def _running(data: Path) -> Any:
    check_installed()
    from deniable.intake.http.operator import running

    return running(data, "collector", "deniable serve")


def _path(digest: str, period: str, what: str) -> str:
    from deniable.intake.http.operator import period_path

    return period_path(digest, period, what)


def _period_status(operator: Any, digest: str, period: str) -> Any:
    """The status of a period; one that nobody has answered in is refused, with those that there are."""
    survey = next(row for row in operator.ask("GET", "/v1/status") if row["digest"] == digest)
    by_period = {each["period"]: each for each in survey["periods"]}
    if not by_period:
        raise ParameterError("the survey must have answers, got none yet")
    return by_period[check_choice("period", period, by_period)]


def _words(period: Any) -> str:
    """The phase of a period in words."""
    from deniable.intake.phases import Phase

    return Phase[period["phase"].upper()].value


def digest_of(operator: Any, survey: str) -> Any:
    """The digest of a survey that an operator names; one that is not served is hinted at by its name."""
    try:
        return operator.digest_of(survey)
    except ParameterError as error:
        names = [row["name"] for row in operator.ask("GET", "/v1/status")]
        raise ParameterError(f"{error}{near(survey, names) if names else '; none is served here yet'}") from None
