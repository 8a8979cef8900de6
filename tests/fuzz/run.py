#!/usr/bin/env python3
"""Runs the libFuzzer targets of this folder, one a file fuzz_NAME.cc.

run.py smoke [--seconds 60] [--seed N]      every target for its share of the time; what ./scripts/test --fuzz does
run.py run TARGET [--seconds N]             one target, what it learns is kept in build/fuzz/learnt/TARGET
run.py coverage [--least 80] [--open] [TARGET ...]
                                            lines that the kept inputs reach of the sources that a target is about;
                                            --open: which they do not reach. Needs the preset coverage and llvm-14

A target begins with what is kept in corpus/TARGET and with the files of this repository that its lines `// Seeds:`
name, by globs; one that ends in / is a folder whose files are one input. Of those `// With:` takes what the expression
is found in. `// Pick: GLOB EXPRESSION`: what its groups hold is an input by itself. `// Input: files`: an input is several files, each behind a line `==> PATH <==`. `// Reads:` names the sources that it is to reach, but for those of `// Apart:`.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LARGEST = 1 << 16  # bytes of a seed
STARTS = 1.5  # seconds that a target takes beside its runs
LIMITS = ["-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1"]


class Target:
    def __init__(self, path):
        self.name = path.stem.removeprefix("fuzz_")
        self.program = path.stem
        self.marks = {}
        for key, value in re.findall(r"^// (Reads|Apart|Seeds|With|Pick|Input): (.*)$", path.read_text(), re.M):
            self.marks.setdefault(key, []).extend([value] if key in ("With", "Pick") else value.split())

    def sources(self):
        apart = set(self.files("Apart"))
        return [path for path in self.files("Reads") if path.suffix == ".cc" and path not in apart]

    def files(self, mark):
        out = []
        for pattern in self.marks.get(mark, []):
            found = sorted(ROOT.glob(pattern.rstrip("/")))
            if not found:
                sys.exit(f"{self.program}.cc: {mark}: there is no {pattern}")
            out += [path for path in found if path.is_dir() == pattern.endswith("/")]
        return out

    def seeds(self):
        """Its inputs by name, the kept ones first."""
        out = {"kept/" + path.name: path.read_bytes() for path in sorted((HERE / "corpus" / self.name).glob("*"))}
        for pick in self.marks.get("Pick", []):
            pattern, expression = pick.split(" ", 1)
            found = [m for path in sorted(ROOT.glob(pattern)) for m in re.finditer(expression, path.read_text(), re.M | re.S)]
            for text in dict.fromkeys("\n".join(m.groups()) for m in found):
                out[f"picked/{len(out)}"] = text.encode()
        for path in self.files("Seeds"):
            text = self.packed(path) if path.is_dir() or "Input" in self.marks else path.read_bytes()
            if 0 < len(text) <= LARGEST and re.search(self.marks.get("With", [""])[0].encode(), text):
                out[str(path.relative_to(ROOT))] = text
        return out

    def packed(self, path):
        inner = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        top = path.parent if path.is_file() else path
        out = b""
        for file in inner:
            text = file.read_bytes()
            out += f"==> {file.relative_to(top)} <==\n".encode() + text + (b"" if text.endswith(b"\n") else b"\n")
        return out


def all_targets():
    return [Target(path) for path in sorted(HERE.glob("fuzz_*.cc"))]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def put(seeds, folder):
    for name, text in seeds.items():
        (folder / re.sub(r"[^A-Za-z0-9.-]", "_", name)[-150:]).write_bytes(text)
    return folder


def dictionary(seeds, path):
    """The words that the most seeds have, for libFuzzer to put somewhere else."""
    counts = collections.Counter()
    for text in seeds.values():
        counts.update(set(re.findall(rb"[A-Za-z_][A-Za-z0-9_./-]{2,31}", text)))
    path.write_text("".join(f'"{word.decode()}"\n' for word, _ in counts.most_common(500)))
    return f"-dict={path}"


class Program:
    def __init__(self, preset):
        self.build = ROOT / "build" / preset
        if not (self.build / "tests/fuzz/muster_fuzz").exists():
            sys.exit(f"cmake --preset {preset} && cmake --build --preset {preset} --target muster_fuzz")

    def of(self, target):
        return str(self.build / "tests/fuzz" / target.program)

    def call(self, target, options, most, **more):
        """Return code and what it said; what it found goes to build/PRESET/found/TARGET-..."""
        found = self.build / "found"
        found.mkdir(exist_ok=True)
        command = [self.of(target), *LIMITS, f"-artifact_prefix={found}/{target.name}-", *options]
        try:
            done = subprocess.run(command, cwd=self.build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=most, **more)
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            return -1, (late.stdout or b"").decode(errors="replace") + "\nit did not end"


def runs_of(said):
    found = re.search(r"stat::number_of_executed_units: (\d+)", said)
    return int(found.group(1)) if found else 0


def first_of(seeds, chance):
    """The kept ones and some of the others: what is read at first is under no limit of time."""
    kept = [name for name in seeds if name.startswith("kept/")]
    others = [name for name in seeds if name not in kept]
    return {name: seeds[name] for name in kept + chance.sample(others, min(len(others), 30))}


def smoke(arguments):
    program = Program("fuzz")
    targets = all_targets()
    cores = os.cpu_count() or 1
    share = arguments.seconds * cores / len(targets)
    chance = random.Random(arguments.seed)
    print(f"{len(targets)} targets, {share:.1f} s each on {cores} cores; --seed {arguments.seed}", flush=True)
    waiting = []
    for target in targets:
        seeds = target.seeds()
        folder = put(first_of(seeds, chance), fresh(program.build / "smoke" / target.name))
        words = dictionary(seeds, program.build / "smoke" / f"{target.name}.dict")
        waiting.append((target, [f"-seed={chance.randrange(1, 1 << 31)}", words, str(folder)]))
    bad = []
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                target, options = waiting.pop(0)
            begin = time.monotonic()
            code, said = program.call(target, [f"-max_total_time={max(1, round(share - STARTS))}", *options], share + 120)
            with lock:
                took = time.monotonic() - begin
                print(f"{target.name:12} {runs_of(said):8} runs {took:5.1f} s  {'ok' if code == 0 else 'FOUND'}", flush=True)
                if code != 0:
                    bad.append(target.name)
                    print("\n".join(line for line in said.splitlines() if not line.startswith("#")), flush=True)

    threads = [threading.Thread(target=work) for _ in range(cores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{', '.join(bad)}: see build/fuzz/found" if bad else "nothing was found")
    return 1 if bad else 0


def run(arguments):
    program = Program("fuzz")
    target = Target(HERE / f"fuzz_{arguments.target}.cc")
    learnt = program.build / "learnt" / target.name
    learnt.mkdir(parents=True, exist_ok=True)
    seeds = target.seeds()
    folder = put(seeds, fresh(program.build / "seeds" / target.name))
    words = dictionary(seeds, program.build / "seeds" / f"{target.name}.dict")
    code, said = program.call(target, [f"-max_total_time={arguments.seconds}", words, str(learnt), str(folder)], None)
    print(said[-8000:])
    return code


def counts_in(program, profile, sources):
    """Lines and those reached, by source."""
    said = subprocess.run(["llvm-cov-14", "export", "-summary-only", f"-instr-profile={profile}",
                           str(program.build / "tests/fuzz/muster_fuzz"), *map(str, sources)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    out = {}
    for file in json.loads(said)["data"][0]["files"]:
        lines = file["summary"]["lines"]
        out[pathlib.Path(file["filename"])] = (lines["count"], lines["covered"])
    return out


def show_open(program, profile, source):
    said = subprocess.run(["llvm-cov-14", "show", f"-instr-profile={profile}",
                           str(program.build / "tests/fuzz/muster_fuzz"), str(source)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    for number, line in re.findall(r"^ +(\d+)\| +0\|(.*)$", said, re.M):
        print(f"  {source.relative_to(ROOT)}:{number}:{line}")


def coverage(arguments):
    program = Program("coverage")
    low = []
    for target in all_targets():
        if arguments.target and target.name not in arguments.target:
            continue
        seeds = put(target.seeds(), fresh(program.build / "seeds" / target.name))
        raw = program.build / f"{target.name}.profraw"
        profile = program.build / f"{target.name}.profdata"
        code, said = program.call(target, ["-runs=0", str(seeds)], 600,
                                  env={**os.environ, "LLVM_PROFILE_FILE": str(raw)})
        if code != 0:
            print(said[-4000:])
            return 1
        subprocess.run(["llvm-profdata-14", "merge", "-sparse", str(raw), "-o", str(profile)], check=True)
        raw.unlink()
        counts = counts_in(program, profile, target.sources())
        lines, reached = (sum(column) for column in zip(*counts.values()))
        share = 100 * reached / lines
        print(f"{target.name:12} {len(list(seeds.iterdir())):5} inputs {reached:6} of {lines:6} lines {share:5.1f} %", flush=True)
        for path, (all_lines, hit) in sorted(counts.items()):
            if arguments.open or (arguments.files and hit < 0.8 * all_lines):
                print(f"    {path.relative_to(ROOT)}: {hit} of {all_lines}")
            if arguments.open:
                show_open(program, profile, path)
        if share < arguments.least:
            low.append(target.name)
    if low:
        print(f"below {arguments.least} %: {', '.join(low)}")
    return 1 if low else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("smoke")
    one.add_argument("--seconds", type=int, default=60)
    one.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    one.set_defaults(call=smoke)
    one = commands.add_parser("run")
    one.add_argument("target")
    one.add_argument("--seconds", type=int, default=1800)
    one.set_defaults(call=run)
    one = commands.add_parser("coverage")
    one.add_argument("target", nargs="*")
    one.add_argument("--least", type=float, default=80)
    one.add_argument("--open", action="store_true")
    one.add_argument("--files", action="store_true")
    one.set_defaults(call=coverage)
    arguments = parser.parse_args()
    return arguments.call(arguments)


if __name__ == "__main__":
    sys.exit(main())
