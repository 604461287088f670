"""Options of the program as data, and the readers of their values; each reader says what it accepts."""

import datetime
import re
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path

import msgspec

HOST_NAME = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*", re.ASCII
)

USUAL_PORTS = {"http": 80, "https": 443}


class Option(msgspec.Struct, frozen=True):
    """One option: how a field of `Config` is set from outside."""

    name: str
    parse: Callable[[str], object]
    help: str
    default: str
    metavar: str | None = None
    repeatable: bool = False

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "ERP_" + self.name.upper()

    @property
    def is_switch(self) -> bool:
        """Whether the flag takes no value."""
        return self.parse is switch

    def described(self) -> str:
        """The help as `--help` prints it, with the variable and the default."""
        return f"{self.help} [{self.variable}; default: {self.default}]".replace("%", "%%")


def switch(text: str) -> bool:
    """Read yes or no."""
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.strip().lower() not in words:
        raise ValueError("use true or false")
    return words[text.strip().lower()]


def between(lowest: int, highest: int) -> Callable[[str], int]:
    """A reader of whole numbers from `lowest` to `highest`."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not lowest <= int(text) <= highest:
            raise ValueError(f"use a whole number from {lowest} to {highest}")
        return int(text)

    return parse


def one_of(*words: str) -> Callable[[str], str]:
    """A reader of one of several words."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"use {', '.join(words[:-1])} or {words[-1]}")
        return text

    return parse


def time_of_day(text: str) -> datetime.time:
    """Read a time of day such as 02:00."""
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text.strip()):
        raise ValueError("use a time such as 02:00")
    return datetime.time.fromisoformat(text.strip())


def three_numbers(text: str) -> tuple[int, ...]:
    """Read the numbers of daily, weekly and monthly backups to keep, such as 7/4/12; at least one."""
    parts = text.split("/")
    if len(parts) != 3:
        raise ValueError("use three whole numbers such as 7/4/12")
    numbers = tuple(between(0, 1000)(part) for part in parts)
    if not any(numbers):
        raise ValueError("keep at least one backup")
    return numbers


def address(text: str) -> str:
    """Read a host name or an IP address, without a port."""
    name = text.strip().lower().removeprefix("[").removesuffix("]")
    if not HOST_NAME.fullmatch(name) and not is_ip(name):
        raise ValueError("use a host name or an IP address, without a port")
    return name


def origin(text: str) -> str:
    """Read the scheme, name and port of an address: `https://erp.example.com`."""
    match = re.fullmatch(
        r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?/?", text.strip().lower(), re.ASCII
    )
    if not match:
        raise ValueError("use an address such as https://erp.example.com, without a path")
    scheme, name, port = match.groups()
    address(name)
    is_usual = port is None or int(port) == USUAL_PORTS[scheme]
    return f"{scheme}://{name}" if is_usual else f"{scheme}://{name}:{between(1, 65535)(port)}"


def proxied(text: str) -> str:
    """Read the address of a TLS proxy; plain http is refused."""
    proxy = origin(text)
    if not proxy.startswith("https:"):
        raise ValueError(
            "use an address that begins with https://. Over http, anyone on the way could read passwords and all data. "
            "Without a TLS proxy, leave it out; --lan shares on your own network"
        )
    return proxy


def other_site(text: str) -> str:
    """Read the origin of one other site; a wildcard is refused."""
    if "*" in text or text.strip().lower() == "null":
        raise ValueError("name one site, such as https://app.example.com; null and wildcards would let in any site")
    return origin(text)


def folder(text: str) -> Path:
    """Read the path of a folder; `~` is the home folder."""
    if not text.strip():
        raise ValueError("name a folder")
    return Path(text).expanduser().absolute()


def is_ip(name: str) -> bool:
    """Whether the name is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def usual_ip(address: str) -> str:
    """An IP address in its usual form, without a zone; an IPv4 address written as IPv6 becomes IPv4."""
    ip = ip_address(address.partition("%")[0])
    return str(ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else str(ip)


@lru_cache(maxsize=128)
def is_loopback(host: str) -> bool:
    """Whether only this computer can reach the address."""
    return host == "localhost" or (is_ip(host) and ip_address(host).is_loopback)
