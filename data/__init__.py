"""What this project wrote itself, and how it is read: notes, principles, scenarios, cards, facts.

``PATH`` is the folder that holds it, in a checkout and in an installed wheel alike.
"""

from pathlib import Path

PATH = Path(__file__).resolve().parent
