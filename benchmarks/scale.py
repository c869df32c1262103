"""How search grows: knowledge bases of 600, 10,000 and 100,000 rulings.

``python -m benchmarks.scale [--sizes 600 10000 100000] [--write]`` needs requirements/test.txt and
``pip install matplotlib``. Texts and vectors are made by perturbing the packaged ones, since
encoding so many here would take hours: a text has its card renamed and clauses dropped, its vector
is turned away from the text's at random, to a cosine of about .86. The time an encoder would need
is therefore not in any figure. Times are processor time. Recall is that of the index against exact
search over the vectors as it holds them: it shows what a graph loses, not what rounding does.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import saitei.index.build as building
from benchmarks.page import PAGE, hardware, write_part
from saitei.index.build import PACKAGED_VECTORS
from saitei.index.dense import unit
from saitei.index.encoder import DEFAULT_ENCODER, Vectors, load_encoder
from saitei.index.entries import passages
from saitei.index.package import packaged_entries
from saitei.index.retrieval import PASSAGES
from saitei.index.vectors import VectorCache
from saitei.ingest.catalog import load_catalog
from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.models import Document, Parsed, Ruling, Subject
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

SIZES = (600, 10_000, 100_000)
MOVED = 0.6
"""Length of the random part added to a unit vector: cosine about .86 to where it was."""
SEED = 20_250_207
DOCUMENT = 100
"""Rulings of the one document ingested on top."""


@dataclass(frozen=True, slots=True)
class Built:
    """Seconds to build, seconds to ingest `DOCUMENT` more, and the most memory taken, in MB."""

    build_s: float
    ingest_s: float
    build_mb: float


@dataclass(frozen=True, slots=True)
class Searched:
    """Milliseconds a search, memory of the searching process, and recall of the index."""

    passages: int
    index: str
    p50_ms: float
    p95_ms: float
    memory_mb: float
    recall: float


@dataclass(frozen=True, slots=True)
class Row:
    """One size, in rulings."""

    size: int
    built: Built
    searched: Searched


class Perturbed:
    """An encoder that moves the vector of the packaged text a perturbed one was made from."""

    def __init__(self) -> None:
        self.identity = load_encoder(DEFAULT_ENCODER).identity
        found = list(passages(packaged_entries(), load_catalog()))
        self.texts = [passage.text for passage in found if passage.kind == "answer"]
        cache = VectorCache.load(PACKAGED_VECTORS, self.identity)
        self.vectors = cache.encode(load_encoder(DEFAULT_ENCODER), "document", self.texts)
        self.made: dict[str, int] = {}
        self.rng = np.random.default_rng(SEED)

    def text(self, number: int, names: Sequence[str]) -> str:
        row = number % len(self.texts)
        lead, _, rest = self.texts[row].rpartition(": ")
        pieces = [piece for piece in rest.split("、") if self.rng.random() > 0.2] or [rest]
        text = f"{names[number % len(names)]}は{number}番。{'、'.join(pieces)}" if lead else rest
        text = f"{text}（{number}）"
        self.made[text] = row
        return text

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        rows = [self.made.get(text.rpartition(": ")[2], 0) for text in texts]
        base = unit(self.vectors[rows])
        noise = unit(self.rng.normal(size=base.shape).astype(np.float32))
        return unit(base + MOVED * noise)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self.encode_document(texts)


def document(encoder: Perturbed, name: str, first: int, size: int, names: Sequence[str]) -> Parsed:
    rulings = []
    for number in range(first, first + size):
        text = encoder.text(number, names)
        print_ = fingerprint(text)
        unknown = Subject(None, None, "none", 0.0)
        rulings.append(
            Ruling(f"{name}.{print_}", print_, name, number, number, (), unknown, text, (), 1)
        )
    sha = f"{first}-{size}"
    made = Document(name, name, "faq", "XXX", None, "ja", sha, f"{name}.txt")
    return Parsed(made, tuple(rulings), ())


def prepare(size: int, kb: Path) -> Built:
    """Build a knowledge base of ``size`` rulings, then ingest one more document into it."""
    encoder = Perturbed()
    building.load_encoder = lambda name: encoder  # type: ignore[attr-defined]
    names = [card.ja for card in load_catalog().cards.values() if card.ja]
    knowledge = Knowledge(kb)
    before = time.process_time()
    knowledge.ingest([document(encoder, "large", 1, size, names)])
    built = time.process_time() - before
    more = document(encoder, "more", size + 1, DOCUMENT, names)
    before = time.process_time()
    knowledge.ingest([more])
    added = time.process_time() - before
    return Built(built, added, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measure(kb: Path) -> Searched:
    """Search the development questions in a process of its own, so that memory is search's."""
    knowledge = Knowledge(kb).open()
    searcher = knowledge.searcher
    questions = [question.text for question in questions_of(None, "dev")]
    for question in questions[:20]:
        searcher.search(question)
    spent = []
    for question in questions:
        before = time.process_time()
        searcher.search(question)
        spent.append(1e3 * (time.process_time() - before))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    dense = searcher.dense
    everything = dense.index.reconstruct_n(0, dense.index.ntotal)
    hits = []
    for question in questions:
        vector = searcher.vector(question)
        exact = np.argsort(-(everything @ vector))[:10]
        _, rows = dense.index.search(vector[np.newaxis, :], PASSAGES)
        hits.append(len(set(exact.tolist()) & set(rows[0][:10].tolist())) / 10)
    p50, p95 = np.percentile(spent, [50, 95])
    return Searched(
        int(dense.index.ntotal),
        type(dense.index).__name__,
        float(p50),
        float(p95),
        memory,
        float(np.mean(hits)),
    )


def plot(rows: Sequence[Row], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sizes = [row.size for row in rows]
    figure, axes = pyplot.subplots(1, 3, figsize=(11, 3.4))
    for axis, title, series in (
        (
            axes[0],
            "one search, ms",
            {
                "p50": [row.searched.p50_ms for row in rows],
                "p95": [row.searched.p95_ms for row in rows],
            },
        ),
        (
            axes[1],
            "memory of a searching process, MB",
            {"memory": [row.searched.memory_mb for row in rows]},
        ),
        (
            axes[2],
            f"{DOCUMENT} more rulings, s (encoder apart)",
            {"ingest": [row.built.ingest_s for row in rows]},
        ),
    ):
        for name, values in series.items():
            axis.plot(sizes, values, marker="o", label=name)
        axis.set(xscale="log", xlabel="rulings", title=title, ylim=(0, None))
        axis.grid(alpha=0.3)
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def table(rows: Sequence[Row]) -> str:
    lines = [
        f"{hardware()}.",
        "",
        "| rulings | passages | index | p50 ms | p95 ms | memory MB | recall@10 | build s |"
        " 100 more s | memory while building MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.size:,} | {found.passages:,} | {found.index} | {found.p50_ms:.1f}"
        f" | {found.p95_ms:.1f} | {found.memory_mb:.0f} | {found.recall:.3f}"
        f" | {built.build_s:.1f} | {built.ingest_s:.1f} | {built.build_mb:.0f} |"
        for row in rows
        for built, found in [(row.built, row.searched)]
    ]
    return "\n".join(lines)


def in_a_process(step: str, size: int, folder: str) -> dict[str, Any]:
    """The fields that one step prints, run in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--step", step]
    command += ["--sizes", str(size), "--kb", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--write", action="store_true", help="table and plot into docs/")
    parser.add_argument("--step", choices=("prepare", "measure"), help=argparse.SUPPRESS)
    parser.add_argument("--kb", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        first = options.step == "prepare"
        found = prepare(options.sizes[0], options.kb) if first else measure(options.kb)
        print(json.dumps(asdict(found)))
        return
    rows = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            built = Built(**in_a_process("prepare", size, folder))
            row = Row(size, built, Searched(**in_a_process("measure", size, folder)))
        print(row, flush=True)
        rows.append(row)
    print(table(rows))
    if options.write:
        write_part("scale", table(rows))
        plot(rows, PAGE.with_name("scale.png"))


if __name__ == "__main__":
    main()
