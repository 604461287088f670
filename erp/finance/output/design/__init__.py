"""The design of the office's papers: layout, colour, letterhead, and a preview of them."""
