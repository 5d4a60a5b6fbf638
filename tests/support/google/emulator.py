"""The Firestore emulator as a child process: started on a free port, ended by its process id."""

from __future__ import annotations

import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers.ports import kept_port

_JAR = Path("platform/cloud-firestore-emulator/cloud-firestore-emulator.jar")
_MAIN = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
_USUAL_ROOTS = ("/usr/lib/google-cloud-sdk", "/usr/share/google-cloud-sdk", "/opt/google-cloud-sdk")
_START_SECONDS = 60.0
# It holds some twenty megabytes and lives for minutes: the optimising compiler and the parallel collector would cost it
# three times the CPU, taken from the tests beside it, which then wait ten seconds for an answer on a busy machine.
_THRIFTY = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

REMEDY = "install Java and run `gcloud components install cloud-firestore-emulator`, or set FIRESTORE_EMULATOR_HOST"


class EmulatorMissing(Exception):
    """Java or the emulator is not on this machine."""


@contextmanager
def running_emulator() -> Iterator[str]:
    """Yields host:port of a fresh emulator.

    Raises:
        EmulatorMissing: Something to run it with is not installed.
    """
    with kept_port() as port:
        host = f"127.0.0.1:{port}"
        process = subprocess.Popen(_command(host), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_until_ready(host, process)
            yield host
        finally:
            process.kill()
            process.wait()


def _command(host: str) -> list[str]:
    # The jar itself: gcloud's wrapper leaves its Java child alive when it is ended.
    java, jar = shutil.which("java"), _find_jar()
    if java is None or jar is None:
        raise EmulatorMissing(f"The Firestore emulator is missing: {REMEDY}")
    name, port = host.split(":")
    return [java, *_THRIFTY, "-Duser.language=en", "-cp", str(jar), _MAIN, f"--host={name}", f"--port={port}"]


def _find_jar() -> Path | None:
    return next((root / _JAR for root in _roots() if (root / _JAR).is_file()), None)


def _roots() -> Iterator[Path]:
    yield from map(Path, _USUAL_ROOTS)
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return
    yield Path(gcloud).resolve().parent.parent
    # Asking gcloud takes seconds, hence last.
    asked = [gcloud, "info", "--format=value(installation.sdk_root)"]
    yield Path(subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip())


def _wait_until_ready(host: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(host):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The Firestore emulator did not start (exit code {process.poll()})")
        time.sleep(0.1)


def _answers(host: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}/", timeout=1) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
