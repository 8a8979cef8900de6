#!/usr/bin/env python3
"""What muster costs as a whole process: makes inputs of two sizes and reports the median of several runs, the most
memory of any, and how the time grows from one to the other. A ratio near the ratio of the sizes is linear growth.

    cmake --workflow --preset release && bench/end_to_end.py [build/release/muster]
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5


def measure(command, folder):
    walls, cpus, peak = [], [], 0
    for _ in range(RUNS + 1):  # the first one warms the page cache
        start = time.perf_counter()
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            walls.append(time.perf_counter() - start)
            cpus.append(usage.ru_utime + usage.ru_stime)
            peak = max(peak, usage.ru_maxrss)
            if process.returncode not in (0, 1):
                errors.seek(0)
                sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{errors.read().decode()}")
    return statistics.median(walls[1:]), statistics.median(cpus[1:]), peak


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


FACTS = ["tightly_coupled", "bare_metal", "long_lived_services", "multi_tenant", "python_native_pipeline", "edge_or_dev"]


def workloads(folder, count):
    lines = ["muster: workloads/v1", "workloads:"]
    for i in range(count):
        lines.append(f"  - name: w{i}")
        lines.append(f"    nodes: {1 + i % 4}")
        lines += [f"    {fact}: {'true' if i >> bit & 1 else 'false'}" for bit, fact in enumerate(FACTS)]
    write(folder, "workloads.yaml", "\n".join(lines) + "\n")
    return ["decide", "workloads.yaml"]


MANIFEST = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {{name: job-{i}, namespace: ml}}
spec:
  schedulerName: volcano
  queue: q{q}
  minAvailable: {k}
  tasks:
    - name: worker
      replicas: 8
      template:
        spec:
          restartPolicy: OnFailure
          containers:
            - name: c
              image: registry.example.com/train:1
              command: [torchrun, --nnodes=8, train.py]
              resources: {{limits: {{nvidia.com/gpu: 8}}}}
---
"""


def manifests(folder, count):
    for first in range(0, count, 100):
        text = "".join(MANIFEST.format(i=i, q=i % 20, k=6 + i % 3) for i in range(first, min(first + 100, count)))
        write(folder, f"jobs/{first}.yaml", text)
    write(folder, "queues.yaml", "".join(
        f"apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {{name: q{q}}}\n"
        f"spec: {{capability: {{nvidia.com/gpu: {32 + q * 4}}}}}\n---\n" for q in range(20)))
    return ["check", ".", "-j1"]


def slurm_site(folder, nodes):
    leaves = [f"SwitchName=leaf{i} Nodes=n[{i * 32 + 1}-{i * 32 + 32}]" for i in range(nodes // 32)]
    write(folder, "topology.conf", "\n".join(leaves) + f"\nSwitchName=spine Switches=leaf[0-{len(leaves) - 1}]\n")
    write(folder, "gres.conf", f"NodeName=n[1-{nodes}] Name=gpu File=/dev/nvidia[0-7]\n")
    lines = [f"NodeName=n{i} CPUs=96 Gres=gpu:8 NodeAddr=10.0.{i // 256}.{i % 256}" for i in range(1, nodes + 1)]
    write(folder, "slurm.conf", "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\nTopologyPlugin=topology/tree\n" +
          "\n".join(lines) + f"\nPartitionName=p Nodes=n[1-{nodes}] Default=YES\n")
    return ["check", ".", "-j1"]


def slurm_fleet(folder, nodes, template="topology-conf"):
    domains = "".join(f"    - {{name: leaf{i}, level: leaf, parent: spine, nodes: \"n[{i * 32 + 1}-{i * 32 + 32}]\"}}\n" for i in range(nodes // 32))
    write(folder, "fleet.yaml", f"muster: fleet/v1\nname: c\nnode_pools:\n  - {{name: p, nodes: \"n[1-{nodes}]\", control_plane: slurm, gpus_per_node: 8, accelerator: {{model: H100}}, "
          "node: {cpus: 96, sockets: 2, cores_per_socket: 48, memory_mib: 2000000}}\n"
          "topology:\n  levels: [spine, leaf]\n  domains:\n    - {name: spine, level: spine}\n" + domains)
    return ["generate", template, "--fleet", "fleet.yaml", "--out", "out", "--force"]


def block_fleet(folder, nodes, template="topology-conf"):
    blocks = "".join(f"    - {{name: b{i}, level: block, nodes: \"n[{i * 16 + 1}-{i * 16 + 16}]\"}}\n" for i in range(nodes // 16))
    write(folder, "fleet.yaml", f"muster: fleet/v1\nname: c\ncontrol_planes: [{{kind: slurm, version: \"26.05\"}}]\nnode_pools:\n"
          f"  - {{name: p, nodes: \"n[1-{nodes}]\", control_plane: slurm}}\ntopology:\n  levels: [block]\n  domains:\n" + blocks)
    return ["generate", template, "--fleet", "fleet.yaml", "--out", "out", "--force"]


def organisation(folder, nodes):
    """A fleet of that many nodes, half of them Slurm's, with 300 workloads and 2,000 manifests."""
    workloads(folder, 300)
    manifests(os.path.join(folder, "kubernetes"), 2000)
    half = nodes // 2
    slurm_site(os.path.join(folder, "slurm"), half)
    leaves = "".join(f"    - {{name: leaf{i}, level: leaf, parent: spine, nodes: \"n[{i * 32 + 1}-{i * 32 + 32}]\"}}\n"
                     for i in range(nodes // 32))
    write(folder, "fleet.yaml", f"""muster: fleet/v1
name: big
control_planes: [{{kind: slurm, version: "25.11"}}, {{kind: kubernetes, version: "1.34"}}]
node_pools:
  - {{name: train, nodes: "n[1-{half}]", control_plane: slurm, gpus_per_node: 8, accelerator: {{model: H100}}}}
  - {{name: serve, nodes: "n[{half + 1}-{nodes}]", control_plane: kubernetes, gpus_per_node: 8, accelerator: {{model: H100}}}}
topology:
  levels: [spine, leaf]
  domains:
    - {{name: spine, level: spine}}
""" + leaves)
    return ["review", ".", "--format", "html"]


def of(make, template):
    return lambda folder, nodes: make(folder, nodes, template)


CASES = [
    ("decide, workloads", workloads, 256, 50_000),
    ("check, Volcano Jobs", manifests, 500, 50_000),
    ("check, Slurm nodes a line each", slurm_site, 512, 16_384),
    ("generate, topology.conf", slurm_fleet, 512, 16_384),
    ("generate, topology.conf of blocks", block_fleet, 512, 16_384),
    ("generate, topology.yaml of blocks", of(block_fleet, "topology-yaml"), 512, 16_384),
    ("generate, nodes and partitions", of(slurm_fleet, "slurm-nodes"), 512, 16_384),
    ("review, 300 workloads, 2,000 manifests", organisation, 512, 5_056),
    ("generate, gres.conf", of(slurm_fleet, "gres-conf"), 512, 16_384),
]


def main():
    binary = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/muster")
    print(f"{'what':40} {'size':>7} {'wall':>9} {'cpu':>9} {'memory':>7}   growth of cpu / growth of size")
    for what, make, *sizes in CASES:
        cpus = []
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                wall, cpu, peak = measure([binary] + make(folder, size), folder)
            cpus.append(cpu)
            growth = "" if len(cpus) == 1 else f"{cpus[1] / cpus[0]:6.1f} / {sizes[1] / sizes[0]:.1f}"
            print(f"{what:40} {size:7} {wall * 1e3:6.1f} ms {cpu * 1e3:6.1f} ms {peak / 1024:4.0f} MB   {growth}")


if __name__ == "__main__":
    main()
