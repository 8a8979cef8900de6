#!/usr/bin/env python3
"""Plays sites on the slurmctld of each installed release and holds `muster dump site` against what scontrol shows.

  shown_nodes.py [--muster PROGRAM] [--releases 22.05,24.11] [--mutants 0] [--seed 1] FOLDER...

Every slurm.conf below the folders that is no template is played as rig.py plays it: made at home here, and without the
lines that kill the daemon. Of each node CPUs, sockets, cores, threads, memory, what is kept of them, weight, features,
Gres and partitions are compared; of each partition its nodes, state and limits. With --mutants so many of each site
are played, too, and those that start are compared.
Exit code: 0 if all is equal, 1 if not, 77 if nothing can be played or compared. Needs root and a network namespace each.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import batch_requests
import daemon
import home
import mutate
import rig

NODE = ("CPUTot", "Boards", "Sockets", "CoresPerSocket", "ThreadsPerCore", "RealMemory", "CoreSpecCount",
        "MemSpecLimit", "Weight", "AvailableFeatures", "Gres", "Partitions")
PARTITION = ("TotalNodes", "State", "MinNodes", "MaxNodes", "MaxTime")


def records(text, first):
    """Words of each record by its name, as scontrol prints them in a line."""
    out = {}
    for line in text.splitlines():
        words = dict(reversed(re.findall(r"(\w+)=(\S*)", line)))  # of a key twice the first
        if first in words:
            out[words[first]] = words
    return out


def shown(cluster):
    nodes = records(cluster.ask("scontrol", "--all", "--future", "show", "nodes", "-o")[1], "NodeName")
    partitions = records(cluster.ask("scontrol", "--all", "show", "partitions", "-o")[1], "PartitionName")
    for words in nodes.values():
        gres = re.sub(r"\([^)]*\)$", "", words.get("Gres", "")) or "(null)"
        # Of a node that has not registered it is what slurm.conf says, where a count of one may be left out.
        words["Gres"] = ",".join(one if re.search(r":\d+[kmgtp]?$|null", one, re.IGNORECASE) else one + ":1"
                                 for one in gres.split(","))
    return ({name: {key: words.get(key, "0") for key in NODE if key != "Partitions"} |
             {"Partitions": words.get("Partitions", "")} for name, words in nodes.items()},
            {name: {key: words.get(key) for key in PARTITION} for name, words in partitions.items()})


def expanded(cluster, hosts):
    return cluster.ask("scontrol", "show", "hostnames", hosts)[1].split()


def minutes(text):
    """As scontrol prints a time: 1-02:00:00."""
    if not text or text.upper() in ("INFINITE", "UNLIMITED", "-1"):
        return "UNLIMITED"
    days, _, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    if days:
        seconds = sum(part * size for part, size in zip(parts, (3600, 60, 1)))
    else:
        seconds = sum(part * size for part, size in zip(parts, {1: (60,), 2: (60, 1), 3: (3600, 60, 1)}[len(parts)]))
    seconds = -(-(int(days or 0) * 86400 + seconds) // 60) * 60  # it keeps minutes
    whole, left = divmod(seconds, 86400)
    return (f"{whole}-" if whole else "") + f"{left // 3600:02}:{left // 60 % 60:02}:{left % 60:02}"


def told(muster, cluster, files, release):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        run = subprocess.run([muster, "dump", "site", "--no-ignore", "--target", f"slurm={release}", folder],
                             capture_output=True, text=True, check=True)
        sites = [one for one in json.loads(run.stdout)["sites"] if one["file"].endswith("slurm.conf")]
        site = next((one for one in sites if one["file"] == folder + "/slurm.conf"), sites[0] if sites else None)
    if not site or not site["known"]:
        return None
    nodes = {}
    for group in site["nodes"]:
        row = {"CPUTot": group["cpus"], "Boards": group.get("boards"), "Sockets": group.get("sockets"),
               "CoresPerSocket": group.get("cores_per_socket"), "ThreadsPerCore": group.get("threads_per_core"),
               "RealMemory": group["real_memory"], "CoreSpecCount": group.get("core_spec_count", 0),
               "MemSpecLimit": group.get("mem_spec_limit", 0), "Weight": group["weight"],
               "AvailableFeatures": ",".join(group["features"]) or "(null)", "Gres": group["gres"],
               "Partitions": ",".join(group["partitions"])}
        for name in expanded(cluster, group["nodes"]):
            nodes[name] = {key: str(value) for key, value in row.items()}
    partitions = {one["name"]: {"TotalNodes": str(one["nodes"]), "State": one["state"] or "UP",
                                "MinNodes": str(one["min_nodes"] or 0),
                                "MaxNodes": "UNLIMITED" if one["max_nodes"] is None else str(one["max_nodes"]),
                                "MaxTime": minutes(one.get("max_time"))} for one in site["partitions"]}
    return nodes, partitions


def differences(here, there, what):
    for name in sorted(here.keys() | there.keys()):
        if name not in here or name not in there:
            yield f"{what} {name}: only {'scontrol' if name in here else 'muster'} has it"
            continue
        unlike = [f"{key} {here[name][key]}, muster: {there[name][key]}" for key in here[name]
                  if here[name][key] != there[name][key]]
        if unlike:
            yield f"{what} {name}: " + "; ".join(unlike)


def hold(arguments, name, files, install, depth=8):
    """Why it is left out, or nothing; and the differences."""
    # There is no database here, and no device of a node depends on what it would count.
    files = {one: re.sub(r"(?im)^\s*AccountingStorageTRES=.*$", "", text) for one, text in files.items()}
    known = set().union(*(one.plugins for one in daemon.installs())) | home.RARE_PLUGINS
    _, files = rig.peel("site", name, install, home.at_home(files, install, known), depth)
    if not files:
        return "does not start", []
    if not re.search(r"^\s*PrivateData=", files["slurm.conf"], re.IGNORECASE | re.MULTILINE):
        files = dict(files, **{"slurm.conf": files["slurm.conf"] + "\nPrivateData=cloud\n"})
    with batch_requests.Cluster(install, files["slurm.conf"], files) as cluster:
        here = shown(cluster)
        there = told(arguments.muster, cluster, files, install.short)
    if not there:
        return "is not known", []
    return None, list(differences(here[0], there[0], "node")) + list(differences(here[1], there[1], "partition"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    daemon.add_arguments(parser)
    parser.add_argument("--mutants", type=int, default=0, help="of each site, for each release")
    parser.add_argument("--seed", default="1")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    installs = daemon.chosen(arguments.releases)
    if not installs:
        print("no slurmctld is installed here: nothing was played")
        return 77
    wrong = compared = 0
    sites = rig.read_sites(arguments.folders)
    for install in installs:
        equal, left = 0, {}
        work = [(name, files, 8) for name, files in sites.items()]
        values = mutate.pool_of(sites.values()) + mutate.described() if arguments.mutants else []
        for name, files in sites.items():
            for _, what, changed in mutate.mutants(files, f"{arguments.seed}/{name}", arguments.mutants, values):
                work.append((f"{name} {what}", changed, 0))
        for name, files, depth in work:
            try:
                why, unlike = hold(arguments, name, files, install, depth)
            except RuntimeError as problem:
                why, unlike = str(problem).splitlines()[0], []
            if why:
                left[why] = left.get(why, 0) + 1
                if depth:
                    print(f"{install.release} {name}: {why}")
                continue
            compared += 1
            equal += not unlike
            wrong += bool(unlike)
            if unlike:
                print(f"{install.release} {name}: {len(unlike)} differences", *unlike[:6], sep="\n  ", flush=True)
        print(f"{install.release}: {equal} sites are equal" + "".join(f", {count} {why}" for why, count in left.items()))
    if not compared:
        print("no site starts and is known: nothing was compared")
        return 77
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
