# SPDX-License-Identifier: GPL-2.0-only
"""A debuginfod server on loopback: serves what it is given, and writes down each request as it came."""
import http.server
import threading


class Server:
    def __init__(self):
        self.files, self.asked, self.held, self.end = {}, [], set(), threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                if self.path in outer.held:  # never answers
                    outer.end.wait()
                    return
                data = outer.files.get(self.path)
                try:
                    self.send_response(404 if data is None else 200)
                    self.send_header("Content-Length", str(len(data or b"")))
                    self.end_headers()
                    self.wfile.write(data or b"")
                except (BrokenPipeError, ConnectionResetError):
                    pass  # another server was faster

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def serve(self, build_id, what, path):
        with open(path, "rb") as file:
            self.files[f"/buildid/{build_id}/{what}"] = file.read()

    def reset(self):
        self.files.clear()
        self.held.clear()
        self.asked.clear()
        self.end.set()
        self.end = threading.Event()
