"""The server as a service that the system starts: on Linux, macOS and Windows, each in its own way."""
