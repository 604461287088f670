"""Dimensions, such as cost centres: up to three, whose values income and expenses are analysed by."""
