"""The Streamlit entry: run for every event, as pages (hiermeasures.app.pages), and imported once,
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
