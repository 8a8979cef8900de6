"""What muster says of many sites at once, and which of slurmctld's messages its findings stand for."""
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
STOPS = {"rejected", "crash"}


class Finding:
    def __init__(self, entry, folder):
        self.rule, self.severity, self.effect = entry["rule"], entry["severity"], entry["effect"]
        place = entry["location"]
        self.file, self.line = place["file"].split(folder + "/", 1)[-1], place["line"]
        self.message = entry["message"]

    @property
    def stops(self):
        return self.effect in STOPS

    def __str__(self):
        return f"{self.file}:{self.line}: {self.severity}: {self.message} [{self.rule}]"


def check(muster, sites, release=None):
    """Findings for each of the sites (name -> text), which lie side by side in one check."""
    top = tempfile.mkdtemp(prefix="muster-judge-")
    try:
        for number, files in enumerate(sites):
            for name, text in files.items():
                path = Path(top, f"site{number}", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        command = [os.path.abspath(muster), "check", "--no-ignore", "--format", "json", "--fail-on", "never", "-j", "1"]
        if release:
            command += ["--target", "slurm=" + release]
        done = subprocess.run(command + ["."], cwd=top, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"muster: {done.returncode}\n{done.stderr[:2000]}")
        out = [[] for _ in sites]
        for entry in json.loads(done.stdout)["findings"]:
            found = re.match(r"(?:\./)?site(\d+)/", entry["location"]["file"])
            if found:
                out[int(found[1])].append(Finding(entry, f"site{found[1]}"))
        return out
    finally:
        shutil.rmtree(top, ignore_errors=True)


def check_all(muster, sites, release=None, batch=1):
    """`batch`: sites of one check know of each other's gres.conf, and say less."""
    out = []
    for at in range(0, len(sites), batch):
        out += check(muster, sites[at:at + batch], release)
    return out


def family(message):
    """A message without what is this site's own: names, numbers, paths."""
    text = re.sub(r"^WARNING: ", "", message)
    text = re.sub(r'"[^"]*"?', '"X"', text)
    text = re.sub(r"'[^']*'", "'X'", text)
    text = re.sub(r"/[\w./-]+", "PATH", text)
    text = re.sub(r"\S*\[[^\]]*\]\S*", "HOSTS", text)
    text = re.sub(r"\b\d[\w.]*", "N", text)
    return re.sub(r"\s+", " ", text)[:110]


def read_messages():
    """Rows of messages.txt: the pattern of a message, and the rules of which one has to speak of it."""
    rows = []
    for line in (HERE / "messages.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pattern, _, rules = line.partition("  =>  ")
        for rule in rules.split():
            if rule != "-" and not list(HERE.parents[1].glob(f"rules/*/{rule}.yaml")):
                raise RuntimeError(f"messages.txt: there is no rule `{rule}`")
        rows.append((re.compile(pattern.strip()), rules.split()))
    return rows


def said(message, findings, rows):
    """Whether a finding stands for the message: yes, no, or None where no row of the table knows the message."""
    rules = {finding.rule for finding in findings}
    known = None
    for pattern, wanted in rows:
        if pattern.search(message):
            if "-" in wanted:
                return "machine"
            if rules.intersection(wanted):
                return True
            known = False
    return known
