#!/usr/bin/env python3
"""Puts random requests to the sbatch of each installed release and holds `muster check` against its answers.

  batch_requests.py [--muster PROGRAM] [--sites 10] [--each 30] [--seed 1] [--releases 22.05,24.11]

A site is random: kinds of nodes with GPUs, memory, cores and features, and partitions with limits. Its nodes are of
the cloud, so that what fits the idle cluster is allocated without any slurmd. sbatch refuses a request, or it pends on
the idle cluster, or it gets nodes; muster says that it cannot run (a finding on the script with effect `rejected` or
`never-runs`) or not.
Exit code: 0 if all agree, 1 if not, 77 if nothing can be played. Needs root and a network namespace each.
"""
import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import daemon

HEAD = """ClusterName=lab
SlurmctldHost=localhost
AuthType=auth/none
CredType=cred/none
SlurmUser=root
StateSaveLocation=/etc/slurm/.state
SlurmdSpoolDir=/etc/slurm/.spool
SlurmctldPidFile=/etc/slurm/.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
PrivateData=cloud
MpiDefault=none
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=-1
ResumeTimeout=3600
SelectType=select/cons_tres
GresTypes=gpu
"""


def random_site(dice):
    """slurm.conf, and the words that requests take from it."""
    words = {"partitions": [], "nodes": [], "features": ["nothere"], "types": ["v100"]}
    lines = [HEAD, f"SelectTypeParameters={dice.choice(('CR_Core_Memory', 'CR_CPU_Memory', 'CR_Core', 'CR_CPU'))}\n"]
    if dice.random() < 0.5:
        lines.append(f"EnforcePartLimits={dice.choice(('ALL', 'ANY', 'NO'))}\n")
    if dice.random() < 0.3:
        lines.append(f"DefMemPerCPU={dice.choice((500, 2000))}\n")
    sets = []
    for number in range(dice.randint(1, 3)):
        count = dice.randint(1, 4)
        name = f"n{number}x[1-{count}]"
        sockets, cores, threads = dice.choice((1, 2)), dice.choice((2, 4, 8)), dice.choice((1, 1, 2))
        line = (f"NodeName={name} State=CLOUD Sockets={sockets} CoresPerSocket={cores} ThreadsPerCore={threads} "
                f"CPUs={sockets * cores * threads} RealMemory={dice.choice((4000, 16000, 64000))}")
        gres = dice.choice(("", "gpu:4", "gpu:a100:4", "gpu:h100:8", "gpu:2"))
        words["types"] += re.findall(r"gpu:([a-z]\d+)", gres)
        if gres:
            line += " Gres=" + gres
        if dice.random() < 0.5:
            feature = dice.choice(("ib", "nvme", "ib,nvme"))
            words["features"] += feature.split(",")
            line += " Feature=" + feature
        lines.append(line + "\n")
        sets.append(name)
        words["nodes"] += [f"n{number}x{each}" for each in range(1, count + 1)]
    for number in range(dice.randint(1, 3)):
        chosen = dice.sample(sets, dice.randint(1, len(sets)))
        line = f"PartitionName=p{number} Nodes={','.join(chosen)} State=UP" + (" Default=YES" if number == 0 else "")
        nodes = dice.choice((("MaxNodes", ("1", "2")), ("MinNodes", ("2",))))
        for key, values in (nodes, ("MaxTime", ("60", "1-0", "INFINITE")), ("MaxCPUsPerNode", ("4",)),
                            dice.choice((("MaxMemPerNode", ("3000",)), ("MaxMemPerCPU", ("1000",)))),
                            ("DefMemPerGPU", ("1000",)), ("OverSubscribe", ("EXCLUSIVE",)), ("DefaultTime", ("30",))):
            if dice.random() < 0.12:
                line += f" {key}={dice.choice(values)}"
        lines.append(line + "\n")
        words["partitions"].append(f"p{number}")
    return "".join(lines), words


def random_request(dice, words):
    """Options of sbatch."""
    typed = dice.choice(words["types"]) + ":" if dice.random() < 0.3 else ""
    gpus = dice.choice((1, 1, 1, 2, 2, 3, 4, 8, 16))
    out = []
    of_gpus = dice.choice(("", "--gres=gpu:{}", "--gres=gpu:{}", "--gpus={}", "--gpus-per-node={}", "--gpus-per-task={}"))
    if of_gpus:
        out.append(of_gpus.format(f"{typed}{gpus}" if typed else str(gpus)))
    cpu_options = [("--nodes", ("1", "1", "2", "3", "5", "1-2", "2-6")), ("--ntasks", ("1", "1", "2", "4", "12", "40")),
                   ("--ntasks-per-node", ("1", "1", "2", "8", "20")), ("--cpus-per-task", ("1", "1", "2", "6", "12", "40")),
                   ("--time", ("10", "10", "50", "90", "2-0", "UNLIMITED")), ("--partition", tuple(words["partitions"] * 5 + ["gone"])),
                   ("--constraint", tuple(words["features"])), ("--nodelist", tuple(words["nodes"])),
                   ("--exclude", tuple(words["nodes"]))]
    chances = (0.4, 0.3, 0.15, 0.3, 0.25, 0.4, 0.1, 0.05, 0.05)
    out += [f"{key}={dice.choice(values)}" for (key, values), chance in zip(cpu_options, chances)
            if dice.random() < chance]
    if dice.random() < 0.3:
        key = dice.choice(("--mem", "--mem-per-cpu", "--mem-per-gpu") if of_gpus else ("--mem", "--mem-per-cpu"))
        out.append(f"{key}={dice.choice(('100M', '500M', '500M', '2G', '3500M', '12G', '70G', '0'))}")
    if of_gpus and dice.random() < 0.15:
        out.append(f"--cpus-per-gpu={dice.choice((1, 4, 10))}")
    if dice.random() < 0.08:
        out.append("--exclusive")
    return out or ["--ntasks=1"]  # without any directive it is no batch script


def script_of(options):
    return "#!/bin/bash\n" + "".join(f"#SBATCH {one}\n" for one in options) + "srun hostname\n"


class Cluster:
    """A slurmctld that answers until it is left; `files` may lie beside its slurm.conf."""

    def __init__(self, install, conf, files=None):
        self.install = install
        self.folder = tempfile.mkdtemp(prefix="muster-rig-")
        for name, text in dict(files or {}, **{"slurm.conf": conf}).items():
            path = Path(self.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        for name in (".state", ".spool"):
            os.makedirs(self.folder + "/" + name)
        self.process = None

    def __enter__(self):
        self.process = daemon.start(self.install, self.folder)
        # It is known to start: what takes long is a machine that has other work.
        outcome, log = daemon.listen(self.process, Path(self.folder, ".output"), wait=120)
        if outcome != "up":
            self.__exit__()
            raise RuntimeError(f"slurmctld {self.install.release} does not start: {log[-2000:]}")
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, *command):
        enter = ["nsenter", "-t", str(self.process.pid), "-n", "-m"]
        run = subprocess.run(enter + (["chroot", self.install.root] if self.install.root else []) + list(command),
                             capture_output=True, text=True, check=False, timeout=60)
        return run.returncode, (run.stdout + run.stderr).strip()

    def put(self, options):
        """(runs, what was said) of a request on the idle cluster."""
        Path(self.folder, "job.sh").write_text(script_of(options))
        code, said = self.ask("sbatch", "--parsable", "-o", "/dev/null", "-D", "/", "/etc/slurm/job.sh")
        number = re.search(r"^\d+$", said, re.MULTILINE)
        if code != 0 or not number:
            return False, said
        for _ in range(60):  # what was cancelled before may hold nodes yet
            said = self.ask("squeue", "-h", "-j", number[0], "-o", "said %T|%r")[1]
            said = next((line for line in said.splitlines() if line.startswith("said ")), "said |")
            state, _, why = said.removeprefix("said ").partition("|")
            if state != "PENDING" or why not in ("None", "Priority", "Resources"):
                break
            time.sleep(0.2)
        self.ask("scancel", number[0])
        for _ in range(50):
            if not re.search(r"^ *\d+ ", self.ask("squeue", "-h")[1], re.MULTILINE):
                break
            time.sleep(0.1)
        return state != "PENDING", f"{state} {why}"


def said_by_muster(muster, conf, requests, release):
    """What keeps each script from running, by request."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "slurm.conf").write_text(conf)
        for number, options in enumerate(requests):
            Path(folder, f"job{number}.sh").write_text(script_of(options))
        run = subprocess.run([muster, "check", "--format", "json", "--no-ignore", "--target", f"slurm={release}", folder],
                             capture_output=True, text=True, check=False)
        found = collections.defaultdict(list)
        for one in json.loads(run.stdout)["findings"]:
            name = re.search(r"job(\d+)\.sh$", one["location"]["file"])
            if name and one["effect"] in ("rejected", "never-runs") and one["severity"] != "info":
                found[int(name[1])].append(f"{one['rule']}: {one['message']}")
        return found


def play(install, arguments):
    """Disagreements, after printing each."""
    dice = random.Random(f"{arguments.seed} {install.release}")
    counts, wrong = collections.Counter(), 0
    for _ in range(arguments.sites):
        conf, words = random_site(dice)
        requests = [random_request(dice, words) for _ in range(arguments.each)]
        found = said_by_muster(arguments.muster, conf, requests, install.short)
        with Cluster(install, conf) as cluster:
            for number, options in enumerate(requests):
                runs, said = cluster.put(options)
                if said == "PENDING Resources" and not found[number]:
                    with Cluster(install, conf) as fresh:  # nodes that boot for one before are not whole
                        runs, said = fresh.put(options)
                counts["run" if runs else "do not"] += 1
                if runs == (not found[number]):
                    continue
                wrong += 1
                print(f"{install.short}: {' '.join(options)}\n    sbatch: {said}\n    muster: "
                      f"{'; '.join(found[number]) or 'nothing'}\n    " +
                      "\n    ".join(line for line in conf.split("\n") if re.match("Node|Part|SelectTypeP|Def|Enf", line)))
    print(f"slurm {install.release}: {sum(counts.values())} requests to {arguments.sites} sites, {counts['run']} run, "
          f"{counts['do not']} do not, {wrong} disagree", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    daemon.add_arguments(parser)
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    chosen = daemon.chosen(arguments.releases)
    if not chosen:
        return 77
    return 1 if sum(play(install, arguments) for install in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
