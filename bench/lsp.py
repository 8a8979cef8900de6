#!/usr/bin/env python3
"""How long the language server takes from a change to its diagnostics, in a folder of many small manifests: the median
of several changes of one file, as a client sees it and as the processor does. The first check, of everything, apart.

    cmake --workflow --preset release && bench/lsp.py [build/release/muster] [FILES]

FILES is 2,000 unless given.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from end_to_end import MANIFEST, write

CHANGES = 15


class Server:
    def __init__(self, binary, folder):
        self.process = subprocess.Popen([binary, "lsp", "-j1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.folder = folder

    def send(self, method, params, **more):
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def published(self, uri, version):
        while True:
            params = self.receive().get("params", {})
            if params.get("uri") == uri and params.get("version") == version:
                return

    def processor(self):
        """Seconds of processor time so far."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    binary = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/muster")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with tempfile.TemporaryDirectory() as folder:
        texts = {f"team{i % 40}/job{i}.yaml": MANIFEST.format(i=i, q=i % 20, k=8) for i in range(count)}
        for name, text in texts.items():
            write(folder, name, text)
        server = Server(binary, folder)
        server.send("initialize", {"rootUri": "file://" + folder, "capabilities": {}}, id=1)
        server.send("initialized", {})
        name = "team7/job7.yaml"
        uri = f"file://{folder}/{name}"
        start = time.perf_counter()
        server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 0, "text": texts[name]}})
        server.published(uri, 0)
        print(f"first diagnostics of {count:,} files: {time.perf_counter() - start:.3f} s")
        walls, cpus = [], []
        for version in range(1, CHANGES + 1):
            time.sleep(0.4)  # what is tidied up after a check is not waited for
            before, start = server.processor(), time.perf_counter()
            at = {"line": 6, "character": 16}
            server.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [
                {"range": {"start": at, "end": {"line": 6, "character": 17 + (version > 1)}}, "text": str(10 + version)}]})
            server.published(uri, version)
            walls.append(time.perf_counter() - start)
            cpus.append(server.processor() - before)
        print(f"from change to diagnostics: {statistics.median(walls) * 1000:.0f} ms, the fastest {min(walls) * 1000:.0f} ms; "
              f"{statistics.median(cpus) * 1000:.0f} ms of the processor")
        server.send("shutdown", None, id=2)
        server.send("exit", None)
        server.process.wait()


if __name__ == "__main__":
    main()
