#!/usr/bin/env python3
"""Jobs that a site can never run and sites whose gres.conf does not fit, each beside a twin that is fine but for a word.

  told_apart.py [--muster PROGRAM] [--releases 22.05,24.11]

sbatch must refuse the first of a pair of jobs or leave it pending for ever, and run the second; muster must say so of the
first alone. Of a pair of sites slurmctld must stop at the first, speak of its GRES, or give a node fewer GPUs than its
twin; muster must have a warning or an error about GRES for the first alone.
Exit code: 0 if all are told apart, 1 if not, 77 if nothing can be played. Needs root and a network namespace each.
"""
import argparse
import re
import sys
from pathlib import Path

import batch_requests
import daemon
import judge

SITE = batch_requests.HEAD + """SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
NodeName=g[1-4] State=CLOUD Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 CPUs=32 RealMemory=64000 Gres=gpu:h100:8 Feature=ib
PartitionName=all Nodes=ALL Default=YES
PartitionName=few Nodes=ALL MaxNodes=2
PartitionName=many Nodes=ALL MinNodes=3
PartitionName=short Nodes=ALL MaxTime=60
PartitionName=shut Nodes=ALL State=DOWN
"""
JOBS = [
    ("--gres=gpu:9", "--gres=gpu:8"),
    ("--gres=gpu:a100:1", "--gres=gpu:h100:1"),
    ("--gres=gpu:8 --cpus-per-gpu=5", "--gres=gpu:8 --cpus-per-gpu=4"),
    ("--cpus-per-task=33", "--cpus-per-task=32"),
    ("--mem=64001", "--mem=64000"),
    ("--constraint=nvme", "--constraint=ib"),
    ("--nodes=5", "--nodes=4"),
    ("--partition=few --nodes=3", "--partition=few --nodes=2"),
    ("--partition=many --nodes=2", "--partition=many --nodes=3"),
    ("--partition=short --time=61", "--partition=short --time=60"),
    ("--partition=shut", "--partition=all"),
]
NODES = "NodeName=g[1-2] "
GOOD = ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-3]\n")
GRES = [  # what it is, Gres= and gres.conf that do not fit, the same that do
    ("fewer files than Gres", ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-2]\n"), GOOD),
    ("another type", ("gpu:h100:4", NODES + "Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"), GOOD),
    ("a name that GresTypes has not", ("gpu:h100:4", GOOD[1] + NODES + "Name=nic File=/dev/nic0\n"), GOOD),
    ("a key that is none", ("gpu:h100:4", NODES + "Name=gpu Typ=h100 File=/dev/nvidia[0-3]\n"), GOOD),
    ("Count beside other files", ("gpu:h100:4", NODES + "Name=gpu Type=h100 Count=3 File=/dev/nvidia[0-3]\n"),
     ("gpu:h100:4", NODES + "Name=gpu Type=h100 Count=4 File=/dev/nvidia[0-3]\n")),
    ("typed and untyped lines", ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-1]\n" + NODES +
                                 "Name=gpu File=/dev/nvidia[2-3]\n"),
     ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-1]\n" + NODES +
      "Name=gpu Type=h100 File=/dev/nvidia[2-3]\n")),
    ("File and MultipleFiles", ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia0 "
                                "MultipleFiles=/dev/nvidia[0-3]\n"), GOOD),
    ("a typed and an untyped Gres", ("gpu:h100:2,gpu:2", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-3]\n"), GOOD),
    ("a count that is none", ("gpu:4x", NODES + "Name=gpu File=/dev/nvidia[0-3]\n"),
     ("gpu:4", NODES + "Name=gpu File=/dev/nvidia[0-3]\n")),
    ("a core beyond the node", ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-32\n"),
     ("gpu:h100:4", NODES + "Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-31\n")),
]


def site_of(gres):
    line = SITE.split("NodeName=")[0] + ("NodeName=g[1-2] State=CLOUD Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 "
                                         f"CPUs=32 RealMemory=64000 Gres={gres[0]}\nPartitionName=all Nodes=ALL Default=YES\n")
    return {"slurm.conf": line, "gres.conf": gres[1]}


def odd_for_slurm(install, files):
    """Why: it stops, what it says of GRES, or a job of four GPUs that it never runs."""
    try:
        with batch_requests.Cluster(install, files["slurm.conf"], files) as cluster:
            runs, said = cluster.put(["--gres=gpu:4"])
            log = Path(cluster.folder, ".output").read_text(errors="replace")
            spoken = [text for level, text in daemon.lines_of(log) if re.search("gres|gpu", text, re.IGNORECASE)]
            return spoken[0] if spoken else "" if runs else said
    except RuntimeError as stopped:
        return "fatal: " + str(stopped).strip().rsplit("fatal:", 1)[-1].strip()


def odd_for_muster(muster, files, release):
    return [str(one) for one in judge.check(muster, [files], release)[0]
            if "gres" in one.rule and one.severity in ("error", "warning") or one.stops]


def tell_jobs(muster, install):
    wrong = 0
    flat = [options.split() for pair in JOBS for options in pair]
    found = batch_requests.said_by_muster(muster, SITE, flat, install.short)
    for number, options in enumerate(flat):
        with batch_requests.Cluster(install, SITE) as cluster:
            runs, said = cluster.put(options)
        if runs == bool(number % 2) and runs == (not found[number]):
            continue
        wrong += 1
        print(f"{install.short}: {' '.join(options)}: sbatch: {said}; muster: {found[number] or 'nothing'}")
    return wrong


def tell_sites(muster, install):
    wrong = 0
    for what, bad, good in GRES:
        for gres, is_odd in ((bad, True), (good, False)):
            said = odd_for_slurm(install, site_of(gres))
            found = odd_for_muster(muster, site_of(gres), install.short)
            if bool(said) == is_odd and bool(found) == is_odd:
                continue
            wrong += 1
            print(f"{install.short}: {what}{'' if is_odd else ', mended'}: slurmctld: {said or 'nothing'}; "
                  f"muster: {found or 'nothing'}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    daemon.add_arguments(parser)
    arguments = parser.parse_args()
    chosen = daemon.chosen(arguments.releases)
    if not chosen:
        return 77
    total = 0
    for install in chosen:
        jobs, sites = tell_jobs(arguments.muster, install), tell_sites(arguments.muster, install)
        print(f"slurm {install.release}: {len(JOBS)} pairs of jobs, {jobs} not told apart; {len(GRES)} pairs of sites, "
              f"{sites} not", flush=True)
        total += jobs + sites
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
