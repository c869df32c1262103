"""Who a request is from: the peer's address, or what a trusted proxy says."""

import ipaddress
from collections.abc import Iterable, Sequence

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
IPV6_SITE = 64
"""Bits of an IPv6 address that stand for one client; one site has all addresses below."""


def networks(value: str) -> tuple[Network, ...]:
    """Networks of a comma separated list. Raises `ValueError` with the part that is none."""
    parts = (part.strip() for part in value.split(","))
    return tuple(ipaddress.ip_network(part, strict=False) for part in parts if part)


def client_of(peer: str, forwarded: Iterable[str], trusted: Sequence[Network]) -> str:
    """The key a client is counted under.

    ``forwarded`` are the values of X-Forwarded-For, which anybody can write: read from the right,
    only as far as proxies in ``trusted`` vouch for it.
    """
    address = _address(peer)
    if address is None:
        return peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while hops and any(address in network for network in trusted):
        before = _address(hops.pop())
        if before is None:
            break
        address = before
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_SITE), strict=False))
    return str(address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
