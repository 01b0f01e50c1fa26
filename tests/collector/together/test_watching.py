"""What whoever watches a collector is told: metrics, events, and that the disk is all but full."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.collector.commands import command, in_a_line
from tests.collector.servers import Server, put, started, stopped
from tests.collector.worlds import DAY, Clock, Service, a_survey, body_of
from tests.waiting import until

from deniable.collector import upkeep
from deniable.collector.answer_form import AnswerForm
from deniable.collector.folding import fold
from deniable.intake.http.certificates import self_made
from deniable.intake.running import Run
from deniable.intake.storage.rows import Batch
from deniable.intake.storage.sqlite import FLOOR, SHARE_LEFT, SqliteStore
from deniable.protocol.errors import StoreError

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ")


def ended(server: Server) -> str:
    """Stop a server; all that it told."""
    stopped(server)
    return server.log.read_text()


def numbers(server: Server) -> dict[str, float]:
    """The metrics by their names; each has its kind and a sentence about it."""
    families = list(text_string_to_metric_families(server.ask("GET", "/metrics").body.decode()))
    assert all(family.documentation.endswith(".") and family.type != "unknown" for family in families)
    return {sample.name: sample.value for family in families for sample in family.samples}


def test_metrics_say_what_was_done_and_how_the_collector_stands(tmp_path: Path) -> None:
    own = self_made(tmp_path, ["127.0.0.1"])
    options = ("--tls-certificate", str(own.certificate), "--tls-key", str(own.key))
    server, plain = started(tmp_path / "tls" / "data", *options), started(tmp_path / "plain" / "data")
    try:
        survey = put(plain, plain.operator, a_survey("watched", minimum=1))
        assert plain.send(survey, body_of([1, 2, 3])).status == 200
        assert plain.send(survey, body_of([9])).status == 422
        until(lambda: numbers(plain)["deniable_disk_floor_bytes"] > 0)
        told = numbers(plain)
        assert told["deniable_uploads_total"] == 1
        assert told["deniable_transactions_total"] == 2
        assert told["deniable_answers_total"] == 3
        assert told["deniable_refusals_total"] == 1
        assert told["deniable_transaction_seconds_count"] == 2
        assert told["deniable_loop_lag_seconds_count"] > 0
        usage = shutil.disk_usage(tmp_path)
        assert told["deniable_disk_floor_bytes"] == min(FLOOR, usage.total // SHARE_LEFT)
        assert told["deniable_disk_free_bytes"] == pytest.approx(usage.free, rel=0.2)
        assert told["deniable_clock_doubted"] == told["deniable_backup_timestamp_seconds"] == 0
        until(lambda: numbers(plain)["deniable_folding_lag_seconds"] > 0)
        assert plain.ask("PUT", "/v1/backups/b", token=plain.operator).status == 201
        assert numbers(plain)["deniable_backup_timestamp_seconds"] == pytest.approx(time.time(), abs=60)
        assert numbers(plain)["deniable_certificate_end_timestamp_seconds"] == 0
    finally:
        begun = ended(plain).splitlines()[0]
        assert begun == f"collecting at {plain.url}"  # lines for people, at the start
        ended(server)


def test_events_are_objects_with_time_survey_and_reason(tmp_path: Path) -> None:
    server = started(tmp_path / "data", "--log-format", "json")
    survey = put(server, server.operator, a_survey("logged", minimum=1, grace=0))
    assert server.send(survey, body_of([1])).status == 200
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", token=server.operator).status == 200
    path = f"/v1/surveys/{survey.digest}/periods"
    until(lambda: bool(server.ask("GET", path, token=server.operator).json[0]["state"] == "released"))
    events = [json.loads(line) for line in ended(server).splitlines()]
    assert all(LINE.fullmatch(event["time"] + " ") and event["level"] == "info" for event in events)
    [closed] = [event for event in events if event["event"] == "a period was closed"]
    assert (closed["survey"], closed["period"]) == ("logged", "once")


def test_a_format_that_is_none_is_refused(tmp_path: Path) -> None:
    refused = command("serve", "--data", str(tmp_path / "data"), "--log-format", "xml")
    assert refused.returncode == 2
    assert "--log-format must be one of text, json" in in_a_line(refused.stderr)


def test_a_period_that_fails_is_named_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    with Service(clock, lambda: SqliteStore(tmp_path, clock)) as service:
        for name in ("one", "two"):
            service.desk.put(a_survey(name, minimum=1), "ann")
            service.send(a_survey(name, minimum=1), body_of([1]))
        whole, [first, second] = fold, service.collector.run(lambda t: t.batches())

        def failing(run: Run, form: AnswerForm, batch: Batch) -> bool:
            if batch == first:
                raise StoreError("the storage must take what is written, got SQLITE_FULL")
            return whole(run, form, batch)

        monkeypatch.setattr(upkeep, "fold", failing)
        clock.advance(120)
        service.keeper.keep()
        clock.advance(120)
        service.keeper.keep()
        sums = service.collector.run(lambda t: [t.sums(batch.number) for batch in (first, second)])
        assert [each is not None for each in sums] == [False, True]
    reason = "the storage must take what is written, got SQLITE_FULL"
    assert {line.partition(": ")[0] for line in caplog.messages} == {"a period could not be kept in order"}
    assert all(line.endswith(f"period once, {reason}") for line in caplog.messages)


def test_a_clock_that_jumps_is_told_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    clock = Clock()
    with Service(clock, lambda: SqliteStore(tmp_path, clock)) as service:
        clock.jump(10 * DAY)
        for _ in range(3):
            service.keeper.keep()
        service.keeper.look_at_the_clock(confirm=True)
    assert [line.partition(":")[0] for line in caplog.messages] == ["nothing is closed", "the clock is believed again"]


def test_a_disk_that_is_all_but_full_takes_no_answers_and_says_so(tmp_path: Path) -> None:
    free = tmp_path / "free"
    free.write_text(str(1 << 30))
    server = started(tmp_path / "data", program="tests.collector.crammed")
    try:
        survey = put(server, server.operator, a_survey("crammed", minimum=1))
        assert server.send(survey, body_of([1])).status == 200
        free.write_text(str(FLOOR - 1))
        until(lambda: server.send(survey, body_of([2])).status == 503)
        refused, ready = server.send(survey, body_of([2])), server.ask("GET", "/ready")
        assert refused.kind == ready.kind == "busy"
        assert refused.headers["Retry-After"] == "60"
        assert "must have 256 MiB free to take answers, got 255" in ready.json["detail"]
        assert server.ask("GET", "/live").status == 200
        assert server.ask("GET", "/v1/status", token=server.operator).status == 200
        free.write_text(str(1 << 30))
        until(lambda: server.ask("GET", "/ready").status == 200)
        assert server.send(survey, body_of([3])).status == 200
    finally:
        told = [line for line in ended(server).splitlines() if LINE.match(line)]
    assert "uploads are refused" in told[0]
    assert told[1].endswith("uploads are taken again")
