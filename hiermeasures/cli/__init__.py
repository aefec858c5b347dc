"""The command line. Exit status 0: done, 1: the check failed, 2: bad input.

Each module declares the command with its name, by arguments and a function. Only the running
command is imported. Functions import heavy libraries themselves, so that a small command answers at
once.
"""

import io
import os
import shlex
import sys
import warnings
from collections.abc import Collection, Sequence
from importlib import import_module

import hiermeasures
from hiermeasures.cli.declare import Command, Parser, read_from_pipe
from hiermeasures.cli.printing import PLAINER, one_line, say
from hiermeasures.hierarchy.errors import HierarchyWarning, InputError, nearest, shown, unknown

NAMES = (
    "sample describe score evaluate compare find behaviour forensics protocols curves merge "
    "information convert app page sheet verify completion info"
).split()
TOP = ("--help", "--version")
# The modules of those that share one; each other command has a module of its name.
SHARED = {
    "protocols": "forensics",
    "page": "app",
    "completion": "app",
    "info": "app",
    "information": "convert",
}


def find_command(name: str) -> Command:
    """Import a command."""
    found: Command = getattr(import_module(f"{__name__}.{SHARED.get(name, name)}"), name)
    return found


def parser(names: Collection[str] = NAMES) -> Parser:
    """Return the parser of all or some commands. Only these are imported."""
    about = "Measure how wrong hierarchical predictions are, and see why."
    last = (
        "Start with `hiermeasures sample tree`. It writes a folder of small files and prints "
        "commands to try there. "
    )
    last += (
        "`hiermeasures COMMAND --help` explains a command. Use - as a file name to read the "
        "standard input."
    )
    top = Parser(prog="hiermeasures", description=about, epilog=last)
    top.add_argument(
        "--version", action="version", version=f"hiermeasures {hiermeasures.__version__}"
    )
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in names:
        find_command(name).add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # a terminal or a pipe that may not know every character
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAINER)
    given = sys.argv[1:] if arguments is None else list(arguments)
    warnings.simplefilter("ignore", HierarchyWarning)  # commands print the notes
    try:
        return _run(given)
    except InputError as error:
        _refused(str(error))
        if repair := getattr(error, "repair", ""):  # of labels that are not classes
            print(
                f"try: {one_line(shlex.join(['hiermeasures', *given]))} {repair}", file=sys.stderr
            )
        return 2
    except BrokenPipeError:  # the reader, such as head, has seen enough
        sys.stdout = None
        return 0
    except OSError as error:
        if error.filename is None:  # the output's disk is full; the rest would fail again at exit
            sys.stdout = None
        return _refused(f"{error.filename or 'the output'}: {error.strerror or error}")
    except MemoryError:
        return _refused("this needs more memory than this computer has")
    except KeyboardInterrupt:
        print("hiermeasures: stopped", file=sys.stderr)
        return 130


def _run(given: list[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:  # the shell asks, and the process ends here
        import argcomplete

        argcomplete.autocomplete(parser())
    if not given:
        parser().print_help()
        return 0
    if given[0] == "help":
        given = [*given[1:], "--help"]
    if given[0].startswith("--") and not any(known.startswith(given[0]) for known in TOP):
        raise InputError(_unknown("argument", given[0], TOP))
    if not given[0].startswith("-") and given[0] not in NAMES:
        raise InputError(_unknown("command", given[0], NAMES))
    top = parser(NAMES if given[0].startswith("-") else given[:1])
    options, left = top.parse_known_args(given)
    if left and left[0].startswith("-"):
        raise InputError(_unknown("argument", left[0], options.flags, options.command))
    if left:
        raise InputError(
            f"{shown(left[0])} belongs to no option (see hiermeasures {options.command} --help); "
            "join names in a list by commas, such as hF,F_LCA, and put quotes around what contains "
            "blanks"
        )
    status = find_command(options.command).run(read_from_pipe(options))
    print(end="", flush=True)
    return status


def _unknown(kind: str, word: str, known: Collection[str], command: str = "") -> str:
    """Return the sentence for an unknown word. It names a similar word or the command that lists
    all.
    """
    if nearest(word, known):
        return unknown(kind, word, known)
    return f"{unknown(kind, word, known)} (see hiermeasures {command}{' ' * bool(command)}--help)"


def _refused(message: str) -> int:
    say(f"hiermeasures: {one_line(message)}", "red")
    return 2
