"""Rulings and notes into search: encoding, FAISS, lexical index, store, retrieval, confidence."""
