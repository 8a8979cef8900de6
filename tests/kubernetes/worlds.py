"""Random worlds, as muster reads them and as a control plane plays them: nodes with GPUs, and gangs of pods on them.

Each world plays in a namespace of its own, on nodes that carry its name, so that many play side by side.
"""
import dataclasses

import yaml

GPU = "nvidia.com/gpu"
MECHANISMS = ("kube-scheduler", "coscheduling", "volcano", "kueue", "kueue-topology")


@dataclasses.dataclass
class Gang:
    name: str
    size: int      # pods
    gpus: int      # of each pod
    least: int     # pods that its scheduler wants together; of those that have no such thing: size


@dataclasses.dataclass
class World:
    name: str
    mechanism: str
    nodes: list    # GPUs of each
    gangs: list
    quota: int     # GPUs of the queue, where there is one

    def of_kueue(self):
        return self.mechanism.startswith("kueue")


def random_world(dice, name, mechanism):
    nodes = [dice.choice((2, 4, 8))] * dice.randint(1, 3)
    if dice.random() < 0.3:
        nodes.append(dice.choice((1, 3, 6)))
    gangs = []
    for letter in "abcd"[:dice.randint(2, 4)]:
        gpus = dice.choice((1, 1, 2, 3))
        size = dice.randint(2, max(2, min(6, sum(nodes) // gpus)))
        least = size
        if mechanism in ("coscheduling", "volcano") and dice.random() < 0.5:
            least = dice.randint(1, size)
        gangs.append(Gang(letter, size, gpus, least))
    total = sum(nodes)
    return World(name, mechanism, nodes, gangs, dice.choice((total, total, total + 2, max(1, total - 1), 2 * total)))


def pod_spec(gang, scheduler=None, node_selector=None):
    spec = {"restartPolicy": "Never", "containers": [{
        "name": "w", "image": "example.com/train:1", "command": ["torchrun", f"--nnodes={gang.size}", "train.py"],
        "resources": {"limits": {GPU: gang.gpus}}}]}
    if scheduler:
        spec["schedulerName"] = scheduler
    if node_selector:
        spec["nodeSelector"] = node_selector
    return spec


def group_of(world, gang):
    """The PodGroup of a gang, and what its pods carry."""
    if world.mechanism == "coscheduling":
        group = {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup",
                 "metadata": {"name": "pg-" + gang.name}, "spec": {"minMember": gang.least}}
        return group, {"labels": {"scheduling.x-k8s.io/pod-group": "pg-" + gang.name}}
    if world.mechanism == "volcano":
        group = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
                 "metadata": {"name": "pg-" + gang.name}, "spec": {"minMember": gang.least, "queue": "default"}}
        return group, {"annotations": {"scheduling.k8s.io/group-name": "pg-" + gang.name}}
    return None, {}


def scheduler_of(world):
    return {"coscheduling": "scheduler-plugins-scheduler", "volcano": "volcano"}.get(world.mechanism)


def job(world, gang, suspended=False, by_hand=False):
    topology = {"kueue.x-k8s.io/podset-unconstrained-topology": "true"}
    template = {"spec": pod_spec(gang, scheduler_of(world))}
    if world.mechanism == "kueue-topology":
        template["metadata"] = {"annotations": topology}
    if world.mechanism == "coscheduling":
        template["metadata"] = group_of(world, gang)[1]
    out = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": gang.name}, "spec": {
        "completionMode": "Indexed", "completions": gang.size, "parallelism": gang.size, "template": template}}
    if world.of_kueue():
        out["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "team"}
    if suspended:
        out["spec"]["suspend"] = True
        out["spec"]["backoffLimit"] = 0
    if by_hand:
        out["spec"]["managedBy"] = "muster.test/play"  # the Job controller leaves it alone
    return out


def volcano_job(gang):
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": gang.name}, "spec": {
        "schedulerName": "volcano", "minAvailable": gang.least, "tasks": [
            {"name": "worker", "replicas": gang.size, "template": {"spec": pod_spec(gang)}}]}}


def kueue_objects(world, name, node_labels):
    """(path, object) of a world's queue, flavor and topology."""
    base = "/apis/kueue.x-k8s.io/v1beta2"
    flavor = {"nodeLabels": node_labels}
    out = []
    if world.mechanism == "kueue-topology":
        flavor["topologyName"] = name
        out.append((base + "/topologies", "Topology", name, {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}))
    quota = [{"name": GPU, "nominalQuota": world.quota}]
    out += [
        (base + "/resourceflavors", "ResourceFlavor", name, flavor),
        (base + "/clusterqueues", "ClusterQueue", name, {"namespaceSelector": {}, "resourceGroups": [
            {"coveredResources": [GPU], "flavors": [{"name": name, "resources": quota}]}]}),
        (base + f"/namespaces/{world.name}/localqueues", "LocalQueue", "team", {"clusterQueue": name})]
    return [(path, {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": called}, "spec": spec})
            for path, kind, called, spec in out]


def as_muster_reads_it(world):
    """A fleet and the gangs' manifests, as a repository would hold them."""
    pools = [{"name": f"p{number}", "nodes": f"n{number}", "gpus_per_node": gpus}
             for number, gpus in enumerate(world.nodes)]
    out = [{"muster": "fleet/v1", "name": "lab", "node_pools": pools}]
    if world.of_kueue():
        for _, thing in kueue_objects(world, "shared", {}):
            if thing["kind"] == "ResourceFlavor":
                thing["spec"].pop("nodeLabels")
            out.append(thing)
    for gang in world.gangs:
        group = group_of(world, gang)[0]
        if world.mechanism == "volcano":
            out.append(volcano_job(gang))
            continue
        out += [group] if group else []
        out.append(job(world, gang))
    return yaml.safe_dump_all(out, sort_keys=False)
