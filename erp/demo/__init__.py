"""The demonstration: a believable small company, created by the requests that any client would send."""
