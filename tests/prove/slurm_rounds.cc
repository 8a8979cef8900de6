// What is put to the real slurmctld, and the same in the words of a world file.
#include "prove/slurm_lab.h"

namespace muster::test {
namespace {

using enum Fate;

const char* const kNode =
    " CPUs=96 Boards=1 SocketsPerBoard=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 Gres=gpu:h100:8 "
    "State=CLOUD";

/// Without a default for memory every job takes a node's whole memory, and nobody shares a node.
std::string partition_line(const std::string& name, const std::string& nodes, const std::string& more = "") {
  return "PartitionName=" + name + " Nodes=" + nodes + " MaxTime=INFINITE State=UP DefMemPerCPU=100 " + more + "\n";
}

LabJob job(std::string options, std::string gang, Fate fate) { return {std::move(options), std::move(gang), {fate}}; }

/// So many whole nodes.
LabJob whole(int nodes, const std::string& options, const std::string& more, Fate fate) {
  return job("-N " + std::to_string(nodes) + " --gres=gpu:8 " + options,
             "pods: " + std::to_string(nodes) + ", gpus_per_pod: 8" + (more.empty() ? "" : ", " + more), fate);
}

std::string role(int pods, const std::string& more) {
  return "{pods: " + std::to_string(pods) + ", gpus_per_pod: 8" + (more.empty() ? "" : ", " + more) + "}";
}

std::vector<LabRound> sizes() {
  return {
      {"a job of all nodes runs", {whole(8, "", "", Runs)}},
      {"a job of more nodes than there are never runs", {whole(9, "", "", Never)}},
      {"a job of more nodes than its partition has never runs",
       {whole(5, "-p small", "node_labels: {small: y}", Never)}},
      {"a job of all nodes of its partition runs beside one of the others",
       {whole(4, "-p small", "node_labels: {small: y}", Runs), whole(4, "", "", Runs)}},
      {"a small job passes a large one that waits with empty hands",
       {whole(6, "", "", Runs), whole(6, "", "", Waits), whole(2, "-t 10", "", Runs)}},
      {"a job that finds three of its four nodes free takes none", {whole(5, "", "", Runs), whole(4, "", "", Waits)}},
      {"two jobs that each need more than half: one runs whole, the other waits whole",
       {whole(5, "", "", Runs), whole(5, "", "", Waits)}},
      {"three jobs in a ring of sizes",
       {whole(3, "", "", Runs), whole(4, "", "", Runs), whole(2, "", "", Waits), whole(1, "-t 10", "", Runs)}},
      {"partitions that share nodes share what is free",
       {whole(2, "-p small", "node_labels: {small: y}", Runs), whole(3, "-p small", "node_labels: {small: y}", Waits),
        whole(6, "-t 10", "", Runs)}},
      {"tasks of an array stand each for itself",
       {{"--array=1-3 -N 3 --gres=gpu:8", "pods: 3, gpus_per_pod: 8, instances: 3", {Runs, Runs, Waits}}}},
      {"as many tasks of an array run as fit",
       {{"--array=1-4 -N 2 --gres=gpu:8", "pods: 2, gpus_per_pod: 8, instances: 4", {Runs, Runs, Runs, Runs}}}},
      {"an elastic job takes what is there, short of its upper bound",
       {whole(4, "", "", Runs), job("-N 2-6 --gres=gpu:8", "pods: 6, gpus_per_pod: 8, guaranteed: 2", Runs)}},
      {"an elastic job alone takes its upper bound",
       {job("-N 2-6 --gres=gpu:8", "pods: 6, gpus_per_pod: 8, guaranteed: 2", Runs)}},
      {"an elastic job that finds less than its lower bound holds nothing",
       {whole(7, "", "", Runs), job("-N 2-4 --gres=gpu:8", "pods: 4, gpus_per_pod: 8, guaranteed: 2", Waits)}},
      {"an elastic job whose upper bound no cluster has runs with all nodes",
       {job("-N 4-16 --gres=gpu:8", "pods: 16, gpus_per_pod: 8, guaranteed: 4", Runs)}},
  };
}

std::vector<LabRound> switches_and_lists() {
  const std::string leaf = "domain: leaf";
  const std::string n1 = "node_labels: {n: '1'}";
  return {
      {"jobs of one switch fill the leaves, and one waits for a leaf",
       {whole(4, "--switches=1", leaf, Runs), whole(3, "--switches=1", leaf, Runs),
        whole(2, "--switches=1", leaf, Waits), whole(1, "-t 10", "", Runs)}},
      {"a job of one switch that no leaf takes waits on the idle cluster, as long as it may wait",
       {whole(5, "--switches=1", leaf, Never)}},
      {"a job of one switch takes two when its time to wait is over", {whole(5, "--switches=1@00:00:02", "", Runs)}},
      {"nodes enough, but on two leaves: a job of one switch waits, a smaller one runs",
       {whole(1, "-w n1", n1, Runs), whole(1, "-w n5", "node_labels: {n: '5'}", Runs),
        whole(4, "--switches=1", leaf, Waits), whole(3, "--switches=1 -t 10", leaf, Runs)}},
      {"two switches are room for all", {whole(8, "--switches=2", "", Runs)}},
      {"nodes with a feature are shared by those who ask for it",
       {whole(2, "-C a", "node_labels: {a: y}", Runs), whole(3, "-C a", "node_labels: {a: y}", Waits),
        whole(2, "-C b -t 10", "node_labels: {b: y}", Runs)}},
      {"more nodes with a feature than there are", {whole(5, "-C a", "node_labels: {a: y}", Never)}},
      {"two features that no node has together", {whole(1, "-C 'a&b'", "node_labels: {a: y, b: y}", Never)}},
      {"excluded nodes leave too few", {whole(2, "-x 'n[1-7]'", "node_labels: {n: '8'}", Never)}},
      {"two jobs that exclude all nodes but the same one",
       {whole(1, "-x 'n[1-7]'", "node_labels: {n: '8'}", Runs),
        whole(1, "-x 'n[1-7]'", "node_labels: {n: '8'}", Waits)}},
      {"a job of two listed nodes holds the one that another job lists",
       {job("-N 2 -w n1,n5 --gres=gpu:8", "roles: [" + role(1, n1) + ", " + role(1, "node_labels: {n: '5'}") + "]",
            Runs),
        whole(1, "-w n1", n1, Waits)}},
      {"a listed node that is taken keeps the whole job waiting",
       {whole(1, "-w n1", n1, Runs),
        job("-N 3 -w n1 --gres=gpu:8", "roles: [" + role(1, n1) + ", " + role(2, "") + "]", Waits),
        whole(7, "-t 10", "", Runs)}},
      {"a listed node and any other",
       {job("-N 3 -w n2 --gres=gpu:8", "roles: [" + role(1, "node_labels: {n: '2'}") + ", " + role(2, "") + "]", Runs),
        whole(5, "", "", Runs)}},
  };
}

LabCluster tree() {
  LabCluster out;
  out.name = "tree";
  std::string nodes(kNode);
  out.records = "TopologyPlugin=topology/tree\nNodeName=n[1-4] Feature=a" + nodes + "\nNodeName=n[5-8] Feature=b" +
                nodes + "\n" + partition_line("all", "ALL", "Default=YES") + partition_line("small", "n[1-4]");
  out.topology = "SwitchName=l1 Nodes=n[1-4]\nSwitchName=l2 Nodes=n[5-8]\nSwitchName=top Switches=l[1-2]\n";
  for (int n = 1; n <= 8; ++n) {
    out.nodes.push_back(
        "{gpus: 8, domains: {leaf: " + std::string(n <= 4 ? "l1}, labels: {a: y, small: y" : "l2}, labels: {b: y") +
        ", n: '" + std::to_string(n) + "'}}");
  }
  out.rounds = sizes();
  for (LabRound& round : switches_and_lists()) out.rounds.push_back(std::move(round));
  return out;
}

LabJob part(int nodes, int gpus, const std::string& options, Fate fate) {
  return job("-N " + std::to_string(nodes) + " --gpus-per-node=" + std::to_string(gpus) + " " + options,
             "pods: " + std::to_string(nodes) + ", gpus_per_pod: " + std::to_string(gpus), fate);
}

LabCluster shared_nodes() {
  LabCluster out;
  out.name = "shared nodes";
  out.records = "TopologyPlugin=topology/none\nNodeName=n[1-2]" + std::string(kNode) + "\n" +
                partition_line("all", "ALL", "Default=YES");
  out.nodes = {"{gpus: 8}", "{gpus: 8}"};
  out.rounds = {
      {"two jobs of half nodes share them, the third waits",
       {part(2, 4, "", Runs), part(2, 4, "", Runs), part(2, 4, "", Waits)}},
      {"more nodes than there are, though two would have the GPUs", {part(3, 4, "", Never)}},
      {"more GPUs a node than any node has", {part(1, 9, "", Never)}},
      {"an exclusive job takes all GPUs of its node",
       {job("-N 1 --exclusive --gres=gpu:1", "pods: 1, gpus_per_pod: 8", Runs), part(2, 2, "", Waits),
        part(1, 8, "-t 10", Runs)}},
      {"an exclusive job waits for a node of its own",
       {part(2, 2, "", Runs), job("-N 1 --exclusive", "pods: 1, gpus_per_pod: 8", Waits)}},
      {"GPUs enough on no single node", {part(2, 5, "", Runs), part(1, 4, "", Waits), part(2, 3, "-t 10", Runs)}},
      {"six GPUs are free, three on each node", {part(1, 5, "", Runs), part(1, 5, "", Runs), part(1, 6, "", Waits)}},
      {"whole nodes leave nothing for the smallest", {part(2, 8, "", Runs), part(1, 1, "", Waits)}},
      {"one GPU and seven fill a node, twice", {part(2, 1, "", Runs), part(2, 7, "", Runs)}},
      {"one node of the two has room", {part(1, 8, "", Runs), part(2, 1, "", Waits), part(1, 8, "-t 10", Runs)}},
  };
  return out;
}

LabJob het(const std::string& options, const std::string& components, Fate fate) {
  return job(options, "mechanism: ordered-atomic, takes: first, components: [" + components + "]", fate);
}

LabCluster heterogeneous() {
  LabCluster out;
  out.name = "heterogeneous";
  out.records = "TopologyPlugin=topology/none\nNodeName=n[1-8]" + std::string(kNode) + "\n" +
                partition_line("p1", "ALL", "Default=YES") + partition_line("p2", "n[1-4]") +
                partition_line("p3", "n[5-8]");
  for (int n = 1; n <= 8; ++n) out.nodes.push_back("{gpus: 8, labels: {" + std::string(n <= 4 ? "p2" : "p3") + ": y}}");
  const std::string p2 = "node_labels: {p2: y}";
  const std::string p3 = "node_labels: {p3: y}";
  out.rounds = {
      {"the first component takes the nodes the second needs, on an idle cluster",
       {het("-p p1 -N 4 --gres=gpu:8 : -p p2 -N 4 --gres=gpu:8", role(4, "") + ", " + role(4, p2), Never)}},
      {"the same components in the other order",
       {het("-p p2 -N 4 --gres=gpu:8 : -p p1 -N 4 --gres=gpu:8", role(4, p2) + ", " + role(4, ""), Runs)}},
      {"components that need more than there is",
       {het("-p p1 -N 5 --gres=gpu:8 : -p p1 -N 4 --gres=gpu:8", role(5, "") + ", " + role(4, ""), Never)}},
      {"the second component fits what the first one leaves",
       {het("-p p1 -N 2 --gres=gpu:8 : -p p2 -N 2 --gres=gpu:8", role(2, "") + ", " + role(2, p2), Runs)}},
      {"the second component misses one node",
       {het("-p p1 -N 3 --gres=gpu:8 : -p p2 -N 2 --gres=gpu:8", role(3, "") + ", " + role(2, p2), Never)}},
      {"the first component takes the first nodes, and none that the second needs",
       {het("-p p1 -N 4 --gres=gpu:8 : -p p3 -N 4 --gres=gpu:8", role(4, "") + ", " + role(4, p3), Runs)}},
      {"the first component takes the first nodes, one of them too many for the second",
       {het("-p p1 -N 5 --gres=gpu:8 : -p p3 -N 4 --gres=gpu:8", role(5, "") + ", " + role(4, p3), Never)}},
      {"three components, the last of which finds what the first two leave",
       {het("-p p1 -N 2 --gres=gpu:8 : -p p1 -N 2 --gres=gpu:8 : -p p3 -N 4 --gres=gpu:8",
            role(2, "") + ", " + role(2, "") + ", " + role(4, p3), Runs)}},
      {"one taken node keeps all components waiting with empty hands",
       {whole(1, "-p p1", "", Runs),
        het("-p p2 -N 4 --gres=gpu:8 : -p p1 -N 4 --gres=gpu:8", role(4, p2) + ", " + role(4, ""), Waits),
        whole(7, "-t 10", "", Runs)}},
      {"components do not share nodes",
       {het("-p p1 -N 6 --gres=gpu:4 : -p p1 -N 6 --gres=gpu:4",
            "{pods: 6, gpus_per_pod: 4}, {pods: 6, gpus_per_pod: 4}", Never)}},
      {"a heterogeneous job and another one share what is free",
       {het("-p p2 -N 2 --gres=gpu:8 : -p p1 -N 3 --gres=gpu:8", role(2, p2) + ", " + role(3, ""), Runs),
        whole(4, "-p p1", "", Waits), whole(3, "-p p1 -t 10", "", Runs)}},
  };
  return out;
}

LabCluster preempting(const std::string& name, const std::string& mode, const std::string& more) {
  LabCluster out;
  out.name = name;
  out.records = "TopologyPlugin=topology/none\nPreemptType=preempt/partition_prio\nPreemptMode=" + mode +
                "\nNodeName=n[1-4]" + kNode + "\n" +
                partition_line("low", "ALL", "Default=YES PriorityTier=1 " + more) +
                partition_line("high", "ALL", "PriorityTier=10 " + more);
  out.nodes.assign(4, "{gpus: 8}");
  return out;
}

LabJob high(int nodes, Fate fate) { return whole(nodes, "-p high", "priority: 10, preempts: true", fate); }

std::vector<LabRound> given_way() {
  return {
      {"a whole job gives way for half of its nodes", {whole(4, "-p low", "", GivesWay), high(2, Runs)}},
      {"of two jobs one gives way, whole",
       {whole(1, "-p low", "", Runs), whole(3, "-p low", "", GivesWay), high(3, Runs)}},
      {"two jobs give way for one",
       {whole(2, "-p low", "", GivesWay), whole(2, "-p low", "", GivesWay), high(4, Runs)}},
      {"nobody gives way for a job that never fits", {whole(3, "-p low", "", Runs), high(5, Never)}},
      {"a job of higher priority does not give way", {high(3, Runs), whole(2, "-p low", "", Waits)}},
      {"nobody gives way where there is room", {whole(2, "-p low", "", Runs), high(2, Runs)}},
  };
}

LabCluster suspending() {
  LabCluster out = preempting("suspending", "SUSPEND,GANG", "OverSubscribe=FORCE:1");
  // A suspended job keeps its GPUs: nobody gives way for GPUs.
  out.rounds = {
      {"a job of GPUs waits for those of lower priority",
       {whole(4, "-p low", "", Runs), whole(2, "-p high", "priority: 10", Waits)}},
      {"a job without GPUs stops the one that has them all, and they are nobody's",
       {whole(4, "-p low", "", Stops), whole(2, "-p high", "priority: 10", Waits),
        job("-N 2 -c 96 -p high", "", Runs)}},
  };
  return out;
}

LabCluster slicing() {
  LabCluster out;
  out.name = "time slices";
  out.records = "TopologyPlugin=topology/none\nPreemptMode=GANG\nSchedulerTimeSlice=5\nNodeName=n[1-4]" +
                std::string(kNode) + "\n" + partition_line("all", "ALL", "Default=YES OverSubscribe=FORCE:2");
  out.nodes.assign(4, "{gpus: 8}");
  out.rounds = {{"jobs with GPUs do not take turns", {whole(4, "", "", Runs), whole(4, "", "", Waits)}}};
  return out;
}

LabCluster blocks() {
  LabCluster out;
  out.name = "blocks";
  out.releases_without = {"20.", "21.", "22.", "23."};
  out.records = "TopologyPlugin=topology/block\nNodeName=n[1-8]" + std::string(kNode) + "\n" +
                partition_line("all", "ALL", "Default=YES");
  out.topology = "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockSizes=4\n";
  for (int n = 1; n <= 8; ++n)
    out.nodes.push_back("{gpus: 8, domains: {block: " + std::string(n <= 4 ? "b1" : "b2") + "}, labels: {n: '" +
                        std::to_string(n) + "'}}");
  const std::string block = "domain: block";
  const std::string n12 = "roles: [" + role(1, "node_labels: {n: '1'}") + ", " + role(1, "node_labels: {n: '2'}") + "]";
  const std::string n56 = "roles: [" + role(1, "node_labels: {n: '5'}") + ", " + role(1, "node_labels: {n: '6'}") + "]";
  const auto segments = [](int count, int size, const std::string& more, Fate fate) {
    std::string roles;
    for (int i = 0; i < count; ++i) roles += (i == 0 ? "" : ", ") + role(size, "domain: block");
    return job("-N " + std::to_string(count * size) + " --segment=" + std::to_string(size) + " --gres=gpu:8 " + more,
               "roles: [" + roles + "]", fate);
  };
  out.rounds = {
      {"a job no larger than a block waits for room in one",
       {job("-N 2 -w n1,n2 --gres=gpu:8", n12, Runs), job("-N 2 -w n5,n6 --gres=gpu:8", n56, Runs),
        whole(3, "", block, Waits), whole(2, "-t 10", block, Runs)}},
      {"a job larger than a block goes across", {whole(5, "", "", Runs), whole(3, "", block, Runs)}},
      {"a job of a block and one of all",
       {whole(4, "", block, Runs), whole(8, "", "", Waits), whole(4, "-t 10", block, Runs)}},
      {"listed nodes of two blocks",
       {job(
           "-N 2 -w n1,n5 --gres=gpu:8",
           "domain: block, roles: [" + role(1, "node_labels: {n: '1'}") + ", " + role(1, "node_labels: {n: '5'}") + "]",
           Never)}},
      {"segments of three, one in each block; two nodes of one block are not left",
       {segments(2, 3, "", Runs), segments(1, 2, "", Waits)}},
      {"three segments of three", {segments(3, 3, "", Never)}},
      {"segments of whole blocks", {segments(2, 4, "", Runs), segments(1, 1, "", Waits)}},
      {"a segment has no room beside half a block",
       {job("-N 2 -w n1,n2 --segment=2 --gres=gpu:8", "domain: block, " + n12, Runs), segments(2, 3, "", Waits),
        segments(2, 2, "-t 10", Runs)}},
      {"an elastic job gets its lower bound, whatever is free",
       {job("-N 2-6 --gres=gpu:8", "pods: 2, gpus_per_pod: 8, domain: block", Runs), whole(6, "", "", Runs)}},
      {"segments that do not add up to the job", {job("-N 4 --segment=3 --gres=gpu:8", "", Never)}},
      {"segments of one stand anywhere", {segments(2, 3, "", Runs), segments(2, 1, "", Runs)}},
      {"four segments of two fill the blocks",
       {segments(3, 2, "", Runs), segments(1, 2, "", Runs), segments(1, 1, "", Waits)}},
  };
  return out;
}

}  // namespace

std::vector<LabCluster> lab_clusters() {
  LabCluster requeueing = preempting("requeueing", "REQUEUE", "");
  LabCluster cancelling = preempting("cancelling", "CANCEL", "");
  requeueing.rounds = given_way();
  cancelling.rounds = given_way();
  return {tree(),       shared_nodes(), heterogeneous(), std::move(requeueing), std::move(cancelling),
          suspending(), slicing(),      blocks()};
}

}  // namespace muster::test
