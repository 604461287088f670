"""Views of lists: the filters, columns and order in which a list is opened again."""
