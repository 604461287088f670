"""The demonstration: a believable small company, made by the requests that any client would send."""
