"""Official documents into rulings: reading, parsing, normalising, tokenising, linking."""
