"""Files by the hash of their bytes, and the records that have them."""
