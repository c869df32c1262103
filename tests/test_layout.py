"""The architecture as the design draws it: dependencies point one way, pins are plain."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = {
    "data": {"data"},
    "ingest": {"ingest", "data"},
    "index": {"index", "ingest", "data"},
    "engine": {"engine", "data"},
    "service": {"service", "index", "ingest", "engine", "data"},
}
# Inside `service`: what stands at its top knows none of these, but for what puts all together.
SERVICE = {
    "replays": set[str](),
    "http": {"replays"},
    "web": {"replays", "http"},
    "bots": {"replays", "http"},
    "cli": {"replays", "bots"},
}
COMPOSING = {"app.py", "reference.py"}
MODULES = [path for package in ALLOWED for path in sorted((ROOT / package).rglob("*.py"))]


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    used = {name.split(".")[1] for name in _imported(path) if name.startswith("saitei.")}
    assert used <= ALLOWED[package]


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.is_relative_to(ROOT / "service")],
    ids=lambda path: str(path.relative_to(ROOT / "service")),
)
def test_a_part_of_the_service_imports_only_what_it_may(path: Path) -> None:
    if path.name in COMPOSING:
        return
    part = path.relative_to(ROOT / "service").parts[0]
    used = {name.split(".")[2] for name in _imported(path) if name.startswith("saitei.service.")}
    assert used & set(SERVICE) <= SERVICE.get(part, set()) | {part}


@pytest.mark.parametrize(
    ("package", "library"),
    [("index", "fastapi"), ("ingest", "faiss"), ("engine", "faiss"), ("engine", "fastapi")],
)
def test_a_package_knows_nothing_of_its_neighbours_trade(package: str, library: str) -> None:
    users = [p.name for p in (ROOT / package).rglob("*.py") if library in _imported(p)]
    assert users == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_stays_readable(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 440


@pytest.mark.parametrize("name", ["serve.txt", "test.txt"])
def test_pins_are_exact_public_versions(name: str) -> None:
    lines = (ROOT / "requirements" / name).read_text("utf-8").splitlines()
    pins = [line for line in lines if line.strip() and not line.startswith(("#", "-c"))]
    assert pins
    for pin in pins:
        assert re.fullmatch(r"[A-Za-z0-9_.\-\[\]]+==[A-Za-z0-9_.]+", pin), pin
