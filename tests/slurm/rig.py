#!/usr/bin/env python3
"""Plays sites on the slurmctld of each installed release and holds muster against what it said.

  rig.py play  [--out FILE] [--mutants N] [--seed S] FOLDER...   plays every slurm.conf below the folders
  rig.py judge [--muster PROGRAM] [--rows N] FILE...             compares, by family of message
  rig.py sample [--muster PROGRAM] FOLDER                        both for a few mutants; 77: cannot be played

`play` writes one line of JSON for each (site, release): group, case, slurm, verdict, log, files. What kills the daemon
is taken away line by line (--peel), and each step is a case of its own; the site that starts is what mutants are made
of. `judge` reads such files, also those recorded elsewhere. MUSTER_SLURM_CHROOTS names chroots of other releases
(scripts/slurm-versions makes them). Needs root, a network namespace each, and no network.
"""
import argparse
import base64
import concurrent.futures
import json
import re
import sys
import tempfile
from pathlib import Path

import daemon
import home
import judge
import mutate
import tally

# What slurmctld reads beside what is included; a second slurm.conf of the folder, custom_slurm.conf, it does not.
READ = {"slurm.conf", "gres.conf", "cgroup.conf", "topology.conf", "topology.yaml", "namespace.yaml", "plugstack.conf",
        "acct_gather.conf", "burst_buffer.conf", "helpers.conf", "job_container.conf", "mpi.conf", "oci.conf"}
INCLUDED = re.compile(r"^\s*include\s+(\S+)", re.IGNORECASE | re.MULTILINE)
# What something writes values into first: marks, words in capitals for a script (in angles too), bare keys, and dots.
TEMPLATE = re.compile(r"\{\{|<%|\{%|\$\{|@[A-Z_]+@|#[A-Z]{3,}\b|\b(?:REPLACE|SET)_[A-Z]+\b|"
                      r"^(?:ClusterName|SlurmctldHost)=\s*$|=\.\.\.|"
                      r"\bNodeName=[A-Z]+(?:_[A-Z]+)+\b|"
                      r"\b(?:Sockets|CoresPerSocket|ThreadsPerCore|CPUs|RealMemory)=<*[A-Z]", re.MULTILINE)


def read_site(conf):
    """slurm.conf and what lies beside and below it; nothing for a template."""
    files = {}
    for pattern in ("*.conf", "*/*.conf", "topology.yaml", "namespace.yaml"):
        for path in sorted(conf.parent.glob(pattern)):
            if path.parent != conf.parent and (path.parent / "slurm.conf").exists():
                continue  # a site of its own
            if path.is_file() and path.stat().st_size < 200_000 and path.name != "slurmdbd.conf":
                files[str(path.relative_to(conf.parent))] = path.read_bytes().decode("utf-8", "surrogateescape")
    files["slurm.conf"] = conf.read_bytes().decode("utf-8", "surrogateescape")
    included = {Path(name).name for text in files.values() for name in INCLUDED.findall(text)}
    files = {name: text for name, text in files.items() if Path(name).name in READ | included}
    return None if any(TEMPLATE.search(text) for text in files.values()) else files


def read_sites(folders):
    sites = {}
    for folder in folders:
        for conf in sorted(Path(folder).rglob("slurm.conf")):
            files = read_site(conf)
            if files and files not in sites.values():
                sites[str(conf.parent)] = files
    return sites


def culprit(files, verdict):
    """(file, number of the line) that the fatal message is about, as far as it can be told."""
    text = "\n".join(message for _, message in verdict.lines)
    named = re.search(r"in file \S*?([\w./-]+) line (\d+)", text) or re.search(r"line (\d+) of \S*?([\w./-]+)", text)
    if named and named[1].split("/etc/slurm/")[-1] in files:
        return named[1].split("/etc/slurm/")[-1], int(named[2])
    best, at = 0.0, None
    spoken = [message.lower() for level, message in verdict.lines if level != "warning"]
    said = [set(re.findall(r"[\w/.\[\]:*-]+", message)) for message in spoken]
    for name, body in files.items():
        for number, line in enumerate(body.split("\n"), 1):
            tokens = mutate.TOKEN.findall(line.split("#", 1)[0].lower())
            words = {key for key, _ in tokens} | {part for _, value in tokens for part in re.split(r"[,\"]", value)}
            for weight, spoken_words in enumerate(said, 1):  # the last is the one that kills
                hits = len(words & spoken_words) * 10 + weight if words & spoken_words else 0
                best, at = (hits / (1 + 0.01 * len(words)), (name, number)) if hits > best * 1.02 else (best, at)
    return at


def row_of(group, case, install, verdict, files):
    row = {"group": group, "case": case, "slurm": install.release, "verdict": verdict.outcome,
           "log": [f"{level}: {message}" for level, message in verdict.lines], "files": {}}
    for name, text in files.items():
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        try:
            row["files"][name] = data.decode("utf-8")
        except UnicodeDecodeError:
            row.setdefault("files_base64", {})[name] = base64.b64encode(data).decode()
    return row


def peel(group, case, install, files, depth):
    """Plays, takes the line away that kills, plays again: rows, and the files that start (or None)."""
    rows = []
    for step in range(depth + 1):
        verdict = daemon.play(install, files)
        if verdict.outcome == "hang":
            return rows, None
        rows.append(row_of(group, case + (f"~{step}" if step else ""), install, verdict, files))
        if not verdict.stops:
            return rows, files
        place = culprit(files, verdict)
        if not place or step == depth:
            return rows, None
        lines = files[place[0]].split("\n")
        lines[min(place[1], len(lines)) - 1] = ""
        files = dict(files, **{place[0]: "\n".join(lines)})
    return rows, None


def played(options, out):
    every = daemon.installs()
    chosen = daemon.chosen(options.releases)
    if not chosen:
        sys.exit("no slurmctld is installed here: nothing was played")
    sites = read_sites(options.folders)
    known = set().union(*(one.plugins for one in every)) | home.RARE_PLUGINS

    def write(rows):
        for row in rows:
            out.write(json.dumps(row) + "\n")
        out.flush()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        bases = {}
        work = {}
        for name, files in sites.items():
            for install in chosen:
                files = home.completed(files) if options.complete else files
                at_home = home.at_home(files, install, known) if options.at_home else files
                work[pool.submit(peel, options.group, name, install, at_home, options.peel)] = (name, install)
        for done in concurrent.futures.as_completed(work):
            rows, files = done.result()
            write(rows)
            if files:
                bases[work[done]] = files
        if not options.mutants or not bases:
            return
        values = mutate.pool_of(sites.values()) + mutate.described()
        work = []
        each = -(-options.mutants * len(chosen) // len(bases))
        for (name, install), files in sorted(bases.items(), key=lambda one: (one[0][0], one[0][1].release)):
            for number, what, changed in mutate.mutants(files, f"{options.seed}/{name}", each, values):
                case = f"{name}#{options.seed}.{number} {what}"
                work.append(pool.submit(peel, "mutant", case, install, changed, 0))
        for done in concurrent.futures.as_completed(work):
            write(done.result()[0])


def judged(options):
    table = judge.read_messages()
    agree = True
    for release, rows in sorted(tally.recorded(options.files).items()):
        counts = tally.Tally()
        target = None if options.no_target else release
        found = judge.check_all(options.muster, [tally.files_of(row) for row in rows], target)
        for row, findings in zip(rows, found):
            counts.take(row, findings, table)
        tally.print_counts(release, counts, options.rows, options.verbose)
        agree = agree and counts.wrong == 0
    return 0 if agree else 1


def sampled(options):
    """A few mutants of one site on what is installed; the exit code says whether muster agrees on each start."""
    with tempfile.TemporaryDirectory() as folder:
        options.out = folder + "/rows.jsonl"
        try:
            with open(options.out, "w") as out:
                played(options, out)
        except (RuntimeError, OSError) as problem:
            print(f"cannot play: {problem}")
            return 77
        options.files = [options.out]
        return judged(options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play")
    play.add_argument("folders", nargs="+")
    play.add_argument("--out", default="-")
    play.add_argument("--group", default="site")
    play.add_argument("--mutants", type=int, default=0, help="for each release")
    play.add_argument("--seed", default="1")
    play.add_argument("--peel", type=int, default=8)
    play.add_argument("--releases", default="", help="22.05,24.11; all that are installed")
    play.add_argument("--jobs", type=int, default=2)
    play.add_argument("--complete", action="store_true", help="fragments get a name, a node and a partition")
    play.add_argument("--as-is", dest="at_home", action="store_false")
    compare = commands.add_parser("judge")
    compare.add_argument("files", nargs="+")
    compare.add_argument("--muster", default="build/quick/muster")
    compare.add_argument("--rows", type=int, default=40)
    compare.add_argument("--verbose", action="store_true")
    compare.add_argument("--no-target", action="store_true")
    sample = commands.add_parser("sample")
    sample.add_argument("folders", nargs=1)
    sample.add_argument("--muster", default="build/quick/muster")
    sample.set_defaults(group="site", mutants=12, seed="1", peel=0, releases="", jobs=2, complete=False, at_home=True,
                        rows=20, verbose=True, no_target=False)
    options = parser.parse_args()
    if options.command == "sample":
        return sampled(options)
    if options.command == "judge":
        return judged(options)
    with (sys.stdout if options.out == "-" else open(options.out, "w")) as out:
        played(options, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
