"""The formats that banks write statements in, read without knowing the books."""
