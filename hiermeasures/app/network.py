"""The network addresses of this computer, because phones cannot open `localhost`.

The search sends no data. The result is not cached, because the computer may join a network later.
"""

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator, Sequence

import streamlit as st

from hiermeasures.explore.present import NetworkAddress

EVERYONE = ("0.0.0.0", "::")  # the addresses of a server that answers all networks
MOST = 6
GET_ADDRESS = 0xC0206921 if sys.platform == "darwin" else 0x8915  # SIOCGIFADDR
ELSEWHERE = ("198.51.100.1", 9)  # an address of documentation's, to which nothing is sent


def phone_addresses() -> Sequence[NetworkAddress] | None:
    """Return the addresses under which phones may reach this app.

    The result is empty without a network connection, and None if the app answers only this
    computer.
    """
    address = st.get_option("server.address")
    return find_addresses() if not address or address in EVERYONE else None


def find_addresses() -> list[NetworkAddress]:
    """Return this computer's IPv4 addresses. If one leads to the internet, it is first."""
    found = {at.host: at for at in _interfaces() if _is_reachable(at.host)}
    first = _outgoing()
    return sorted(found.values(), key=lambda at: at.host != first)[:MOST]


def _is_reachable(host: str) -> bool:
    address = ipaddress.ip_address(host)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _interfaces() -> Iterator[NetworkAddress]:
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows, where the own name gives all addresses
        with contextlib.suppress(OSError):
            for *_, place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
                yield NetworkAddress(str(place[0]), "network")
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            asked = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # an interface without an address
                given = fcntl.ioctl(probe.fileno(), GET_ADDRESS, asked)
                yield NetworkAddress(socket.inet_ntoa(given[20:24]), name)


def _outgoing() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:  # no network
            return ""
        return str(probe.getsockname()[0])
