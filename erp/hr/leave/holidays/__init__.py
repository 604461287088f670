"""Holidays as they concern leave: served, imported when a year is first needed, and leave counted again."""
