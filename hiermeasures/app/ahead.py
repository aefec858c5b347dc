"""Work that the server does once at its start, so that the first visitors do not wait for it."""

import gc
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from streamlit.starlette import App

from hiermeasures.app import server


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    """Serve as the server does, and prepare the pages in a thread."""
    threading.Thread(target=prepare, daemon=True).start()
    async with server.lifespan(app):
        yield


def prepare() -> None:
    """Pack the scripts, draw the first screen, import all pages, and load the kernels."""
    # these imports take long, so the thread does them
    from hiermeasures.app import pages
    from hiermeasures.app.explore.model import EXPLORER
    from hiermeasures.app.scripts import script_file
    from hiermeasures.evaluation.warm import make_kernels_ready_ahead
    from hiermeasures.explore import screen
    from hiermeasures.explore.model import Host
    from hiermeasures.explore.outbox import Inbox

    script_file()
    pages.page_of("explore")
    screen.data(screen.ready(EXPLORER.make(), Host()), Inbox(), Host())
    for modules in pages.PLACES.values():
        for name in modules.values():
            pages.page_of(name)
    exempt_what_is_loaded()
    make_kernels_ready_ahead()


def exempt_what_is_loaded() -> None:
    """Exempt loaded modules and their contents from garbage collection.

    Otherwise Streamlit searches all living objects after every click (`postScriptGC`, which our
    settings turn off).
    """
    gc.collect()
    gc.freeze()
