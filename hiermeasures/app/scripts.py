"""The scripts and style sheets of all components, as one file that browsers keep.

The file's name contains a digest of its content. So a browser asks for each version only once.
"""

import gzip
from functools import cache
from hashlib import sha256

from starlette.responses import Response

from hiermeasures.explore import component_data, location
from hiermeasures.explore.parts import ONE_PAGE, all_scripts

HEADERS = {
    "Content-Encoding": "gzip",
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
}


@cache
def script_file() -> tuple[str, Response]:
    """Return the name of the file, and the response that contains it."""
    constants = ONE_PAGE + component_data.constants() + location.constants()
    content = all_scripts(constants).encode()
    packed = Response(gzip.compress(content), media_type="text/javascript", headers=HEADERS)
    return f"hiermeasures-{sha256(content).hexdigest()[:16]}.js", packed
