"""The Explorer as static files, for any host of them: Python in a Web Worker (Pyodide), the package
as a wheel, and the Explorer's own scripts. Nothing is fetched from elsewhere when it is read.

`build` writes the folder and shows it on this machine; `session` is what runs in the worker, behind
`files/worker.js`.
"""
