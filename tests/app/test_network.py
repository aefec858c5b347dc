"""This computer's addresses in its networks, for phones."""

import pytest
from streamlit import config

from hiermeasures.app import network
from hiermeasures.app.network import find_addresses, phone_addresses
from hiermeasures.explore.present import NetworkAddress

MANY = [NetworkAddress(f"10.0.0.{k}", f"eth{k}") for k in range(1, 20)]


def test_the_way_out_comes_first_and_what_no_phone_reaches_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deaf = [NetworkAddress(host, "x") for host in ("127.0.0.1", "127.0.1.1", "169.254.3.4")]
    monkeypatch.setattr(network, "_interfaces", lambda: iter([*deaf, *MANY]))
    monkeypatch.setattr(network, "_outgoing", lambda: "10.0.0.3")
    found = find_addresses()
    assert [at.host for at in found[:2]] == ["10.0.0.3", "10.0.0.1"]
    assert len(found) == network.MOST
    monkeypatch.setattr(network, "_interfaces", lambda: iter(deaf))
    monkeypatch.setattr(network, "_outgoing", lambda: "")
    assert find_addresses() == []


def test_the_addresses_of_this_machine_are_found_without_an_error() -> None:
    assert all(at.host.count(".") == 3 and at.name for at in find_addresses())


def test_an_app_that_answers_this_computer_only_offers_no_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "find_addresses", lambda: MANY)
    before = config.get_option("server.address")
    try:
        for address, found in (("localhost", None), ("0.0.0.0", MANY), ("192.168.1.5", None)):
            config.set_option("server.address", address)
            assert phone_addresses() == found
    finally:
        config.set_option("server.address", before)
