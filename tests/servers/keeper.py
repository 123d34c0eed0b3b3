"""Keeps one server process: starts it, and stops it on request or when the process it serves is gone.

Run as `python keeper.py OWNER FOLDER USER COMMAND…`; OWNER is a process id, or 0 to run until stopped;
USER is the number of the user to run the command as, or nothing to stay the same.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

LOOK = 0.3
"""Seconds between two looks at the owner and the server."""

GRACE = 20.0
"""Seconds that a server has to stop by itself."""


def alive(pid: int) -> bool:
    """Whether there is a process of this number that has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def keep(owner: int, folder: Path, user: int | None, command: list[str]) -> int:
    """Run the command until it ends, its owner is gone, or a signal says stop; then remove its folder."""
    stopping = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    groups: list[int] | None = None if user is None else []
    server = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, start_new_session=True, user=user, group=user, extra_groups=groups
    )
    while server.poll() is None and not stopping and (owner == 0 or alive(owner)):
        time.sleep(LOOK)
    _end(server)
    shutil.rmtree(folder, ignore_errors=True)
    return server.returncode


def _end(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    try:
        server.wait(GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


if __name__ == "__main__":
    owner, folder, user, *command = sys.argv[1:]
    sys.exit(keep(int(owner), Path(folder), int(user) if user else None, command))
