"""Journal entries as files for DATEV, the program that most German tax advisors work with."""
