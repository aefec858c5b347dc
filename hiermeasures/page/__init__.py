"""The Explorer as static files, for any host of them: Python in a Web Worker (Pyodide), the package
as a wheel, and the Explorer's own scripts. Nothing is fetched from elsewhere when it is read.

`downloads` has what is not ours, `build` writes the folder and shows it on this machine; `session`
and `lessons` are what runs in the worker, behind `files/worker.js`.
"""
