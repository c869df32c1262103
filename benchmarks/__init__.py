"""Measurements; see docs/benchmarks.md."""

# First, as in the service: it keeps BLAS to one thread, which numpy reads when it is imported.
import saitei.index  # noqa: F401
