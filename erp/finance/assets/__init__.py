"""Fixed assets: their register, their depreciation by month, and their disposal."""
