"""Figures into ``docs/benchmarks.md``: each benchmark owns the part between its two markers."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def hardware() -> str:
    """One line: processor, cores, memory, system, Python, and how busy the machine was."""
    model = platform.processor() or platform.machine()
    memory = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        memory = f", {pages / 2**30:.0f} GiB"
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return (
        f"{model}, {os.cpu_count()} cores{memory}, {platform.system()},"
        f" Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}; load average while"
        f" measuring {load}"
    )


def write_part(name: str, text: str) -> None:
    """Replace the part called ``name`` of the page. Raises ``ValueError`` if it has none."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    page = PAGE.read_text("utf-8")
    if start not in page or end not in page:
        raise ValueError(f"{PAGE}: no part '{name}'")
    before, rest = page.split(start, 1)
    PAGE.write_text(f"{before}{start}\n{text.strip()}\n{end}{rest.split(end, 1)[1]}", "utf-8")
