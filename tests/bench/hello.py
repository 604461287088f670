"""The least that the same server can answer: one Falcon resource, no middleware, no file."""

import sys
from pathlib import Path

import falcon

from erp.kernel.config import Config
from erp.runtime import server


class Hello:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Say hello."""
        resp.data = b'{"hello":"world"}'
        resp.content_type = falcon.MEDIA_JSON


def main(folder: str) -> None:
    """Serve on a free port until killed."""
    config = Config(data_dir=Path(folder))
    server._prepare_process(config)
    app: falcon.App[falcon.Request, falcon.Response] = falcon.App()
    app.add_route("/hello", Hello())
    sock = server.bind("127.0.0.1", 0)
    running = server.Server(app, config, sock)
    server.say(f"hello is ready at {running.url}")
    running.run()


if __name__ == "__main__":
    main(sys.argv[1])
