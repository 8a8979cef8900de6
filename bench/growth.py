#!/usr/bin/env python3
"""Hostile inputs, each of one size and of twice that: what takes more than three times as long for twice the input is
named, and the exit code is 1. With --instructions, what valgrind counts stands for the time; it does not vary.

    cmake --workflow --preset release && bench/growth.py [--instructions] [--tenth] [build/release/muster] [WORD...]

Words choose the cases whose names hold one of them; --tenth makes all inputs smaller, for builds without optimisation.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

MOST = 3.0       # growth for twice the input; n log n stays far below
TOO_SHORT = 0.1  # seconds that say nothing about growth
LIMIT = 30  # seconds that are waited for a run


def job(i, extra="", spec="", namespace="ml"):
    return (f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: job-{i}, namespace: {namespace}}}\nspec:\n  parallelism: 2\n{spec}"
            f"  template:\n    metadata: {{labels: {{a: b{extra}}}}}\n    spec:\n      containers:\n"
            "        - {name: c, image: \"example.com/a:1\", resources: {limits: {nvidia.com/gpu: 8}}}\n---\n")


def volcano_job(i, queue, namespace="ml", extra=""):
    return (f"apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {{name: job-{i}, namespace: {namespace}}}\nspec:\n"
            f"  schedulerName: volcano\n  queue: {queue}\n  minAvailable: 2\n{extra}  tasks:\n    - name: worker\n      replicas: 2\n      template:\n"
            "        spec:\n          containers:\n            - {name: c, image: \"example.com/a:1\", resources: {limits: {nvidia.com/gpu: 8}}}\n---\n")


def local_queue(i, name, namespace, cluster_queue="cq"):
    return (f"apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
            f"spec: {{clusterQueue: {cluster_queue}}}\n---\n")


def pod_group(i, name, namespace="ml"):
    return f"apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{minMember: 2}}\n---\n"


def volcano_queue(name):
    return f"apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {{name: {name}}}\nspec: {{weight: 1}}\n---\n"


def kueue_job(i, queue, namespace):
    return job(i, namespace=namespace).replace("metadata: {name", f"metadata: {{labels: {{kueue.x-k8s.io/queue-name: {queue}}}, name", 1)


def fleet(nodes=64, domains="", tenants=""):
    return (f"muster: fleet/v1\nname: c\nnode_pools:\n  - {{name: p, nodes: \"n[1-{nodes}]\", control_plane: kubernetes, gpus_per_node: 8}}\n"
            f"topology:\n  levels: [leaf]\n  domains:\n    - {{name: d0, level: leaf}}\n{domains}{tenants}")


def application_set(elements, sources):
    return ("apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec:\n  generators:\n  - list:\n      elements:\n"
            f"{elements}  template:\n    spec:\n      sources:\n{sources}")


def monitored(i, pods="matchLabels: {app: a}"):
    return (f"apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: m{i}, namespace: ml}}\nspec: {{selector: {{matchLabels: {{app: a}}}}, endpoints: [{{port: http}}]}}\n---\n"
            f"apiVersion: v1\nkind: Service\nmetadata: {{name: s{i}, namespace: ml, labels: {{app: a}}}}\nspec: {{selector: {{app: a}}, ports: [{{port: 80, name: http}}]}}\n---\n"
            f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: d{i}, namespace: ml}}\nspec:\n  selector: {{matchLabels: {{app: a}}}}\n  template:\n"
            "    metadata: {labels: {app: a}}\n    spec: {containers: [{name: c, image: \"a:1\"}]}\n---\n"
            f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: p{i}, namespace: ml}}\nspec:\n  podSelector: {{{pods}}}\n  policyTypes: [Ingress]\n"
            f"  ingress:\n  - from:\n    - podSelector: {{matchLabels: {{app: b}}}}\n---\n")


def model_server():
    return ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n  selector: {matchLabels: {app: chat}}\n  template:\n    metadata: {labels: {app: chat}}\n    spec:\n"
            "      containers:\n      - {name: vllm, image: \"vllm/vllm-openai:v0.11.0\", args: [--model, m], resources: {limits: {nvidia.com/gpu: 1}}}\n---\n"
            "apiVersion: v1\nkind: Service\nmetadata: {name: chat}\nspec: {selector: {app: chat}, ports: [{port: 8000}]}\n---\n")


def ingress(i, service):
    return (f"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: i{i}}}\nspec:\n  rules:\n  - http:\n      paths:\n"
            f"      - {{path: /, pathType: Prefix, backend: {{service: {{name: {service}, port: {{number: 8000}}}}}}}}\n---\n")


HEAD = "ClusterName=c\nSlurmctldHost=h\n"


def slurm(lines, head=HEAD):
    return {"slurm.conf": head + "\n".join(lines) + "\n"}


def text_of(make, count):
    return "".join(make(i) for i in range(count))


CASES = {
    "a hostlist of single names": (lambda n: slurm([f"NodeName={','.join(f'host{i}' for i in range(n))} CPUs=1", f"PartitionName=p Nodes=host[0-{n - 1}]"]), 20000),
    "a node list that a topology refuses": (lambda n: {**slurm(["TopologyPlugin=topology/tree", "NodeName=n1 CPUs=1"]), "topology.conf": f"SwitchName=s Nodes={','.join(f'x{i}' for i in range(n))}\n"}, 40000),
    "a hostlist of unlike names": (lambda n: slurm([f"NodeName={','.join(f'h{i}x' for i in range(n))} CPUs=1"]), 40000),
    "pairs on one line": (lambda n: slurm(["NodeName=n1 " + " ".join(f"Key{i}=v" for i in range(n))]), 10000),
    "pairs of one key on one line": (lambda n: slurm(["NodeName=n1 " + " ".join("Weight=1" for i in range(n))]), 10000),
    "pairs of a partition": (lambda n: slurm(["NodeName=n1", "PartitionName=n1 " + " ".join(f"Key{i}=v" for i in range(n))]), 10000),
    "pairs of a default and records below it": (lambda n: slurm(["NodeName=DEFAULT " + " ".join(f"Key{i}=v" for i in range(n // 10))] + [f"NodeName=n{i}" for i in range(n)]), 2000),
    "pairs in gres.conf": (lambda n: {**slurm(["NodeName=n1"]), "gres.conf": "Name=gpu " + " ".join(f"Key{i}=v" for i in range(n)) + "\n"}, 10000),
    "pairs in topology.conf": (lambda n: {**slurm(["NodeName=n1", "TopologyPlugin=topology/tree"]), "topology.conf": "SwitchName=s Nodes=n1 " + " ".join(f"Key{i}=v" for i in range(n)) + "\n"}, 10000),
    "settings": (lambda n: slurm([f"Key{i}=v" for i in range(n)]), 10000),
    "settings near to known ones": (lambda n: slurm([f"SlurmctldPrt{i % 7}x{i}=v" for i in range(n)]), 10000),
    "one setting again and again": (lambda n: slurm(["Prolog=/v" for i in range(n)]), 10000),
    "lines of gres.conf": (lambda n: {**slurm([f"NodeName=n[1-{n}] Gres=gpu:8"]), "gres.conf": "".join(f"NodeName=n{i + 1} Name=gpu File=/dev/nvidia[0-7]\n" for i in range(n))}, 6000),
    "lines of gres.conf with cores": (lambda n: {**slurm([f"NodeName=n{i} Gres=gpu:8 CPUs=8" for i in range(n)]), "gres.conf": "".join(f"Name=gpu Type=t{i} File=/dev/nvidia[0-7] Cores=0-{i}\n" for i in range(n))}, 1500),
    "partitions of 65,000 nodes": (lambda n: slurm(["NodeName=n[1-65000] Gres=gpu:8"] + [f"PartitionName=p{i} Nodes=n[1-65000]" for i in range(n)]), 40),
    "partitions of unlike names": (lambda n: slurm(["NodeName=n[1-65000]"] + [f"PartitionName=p{i} Nodes=m[1-65000]" for i in range(n)]), 40),
    "partitions": (lambda n: slurm(["NodeName=n[1-100]"] + [f"PartitionName=p{i} Nodes=n[1-100]" for i in range(n)]), 3000),
    "partitions of a set of nodes": (lambda n: slurm(["NodeName=n[1-100]"] + [f"NodeSet=s{i} Nodes=n[1-100]" for i in range(n)] + [f"PartitionName=p{i} Nodes=s{i}" for i in range(n)]), 3000),
    "down nodes of 65,000": (lambda n: slurm(["NodeName=n[1-65000]"] + [f"DownNodes=n[1-65000] State=DOWN Reason=r{i}" for i in range(n)]), 20),
    "gres lines of 65,000 nodes": (lambda n: {**slurm(["NodeName=n[1-65000] Gres=gpu:8 CPUs=8"]), "gres.conf": "".join(f"NodeName=n[1-65000] Name=gpu Type=t{i} File=/dev/nvidia{i} Cores=0-7\n" for i in range(n))}, 20),
    "batch scripts and partitions": (lambda n: {**slurm(["NodeName=n[1-100]"] + [f"PartitionName=p{i} Nodes=n[1-100]" for i in range(n)]),
                                               **{f"job{i}.sh": f"#!/bin/bash\n#SBATCH -p p{i}\n#SBATCH -N 2\nsrun true\n" for i in range(n)}}, 500),
    "batch scripts on a large partition": (lambda n: {**slurm(["NodeName=n[1-65000]", "PartitionName=p Nodes=n[1-65000]"]),
                                                      **{f"job{i}.sh": "#!/bin/bash\n#SBATCH -p p\n#SBATCH -N 2\n#SBATCH hetjob\n#SBATCH -p p\n#SBATCH -N 3\nsrun true\n" for i in range(n)}}, 40),
    "batch scripts and groups of nodes": (lambda n: {**slurm([f"NodeName=n{i} CPUs={i + 1} RealMemory={1000 + i}" for i in range(n)] + ["PartitionName=p Nodes=ALL"]),
                                                     **{f"job{i}.sh": f"#!/bin/bash\n#SBATCH -p p\n#SBATCH -N 2 -c {i + 1} --mem={i + 1}\nsrun true\n" for i in range(n)}}, 2000),
    "components and groups of nodes": (lambda n: {**slurm([f"NodeName=n{i} CPUs={i + 1} RealMemory={1000 + i}" for i in range(n)] + ["PartitionName=p Nodes=ALL"]),
                                                  "job.sh": "#!/bin/bash\n" + "#SBATCH hetjob\n".join(f"#SBATCH -p p -N 2 -c {i + 1}\n" for i in range(n)) + "srun true\n"}, 2000),
    "directives of a batch script": (lambda n: {"job.sh": "#!/bin/bash\n" + "#SBATCH --nodes=2\n" * n + "srun true\n"}, 5000),
    "components of a batch script": (lambda n: {**slurm(["NodeName=n[1-100]", "PartitionName=p Nodes=n[1-100]"]), "job.sh": "#!/bin/bash\n" + "#SBATCH -p p --nodes=2\n#SBATCH hetjob\n" * n + "#SBATCH -N 2\nsrun true\n"}, 1000),
    "includes on one line": (lambda n: {"x.sh": "cat > slurm.conf <<EOF\nClusterName=c\n" + "include " * n + "\nEOF\n"}, 40000),
    "a script on lines that go on": (lambda n: {"README.md": "```\nbash zork.sh\n```\n", "y.sh": "#!/bin/bash\n" + "bash zork.sh \\\n" * n}, 4000),
    "node groups on one line": (lambda n: {"a.tf": 'resource "aws_eks_node_group" "x" ' * n}, 20000),
    "files of values for a chart": (lambda n: {"Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "values.yaml": "a: 1\n",
                                               "up.sh": text_of(lambda i: f"helm install c . -f v{i}-$X.yaml\n", n), **{f"v{i}-a.yaml": "a: 1\n" for i in range(n)}}, 200),
    "files of values that are not there": (lambda n: {"Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "values.yaml": "a: 1\n",
                                                      "up.sh": text_of(lambda i: f"helm install c . -f v{i}-$X.yaml\n", n), **{f"v{i}.yaml": "a: 1\n" for i in range(n)}}, 200),
    "a chain of switches": (lambda n: {**slurm(["NodeName=n1", "TopologyPlugin=topology/tree"]), "topology.conf": "".join(f"SwitchName=s{i} Switches=s{i + 1}\n" for i in range(n)) + f"SwitchName=s{n} Nodes=n1\n"}, 8000),
    "switches of nothing": (lambda n: {**slurm(["NodeName=n1", "TopologyPlugin=topology/tree"]), "topology.conf": "".join(f"SwitchName=s{i} Switches=x{i}\n" for i in range(n)) + f"SwitchName=s{n} Nodes=n1\n"}, 2000),
    "switches of many roots": (lambda n: {**slurm([f"NodeName=n[1-{n}]", "TopologyPlugin=topology/tree"]), "topology.conf": "".join(f"SwitchName=r{i} Switches=s[1-{n}]\n" for i in range(40)) + "".join(f"SwitchName=s{i} Nodes=n{i}\n" for i in range(1, n + 1))}, 5000),
    "a ladder of switches": (lambda n: {**slurm(["NodeName=n1", "TopologyPlugin=topology/tree"]), "topology.conf": "".join(f"SwitchName=r{i} Switches=s0\nSwitchName=s{i} Switches=s{i + 1}\n" for i in range(n)) + f"SwitchName=s{n} Nodes=n1\n"}, 2000),
    "blocks": (lambda n: {**slurm([f"NodeName=n[1-{n * 4}]", "TopologyPlugin=topology/block"]), "topology.conf": "".join(f"BlockName=b{i} Nodes=n[{i * 4 + 1}-{i * 4 + 4}]\n" for i in range(n)) + "BlockSizes=4\n"}, 8000),
    "a long value in topology.conf": (lambda n: {**slurm(["NodeName=n1", "TopologyPlugin=topology/block"]), "topology.conf": "BlockSizes=" + ",".join("4" for i in range(n)) + "\nBlockName=b Nodes=n1\n"}, 20000),
    "lines that go on": (lambda n: slurm(["NodeName=n1 \\"] + ["Weight=1 \\" for i in range(n)]), 10000),
    "a chain of domains": (lambda n: {"fleet.yaml": fleet(domains=text_of(lambda i: f"    - {{name: d{i + 1}, level: leaf, parent: d{i}}}\n", n)), "job.yaml": job(0)}, 8000),
    "a chain of domains the other way": (lambda n: {"fleet.yaml": fleet(domains=text_of(lambda i: f"    - {{name: e{i}, level: leaf, parent: e{i + 1}}}\n", n)), "job.yaml": job(0)}, 8000),
    "domains of one parent": (lambda n: {"fleet.yaml": fleet(domains=text_of(lambda i: f"    - {{name: d{i + 1}, level: leaf, parent: d0, nodes: \"n{i}\"}}\n", n)), "job.yaml": job(0)}, 4000),
    "tenants": (lambda n: {"fleet.yaml": fleet(tenants="tenants:\n" + text_of(lambda i: f"  - {{name: t{i}, parent: t{i + 1}, guaranteed_gpus: 1}}\n", n)), "job.yaml": job(0)}, 4000),
    "node pools": (lambda n: {"fleet.yaml": "muster: fleet/v1\nname: c\nnode_pools:\n" + text_of(lambda i: f"  - {{name: p{i}, nodes: \"n{i}-[1-4]\", control_plane: kubernetes, gpus_per_node: 8}}\n", n), "job.yaml": job(0)}, 2000),
    "plain jobs on a fleet": (lambda n: {"fleet.yaml": fleet(), "jobs.yaml": text_of(job, n)}, 1500),
    "plain jobs and node pools": (lambda n: {"fleet.yaml": "muster: fleet/v1\nname: c\nnode_pools:\n" + text_of(lambda i: f"  - {{name: p{i}, nodes: \"n{i}-[1-4]\", control_plane: kubernetes, gpus_per_node: 8}}\n", n), "jobs.yaml": text_of(job, n)}, 400),
    "gangs and nothing else": (lambda n: {"jobs.yaml": text_of(lambda i: volcano_job(i, "q"), n)}, 1500),
    "queues of one name in many namespaces": (lambda n: {"q.yaml": text_of(lambda i: local_queue(i, "q", f"ns{i}"), n), "jobs.yaml": text_of(lambda i: kueue_job(i, "q", f"ns{i}"), n)}, 1500),
    "queues of one name and one namespace": (lambda n: {"q.yaml": text_of(lambda i: local_queue(i, "q", "ml"), n), "jobs.yaml": text_of(lambda i: kueue_job(i, "q", "ml"), n)}, 1500),
    "pod groups of one name": (lambda n: {"q.yaml": text_of(lambda i: pod_group(i, "g", f"ns{i}"), n), "jobs.yaml": text_of(lambda i: job(i, ", scheduling.x-k8s.io/pod-group: g", namespace=f"ns{i}"), n)}, 1500),
    "one pod group of many jobs": (lambda n: {"q.yaml": pod_group(0, "g"), "jobs.yaml": text_of(lambda i: job(i, ", scheduling.x-k8s.io/pod-group: g"), n)}, 1500),
    "references to no queue": (lambda n: {"q.yaml": text_of(lambda i: volcano_queue(f"queue{i}"), n), "jobs.yaml": text_of(lambda i: volcano_job(i, f"team{i}"), n)}, 1500),
    "references to no queue of this file": (lambda n: {"jobs.yaml": text_of(lambda i: volcano_queue(f"queue{i}") + volcano_job(i, f"team{i}"), n)}, 800),
    "references to no pod group": (lambda n: {"jobs.yaml": text_of(lambda i: pod_group(i, f"aaaa{i}") + job(i, f", scheduling.x-k8s.io/pod-group: g{i}"), n)}, 800),
    "references to one queue that is missing": (lambda n: {"jobs.yaml": text_of(lambda i: volcano_queue(f"queue{i}") + volcano_job(i, "team"), n)}, 800),
    "workloads and jobs": (lambda n: {"jobs.yaml": text_of(job, n), "w.yaml": "muster: workloads/v1\nworkloads:\n" + text_of(lambda i: f"  - {{name: job-{i}, nodes: 2}}\n", n)}, 1500),
    "workloads": (lambda n: {"w.yaml": "muster: workloads/v1\nworkloads:\n" + text_of(lambda i: f"  - {{name: job-{i}, nodes: 2}}\n", n)}, 5000),
    "hyper nodes in a chain": (lambda n: {"h.yaml": text_of(lambda i: f"apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {{name: h{i}}}\nspec:\n  tier: {i + 1}\n  members:\n    - {{type: HyperNode, selector: {{exactMatch: {{name: h{i + 1}}}}}}}\n---\n", n)}, 2000),
    "members of a hyper node": (lambda n: {"h.yaml": "apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: h}\nspec:\n  tier: 1\n  members:\n" + text_of(lambda i: f"    - {{type: Node, selector: {{exactMatch: {{name: n{i}}}}}}}\n", n)}, 5000),
    "hyper nodes of patterns": (lambda n: {"h.yaml": text_of(lambda i: f"apiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {{name: h{i}}}\nspec:\n  tier: 1\n  members:\n    - {{type: Node, selector: {{regexMatch: {{pattern: \"a{i}.*b\"}}}}}}\n---\n", n)}, 1500),
    "tasks of a job": (lambda n: {"jobs.yaml": volcano_job(0, "q").replace("---\n", "") + text_of(lambda i: f"    - {{name: t{i}, replicas: 1, template: {{spec: {{containers: [{{name: c, image: a}}]}}}}}}\n", n)}, 3000),
    "containers of a pod": (lambda n: {"jobs.yaml": job(0).replace("---\n", "") + text_of(lambda i: f"        - {{name: c{i}, image: a}}\n", n)}, 4000),
    "environment of a pod": (lambda n: {"jobs.yaml": job(0).replace("---\n", "") + "        - name: d\n          env:\n" + text_of(lambda i: f"            - {{name: E{i}, value: v}}\n", n)}, 4000),
    "keys of a mapping": (lambda n: {"jobs.yaml": job(0).replace("a: b", "a: b" + text_of(lambda i: f", k{i}: v", n))}, 20000),
    "merge keys": (lambda n: {"jobs.yaml": "x: &x0 {a: b}\n" + text_of(lambda i: f"y{i}: &x{i + 1} {{<<: *x{i}, z: 1}}\n", n) + job(0)}, 5000),
    "aliases": (lambda n: {"jobs.yaml": "x: &x {a: b}\ny:\n" + text_of(lambda i: "  - *x\n", n) + job(0)}, 20000),
    "flow brackets in brackets": (lambda n: {"jobs.yaml": "x: " + "[" * n + "]" * n + "\n"}, 20000),
    "documents": (lambda n: {"jobs.yaml": "a: b\n---\n" * n}, 20000),
    "a long scalar": (lambda n: {"jobs.yaml": job(0).replace("a: b", "a: " + "b" * n)}, 400000),
    "elements and sources of an ApplicationSet": (lambda n: {"a.yaml": application_set("".join("      - {a: x}\n" for i in range(5 * n)), "".join('      - {path: charts/a, helm: {valueFiles: [v.yaml]}}\n' for i in range(n))),
                                                            "charts/a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "charts/a/values.yaml": "a: 1\n"}, 500),
    "a long value of an ApplicationSet": (lambda n: {"a.yaml": application_set(f"      - {{a: {'x' * n * 20}}}\n", f"      - {{path: charts/a, helm: {{valueFiles: [\"{'{{a}}' * n}\"]}}}}\n")}, 2500),
    "policies for monitored pods": (lambda n: {"a.yaml": text_of(lambda i: monitored(i, "matchLabels: {app: a}, matchExpressions: [{key: x, operator: Exists}]"), n)}, 25),
    "namespaces that shut Prometheus out": (lambda n: {"a.yaml": "".join(monitored(0).replace("namespace: ml", f"namespace: ml{i}") for i in range(n))}, 1000),
    "limits in the command of a probe": (lambda n: {"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a:1\n    livenessProbe:\n      exec:\n"
                                                             f"        command: [sh, -c, \"{'; timeout x' * n}{' ' * n * 20}\"]\n"}, 10000),
    "ingresses of a model server": (lambda n: {"a.yaml": model_server() + text_of(lambda i: ingress(i, "chat"), n)}, 4000),
    "jobs beside a mesh": (lambda n: {"a.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: ml, labels: {istio-injection: enabled}}\n---\n" + text_of(lambda i: job(i), n)}, 3000),
    "node groups of modules": (lambda n: {"a.tf": 'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  eks_managed_node_groups = {\n' + text_of(lambda i: f'    g{i} = {{\n      instance_types = ["g5.xlarge"]\n    }}\n', n) + "  }\n}\n"}, 5000),
    "modules of others above a Helm release": (lambda n: {f"m{i}/main.tf": f'module "next" {{\n  source = "../m{i + 1}"\n}}\nmodule "other" {{\n  source = "git::https://git.example/a"\n}}\nresource "helm_release" "a" {{\n  set {{\n  }}\n}}\n' for i in range(n)}, 200),
    "a chain of modules with providers": (lambda n: {f"d{i}/main.tf": f'terraform {{\n  required_providers {{\n    aws = {{\n      source  = "hashicorp/aws"\n      version = ">= 5.0"\n    }}\n  }}\n}}\nmodule "a" {{\n  source = "../d{i + 1}"\n}}\n' for i in range(n)}, 1000),
    "clusters of Azure that nobody keeps": (lambda n: {f"d{i}/main.tf": 'terraform {\n  required_providers {\n    azurerm = {\n      version = ">= 3.0"\n    }\n  }\n}\nresource "azurerm_kubernetes_cluster" "a" {\n  name = "a"\n}\n' for i in range(n)}, 1000),
    "providers of Terraform by other names": (lambda n: {"main.tf": 'resource "helm_release" "a" {\n  name = "a"\n}\n' + text_of(lambda i: f'provider "helm" {{\n  alias = "a{i}"\n}}\n', n)}, 5000),
    "returns of groups of a parser": (lambda n: {"run.sbatch": "#!/bin/bash\n#SBATCH -N 1\npython train.py --x 1\n",
                                                 "train.py": "import argparse\ndef build_parser():\n    parser = argparse.ArgumentParser()\n" + text_of(lambda i: f'    g{i} = parser.add_argument_group("{i}")\n', n // 75)
                                                             + text_of(lambda i: f"    return g{i % (n // 75)}\n", n) + "args = build_parser().parse_args()\n"}, 3000),
    "a long message": (lambda n: {"jobs.yaml": job(0).replace("parallelism: 2", "parallelism: " + "b" * n)}, 400000),
    "anchors without values": (lambda n: {"jobs.yaml": "x:\n" + "".join(f"  - &a{i}\n" for i in range(n))}, 10000),
    "properties in a row": (lambda n: {"jobs.yaml": "x: " + "&a " * n + "b\n"}, 20000),
    "properties of empty values": (lambda n: {"jobs.yaml": "x: [" + "&a ," * n + "b]\n"}, 5000),
    "tags in a row, each a value": (lambda n: {"jobs.yaml": "x:\n" + "  - !\n" * n}, 5000),
    "template braces": (lambda n: {"jobs.yaml": "x: \"" + "{{ a " * n + "\"\n"}, 20000),
    "findings on one line": (lambda n: {"jobs.yaml": "{" + ", ".join("a: b" for i in range(n)) + "}\n"}, 4000),
    "json": (lambda n: {"jobs.json": '{"a": [' + ", ".join('{"b": [1, "x"]}' for i in range(n)) + "]}"}, 20000),
    "json open brackets": (lambda n: {"jobs.json": "[" * n}, 50000),
    "topology.yaml": (lambda n: {**slurm([f"NodeName=n[1-{n}]"]), "topology.yaml": "- topology: t\n  cluster_default: true\n  tree:\n    switches:\n" + text_of(lambda i: f"      - {{switch: s{i}, nodes: n{i}}}\n", n) + f"      - {{switch: top, children: \"s[0-{n - 1}]\"}}\n"}, 4000),
    "topologies of topology.yaml": (lambda n: {**slurm(["NodeName=n[1-100]"]), "topology.yaml": text_of(lambda i: f"- topology: t{i}\n  tree:\n    switches:\n      - {{switch: s, nodes: n1}}\n", n)}, 2000),
}


def measure(binary, folder, instructions):
    command = [binary, "check", ".", "-j1"]
    if instructions:
        counted = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command, cwd=folder, capture_output=True, text=True)
        return int(re.search(r"Collected : (\d+)", counted.stderr)[1]) / 2e9
    best = LIMIT
    for _ in range(3):
        with open(os.devnull, "w") as nothing:
            process = subprocess.Popen(command, cwd=folder, stdout=nothing, stderr=nothing)
            start = time.time()
            done = 0
            while done == 0 and time.time() - start < LIMIT:
                done, status, usage = os.wait4(process.pid, os.WNOHANG)
                time.sleep(0.002)
            if done == 0:
                process.kill()
                process.wait()
                return LIMIT
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            print(f"    exit {process.returncode}")
        best = min(best, usage.ru_utime + usage.ru_stime)
        if best > 2:
            break
    return best


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    binary = os.path.abspath(words.pop(0) if words and os.path.isfile(words[0]) else "build/release/muster")
    instructions = "--instructions" in sys.argv
    slow = []
    print(f"{'what':42} {'size':>7} {'twice':>9}   growth")
    for what, (make, size) in CASES.items():
        if words and not any(word in what for word in words):
            continue
        times = []
        size = max(1, size // 10) if "--tenth" in sys.argv else size
        for count in (size, 2 * size):
            with tempfile.TemporaryDirectory() as folder:
                for name, text in make(count).items():
                    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                    with open(os.path.join(folder, name), "w") as out:
                        out.write(text)
                times.append(measure(binary, folder, instructions))
        growth = times[1] / max(times[0], 1e-3)
        bad = times[1] > TOO_SHORT and growth > MOST
        if bad:
            slow.append(what)
        print(f"{what:42} {times[0]:6.2f} s {times[1]:6.2f} s   {growth:4.1f}{'  too much' if bad else ''}", flush=True)
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
