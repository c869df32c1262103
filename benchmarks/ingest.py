"""How reading grows with a source, and what linking costs: ``python -m benchmarks.ingest``.

Growth is the ratio of the time for 800 kB to that for 100 kB of the same lines, eight if it is
linear. Linking a question is compared with looking for each of the known names in it.
"""

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from saitei.ingest.catalog import load_catalog
from saitei.ingest.linking import link
from saitei.ingest.parsing import parse
from saitei.ingest.reading import read_text
from saitei.ingest.sources import expand_sources, read_source

UNITS = {
    "bullets": "• プレイヤーは呪文を唱え、クリーチャーで攻撃した。\n\n",
    "wrapped": "クリーチャーの呪文は長い話であるので終わりがなくずっと続き、まだまだ続く\n",
    "rules": "-" * 500 + "x\n",
    "brackets": "• 《" * 20 + "\n",
    "stars": "***" * 100 + "a\n",
    "spaces": "• カード" + " " * 500 + "x\n",
    "notices": "• カードが" + "が、" * 100 + "正しい\n",
    "faces": "（昼の面）\n\n",
    "pairs": "Q: 呪文は？\nA: 呪文。\n",
}
QUESTION = "エーデリンのトークンは各対戦相手に一体ずつ出るの？"


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Median processor time of ``work`` in seconds: a busy machine does not stretch it."""
    times = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)


def growth(unit: str) -> float:
    """Time for 800 kB of ``unit`` over time for 100 kB."""

    def read(size: int) -> object:
        text = "カード別注釈\n\n• 《地震》は呪文である。\n\n" + unit * (size // len(unit.encode()))
        data = text.encode()
        return parse(read_text(data, "benchmark.txt"), data, "benchmark.txt")

    return seconds(lambda: read(800_000)) / seconds(lambda: read(100_000))


def main() -> None:
    print("| lines | 800 kB / 100 kB |\n|---|---:|")
    for name, unit in UNITS.items():
        print(f"| {name} | {growth(unit):.1f} |")
    catalog = load_catalog()
    names = [name for card in catalog.cards.values() for name in card.names]
    link(QUESTION, catalog)
    linked = seconds(lambda: link(QUESTION, catalog), 50)
    each = seconds(lambda: [name for name in names if name in QUESTION], 50)
    print(
        f"\nlinking a question: {linked * 1000:.3f} ms; each name apart: {each / linked:.0f} times"
    )
    folder = os.environ.get("SAITEI_DOCUMENTS")
    if folder and Path(folder).is_dir():
        sources = expand_sources([folder])
        took = seconds(lambda: [read_source(source) for source in sources])
        print(f"reading {len(sources)} official documents: {took:.2f} s")


if __name__ == "__main__":
    main()
