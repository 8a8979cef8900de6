#pragma once

#include <array>
#include <string_view>

namespace muster::test {

struct Seed {
  std::string_view name;
  std::string_view text;
};

/// Small files of every grammar, to be bent and broken.
inline constexpr std::array kSeeds{
    Seed{"slurm.conf",
         "ClusterName=lab\nSelectType=select/cons_tres # note\nGresTypes=gpu\nNodeName=DEFAULT CPUs=4\n"
         "NodeName=gpu[001-004,7]-ib CPUs=96 \\\n  Gres=gpu:h100:8,shard:16\nPartitionName=\"all of it\" Nodes=ALL "
         "Default=YES\nInclude other.conf\n"},
    Seed{"topology.conf",
         "SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Nodes=n[5-8]\nSwitchName=top Switches=s[1-2]\nBlockName=b1 "
         "Nodes=n[1-4]\nBlockSizes=4,8\n"},
    Seed{"gres.conf", "AutoDetect=nvml\nNodeName=n[1-4] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"},
    Seed{"job.sh",
         "#!/bin/bash\n#SBATCH -N4 --gpus-per-node=8 -J \"a b\"\n#SBATCH --nodes=2-4 # note\n#SBATCH hetjob\n#SBATCH "
         "-n 1k --gres=gpu:h100:2\n"
         "cat <<EOF\n#SBATCH -N 1\nEOF\nsrun torchrun train.py\n"},
    Seed{"topology.yaml",
         "- topology: t\n  cluster_default: true\n  tree:\n    switches:\n      - {switch: s1, children: \"s[2-3]\"}\n "
         "     - {switch: s2, nodes: \"n[1-4]\"}\n"},
    Seed{"job.yaml",
         "# muster: allow gang-of-one -- because\napiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: "
         "a, annotations: {muster.dev/allow: \"x\"}}\n"
         "spec:\n  minAvailable: 3\n  queue: q\n  tasks:\n    - name: w\n      replicas: 2\n      template: &t\n       "
         " spec:\n          containers:\n"
         "            - {name: c, image: i, command: [\"x\"], resources: {limits: {nvidia.com/gpu: \"8\"}}}\n    - "
         "{name: v, replicas: 0x10, template: *t}\n"
         "---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\nspec: {capability: "
         "{nvidia.com/gpu: 1.5k, cpu: 100m}}\n"},
    Seed{"list.json",
         "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", "
         "\"metadata\": {\"name\": \"j\"},\n"
         " \"spec\": {\"parallelism\": 4, \"completionMode\": \"Indexed\", \"template\": {\"spec\": {\"containers\": "
         "[{\"name\": \"c\",\n"
         " \"resources\": {\"limits\": {\"nvidia.com/gpu\": 8}}}]}}}}]}\n"},
    Seed{
        "kueue.yaml",
        "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: cq}\nspec:\n  cohort: c\n  "
        "resourceGroups:\n  - coveredResources: [cpu, nvidia.com/gpu]\n"
        "    flavors:\n    - name: f\n      resources: [{name: nvidia.com/gpu, nominalQuota: 8, borrowingLimit: 4}]\n"},
    Seed{"fleet.yaml",
         "muster: fleet/v1\nname: f\npools:\n  - {name: p, nodes: 4, accelerator: {product: h100, per_node: 8}}\n"},
    Seed{"workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: a, kind: training, shape: {nodes: 4}}\n"},
    Seed{"muster.yaml",
         "targets: {slurm: \"24.11\"}\nseverity: {gang-of-one: off}\nsuppress:\n  - {rule: gang-of-one, path: "
         "\"a/**\", reason: x, until: 2027-01-01}\n"},
    Seed{
        "guide.md",
        "# Guide\n\n```bash\n#SBATCH -N 2\n#SBATCH --gres=gpu:4\n```\n\n1. Then\n\n   ~~~ yaml title=\"a\"\n   "
        "apiVersion: "
        "batch/v1\n   kind: Job\n   metadata: {name: j}\n   spec: {template: {spec: {restartPolicy: Never, containers: "
        "[{name: c, image: i}]}}}\n   ~~~\n\n```\nkubectl taint nodes n a/b:NoExecute\nkubectl apply -f - "
        "<<EOF\napiVersion: v1\nkind: Pod\nEOF\n```\ntolerations:\n- key: a/b\n  effect: NoSchedule\n"},
    Seed{
        "make.sh",
        "#!/bin/sh\ncat > job.sh <<'END'\n#!/bin/bash\n#SBATCH -c=2\nsrun -np 4 ./x\nEND\ncat <<EOF | kubectl apply -f "
        "-\napiVersion: v1\nkind: Pod\nmetadata: {name: $NAME}\nspec: {containers: [{name: c, image: "
        "\"$(x)\"}]}\nEOF\n"},
    Seed{"doc.rst",
         "So::\n\n  #!/bin/bash\n  #SBATCH -N 1\n\n.. code-block:: yaml\n   :linenos:\n\n   apiVersion: v1\n   "
         "kind: Pod\n   metadata: {name: p}\n"},
    Seed{"chart.yaml", "apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism: {{ .Values.n }}\n"},
};

}  // namespace muster::test
