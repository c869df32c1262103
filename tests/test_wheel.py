"""The built wheel works where nothing of this repository is, beside someone else's ``engine/``."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
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
    # In a folder of its own: what an older build left in the repository would go into the wheel.
    (folder / "build.cfg").write_text(f"[build]\nbuild_base = {folder / 'build'}\n")
    built = run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)],
        env={**os.environ, "DIST_EXTRA_CONFIG": str(folder / "build.cfg")},
    )
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
    return work, {**environment, "PYTHON": str(python), "WHEEL": str(wheel)}


def test_the_wheel_holds_every_module_template_and_script_and_no_other(
    installed: tuple[Path, dict[str, str]],
) -> None:
    _, environment = installed
    kinds = (".py", ".html", ".js", ".css", ".svg", ".typed")
    with zipfile.ZipFile(environment["WHEEL"]) as wheel:
        held = {name for name in wheel.namelist() if name.endswith(kinds)}
    ours = {
        f"saitei/{path.relative_to(ROOT).as_posix()}"
        for package in ("data", "ingest", "index", "engine", "service")
        for path in (ROOT / package).rglob("*")
        if path.name.endswith(kinds)
    }
    assert held == ours


def test_the_wheel_holds_all_data_and_models(installed: tuple[Path, dict[str, str]]) -> None:
    _, environment = installed
    with zipfile.ZipFile(environment["WHEEL"]) as wheel:
        held = {name for name in wheel.namelist() if name.startswith("saitei/data/")}
    ours = {
        f"saitei/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "data").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == ours


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
