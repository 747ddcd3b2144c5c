"""The hostile sweep: every parameter of every public function, given about seventy bad values.

    python -m tests.hostile                       everything, as a table
    python -m tests.hostile --only gamecore.rps   one room
    python -m tests.hostile --sample 300 --seed 1 some of the calls, drawn at random

Nothing is typed: functions, methods and constructors are found in the public rooms, and the good
arguments are those of their own examples, noted while these run. Then one argument at a time is
replaced by a hostile value. The calls are made in forked processes of limited memory: one that
crashes is lost, noted and replaced. A call that takes too long is sent what Ctrl-C sends, and must
then end soon. Kernels are left out: they take what public functions have checked.
"""

import argparse
import contextlib
import dis
import doctest
import importlib
import inspect
import io
import json
import os
import pkgutil
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gamecore

PACKAGE = Path(gamecore.__file__).parent
#: Rooms whose arguments are no values of a caller's.
LEFT_OUT = {
    "check": "is what the others check with",
    "kernel": "takes functions to compile",
    "vector": "is what kernels call, as unchecked as the words they work on",
    "arguments": "has none",
    "cli": "reads a command line",
    "terminal": "reads a terminal",
    "openspiel": "is called by another library",
    "pettingzoo": "is called by another library",
    "live": "is called when the book is built",
    "papers.runner": "takes what a command line said",
    "papers.cluster": "needs a cluster",
}
PATIENCE, GRACE = 10.0, 2.0  # seconds until Ctrl-C, and from there to the end
MEMORY = 2 * 2**30  # what a process may take beyond what it has
GOOD = "its own example"
FEW = 30  # calls of each function of a sample
#: What can come of a call, from good to bad.
OUTCOMES = ("accepted", "refused", "stopped", "other exception", "time-out", "crash")


class Target(NamedTuple):
    """Something that can be called, and the class it is called on, if it is a method."""

    name: str
    function: types.FunctionType  # where the arguments arrive
    owner: type | None

    def parameters(self) -> list[inspect.Parameter]:
        found = list(inspect.signature(self.function).parameters.values())
        return found[1:] if self.owner else found

    def call(self, arguments: dict[str, Any]) -> Any:
        """Call it as a user would, with noted arguments."""
        values = dict(arguments)
        if self.owner is None:
            room, _, name = self.name.rpartition(".")
            thing = getattr(sys.modules[room], name)
        else:
            first = values.pop(next(iter(inspect.signature(self.function).parameters)))
            name = self.function.__name__
            thing = self.owner if name == "__init__" else getattr(first, name)
        places, words = [], {}
        for parameter in self.parameters():
            value = values[parameter.name]
            if parameter.kind is parameter.VAR_POSITIONAL:
                places += value
            elif parameter.kind is parameter.VAR_KEYWORD:
                words |= value
            elif parameter.kind is parameter.KEYWORD_ONLY:
                words[parameter.name] = value
            else:
                places.append(value)
        result = thing(*places, **words)
        return list(zip(range(3), result)) if isinstance(result, Iterator) else result


class Call(NamedTuple):
    """One call of the sweep, and what came of it."""

    target: str
    parameter: str
    value: str
    outcome: str = ""
    detail: str = ""
    takes: str = ""  # the parameter's type, as it is written


# ---------------------------------------------------------------------------------- what to call


def rooms() -> list[str]:
    """Return the modules with public names: a game's package, and every shared room."""
    found = [*pkgutil.iter_modules([str(PACKAGE)], "gamecore.")]
    found += pkgutil.iter_modules([str(PACKAGE / "papers")], "gamecore.papers.")
    names = [f.name for f in found if not f.ispkg or f.name.count(".") == 1]
    out = {"gamecore.papers", "gamecore.__main__", *(f"gamecore.{room}" for room in LEFT_OUT)}
    return [name for name in names if name not in out]


def targets(room: str) -> list[Target]:
    """Return what can be called in a room: functions, constructors and methods."""
    module = importlib.import_module(room)
    names = getattr(module, "__all__", None) or [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == room
    ]
    found = []
    for name in names:
        thing = vars(module)[name]
        if hasattr(thing, "py_func"):
            continue  # a kernel
        if inspect.isclass(thing):
            found += _methods(f"{room}.{name}", thing)
        elif isinstance(plain := inspect.unwrap(thing), types.FunctionType):
            found.append(Target(f"{room}.{name}", plain, None))
    return [target for target in found if target.parameters()]


def _methods(name: str, owner: type) -> Iterator[Target]:
    if isinstance(owner.__init__, types.FunctionType):  # a named tuple has none, and no rules
        yield Target(name, owner.__init__, owner)
    for key in dir(owner):
        member = inspect.getattr_static(owner, key)
        member = getattr(member, "__func__", member)
        inside = str(getattr(member, "__module__", "")).startswith("gamecore.")
        is_method = isinstance(member, types.FunctionType) and not key.startswith("_")
        if inside and is_method and "NotImplementedError" not in member.__code__.co_names:
            yield Target(f"{name}.{key}", member, owner)


#: Calls that no example makes.
MORE = """
>>> from gamecore import contest, daifugo, game, pokemon, rps
>>> from gamecore.papers.stats import Estimate
>>> rps.start().name(0), rps.start().view(1).guess(game.np.random.default_rng(1)).movers
('first', (0, 1))
>>> view = daifugo.State.of(["D3", "D4", "D5", "D6"]).view(0)
>>> daifugo.View(player=0, hand=("D3",), sizes=(1, 1, 1, 1), unseen=("D4", "D5", "D6")) == view
True
>>> contest.Contest(2, [0, 1].__getitem__).replay(1)
1
>>> one = Estimate.share(40, 100)
>>> one.above(0.2), one.below(0.2), one.times(2.0).value, Estimate.of_sums(10, 60, 4).value
(True, False, 0.8, 2.5)
"""


def examples(found: list[Target], most: int = 4) -> dict[str, list[dict[str, Any]]]:
    """Return arguments with which targets were called while the examples of their rooms ran."""
    noted: dict[str, list[dict[str, Any]]] = {}
    by_code: dict[types.CodeType, list[Target]] = {}
    for target in found:
        by_code.setdefault(target.function.__code__, []).append(target)

    def note(frame: types.FrameType, event: str, argument: Any) -> None:
        if event != "call" or frame.f_code not in by_code:
            return
        code, values = frame.f_code, dict(frame.f_locals)
        for target in by_code[code]:
            first = values[code.co_varnames[0]] if target.owner else None
            owner = first if isinstance(first, type) else type(first)
            if target.owner is None or issubclass(owner, target.owner):
                before = noted.setdefault(target.name, [])
                if len(before) < most:
                    before.append(values)

    modules = {sys.modules[target.function.__module__] for target in found if _has_file(target)}
    modules |= {sys.modules[target.owner.__module__] for target in found if target.owner}
    finder, tests = doctest.DocTestFinder(exclude_empty=True), []
    for module in sorted(modules, key=lambda module: module.__name__):
        tests += finder.find(module)
    tests.append(doctest.DocTestParser().get_doctest(MORE, {}, "more", None, None))
    for test in tests:
        runner = doctest.DocTestRunner(verbose=False)
        sys.setprofile(note)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                runner.run(test, out=lambda text: None, clear_globs=False)
        finally:
            sys.setprofile(None)
    return noted


def _has_file(target: Target) -> bool:
    return target.function.__module__ in sys.modules  # what a dataclass makes may have no module


# --------------------------------------------------------------------------------- what to give


class _Rude:
    """Refuses whatever is asked of it."""

    def _refuse(self, *arguments: Any) -> Any:
        raise RuntimeError("no")

    __repr__ = __eq__ = __hash__ = __bool__ = _refuse  # type: ignore[assignment]


class _Number(int):
    """A whole number that is larger than it says."""

    def __le__(self, other: Any) -> bool:
        return True

    __ge__ = __lt__ = __gt__ = __le__


def hostile() -> dict[str, Any]:
    """Return values that somebody may hand in, by accident or not."""
    deep: list = []
    for _ in range(500):
        deep = [deep]
    within: list = []
    within.append(within)
    values: dict[str, Any] = {
        repr(value): value
        for value in (
            None, True, False, -1, 0, 1, 2, 1000, 10**9, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63,
            2**64, -(2**63), 10**30, 1.0, 1.5, -0.5, 1e-308, 1e308, float("nan"), float("inf"),
            -float("inf"), 1j, Fraction(1, 3), Decimal("NaN"), "", "x", " ", "-1", "nan", "\0",
            "名 前", "../x", b"", b"x", [], (), {}, set(), [None], [1, 2, 3], (0, 0), [[1, 2], [3]],
            [0.5, 0.2], [-1.0, 2.0], ["x"], {"x": 1}, {1: float("nan")}, (1.5, "x"), range(3),
            Ellipsis, slice(None),
        )
    }  # fmt: skip
    values |= {
        "[[nan, 1], [0, 1]]": [[float("nan"), 1], [0, 1]],
        "[[inf, 1], [0, 1]]": [[float("inf"), 1], [0, 1]],
        "[[±1e308]]": [[1e308, -1e308], [-1e308, 1e308]],
        "lists in lists": deep,
        "a list in itself": within,
        "a long text": "x" * 10**6,
        "array of none": np.zeros(0),
        "array 0 × 3": np.zeros((0, 3)),
        "array of NaN": np.full(3, np.nan),
        "array 3 × 3 × 3": np.zeros((3, 3, 3)),
        "array of objects": np.array([object(), None]),
        "array of int8": np.arange(3, dtype=np.int8),
        "array backwards": np.arange(9.0)[::-2],
        "array of 10**9": np.broadcast_to(0.0, 10**9),
        "np.bool_": np.True_,
        "np.float32 NaN": np.float32("nan"),
        "object()": object(),
        "something rude": _Rude(),
        "a lying number": _Number(10**12),
        "a function": lambda *arguments, **words: None,
        "a generator": np.random.default_rng(1),
        "a seed sequence": np.random.SeedSequence(1),
        "an exception": ValueError("x"),
        "a module": gamecore,
    }
    return values | others()


def others() -> dict[str, Any]:
    """Return objects of the games, each of which is foreign to all the others."""
    from gamecore import contest, daifugo, goofspiel, pokemon, rps

    return {
        "a state of rps": rps.start(),
        "a state of pokemon": pokemon.start(),
        "a state of goofspiel": goofspiel.start(3),
        "a state of daifugo": daifugo.start(),
        "a view of rps": rps.start().view(0),
        "a view of goofspiel": goofspiel.start(3).play("2").view(1),
        "a profile": goofspiel.uniform(3),
        "a player of pokemon": pokemon.player(),
        "a player of daifugo": daifugo.Sontaku(),
        "a match": contest.Match(np.array([1, 0])),
    }


def changed(value: Any) -> dict[str, Any]:
    """Return a tuple's copies with one field made wrong: nobody checks what ``_replace`` makes."""
    if not isinstance(value, tuple) or not hasattr(value, "_replace"):
        return {}
    return {
        f"_replace({name}={wrong!r})": value._replace(**{name: wrong})
        for name in value._fields
        for wrong in (None, -1, 0, 7, 2**40, float("nan"), "x")
    }


# ---------------------------------------------------------------------------------- what happens


def calls_of(target: Target, good: dict[str, Any], values: dict[str, Any]) -> list[tuple]:
    """Return all calls of a target: its own example first, then one argument replaced at a time."""
    found = [(Call(target.name, "", GOOD), good)]
    for parameter in target.parameters():
        name, own = parameter.name, good[parameter.name]
        for key, value in {**values, **changed(own)}.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                value = (value, *own[1:])
            elif parameter.kind is parameter.VAR_KEYWORD:
                value = dict.fromkeys(own or ("x",), value)
            call = Call(target.name, name, key, takes=str(parameter.annotation))
            found.append((call, {**good, name: value}))
    return found


def outcome(target: Target, arguments: dict[str, Any]) -> tuple[str, str]:
    """Call a target here and now; return what came of it, and a few words."""
    try:
        text = _words(target.call(arguments))
    except KeyboardInterrupt:
        return "stopped", ""
    except BaseException as error:  # whatever it is, it is what the sweep looks for
        words = f"{type(error).__name__}: {_words(error)}"
        if isinstance(error, TypeError | ValueError) and _is_ours(error):
            return "refused", words
        return "other exception", words + _where(error)
    return "accepted", text


def _words(thing: Any) -> str:
    try:
        text = str(thing) if isinstance(thing, BaseException) else repr(thing)
    except Exception:
        text = f"something of type {type(thing).__name__}"
    return " ".join(text.split())[:150]


def _where(error: BaseException) -> str:
    """Return the last line of ours that an exception passed through."""
    passed = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in passed if frame.filename.startswith(str(PACKAGE))]
    return f" ({Path(ours[-1].filename).relative_to(PACKAGE)}:{ours[-1].lineno})" if ours else ""


def _is_ours(error: BaseException) -> bool:
    """Say whether an exception was raised by a statement of gamecore's, not by Python or numba."""
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    if last is None or not last.tb_frame.f_code.co_filename.startswith(str(PACKAGE)):
        return False
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def made(target: Target, calls: list[tuple]) -> Iterator[Call]:
    """Make calls in forked processes, a new one whenever one is lost; yield what came of each."""
    done = 0
    while done < len(calls):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _work(target, calls[done:], writing)
        os.close(writing)
        line, slow, rest = "", False, bytearray()
        while done < len(calls) and not slow:
            line, slow = _answer(reading, rest, child)
            if not line:
                break
            kind, detail = json.loads(line)
            yield calls[done][0]._replace(outcome=kind, detail=detail)
            done += 1
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        if done < len(calls) and not line:
            ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            kind = "time-out" if slow else "crash"
            detail = "" if slow else signal.Signals(ended).name if ended else "left"
            yield calls[done][0]._replace(outcome=kind, detail=detail)
            done += 1


def _answer(reading: int, rest: bytearray, child: int) -> tuple[str, bool]:
    """Return a child's next line, empty if there is none, and whether it had to be asked to end.

    What was read beyond that line is kept in `rest`.
    """
    slow = False
    while b"\n" not in rest:
        if not select.select([reading], [], [], GRACE if slow else PATIENCE)[0]:
            if slow:
                return "", True
            slow = True
            os.kill(child, signal.SIGINT)
        elif not (read := os.read(reading, 2**16)):
            return "", slow
        else:
            rest += read
    line, _, after = bytes(rest).partition(b"\n")
    rest[:] = after
    return line.decode(), slow


def _work(target: Target, calls: list[tuple], writing: int) -> None:
    """Make calls and write a line on each; never returns."""
    try:
        import psutil

        limit = psutil.Process().memory_info().vms + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        for _, arguments in calls:
            line = json.dumps(outcome(target, arguments)) + "\n"
            os.write(writing, line.encode())
    finally:
        os._exit(0)


def sweep(only: Sequence[str] = (), sample: int = 0, seed: int = 0) -> Iterator[Call]:
    """Yield every call of the sweep, or a sample, with what came of it.

    A target whose example cannot be made is yielded once, with the outcome ``"no example"``.
    """
    names = [room for room in rooms() if not only or room in only]
    drawn = random.Random(seed)
    found: list[Target] = []
    for room in names:
        known = {target.function.__code__ for target in found if target.owner is None}
        found += [t for t in targets(room) if t.owner or t.function.__code__ not in known]
    if sample:
        found = drawn.sample(found, min(len(found), max(1, sample // FEW)))
    noted, values = examples(found), hostile()
    for target in found:
        good = next(_working(target, noted.get(target.name, []), bool(sample)), None)
        if good is not None:
            calls = calls_of(target, good, values)
            yield from made(target, drawn.sample(calls, min(FEW, len(calls))) if sample else calls)
        elif not target.owner or target.function.__module__ == target.owner.__module__:
            yield Call(target.name, "", GOOD, "no example")  # not inherited: nobody else has one


def _working(target: Target, noted: list[dict[str, Any]], any_will_do: bool) -> Iterator[dict]:
    """Yield noted arguments with which the call works, the quickest first unless any will do."""
    times = []
    for place, arguments in enumerate(noted):
        begun = time.perf_counter()
        [call] = made(target, [(Call(target.name, "", GOOD), arguments)])
        if call.outcome == "accepted":
            times.append((time.perf_counter() - begun, place))
            if any_will_do:
                yield arguments
    yield from (noted[place] for _, place in sorted(times))


def table(calls: list[Call]) -> str:
    """Return how many calls had which outcome, by room."""
    lines = [f"| room | calls | {' | '.join(OUTCOMES)} |", "|---|" + "--:|" * (1 + len(OUTCOMES))]
    by_room: dict[str, Counter] = {}
    for call in calls:
        parts = call.target.split(".")
        room = ".".join(parts[1:3] if parts[1] == "papers" else parts[1:2])
        for name in (room, "all"):
            by_room.setdefault(name, Counter())[call.outcome] += 1
    for name in [*(name for name in by_room if name != "all"), "all"]:
        counts = by_room.get(name, Counter())
        numbers = " | ".join(f"{counts[kind]:,}" for kind in OUTCOMES)
        lines.append(f"| {name} | {sum(counts.values()):,} | {numbers} |")
    return "\n".join(lines)


def main() -> None:
    """Run the sweep from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=(), help="these rooms, such as gamecore.rps")
    parser.add_argument("--sample", type=int, default=0, help="about so many calls; default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write a line of JSON for each call")
    parser.add_argument(
        "--store", action="store_true", help="renew this version in data/hostile.csv"
    )
    options = parser.parse_args()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:  # whatever a call writes, it writes here
        data = Path(folder) / "data"
        shutil.copytree(os.environ.get("GAMECORE_DATA") or PACKAGE.parent / "data", data)
        os.environ |= {"GAMECORE_DATA": str(data), "GAMECORE_RUNS": f"{folder}/runs"}
        os.chdir(folder)
        calls = []
        out = (before / options.out).open("w") if options.out else None
        for call in sweep(options.only, options.sample, options.seed):
            calls.append(call)
            if out:
                print(json.dumps(call), file=out, flush=True)
        os.chdir(before)
    print(table(calls))
    if options.store:
        store(calls)


def store(calls: list[Call]) -> None:
    """Write what came of all calls to the line of this version in data/hostile.csv."""
    file = PACKAGE.parent / "data" / "hostile.csv"
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    counts = Counter(call.outcome for call in calls)
    numbers = [counts.total(), *(counts[kind] for kind in OUTCOMES)]
    mine = ",".join(map(str, [gamecore.__version__, *numbers]))
    kept = [line for line in lines if not line.startswith(f"{gamecore.__version__},")]
    file.write_text("\n".join([head, *kept, mine]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
