"""Pages for people: templates, words in two languages, what there is to browse."""
