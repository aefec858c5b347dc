"""The Explorer as static files, for any web server.

Python runs in a Web Worker (Pyodide), with the package as a wheel and the Explorer's own scripts.
The page loads nothing from elsewhere. `build` writes the folder and serves it on this machine.
`session` runs in the worker, behind `files/worker.js`.
"""
