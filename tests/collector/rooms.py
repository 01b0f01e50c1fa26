"""An address of this machine in a private network, as phones in one room find it."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import replace

from tests.collector.servers import Server
from tests.waiting import until

from deniable.collector.http.lan import NETWORKS

PEERS = ("10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.0.1", "fd00::1")


def private_address() -> str:
    """One to which others in its network could send; nothing is sent to find it."""
    found = [each for peer in PEERS if (each := _nearest(peer)) and _is_private(each)]
    assert found, "tests of phones in one room need a private address, as machines in any home or data center have"
    return found[0]


def there(server: Server) -> Server:
    """A collector at the address for phones, as it says where that is."""
    told = re.compile(r"phones in this room.*: (http://\S+)")
    until(lambda: told.search(server.log.read_text()) is not None, 0.01)
    return replace(server, url=told.findall(server.log.read_text())[-1])


def _nearest(peer: str) -> str:
    """The address of this machine that would speak to another one."""
    with socket.socket(socket.AF_INET6 if ":" in peer else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((peer, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_private(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return any(found in network for network in NETWORKS if network.version == found.version)
