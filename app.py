"""The entry of the Streamlit app.

Streamlit runs it for every event, to draw pages (hiermeasures.app.pages). It also imports it once,
as the server (hiermeasures.app.server).
"""

if __name__ == "__main__":
    from hiermeasures.app.pages import main

    main()
else:
    from streamlit.starlette import App

    from hiermeasures.app.ahead import lifespan
    from hiermeasures.app.server import MIDDLEWARE

    app = App(__file__, middleware=MIDDLEWARE, lifespan=lifespan)
