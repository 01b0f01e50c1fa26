"""A real Spark cluster on the loopback: a master, workers of one core each, and a way to kill one of them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.waiting import PATIENCE, until

HOST, URL = "127.0.0.1", re.compile(r"spark://127\.0\.0\.1:[1-9]\d*")
"""Where the cluster listens, and how its master says on which port."""
MINUTES = 240.0
"""Seconds to wait for what a cluster does."""
SOURCE = Path(__file__).resolve().parents[2] / "src"
BRISK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Short lives: little is gained from compiling well, and one thread tidies up."""
SETTINGS = {
    "spark.cores.max": "2",
    "spark.driver.bindAddress": HOST,
    "spark.driver.extraJavaOptions": BRISK,
    "spark.driver.host": HOST,
    "spark.driver.memory": "512m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": BRISK,
    "spark.executor.memory": "512m",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.task.maxFailures": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
WANTED = "openjdk-17-jre-headless on Debian and Ubuntu"


def require_spark() -> Path:
    """Where Spark is; a test that needs it is skipped with a clear line where it or Java is missing."""
    pyspark = pytest.importorskip("pyspark", reason="Spark is not installed: pip install 'deniable[spark]'")
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if java is None or not Path(java).exists():
        pytest.skip(f"Spark needs Java 17 or newer and none was found: {WANTED}")
    said = subprocess.run([java, "-version"], check=False, capture_output=True, text=True, timeout=60).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < 17:
        pytest.skip(f"Spark needs Java 17 or newer and {java} is another: {WANTED}")
    return Path(pyspark.__path__[0])


def environment(folder: Path) -> dict[str, str]:
    """What the processes of the cluster, and their Python, are told."""
    (folder / "conf").mkdir()
    settings = "".join(f"{name} {value}\n" for name, value in SETTINGS.items())
    (folder / "conf" / "spark-defaults.conf").write_text(settings)
    told = {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(SOURCE),
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_DAEMON_JAVA_OPTS": BRISK,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_LAUNCHER_OPTS": BRISK,
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_LOCAL_IP": HOST,
        "OPENBLAS_NUM_THREADS": "1",
    }
    return {**os.environ, **told}


@contextmanager
def daemon(spark: Path, words: list[str], log: Path, env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark, in a group of its own so that what it starts ends with it."""
    command = [str(spark / "bin" / "spark-class"), *words]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=dict(env), start_new_session=True
        )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, at once and without a word."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A master's address, the environment to reach it from, and the processes of its workers."""

    master: str
    environment: Mapping[str, str]
    workers: tuple[subprocess.Popen[bytes], ...]

    def machine_of(self, process: int) -> subprocess.Popen[bytes]:
        """The worker under which a process runs, with its executor."""
        return next(worker for worker in self.workers if worker.pid == os.getsid(process))


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and its workers, there when the block begins and gone when it ends."""
    spark, env, log = require_spark(), environment(folder), folder / "master.log"
    with ExitStack() as stack:
        words = ["--host", HOST, "--port", "0", "--webui-port", "0"]
        stack.enter_context(daemon(spark, ["org.apache.spark.deploy.master.Master", *words], log, env))
        url = until(lambda: URL.search(log.read_text(errors="replace")), patience=MINUTES)[0]
        words = ["--host", HOST, "--cores", "1", "--memory", "600m", "--webui-port", "0"]
        started = []
        for number in range(workers):
            own = [*words, "--work-dir", str(folder / f"work-{number}"), url]
            process = daemon(
                spark, ["org.apache.spark.deploy.worker.Worker", *own], folder / f"worker-{number}.log", env
            )
            started.append(stack.enter_context(process))
        until(lambda: log.read_text(errors="replace").count("Registering worker") == workers, patience=MINUTES)
        yield Cluster(url, env, tuple(started))
