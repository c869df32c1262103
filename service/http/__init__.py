"""HTTP: ``/v1`` for programs, and what every request passes through."""
