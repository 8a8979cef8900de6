#!/usr/bin/env python3
"""What many rules cost: 1,000 rules of three conditions over 10,000 gangs on one core, as user time beyond the same run
with the shipped book alone (the least of several runs, because other work on the machine only ever adds). No two rules
have the same constants.

    cmake --workflow --preset release && bench/rules.py [build/release/muster]

With --callgrind it counts instructions instead, which no other work on the machine disturbs.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

from end_to_end import manifests, write

GANGS = 10_000
RULES = 1_000
RUNS = 5

# Rules as sites write them: what kind of thing, then what it says, then a number or a name of their own.
COMMON = [
    ['g.control_plane == "kubernetes"', "has(g.requested)", "g.requested > {big}"],
    ['g.scheduler == "volcano"', 'g.?queue.orValue("") == "q{m}"', "g.gpus > {big}"],
    ['g.kind == "Job"', 'g.name.startsWith("job-{n}")', "!has(g.queue)"],
    ["g.size >= 2", "!g.tightly_coupled", "g.essential > {big}"],
    ['g.path == "in"', "has(g.queue)", 'g.queue in ["a{n}", "b{n}", "c{n}"]'],
    ["has(g.accelerator)", 'g.accelerator == "nvidia.com/gpu"', "g.gpus - g.guaranteed_gpus > {big}"],
    ['g.group == "batch.volcano.sh"', "g.guaranteed < g.size", "g.size - g.guaranteed > {big}"],
    ["g.has_accelerators", "g.roles.exists(r, r.count > {big})", 'g.scheduler != "kai"'],
    ['g.scheduler == "kueue-{n}" || g.scheduler == "kai"', "g.size > 1", "!g.elastic"],
    ['g.mechanism == "atomic"', "g.roles.all(r, r.gpus_each >= 8)", 'g.id.endsWith("/train-{n}")'],
]
# The worst case: no condition spares the ones behind it.
ALL_REACHED = [
    ['g.control_plane == "kubernetes"', 'g.name != "n{n}"', "g.essential > {big}"],
    ["g.size < {big}", "g.gpus < {big}", "g.guaranteed > {big}"],
    ['g.kind != "Kind{n}"', "has(g.queue)", 'g.queue == "p{n}"'],
    ['g.scheduler == "volcano"', "g.essential != {big}", 'g.name.endsWith("-n{n}")'],
    ["has(g.requested)", "g.requested < {big}", "g.gpus - g.guaranteed_gpus > {big}"],
]

RULE = """id: {id}
since: 0.1.0
severity: warning
plane: workload
reversibility: reversible
effect: risk
for: g in gangs
when: [{when}]
message: "`${{g.name}}`"
follows: "it"
help: it
why: it
sources: ["https://example.com, v1"]
"""


def rules(folder, shapes):
    for n in range(RULES):
        when = [condition.format(n=n, m=n % 20, big=n + 65) for condition in shapes[n % len(shapes)]]
        quoted = ", ".join("'" + condition.replace("'", "''") + "'" for condition in when)
        write(folder, f"bench/bench-{n}.yaml", RULE.format(id=f"bench-{n}", when=quoted))


def user_time(command):
    least = None
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if result.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr.decode()[:2000]}")
        least = spent if least is None else min(least, spent)
    return least


def instructions(command):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = subprocess.run(valgrind + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr.decode()
    return int(re.search(r"Collected : (\d+)", said).group(1)) / 1e9


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--callgrind"]
    count = "--callgrind" in sys.argv
    measure, unit = (instructions, "e9 instructions") if count else (user_time, "s")
    binary = os.path.abspath(arguments[0] if arguments else "build/release/muster")
    with tempfile.TemporaryDirectory() as folder:
        manifests(os.path.join(folder, "input"), GANGS)
        check = [binary, "check", os.path.join(folder, "input"), "-j1"]
        shipped = measure(check)
        print(f"{'shipped book':26} {shipped:6.2f} {unit}")
        for name, shapes in [("rules as sites write them", COMMON), ("every condition reached", ALL_REACHED)]:
            more = os.path.join(folder, name.replace(" ", "-"))
            rules(more, shapes)
            print(f"{name:26} {measure(check + ['--rules', more]) - shipped:6.2f} {unit}")


if __name__ == "__main__":
    main()
