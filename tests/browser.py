"""A real browser for tests and tools: Chromium, driven by chromedriver."""
import http.client
import json
import os
import subprocess
import time

from clusters import free_ports


class Browser:
    """Chromium by its driver's own protocol (WebDriver); |more| are options of its driver."""

    def __init__(self, folder, **more):
        self.port = free_ports(1)[0]
        self.driver = subprocess.Popen(["chromedriver", "--port=%d" % self.port], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not self.ready():
            assert time.monotonic() < end, "chromedriver did not start"
            time.sleep(0.05)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--user-data-dir=" + os.path.join(folder, "profile")], **more}
        self.session = ""
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]

    def ready(self):
        try:
            c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            c.request("GET", "/status")
            return c.getresponse().status == 200
        except OSError:
            return False

    def ask(self, method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        c.request(method, self.session + path if path != "/session" else path,
                  json.dumps(body) if body is not None else None)
        answer = json.loads(c.getresponse().read())
        c.close()
        assert not (isinstance(answer["value"], dict) and "error" in answer["value"]), answer
        return answer["value"]

    def script(self, text):
        return self.ask("POST", "/execute/sync", {"script": text, "args": []})

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
