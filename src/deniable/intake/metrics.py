"""What a collector has done since it started, and how it stands, as Prometheus reads it."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Bounds between which times are counted."""


class Metrics:
    """Counts by name, a refusal also by its kind. Nothing here is about a survey, a period or a person."""

    def __init__(self) -> None:
        self._all = CollectorRegistry()
        self._transactions = self._counter("transactions", "Groups of uploads that were made durable together.")
        self._uploads = self._counter("uploads", "Uploads that were taken.")
        self._answers = self._counter("answers", "Answers that were taken.")
        self._refusals = Counter(
            "deniable_refusals", "Uploads that were refused, by the kind of problem.", ["kind"], registry=self._all
        )
        self._took = Histogram(
            "deniable_transaction_seconds", "How long a group of uploads took.", buckets=SECONDS, registry=self._all
        )
        self._held = Histogram(
            "deniable_loop_lag_seconds", "How long what hears uploads was held up.", buckets=SECONDS, registry=self._all
        )
        self.waiting = self._gauge("waiting_bytes", "Bytes of uploads that wait to be made durable.")
        self.lag = self._gauge("folding_lag_seconds", "How long answers have waited to be counted, at most.")
        self.free = self._gauge("disk_free_bytes", "Free space where the storage is; only of SQLite.")
        self.floor = self._gauge("disk_floor_bytes", "Free space below which uploads are refused; only of SQLite.")
        self.doubted = self._gauge("clock_doubted", "1 while the clock has jumped, so that nothing is closed.")
        self.damaged = self._gauge("damaged_periods", "Periods that are set aside, since what is stored is damaged.")
        self.lost_keys = self._gauge("lost_keys", "Surveys whose keys are not there, so that no parcel is opened.")
        self.withheld_parcels = self._gauge("withheld_parcels", "Periods of which a mixer had too few answers.")
        self.lowered_crowds = self._gauge("lowered_crowds", "Periods of which too few answers could be read.")
        self.certificate = self._gauge("certificate_end_timestamp_seconds", "When the certificate ends; 0 without one.")
        self.backup = self._gauge("backup_timestamp_seconds", "When the last backup here was written; 0 without one.")

    def take(self, uploads: int, answers: int) -> None:
        """Count uploads of one transaction."""
        self._transactions.inc()
        self._uploads.inc(uploads)
        self._answers.inc(answers)

    def time(self, seconds: float) -> None:
        """Count how long a group of uploads took."""
        self._took.observe(seconds)

    def count_lag(self, seconds: float) -> None:
        """Count by how much the loop that hears uploads was late, as one of many looks found it."""
        self._held.observe(max(seconds, 0.0))

    def refuse(self, kind: str) -> None:
        """Count an upload that was refused."""
        self._refusals.labels(kind).inc()

    def text(self) -> str:
        """All of it."""
        return generate_latest(self._all).decode()

    def _counter(self, name: str, about: str) -> Counter:
        return Counter(f"deniable_{name}", about, registry=self._all)

    def _gauge(self, name: str, about: str) -> Gauge:
        return Gauge(f"deniable_{name}", about, registry=self._all)
