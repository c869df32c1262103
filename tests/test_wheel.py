"""The built wheel works where nothing of this repository is, beside someone else's ``engine/``."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, text=True, capture_output=True, timeout=300, **options)  # type: ignore[call-overload, no-any-return]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A fresh environment with the wheel in it; dependencies come from this one's folder.

    A folder on PYTHONPATH has no ``.pth`` processing, so this repository's editable install is not
    seen: ``saitei`` can only be the wheel's.
    """
    folder = tmp_path_factory.mktemp("wheel")
    built = run([sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)])
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    target = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    scripts = folder / "env" / "bin"
    done = run(
        [
            *(sys.executable, "-m", "pip", "install", "--no-deps", "--no-compile", "--quiet"),
            *("--target", target.stdout.strip(), str(wheel)),
        ]
    )
    assert done.returncode == 0, done.stderr
    assert scripts.is_dir()
    environment = {
        **os.environ,
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "SAITEI_KB": str(folder / "kb"),
    }
    work = folder / "work"
    (work / "engine").mkdir(parents=True)
    (work / "engine" / "__init__.py").write_text("raise RuntimeError('the wrong engine')\n")
    (work / "index.py").write_text("raise RuntimeError('the wrong index')\n")
    return work, {**environment, "PYTHON": str(python)}


def test_ask_answers_from_the_wheel(installed: tuple[Path, dict[str, str]]) -> None:
    work, environment = installed
    code = "from saitei.service.cli import main; main()"
    asked = run(
        [environment["PYTHON"], "-c", code, "ask", "腐乱持ちは必ず攻撃しなきゃダメ？"],
        cwd=work,
        env=environment,
    )
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.startswith("いいえ。")
    where = run(
        [environment["PYTHON"], "-c", "import saitei.engine as e; print(e.__file__)"],
        cwd=work,
        env=environment,
    )
    assert str(ROOT) not in where.stdout


def test_the_pytest_plugin_runs_a_users_own_scenario(
    installed: tuple[Path, dict[str, str]],
) -> None:
    work, environment = installed
    source = ROOT / "data" / "scenarios" / "mid-release-notes" / "decayed.scenario.yaml"
    (work / "mine.scenario.yaml").write_text(source.read_text("utf-8"), "utf-8")
    tested = run(
        [environment["PYTHON"], "-m", "pytest", "-q", "mine.scenario.yaml"],
        cwd=work,
        env=environment,
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert " passed" in tested.stdout
