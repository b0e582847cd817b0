"""The report in a browser: charts have a real size, and no label is cut off or covers another.

Renders reports of made-up results in headless Chromium, wide and narrow, light and dark: a script
added to a copy of the page measures what was laid out, and screenshots tell whether the colours of
the lines are there. Run by ctest, or by hand:

    WRITE_REPORT=build/release/bin/write_report python3 tests/report_test.py -v

Exits with 77 (skipped) where there is no Chromium. Standard library only.
"""

import html
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

WRITE_REPORT = shlex.split(os.environ.get("WRITE_REPORT", "write_report"))
BROWSER = next(filter(None, map(shutil.which, (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None)
SKIPPED = 77

# Texts whose boxes overlap by more than a hair would print over each other.
MEASURE = """
<script>
const charts = [...document.querySelectorAll("svg.chart")].map(svg => {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  const outside = texts.filter(([, r]) => r.left < box.left - 1 || r.right > box.right + 1 ||
                               r.top < box.top - 1 || r.bottom > box.bottom + 1).map(t => t[0]);
  const covered = [];
  texts.forEach(([a, p], i) => texts.slice(i + 1).forEach(([b, q]) => {
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (wide > 1 && high > 4) covered.push(a + " | " + b);
  }));
  return {title: svg.getAttribute("aria-label"), width: box.width, height: box.height, outside,
          covered};
});
const out = document.createElement("pre");
out.id = "measured";
out.textContent = JSON.stringify({charts, page: document.documentElement.scrollWidth,
                                  window: document.documentElement.clientWidth});
document.body.append(out);
</script>
"""


def browse(directory, *arguments):
    """What the browser writes to stdout; it gets a profile of its own."""
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--disable-dev-shm-usage", "--no-first-run", "--force-device-scale-factor=1",
               f"--user-data-dir={directory / 'profile'}", *arguments]
    return subprocess.run(command, check=True, timeout=120, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def write_report(directory, which):
    path = directory / f"{which}.html"
    subprocess.run([*WRITE_REPORT, which, str(path)], check=True)
    return path


def colours(path):
    """The colours of a PNG's pixels, as the set of (red, green, blue)."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour_type = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    step = {2: 3, 6: 4}[colour_type]
    raw, stride, found = zlib.decompress(packed), step * width, set()
    before = bytearray(stride)
    for y in range(height):
        method, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:][:stride])
        for i in range(stride if method else 0):  # as the PNG specification names the filters
            left, up = line[i - step] if i >= step else 0, before[i]
            corner = before[i - step] if i >= step else 0
            if method == 1:
                guess = left
            elif method == 2:
                guess = up
            elif method == 3:
                guess = (left + up) // 2
            else:
                base = left + up - corner
                guess = min((left, up, corner), key=lambda value: abs(base - value))
            line[i] = (line[i] + guess) & 255
        found.update(zip(line[0::step], line[1::step], line[2::step]))
        before = line
    return found


class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.dir = pathlib.Path(directory.name)

    def measured(self, which, width):
        page = write_report(self.dir, which).read_text()
        copy = self.dir / "measured.html"
        copy.write_text(page.replace("</body>", MEASURE + "</body>"))
        dom = browse(self.dir, f"--window-size={width},900", "--dump-dom", copy.as_uri())
        found = re.search(r'<pre id="measured">(.*?)</pre>', dom, re.DOTALL)
        self.assertIsNotNone(found, "the browser ran no script")
        return json.loads(html.unescape(found[1]))

    def test_charts_have_a_size_and_legible_labels(self):
        for which, charts in (("one", 19), ("two", 25)):
            for width in (1280, 500, 390):
                with self.subTest(which=which, width=width):
                    measured = self.measured(which, width)
                    self.assertEqual(len(measured["charts"]), charts)
                    self.assertLessEqual(measured["page"], measured["window"], "scrolls sideways")
                    for chart in measured["charts"]:
                        with self.subTest(title=chart["title"]):
                            self.assertGreaterEqual(chart["width"], 300)
                            self.assertGreaterEqual(chart["height"], 140)
                            self.assertEqual(chart["outside"], [])
                            self.assertEqual(chart["covered"], [])

    def test_a_report_of_nothing_still_fits(self):
        measured = self.measured("bare", 390)
        self.assertEqual(measured["charts"], [])
        self.assertLessEqual(measured["page"], measured["window"])

    def test_lines_are_drawn_in_their_colours_light_and_dark(self):
        page = write_report(self.dir, "one")
        style = page.read_text()
        light, dark = style.split("prefers-color-scheme: dark", 1)
        for scheme, rules in (("light", light), ("dark", dark)):
            with self.subTest(scheme=scheme):
                wanted = [rule for rule in re.findall(r"--c([0-4]): #(\w{6})", rules)[:5]]
                self.assertEqual(len(wanted), 5)
                picture = self.dir / f"{scheme}.png"
                browse(self.dir, "--window-size=1280,1400", f"--screenshot={picture}",
                       *(["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []),
                       page.as_uri())
                seen = colours(picture)
                for name, colour in wanted:
                    self.assertIn(tuple(bytes.fromhex(colour)), seen, f"c{name} #{colour}")


if __name__ == "__main__":
    if BROWSER is None:
        print("no Chromium here: skipped")
        sys.exit(SKIPPED)
    unittest.main()
