"""How search grows: knowledge bases of 600, 10,000, 100,000 and 1,000,000 rulings.

``python -m benchmarks.scale [--sizes 600 10000 100000 1000000] [--write]`` needs
requirements/test.txt and ``pip install matplotlib``. Texts and vectors are made by perturbing the
packaged ones, since encoding so many here would take hours: a text has its card renamed and clauses
dropped, its vector is turned away from the text's at random, to a cosine of about .86. The time an
encoder would need is therefore not in any figure. Times are processor time. Recall is that of the
index against exact search in full precision, over vectors that were never rounded (those of the
packaged texts are packaged in half precision).
"""

import argparse
import json
import re
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
from saitei.index.retrieval import PASSAGES, Searcher
from saitei.index.vectors import VectorCache
from saitei.ingest.catalog import load_catalog
from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.models import Document, Parsed, Ruling, Subject
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

SIZES = (600, 10_000, 100_000, 1_000_000)
MOVED = 0.6
"""Length of the random part added to a unit vector: cosine about .86 to where it was."""
SEED = 20_250_207
DOCUMENT = 100
"""Rulings of the one document ingested on top."""
_NUMBERED = re.compile(r"（(\d+)）\Z")


@dataclass(frozen=True, slots=True)
class Built:
    """Seconds to build and to ingest `DOCUMENT` more, what the real encoder needs for those, and
    the most memory taken, in MB."""

    build_s: float
    ingest_s: float
    encoder_s: float
    build_mb: float


@dataclass(frozen=True, slots=True)
class Searched:
    """Milliseconds a search, of them FAISS; memory of the searching process in MB; recall@10."""

    passages: int
    index: str
    p50_ms: float
    p95_ms: float
    faiss_ms: float
    memory_mb: float
    recall: float


@dataclass(frozen=True, slots=True)
class Row:
    """One size, in rulings."""

    size: int
    built: Built
    searched: Searched


class Perturbed:
    """An encoder that moves the vector of the packaged text a perturbed one was made from.

    A perturbed text ends with its number, which decides how its vector is moved. ``spent``: seconds
    it has taken, to be taken off what a build took.
    """

    def __init__(self) -> None:
        self.identity = load_encoder(DEFAULT_ENCODER).identity
        found = list(passages(packaged_entries(), load_catalog()))
        self.texts = [passage.text for passage in found if passage.kind == "answer"]
        self.packaged = VectorCache.load(PACKAGED_VECTORS, self.identity)
        self.vectors = unit(self.packaged.encode(self, "document", self.texts))
        self.rng = np.random.default_rng(SEED)
        self.spent = 0.0

    def text(self, number: int, names: Sequence[str]) -> str:
        lead, _, rest = self.texts[number % len(self.texts)].rpartition(": ")
        pieces = [piece for piece in rest.split("、") if self.rng.random() > 0.2] or [rest]
        text = f"{names[number % len(names)]}は{number}番。{'、'.join(pieces)}" if lead else rest
        return f"{text}（{number}）"

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        before = time.process_time()
        vectors = np.stack([self.moved(int(_NUMBERED.findall(text)[0])) for text in texts])
        self.spent += time.process_time() - before
        return vectors

    def moved(self, number: int) -> Vectors:
        base = self.vectors[number % len(self.vectors)]
        noise = np.random.default_rng([SEED, number]).normal(size=base.shape)
        return unit(base + MOVED * unit(noise.astype(np.float32)))

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
    built = time.process_time() - before - encoder.spent
    more = document(encoder, "more", size + 1, DOCUMENT, names)
    before = time.process_time()
    knowledge.ingest([more])
    added = time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Built(built, added, encoding(more), memory)


def encoding(parsed: Parsed) -> float:
    """Seconds the default encoder needs for a document's texts, once it is loaded."""
    encoder = load_encoder(DEFAULT_ENCODER)
    encoder.encode_document(["上陸"])
    before = time.process_time()
    texts = [ruling.text for ruling in parsed.rulings]
    VectorCache(encoder.identity).encode(encoder, "document", texts)
    return time.process_time() - before


def unrounded(searcher: Searcher) -> Vectors:
    """The centred unit vectors of all passages, in full precision."""
    encoder = Perturbed()
    numbers = range(searcher.generation.manifest.entries)
    entries = [searcher.database.entry(number) for number in numbers]
    texts = [passage.text for passage in passages(entries, searcher.catalog)]
    vectors = np.empty((len(texts), encoder.vectors.shape[1]), np.float32)
    for row, text in enumerate(texts):
        found = _NUMBERED.search(text)
        known = None if found else encoder.packaged.encode(encoder, "document", [text])[0]
        vectors[row] = encoder.moved(int(found[1])) if found else known
    vectors -= vectors.mean(axis=0)
    return unit(vectors, out=vectors)


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
    found, faiss_spent = [], []
    for question in questions:
        vector = searcher.vector(question)
        before = time.process_time()
        _, rows = dense.index.nearest(vector[np.newaxis, :], PASSAGES)
        faiss_spent.append(1e3 * (time.process_time() - before))
        found.append((vector, set(rows[0][:10].tolist())))
    everything = unrounded(searcher)
    hits = [
        len(set(np.argpartition(-(everything @ vector), 10)[:10].tolist()) & ten) / 10
        for vector, ten in found
    ]
    p50, p95 = np.percentile(spent, [50, 95])
    return Searched(
        len(dense.index),
        dense.index.kind,
        float(p50),
        float(p95),
        float(np.median(faiss_spent)),
        memory,
        float(np.mean(hits)),
    )


def plot(rows: Sequence[Row], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    searched, built = [row.searched for row in rows], [row.built for row in rows]
    panels = {
        "one search, ms": {
            "p95": [found.p95_ms for found in searched],
            "p50": [found.p50_ms for found in searched],
            "of it FAISS": [found.faiss_ms for found in searched],
        },
        "memory, MB": {
            "building": [one.build_mb for one in built],
            "searching": [found.memory_mb for found in searched],
        },
        "ingest, s (encoder apart)": {
            "all": [one.build_s for one in built],
            f"{DOCUMENT} more": [one.ingest_s for one in built],
        },
        "recall@10 of FAISS": {"recall": [found.recall for found in searched]},
    }
    figure, axes = pyplot.subplots(1, len(panels), figsize=(14, 3.4))
    for axis, (title, series) in zip(axes, panels.items(), strict=True):
        for name, values in series.items():
            axis.plot([row.size for row in rows], values, marker="o", label=name)
        axis.set(xscale="log", yscale="log", xlabel="rulings", title=title)
        axis.grid(alpha=0.3)
        axis.legend()
    axes[-1].set(yscale="linear", ylim=(0.9, 1.005))
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def table(rows: Sequence[Row]) -> str:
    lines = [
        f"{hardware()}.",
        "",
        "| rulings | passages | index | p50 ms | of it FAISS | p95 ms | memory MB | recall@10 |"
        " build s | 100 more s | their encoder s | memory while building MB |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.size:,} | {found.passages:,} | {found.index} | {found.p50_ms:.1f}"
        f" | {found.faiss_ms:.1f} | {found.p95_ms:.1f} | {found.memory_mb:.0f} | {found.recall:.3f}"
        f" | {built.build_s:.1f} | {built.ingest_s:.1f} | {built.encoder_s:.1f}"
        f" | {built.build_mb:.0f} |"
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
