"""Stopping a running server from outside: signals, the console window, the end of its launcher."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from erp.runtime.frozen import unpacked_folder


@contextmanager
def stopped_from_outside(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when the system, the terminal or the launcher wants the program to end.

    Windows ends the process as soon as the handler of a closed window returns, so the handler waits for the block.
    """
    with ExitStack() as endings:
        if sys.platform == "win32":
            endings.enter_context(_window(stop))
        if unpacked_folder():
            threading.Thread(target=_follow_launcher, args=(stop,), daemon=True).start()
        endings.enter_context(_signals(stop))
        yield


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda *_: stop()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _follow_launcher(stop: Callable[[], None]) -> None:
    """Stop with the launcher: the one-file executable is a launcher and this worker, which would outlive its kill."""
    launcher = os.getppid()
    if sys.platform == "win32":
        import ctypes

        may_wait, for_ever = 0x00100000, 0xFFFFFFFF
        handle = ctypes.windll.kernel32.OpenProcess(may_wait, False, launcher)
        if not handle:
            return
        ctypes.windll.kernel32.WaitForSingleObject(handle, for_ever)
    else:
        while os.getppid() == launcher:
            time.sleep(1)
    stop()


if sys.platform == "win32":

    @contextmanager
    def _window(stop: Callable[[], None]) -> Iterator[None]:
        import ctypes

        ended = threading.Event()
        close, log_off, shut_down = 2, 5, 6

        @ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)
        def on_event(event: int) -> int:
            if event not in (close, log_off, shut_down):
                return 0
            stop()
            ended.wait()
            return 1

        ctypes.windll.kernel32.SetConsoleCtrlHandler(on_event, 1)
        try:
            yield
        finally:
            ended.set()
