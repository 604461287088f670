"""The server as a service that the system starts: systemd on Linux, launchd on macOS, Task Scheduler on Windows."""
