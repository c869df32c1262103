"""Rulings and notes into search: encoding, FAISS, lexical index, store, retrieval, ranking."""

import os

# Before numpy is imported: a search multiplies many small matrices, on which threads of BLAS take
# more than twice the processor time and save nothing. Who sets it knows better.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
