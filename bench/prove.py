#!/usr/bin/env python3
"""What a proof costs: 100,000 GPUs in 20 classes of nodes and 500 gangs, and how that grows with nodes and with gangs.

    bench/prove.py [MUSTER]        build/release/muster unless given

Prints a line for each shape: seconds of user time, the largest memory and how the properties were decided.
"""
import collections
import json
import os
import random
import resource
import subprocess
import sys
import tempfile


def world(nodes, classes, gangs, mechanism, sizes, seed=1):
    """YAML of one world. Nodes of a class have the same GPUs; a gang has pods of one of the sizes."""
    dice = random.Random(seed)
    lines = ["muster: world/v1", "name: bench", "pools:", "  - name: p", "    nodes:"]
    for c in range(classes):
        count = nodes // classes + (1 if c < nodes % classes else 0)
        gpus = 8 if len(sizes) == 1 else 4 + c % 5
        lines.append("      - {count: %d, gpus: %d, labels: {class: c%d}}" % (count, gpus, c))
    lines.append("gangs:")
    for g in range(gangs):
        how = mechanism if mechanism != "mixed" else dice.choice(["per-pod", "atomic", "hold-and-release"])
        pods = dice.randint(2, 2 * 8 * nodes // max(sizes) // max(1, gangs) + 2)
        rest = ", guaranteed: %d" % (pods if dice.random() < 0.7 else max(1, pods // 2)) if how != "per-pod" else ""
        rest += ", timeout_seconds: 600" if how == "hold-and-release" else ""
        lines.append("  - {name: g%d, pods: %d, gpus_per_pod: %d, mechanism: %s%s}" % (g, pods, dice.choice(sizes), how, rest))
    return "\n".join(lines) + "\n"


def run(muster, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "world.yaml")
        with open(path, "w") as file:
            file.write(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        with open(os.path.join(folder, "out"), "w+") as out:
            child = subprocess.Popen([muster, "prove", "--format", "json", path], stdout=out)
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            out.seek(0)
            answer = json.load(out)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    how = collections.Counter("%s by %s" % (r["verdict"], r["engine"]) for r in answer["results"])
    return max(usage.ru_utime, after - before), usage.ru_maxrss / 1024, how


def main():
    muster = sys.argv[1] if len(sys.argv) > 1 else "build/release/muster"
    shapes = [("%d nodes, 20 classes, %d gangs, %s, pods of %s" % (n, g, m, s), n, g, m, s)
              for m in ("per-pod", "atomic", "mixed")
              for s in ((8,), (1, 2, 4))
              for n, g in ((1_250, 500), (12_500, 50), (12_500, 500))]
    for name, nodes, gangs, mechanism, sizes in shapes:
        seconds, mib, how = run(muster, world(nodes, 20, gangs, mechanism, sizes))
        print("%-60s %6.2f s %5.0f MiB  %s" % (name, seconds, mib, ", ".join("%d %s" % (c, h) for h, c in sorted(how.items()))), flush=True)


if __name__ == "__main__":
    main()
