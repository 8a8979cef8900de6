#!/usr/bin/env python3
"""Write schemas/chart.values: the values that charts around GPUs have read, in all their releases.

usage: chart_values.py FOLDER >schemas/chart.values
FOLDER keeps bare clones of the repositories, OWNER+NAME.git, made from GitHub where they are not there yet.

A line `chart NAME OWNER/NAME:PATH` begins a chart; a line below it is a value at its top and those that may stand below
it, blank-separated; without any, that is not looked at: a template takes all of it, or it belongs to another chart.
Known is what stood in values.yaml or was read by a template (`.Values.a.b`) in any commit of the chart.
"""
import collections
import os
import re
import subprocess
import sys

import yaml

CHARTS = [
    ("dcgm-exporter", "NVIDIA/dcgm-exporter", "deployment"),
    ("jobset", "kubernetes-sigs/jobset", "charts/jobset"),
    ("kai-scheduler", "NVIDIA/KAI-Scheduler", "deployments/kai-scheduler"),
    ("karpenter", "aws/karpenter-provider-aws", "charts/karpenter"),
    ("keda", "kedacore/charts", "keda"),
    ("kube-prometheus-stack", "prometheus-community/helm-charts", "charts/kube-prometheus-stack"),
    ("kuberay-operator", "ray-project/kuberay", "helm-chart/kuberay-operator"),
    ("kueue", "kubernetes-sigs/kueue", "charts/kueue"),
    ("lws", "kubernetes-sigs/lws", "charts/lws"),
    ("node-feature-discovery", "kubernetes-sigs/node-feature-discovery", "deployment/helm/node-feature-discovery"),
    ("nvidia-device-plugin", "NVIDIA/k8s-device-plugin", "deployments/helm/nvidia-device-plugin"),
    ("ollama", "otwld/ollama-helm", "."),
    ("open-webui", "open-webui/helm-charts", "charts/open-webui"),
    ("ray-cluster", "ray-project/kuberay", "helm-chart/ray-cluster"),
    ("volcano", "volcano-sh/volcano", "installer/helm/chart/volcano"),
]
READ = re.compile(r"\.Values\.([A-Za-z_][\w-]*)(?:\.([A-Za-z_][\w-]*))?")
DEEPER = re.compile(r"\(index \.Values \"([^\"]+)\"")


def git(repo, *words):
    return subprocess.run(["git", "--git-dir", repo, *words], capture_output=True, check=True).stdout.decode(errors="replace")


def clone(folder, name):
    path = os.path.join(folder, name.replace("/", "+") + ".git")
    if not os.path.exists(path):
        subprocess.run(["git", "clone", "--quiet", "--bare", f"https://github.com/{name}", path], check=True)
    return path


def blobs(repo, folder):
    """Every text that values.yaml, Chart.yaml and the templates of the chart ever were, by hash: (path, text)."""
    found = {}
    above = "" if folder == "." else folder + "/"
    for commit in git(repo, "log", "--all", "--format=%H", "--", folder).split():
        for line in git(repo, "ls-tree", "-r", commit, "--", above or ".").splitlines():
            meta, path = line.split("\t")
            below = path[len(above):]
            if below in ("values.yaml", "Chart.yaml", "requirements.yaml") or below.startswith("templates/"):
                found.setdefault(meta.split()[2], below)
    reader = subprocess.Popen(["git", "--git-dir", repo, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for name, path in found.items():
        reader.stdin.write(name.encode() + b"\n")
        reader.stdin.flush()
        size = int(reader.stdout.readline().split()[2])
        text = reader.stdout.read(size).decode(errors="replace")
        reader.stdout.read(1)
        yield path, text
    reader.stdin.close()
    reader.wait()


def read_chart(repo, folder):
    """Values at the top, each with those below it; None where that is open."""
    keys, open_keys = collections.defaultdict(set), set()
    for path, text in blobs(repo, folder):
        if path == "values.yaml":
            try:
                values = yaml.safe_load(text)
            except yaml.YAMLError:
                continue
            for key, below in (values or {}).items():
                keys[key] |= set(map(str, below)) if isinstance(below, dict) else set()
                if not isinstance(below, dict) or not below:
                    open_keys.add(key)
            # What is there as a remark only.
            for line in text.splitlines():
                if match := re.match(r"# ?([a-zA-Z][\w-]*):", line):
                    keys[match[1]] |= set()
                    open_keys.add(match[1])
        elif not path.startswith("templates/"):
            try:
                parts = (yaml.safe_load(text) or {}).get("dependencies") or []
            except yaml.YAMLError:
                continue
            for part in parts:
                for key in (part.get("name"), part.get("alias")):
                    if key:
                        keys[key] |= set()
                        open_keys.add(key)
        else:
            if re.search(r"(?:toYaml|merge\w*|deepCopy|range|with|include \"[^\"]*\"|dict \"\w+\") \$?\.Values[\s)|}]", text):
                return None
            for top, below in READ.findall(text):
                keys[top] |= {below} if below else set()
                if not below:
                    open_keys.add(top)
            for top in DEEPER.findall(text):
                keys[top] |= set()
                open_keys.add(top)
    return {key: None if key in open_keys else below for key, below in keys.items()}


def main():
    for name, repository, folder in CHARTS:
        keys = read_chart(clone(sys.argv[1], repository), folder)
        if not keys:
            print(f"{name}: a template takes all values", file=sys.stderr)
            continue
        print(f"chart {name} {repository}:{folder}")
        for key, below in sorted(keys.items()):
            print(" ".join([key] + sorted(below or ())))


if __name__ == "__main__":
    main()
