"""Cost of a click, and sessions that do not see each other's classes; over the protocol, without a
browser.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import websockets

from benchmarks.sessions import WARM_UP, Session

CLICKS = 5


async def _two_people(address: str) -> list[Session]:
    """Two sessions click different classes in turn, and see their own after every click."""
    async with (
        websockets.connect(address, max_size=None, subprotocols=["streamlit"]) as first,
        websockets.connect(address, max_size=None, subprotocols=["streamlit"]) as second,
    ):
        people = [Session(connection, number) for number, connection in enumerate((first, second))]
        for person in people:
            await person.open()
            for _ in range(WARM_UP):
                await person.click()
            person.forget()
        for _ in range(CLICKS):
            for person in people:
                await person.click()
        return people


def test_a_click_is_answered_in_7_messages_and_13_kilobytes(address: str) -> None:
    talk = _two_people(address.replace("http", "ws") + "/_stcore/stream")
    with ThreadPoolExecutor(
        1
    ) as pool:  # playwright's loop runs in this thread once a browser test has run
        people = pool.submit(asyncio.run, talk).result()
    assert people[0].predicted != people[1].predicted
    for person in people:
        assert person.messages <= 7 * CLICKS
        assert person.bytes <= 13_000 * CLICKS
