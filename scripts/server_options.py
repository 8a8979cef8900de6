#!/usr/bin/env python3
"""Write schemas/server.options: the options that each release of vLLM and SGLang takes.

usage: server_options.py FOLDER >schemas/server.options
FOLDER keeps what pip's index has of the packages vllm and sglang: source archives, or wheels where a release has none
(some 1.6 GB, fetched where they are not there yet).

A line `server NAME RELEASE...` has the releases that were read; those below it an option, the release in which it came and
that in which it was gone, `-` for since the first:
    server vllm 0.0.1 0.1.0 0.1.1
    --swap-space - 0.18.0
Options are what the programs give to argparse by name, and the fields of the classes that they make options of, with
dashes for underscores. Releases after one (`.post1`) count as that one.
"""
import ast
import concurrent.futures
import os
import re
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile

PACKAGES = {
    "vllm": re.compile(r"(?:^|/)vllm/(?:engine/arg_utils|entrypoints/(?!.*bench).*|utils(?:/__init__|/argparse_utils)?|"
                       r"config/.*|platforms/.*)\.py$"),
    "sglang": re.compile(r"(?:^|/)sglang/(?:srt/(?:server_args|arg_groups/.*|utils/.*)|launch_server|cli/.*)\.py$"),
}
CALL = re.compile(r"add(?:_cli)?_argument\(((?:\s*[\"']-[^\"']*[\"']\s*,?)+)")
NAME = re.compile(r"[\"'](--[A-Za-z][\w-]*)[\"']")
GENERATED = re.compile(r"[\"'](--[a-z][\w-]*)[\"']")


def order(version):
    return tuple(int(part) for part in re.findall(r"\d+", version.split(".post")[0]))


def fetch(package, folder):
    """The archives of all releases that are not drafts, as version -> path."""
    base = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    index = f"{base}/{package}/"
    page = urllib.request.urlopen(index, timeout=60).read().decode()
    chosen = {}
    for link in re.findall(r'href="([^"]+)"', page):
        name = link.split("#")[0].split("/")[-1]
        found = re.match(rf"{package}-(\d[\d.]*(?:\.post\d+)?)(\.tar\.gz|-.*\.whl)$", name)
        if not found or (found[2] != ".tar.gz" and found[1] in chosen):
            continue
        chosen[found[1]] = (name, urllib.parse.urljoin(index, link))

    def one(row):
        path = os.path.join(folder, row[0])
        if not os.path.exists(path):
            data = urllib.request.urlopen(row[1], timeout=600).read()
            with open(path, "wb") as out:
                out.write(data)
        return path

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return dict(zip(chosen, pool.map(one, chosen.values())))


def texts(path, wanted):
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                if wanted.search(name):
                    yield name, wheel.read(name).decode("utf-8", "replace")
        return
    with tarfile.open(path) as archive:
        for member in archive:
            if wanted.search(member.name):
                yield member.name, archive.extractfile(member).read().decode("utf-8", "replace")


def fields_of(text, is_wanted):
    """Of these classes vLLM and SGLang make an option of each field."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and is_wanted(node.name):
            yield from (field.target.id for field in node.body if isinstance(field, ast.AnnAssign))


def options_of(job):
    path, package = job
    out = set()
    for name, text in texts(path, PACKAGES[package]):
        for call in CALL.finditer(text):
            out.update(option for option in NAME.findall(call[1]))
        if package == "sglang" and ("server_args" in name or "arg_groups" in name):
            out.update(GENERATED.findall(text))
            out.update("--" + field for field in fields_of(text, lambda _: True))
        elif "FrontendArgs" in text:
            out.update("--" + field for field in fields_of(text, lambda one: one.endswith("FrontendArgs")))
    return {option.replace("_", "-") for option in out}


def print_server(package, folder):
    paths = fetch(package, folder)
    by_release = {}
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for version, options in zip(paths, pool.map(options_of, [(path, package) for path in paths.values()])):
            by_release.setdefault(order(version), set()).update(options)
    releases = sorted(by_release)
    written = {release: ".".join(map(str, release)) for release in releases}
    print("server", package, *written.values())
    for option in sorted(set().union(*by_release.values())):
        having = [release for release in releases if option in by_release[release]]
        since = "-" if having[0] == releases[0] else written[having[0]]
        gone = "" if having[-1] == releases[-1] else " " + written[releases[releases.index(having[-1]) + 1]]
        print(f"{option} {since}{gone}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for package in PACKAGES:
        print_server(package, sys.argv[1])


if __name__ == "__main__":
    main()
