"""Opens the documentation in a headless Chromium and looks at what a reader sees.

    python3 .ci/browse.py CHROMIUM SITE SCREENSHOTS

It serves the site on the loopback interface, and drives the browser through a pipe, so nothing but
Python's own library is needed. A page that lacks what it should show, an error of its scripts and an
answer that is no page each end it with a sentence.
"""
import base64, functools, json, os, pathlib, re, select, subprocess, sys, tempfile, threading, time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_): pass


class Browser:
    """One tab of a browser that listens on file descriptor 3 and answers on 4."""

    def __init__(self, program, profile):
        (inward, self.requests), (self.answers, outward) = os.pipe(), os.pipe()

        def connect():
            # Both are moved out of the way first: either may have the number of the other.
            high = [os.dup2(inward, 100), os.dup2(outward, 101)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "--window-size=1400,1000", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(inward)
        os.close(outward)
        self.number, self.buffer, self.session, self.faults = 0, b"", None, []
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self.session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"): self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session: message["sessionId"] = self.session
        os.write(self.requests, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            while b"\0" not in self.buffer:
                ready, _, _ = select.select([self.answers], [], [], max(0, until - time.monotonic()))
                data = os.read(self.answers, 1 << 20) if ready else b""
                if not data: raise SystemExit(f"The browser did not answer {method}.")
                self.buffer += data
            line, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer: raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        if event.get("method") == "Runtime.exceptionThrown":
            details = event["params"]["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        response = event.get("params", {}).get("response", {}) if event.get("method") == "Network.responseReceived" else {}
        # The renderer asks for a theme, and does without one.
        if response.get("url", "").endswith("/theme-settings.json"): return
        if response.get("status", 200) >= 400: self.faults.append(f"{response['status']} for {response['url']}")

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return result["result"].get("value")

    def wait(self, script, promise):
        """Returns what the script comes to, as soon as it is something."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            value = self.evaluate(script)
            if value: return value
            time.sleep(0.05)
        raise SystemExit(f"{self.evaluate('location.pathname')}: {promise}. It does not; the page says:\n"
                         + (self.evaluate("document.body.innerText") or "")[:2000])

    def open(self, address):
        self.call("Page.navigate", url=address)

    def fits(self, width=400):
        """Ends it with a sentence where the page, or one of its tables, is wider than the window of a telephone."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        until = time.monotonic() + 5
        while True:
            wide = self.evaluate("""[
              ...(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : []),
              ...[...document.querySelectorAll('main table')]
                .filter(t => t.scrollWidth > t.parentElement.clientWidth + 1)
                .map(t => 'the table “' + t.rows[0].innerText.replace(/\\s+/g, ' ') + '”')]""")
            if wide == []: break
            if time.monotonic() > until:
                raise SystemExit(f"{self.evaluate('location.pathname')}: at {width} pixels, {' and '.join(wide)} scrolls sideways. "
                                 "Shorten the longest words of its cells, or make a list of it.")
            time.sleep(0.05)
        self.call("Emulation.clearDeviceMetricsOverride")

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        file.write_bytes(base64.b64decode(data))


def main(program, site, pictures):
    pictures.mkdir(parents=True, exist_ok=True)
    catalogue = pathlib.Path(__file__).resolve().parent.parent / "Sources/Lensed/Lensed.docc"
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            look(browser, root, catalogue, pictures)
        finally:
            browser.process.kill()
            browser.process.wait()
    if browser.faults: raise SystemExit("The browser complains:\n" + "\n".join(browser.faults))


def look(browser, root, catalogue, pictures):
    heading = "(document.querySelector('main h1, main .title')?.innerText ?? '').includes(%s)"
    text = "document.querySelector('main')?.innerText.includes(%s)"
    listings = "document.querySelectorAll('main .code-listing').length"

    def shows(words): browser.wait(text % json.dumps(words), f"it shows “{words}”")

    browser.open(f"{root}/documentation/")
    for words in ("Begin with what you want to do", "Write an app", "Getting started", "Keep its state", "Look at it"):
        shows(words)
    browser.picture(pictures / "0-libraries.png")
    browser.fits()

    browser.open(f"{root}/documentation/lensed/")
    browser.wait(heading % '"Lensed"', "its title is Lensed")
    for words in ("A state store that knows", "swift run -c release repo-pulse", "First steps", "Guarantees and cost"):
        shows(words)
    browser.wait("[...document.querySelectorAll('main img')].some(i => i.complete && i.naturalWidth > 100)",
                 "the picture of the idea is loaded")
    browser.picture(pictures / "1-landing.png")
    browser.fits()

    # Each article: its title, as many listings as its source has, and nothing that a narrow window cuts off.
    for file in sorted(catalogue.parent.parent.glob("*/*.docc/*.md")):
        source = file.read_text(encoding="utf-8")
        library = file.parent.stem
        if file.stem == library or "+" in file.stem: continue
        browser.open(f"{root}/documentation/{library.lower()}/{file.stem.lower()}/")
        browser.wait(heading % json.dumps(source.split("\n")[0][2:]), "it has its title")
        count = len(re.findall(r"^(?:```|~~~)", source, re.M)) // 2
        browser.wait(f"{listings} === {count}", f"it shows {count} listings")
        if file.stem == "GettingStarted": browser.picture(pictures / "2-article.png")
        browser.fits()

    browser.open(f"{root}/documentation/lensedinspector/findingthecause/")
    browser.wait(heading % '"Finding the cause"', "its title is Finding the cause")
    browser.wait("[...document.querySelectorAll('main img')].some(i => i.complete && i.naturalWidth > 100)",
                 "the picture of the page is loaded")

    browser.open(f"{root}/tutorials/tutorials/")
    shows("From a counter to a to-do list")
    browser.picture(pictures / "3-tutorials.png")
    for tutorial, words in (("fromcountertotodo", "enum CountAction"), ("searchasyoutype", "struct QueryChanged")):
        browser.open(f"{root}/tutorials/lensed/{tutorial}/")
        browser.wait("document.querySelectorAll('.step').length > 10", "it has its steps")
        # The renderer shows the file of the step that the reader has scrolled to.
        browser.evaluate("document.querySelectorAll('.step')[2].scrollIntoView({block: 'start'});"
                         "window.scrollBy(0, -200)")
        browser.wait(f"[...document.querySelectorAll('.asset-container .code-listing')].some(c => c.innerText.includes({json.dumps(words)}))",
                     f"its third step shows `{words}`")
        time.sleep(0.5)  # for the picture alone: the step's file slides in
        browser.picture(pictures / f"4-{tutorial}.png")
        browser.fits()

    browser.open(f"{root}/documentation/lensed/")
    browser.wait("document.querySelector('.navigator input')", "the navigator has a filter")
    browser.evaluate("document.querySelector('.navigator input').focus()")
    browser.call("Input.insertText", text="AsyncMut")
    browser.wait("[...document.querySelectorAll('.navigator-card-item')].some(i => i.innerText.includes('AsyncMutator'))"
                 " && ![...document.querySelectorAll('.navigator-card-item')].some(i => i.innerText.includes('Snapshot'))",
                 "the search finds AsyncMutator and hides the rest")
    browser.picture(pictures / "5-search.png")
    browser.evaluate("[...document.querySelectorAll('.navigator-card-item a')].find(a => a.innerText.trim() === 'AsyncMutator').click()")
    browser.wait("location.pathname.endsWith('/asyncmutator') || location.pathname.endsWith('/asyncmutator/')",
                 "what was found opens")
    shows("A lens, and the one asynchronous reducer")
    print(f"The browser shows the landing page, each article, two tutorials and the search: {pictures}")


main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
