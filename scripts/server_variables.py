#!/usr/bin/env python3
"""Write schemas/server.variables: the environment variables that the releases of vLLM read.

usage: server_variables.py FOLDER >schemas/server.variables
FOLDER keeps the archives that server_options.py fetches (of vllm alone; fetched where they are not there yet).

A line `server NAME RELEASE...` has the releases that were read; those below it a variable, the release in which it came
and that in which it was gone, `-` for since the first:
    server vllm 0.4.3 0.5.0
    VLLM_USE_RAY_SPMD_WORKER 0.5.4
Variables are the names that begin with VLLM_ anywhere in vllm/envs.py, and those that another file of vllm, its
installation or its images ask the environment for.
"""
import concurrent.futures
import re
import sys

from server_options import fetch, order, texts

FILES = re.compile(r"(?:^|/)vllm[^/]*/(?:vllm/.*\.py|setup\.py|docker/Dockerfile[^/]*|Dockerfile[^/]*)$|^vllm/.*\.py$")
NAME = re.compile(r"\bVLLM_[A-Z][A-Z0-9_]*[A-Z0-9]\b")
ASKED = re.compile(r"(?:environ(?:\.get\(|\.setdefault\(|\[)|getenv\(|envs\.|^\s*(?:ARG|ENV)\s+)\s*[\"']?(VLLM_[A-Z0-9_]*[A-Z0-9])\b",
                   re.M)


def variables_of(path):
    out = set()
    for name, text in texts(path, FILES):
        out.update((NAME if name.endswith("vllm/envs.py") else ASKED).findall(text))
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    paths = {version: path for version, path in fetch("vllm", sys.argv[1]).items() if order(version) >= (0, 4, 3)}
    by_release = {}
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for version, names in zip(paths, pool.map(variables_of, paths.values())):
            by_release.setdefault(order(version), set()).update(names)
    releases = sorted(by_release)
    written = {release: ".".join(map(str, release)) for release in releases}
    print("server", "vllm", *written.values())
    for variable in sorted(set().union(*by_release.values())):
        having = [release for release in releases if variable in by_release[release]]
        since = "-" if having[0] == releases[0] else written[having[0]]
        gone = "" if having[-1] == releases[-1] else " " + written[releases[releases.index(having[-1]) + 1]]
        print(f"{variable} {since}{gone}")


if __name__ == "__main__":
    main()
