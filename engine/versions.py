"""``python -m saitei.engine.versions VERSION...``: the packaged scenarios on versions of phase.

Each version of phase-python is installed into a folder of its own (``--environments``), which goes
before all else on the path of the process that plays; everything else is shared with the
environment this is run in. Writes ``phase-<version>.json`` for each version into ``--verdicts`` and
the matrix of all files there into ``--matrix``. Exit 0, or 2 when a version cannot be had or run.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from saitei.engine.cards import packaged_cards
from saitei.engine.comparing import matrix_lines
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import packaged_faults
from saitei.engine.selecting import PACKAGED, find_scenarios
from saitei.engine.verdicts import Run, packaged_runs, read_verdicts, write_verdicts

_INTRODUCTION = """\
# Verdicts by engine version

Written by `make verdicts` (`python -m saitei.engine.versions`); changes by hand are lost. An engine
is a reference, never an authority.

✓ as the ruling says; ✓ᵒ the ruling is superseded, the engine plays today's rule; ✗ the engine plays
otherwise; – the engine says that it cannot; ? held, but a contrast made no difference; ! could not
be played to its end (mostly: that version asks other questions, or refuses a step); empty: not run.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; see the module."""
    parser = argparse.ArgumentParser(
        prog="python -m saitei.engine.versions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    parser.add_argument("--environments", type=Path, default=Path("build/engines"))
    parser.add_argument("--verdicts", type=Path, default=Path("data/verdicts"))
    parser.add_argument("--matrix", type=Path, default=Path("docs/verdicts.md"))
    options = parser.parse_args(arguments)
    try:
        options.verdicts.mkdir(parents=True, exist_ok=True)
        for version in options.versions:
            folder = options.environments / version
            _install(version, folder)
            _play(version, folder, options.verdicts / f"phase-{version}.json")
        titles = {one.id: one.title for one in find_scenarios([], packaged_cards())}
        lines = matrix_lines(packaged_runs(options.verdicts), titles, packaged_faults())
    except ScenarioError as error:
        print(error, file=sys.stderr)
        return 2
    options.matrix.write_text(_INTRODUCTION + "\n" + "\n".join(lines) + "\n", "utf-8")
    return 0


def _install(version: str, folder: Path) -> None:
    if (folder / "phase").is_dir():
        return
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--target", str(folder), f"phase-python=={version}"]
    if subprocess.run(command, check=False).returncode != 0:
        raise ScenarioError(f"phase-python {version}: cannot be installed")


def _play(version: str, folder: Path, verdicts: Path) -> None:
    earlier = read_verdicts(verdicts) if verdicts.exists() else None
    before = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(folder.resolve()), *([before] if before else [])])
    workers = str(os.cpu_count() or 1)
    command = [sys.executable, "-m", "saitei.engine", str(PACKAGED)]
    command += ["--workers", workers, "--json", str(verdicts)]
    played = subprocess.run(
        command,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    if played.returncode not in (0, 1):
        raise ScenarioError(f"phase-python {version}: the scenarios could not be played")
    summary = played.stdout.splitlines()[-1]
    if not summary.endswith(f"(phase {version})"):
        raise ScenarioError(f"phase-python {version}: another version was played: {summary}")
    if earlier is not None:
        write_verdicts(_with_times_of(earlier, read_verdicts(verdicts)), verdicts)
    print(summary)


def _with_times_of(earlier: Run, run: Run) -> Run:
    """Verdicts that are as they were keep their time, so that a new file shows what is new."""
    kept = []
    for now in run.verdicts:
        was = earlier.verdict(now.scenario)
        same = was is not None and now.model_copy(update={"seconds": was.seconds}) == was
        kept.append(was if was is not None and same else now)
    return run.model_copy(update={"verdicts": kept})


if __name__ == "__main__":
    sys.exit(main())
