"""A worker of a Dask cluster is killed while it works."""

import os
import signal
from contextlib import contextmanager, suppress
from importlib import import_module


@contextmanager
def killed(client, note, module, work, at):
    """Kill the worker that first comes to call `at` of a function; `note` takes its process id."""
    before = set(client.run(os.getpid).values())

    def kill_at_a_call():
        there = import_module(module)
        real, done = getattr(there, work), []

        def killed_once(*arguments):
            done.append(1)
            if len(done) == at:
                with suppress(FileExistsError), note.open("x") as file:
                    file.write(str(os.getpid()))
                    file.flush()
                    os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments)

        setattr(there, work, killed_once)

    client.run(kill_at_a_call)
    yield
    assert int(note.read_text()) in before
    client.wait_for_workers(2, timeout=60)
