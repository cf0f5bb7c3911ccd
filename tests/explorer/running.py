"""The command itself, running: started, asked, interrupted."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

# A shell that starts something in the background lets it ignore an interrupt; a terminal does not.
RUN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from tiebreak.cli import main; main()"


class Running:
    """A running explorer: its address, and how it ended."""

    def __init__(self, process):
        self.process = process
        watch = threading.Timer(60, process.kill)
        watch.start()
        self.address = process.stdout.readline().strip()
        watch.cancel()

    def end(self, sign=signal.SIGINT):
        self.process.send_signal(sign)
        rest, errors = self.process.communicate(timeout=20)
        return self.process.returncode, rest, errors


@contextlib.contextmanager
def running(*arguments, temp=None):
    environment = os.environ | ({"TMPDIR": str(temp)} if temp else {})
    command = [sys.executable, "-c", RUN, "explore", *arguments, "--no-open"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, stdin=subprocess.DEVNULL
    )
    try:
        yield Running(process)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
