#!/usr/bin/env python3
"""Puts random worlds of batch jobs to the slurmctld of each installed release and holds `muster prove` against it.

  placed_worlds.py [--muster PROGRAM] [--worlds 60] [--seed 1] [--releases 22.05,24.11]

A world is a random site (nodes with GPUs of one type each, CPUs, memory, what a node keeps for itself; partitions that
overlap) and jobs with GPUs, some of them arrays, of several components or for whole nodes. Its nodes are of the cloud,
so that what fits is allocated without any slurmd. Each job is put to the idle cluster alone, then all of them together
in a random order; those that have run are gone then, and the others begin anew, until none of them runs.

Wrong is: a job that `placeable` says holds and that does not run on the idle cluster, or the other way round; a job that
has other nodes, or more on a node, than the world of `muster dump worlds` lets it; a job that holds a part of its nodes
where `all-or-nothing` holds; one that runs alone and is left at the end where `no-deadlock` holds, and none that never
runs waits before it.
Exit code: 0 if nothing is wrong, 1 if something is, 77 if nothing can be played. Needs root and a network namespace each.
"""
import argparse
import collections
import concurrent.futures
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

import batch_requests
import daemon

PROPERTIES = ("placeable", "all-or-nothing", "no-deadlock", "no-livelock")


class World:
    """Files of a site, and the options of each job: a list of lines, `hetjob` between components."""

    def __init__(self, dice):
        self.files, kinds, partitions = random_site(dice)
        self.jobs = {f"j{number}": random_job(dice, kinds, partitions) for number in range(dice.randint(2, 4))}

    def script(self, name):
        lines = "".join(f"#SBATCH {line}\n" for line in self.jobs[name])
        return f"#!/bin/bash\n{lines}srun hostname\n"

    def write(self, folder, names):
        for name, text in self.files.items():
            Path(folder, name).write_text(text)
        for name in names:
            Path(folder, name + ".sh").write_text(self.script(name))


def random_site(dice):
    """Files, kinds of nodes (type, GPUs, CPUs, memory), names of partitions."""
    parameters = dice.choice(("CR_Core_Memory", "CR_Core_Memory", "CR_CPU_Memory", "CR_Core"))
    conf = [batch_requests.HEAD, f"SelectTypeParameters={parameters}\n",
            "SchedulerParameters=bf_interval=1,sched_interval=1\n"]  # jobs of several components are backfill's
    gres, kinds, sets = [], [], []
    if dice.random() < 0.5:
        conf.append(f"DefMemPerCPU={dice.choice((100, 500))}\n")
    for number in range(dice.randint(1, 3)):
        count, gpus, kind = dice.randint(1, 4), dice.choice((2, 4, 8)), dice.choice(("a100", "h100", "v100", ""))
        names = f"n{number}x[1-{count}]"
        sockets, cores, threads = dice.choice((1, 2)), dice.choice((4, 8)), dice.choice((1, 1, 2))
        memory = dice.choice((8000, 16000, 64000))
        line = (f"NodeName={names} State=CLOUD Sockets={sockets} CoresPerSocket={cores} ThreadsPerCore={threads} "
                f"CPUs={sockets * cores * threads} RealMemory={memory}")
        if number == 0 or dice.random() < 0.8:  # others have none
            line += f" Gres=gpu:{kind + ':' if kind else ''}{gpus}"
            gres.append(f"NodeName={names} Name=gpu {f'Type={kind} ' if kind else ''}File=/dev/nvidia[0-{gpus - 1}]\n")
            kinds.append((kind, gpus, sockets * cores * threads, memory))
        if dice.random() < 0.15:
            line += f" CoreSpecCount={dice.choice((1, 2))}"
        if dice.random() < 0.15:
            line += f" MemSpecLimit={dice.choice((1000, 4000))}"
        conf.append(line + "\n")
        sets.append(names)
    partitions = []
    for number in range(dice.randint(1, 3)):
        chosen = sets if number == 0 else dice.sample(sets, dice.randint(1, len(sets)))
        limits = "".join(f" {key}={value}" for key, value, chance in
                         (("MaxNodes", 2, 0.05), ("DefMemPerGPU", 1000, 0.05), ("OverSubscribe", "EXCLUSIVE", 0.08))
                         if dice.random() < chance)
        conf.append(f"PartitionName=p{number} Nodes={','.join(chosen)} State=UP{limits}"
                    f"{' Default=YES' if number == 0 else ''}\n")
        partitions.append(f"p{number}")
    return {"slurm.conf": "".join(conf), "gres.conf": "".join(gres)}, kinds, partitions


def random_component(dice, kinds, partitions):
    """What one of the kinds of nodes has, and now and then a little more."""
    kind, gpus, cpus, memory = dice.choice(kinds)

    def around(most):
        return max(1, dice.choice((1, most // 4, most // 2, most // 2, most)) + (dice.random() < 0.04))

    each = around(gpus)
    typed = f"{kind}:" if kind and dice.random() < 0.4 else ""
    out = [f"--nodes={dice.choice((1, 1, 1, 2, 2, 2, 3, 4))}",
           dice.choice(("--gres=gpu:{}", "--gpus-per-node={}")).format(typed + str(each))]
    if dice.random() < 0.5:
        out.append(f"--partition={dice.choice(partitions)}")
    tasks = 1
    if dice.random() < 0.6:
        tasks = dice.choice((1, 1, 2, each))
        out += [f"--ntasks-per-node={tasks}", f"--cpus-per-task={around(cpus // tasks)}"]
    if dice.random() < 0.6:
        out.append(dice.choice((f"--mem={around(memory)}", f"--mem={around(memory)}",
                                f"--mem-per-cpu={around(memory // cpus)}", f"--mem-per-gpu={around(memory // gpus)}")))
    if dice.random() < 0.1:
        out.append("--exclusive")
    return out


def random_job(dice, kinds, partitions):
    if dice.random() < 0.25:
        parts = [random_component(dice, kinds, partitions) for _ in range(dice.randint(2, 3))]
        return [line for part in parts for line in part + ["hetjob"]][:-1]
    out = random_component(dice, kinds, partitions)
    if dice.random() < 0.15:
        out.append(f"--array=1-{dice.randint(2, 3)}")
    return out


def ask_muster(muster, world, names, *command):
    with tempfile.TemporaryDirectory() as folder:
        world.write(folder, names)
        run = subprocess.run([muster, *command, folder], capture_output=True, text=True, check=False)
        if run.returncode > 1:
            raise RuntimeError(f"muster: {run.returncode} {run.stderr}")
        return run.stdout


def verdicts(muster, world, names, release):
    """Property -> verdict; nothing for what is left out."""
    answer = json.loads(ask_muster(muster, world, names, "prove", "--format", "json", "--target", f"slurm={release}"))
    return {one["property"]: one["verdict"] for one in answer["results"]} if not answer["left_out"] else {}


def gangs_of(muster, world, name, release):
    """(nodes, gang) of the world that muster makes of one job; nothing where it makes none."""
    made = yaml.safe_load(ask_muster(muster, world, [name], "dump", "worlds", "--target", f"slurm={release}"))
    return (made["pools"][0]["nodes"], made["gangs"][0]) if made and made.get("gangs") else None


def amount(text):
    """Thousandths or MiB as the worlds are dumped: 16000m, 64000Mi."""
    return int(re.match(r"\d+", str(text))[0]) if text else 0


class Joint:
    """All jobs of a world on one cluster."""

    def __init__(self, cluster, world):
        self.cluster, self.world, self.numbers = cluster, world, {}

    def submit(self, name):
        Path(self.cluster.folder, "job.sh").write_text(self.world.script(name))
        code, said = self.cluster.ask("sbatch", "--parsable", "-o", "/dev/null", "-D", "/", "/etc/slurm/job.sh")
        number = re.search(r"^\d+$", said, re.MULTILINE)
        if code == 0 and number:
            self.numbers[number[0]] = name

    def state(self):
        """Of each job the parts that squeue shows: (task or component, state, reason, nodes)."""
        out = collections.defaultdict(list)
        for line in self.cluster.ask("squeue", "-h", "-a", "-r", "-S", "i", "-o", "said %i|%T|%r|%N")[1].splitlines():
            if line.startswith("said ") and line.count("|") == 3:
                identity, state, why, nodes = line.removeprefix("said ").split("|")
                number = re.split(r"[_+]", identity)[0]
                if number in self.numbers:
                    held = self.names(nodes) if state != "PENDING" else []
                    out[self.numbers[number]].append((identity[len(number):], state, why, held))
        return out

    def names(self, hostlist):
        if not hostlist:
            return []
        return sorted(re.findall(r"^n\d+x\d+$", self.cluster.ask("scontrol", "show", "hostnames", hostlist)[1],
                                 re.MULTILINE))

    def settled(self):
        last, since = None, time.monotonic()
        begin = since
        while time.monotonic() - begin < 40:
            now = self.state()
            if now != last:
                last, since = now, time.monotonic()
            waits = any(part[1] == "PENDING" for parts in now.values() for part in parts)
            unseen = any(part[2] == "None" and part[1] == "PENDING" for parts in now.values() for part in parts)
            parts = any(part[0].startswith("+") and part[1] == "PENDING" for all_of in now.values() for part in all_of)
            if time.monotonic() - since > (10 if unseen or parts else 4 if waits else 0.8):
                break
            time.sleep(0.3)
        return last or {}


def room_problems(state, gangs):
    """(what is wrong, amounts in use by node). What runs holds no more than the worlds let it: nodes, and what they have of everything."""
    wrong, used = [], collections.defaultdict(lambda: [0, 0, 0])
    for name, parts in state.items():
        if gangs.get(name) is None:
            continue
        roles = gangs[name][1]["roles"]
        for identity, _, _, nodes in parts:
            if not nodes:
                continue
            role = roles[int(identity[1:])] if identity.startswith("+") and len(roles) > 1 else roles[0]
            if len(nodes) < role["pods"]:
                wrong.append(f"{name}{identity} has {len(nodes)} nodes of {role['pods']}")
            for node in nodes:
                for at, key in enumerate(("gpus_per_pod", "cpus_per_pod", "memory_per_pod")):
                    used[node][at] += amount(role.get(key))
    return wrong, used


def capacity_of(world, release):
    """What the node lines of the site say, read here a second time: GPUs, thousandths of a CPU, MiB. 22.05 takes the
    cores of CoreSpecCount away once a slurmd has registered, which none does here."""
    out = {}
    for line in world.files["slurm.conf"].split("\n"):
        if not line.startswith("NodeName="):
            continue
        pairs = dict(word.split("=", 1) for word in line.split())
        kept = int(pairs.get("CoreSpecCount", 0)) * int(pairs["ThreadsPerCore"]) if release != "22.05" else 0
        prefix, last = re.match(r"(n\d+x)\[1-(\d+)\]", pairs["NodeName"]).groups()
        room = (int(pairs.get("Gres", ":0").rsplit(":", 1)[1]), 1000 * (int(pairs["CPUs"]) - kept),
                int(pairs["RealMemory"]) - int(pairs.get("MemSpecLimit", 0)))
        out.update({f"{prefix}{number}": room for number in range(1, int(last) + 1)})
    return out


def play_alone(install, world, name):
    """(runs, what was said) on the idle cluster; an array is as good as its first task."""
    with batch_requests.Cluster(install, world.files["slurm.conf"], world.files) as cluster:
        joint = Joint(cluster, world)
        joint.submit(name)
        if not joint.numbers:
            return False, "refused"
        parts = joint.settled().get(name, [])
        runs = any(part[3] for part in parts) if any("_" in part[0] for part in parts) else all(part[3] for part in parts)
        return runs and bool(parts), " ".join(f"{part[1]} {part[2]}" for part in parts)


def play_together(install, world, names, dice):
    """States, one after the other, each of what ran in none before; the last has those that never ran. Nodes of the
    cloud that boot for a job that ended are not whole, so each begins on an idle cluster."""
    left = list(names)
    dice.shuffle(left)
    states = []
    while True:
        with batch_requests.Cluster(install, world.files["slurm.conf"], world.files) as cluster:
            joint = Joint(cluster, world)
            for name in left:
                joint.submit(name)
            states.append(joint.settled())
        running = {name for name, parts in states[-1].items() if any(part[3] for part in parts)}
        if not running:
            return states
        left = [name for name in left if name in states[-1] and name not in running]


def judge(muster, install, world, dice):
    """(verdicts alone, what is wrong)."""
    wrong, alone, runs, gangs = [], {}, {}, {}
    for name in world.jobs:
        alone[name] = verdicts(muster, world, [name], install.short)
        gangs[name] = gangs_of(muster, world, name, install.short) if alone[name] else None
        runs[name], said = play_alone(install, world, name)
        verdict = alone[name].get("placeable", "left out")
        if verdict == ("counterexample" if runs[name] else "holds"):
            wrong.append(f"{name}: placeable {verdict}, and alone: {said}")
    together = verdicts(muster, world, world.jobs, install.short)
    states = play_together(install, world, world.jobs, dice)
    room = capacity_of(world, install.short)
    for state in states:
        problems, used = room_problems(state, gangs)
        if together.get("all-or-nothing") == "holds":
            wrong += problems
        for node, amounts in used.items():
            if any(has < takes for has, takes in zip(room[node], amounts)):
                wrong.append(f"{node} has {room[node]}, and by the worlds {amounts} of it are taken")
    left = [name for name in states[-1] if runs.get(name)]
    if together.get("no-deadlock") == "holds" and left and all(runs.get(name) for name in states[-1]):
        wrong.append(f"left at the end though they run alone: {' '.join(left)} {dict(states[-1])}")
    return alone, together, runs, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    daemon.add_arguments(parser)
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=3, help="worlds that are played side by side")
    arguments = parser.parse_args()
    chosen = daemon.chosen(arguments.releases)
    if not chosen:
        return 77
    total = 0
    for install in chosen:
        counts, wrong = collections.Counter(), 0

        def one(number):
            dice = random.Random(f"{arguments.seed} {install.release} {number}")
            world = World(dice)
            return number, world, judge(arguments.muster, install, world, dice)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for number, world, (alone, together, runs, problems) in pool.map(one, range(arguments.worlds)):
                for name, by_property in alone.items():
                    counts["alone " + by_property.get("placeable", "left out")] += 1
                    counts["runs" if runs[name] else "does not run"] += 1
                for name in PROPERTIES:
                    counts[f"{name} {together.get(name, 'left out')}"] += 1
                if not problems:
                    continue
                wrong += 1
                lines = [line for line in world.files["slurm.conf"].split("\n") if re.match("Node|Part|Sel.*Par|Def", line)]
                lines += [f"{name}: {' '.join(options)}" for name, options in world.jobs.items()]
                print(f"{install.short}, world {number}: " + "\n    ".join(problems + lines), flush=True)
        print(f"slurm {install.release}: {arguments.worlds} worlds, {wrong} with something wrong; "
              + ", ".join(f"{count} {what}" for what, count in sorted(counts.items())), flush=True)
        # Worlds that are left out, or all of one verdict, hold nothing against slurmctld.
        judged = [counts["alone holds"], counts["alone counterexample"]]
        played = counts["runs"] + counts["does not run"]
        if played >= 30 and (2 * sum(judged) < played or 0 in judged):
            print(f"slurm {install.release}: too few verdicts to compare", flush=True)
            total += 1
        total += wrong
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
