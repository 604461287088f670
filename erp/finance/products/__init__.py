"""Products: articles and services for the lines of documents."""
