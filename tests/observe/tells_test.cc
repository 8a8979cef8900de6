// Texts of schedulers, as they print them.
#include "observe/tells.h"

#include "observe/snapshot.h"
#include "support/catch.h"

using namespace muster;

namespace {

std::string read(std::string_view message) {
  const Tell* tell = recognise_tell(message);
  if (tell == nullptr) return "-";
  const auto needs = needs_in(*tell, message);
  return std::string(tell->id) + (needs ? " " + std::to_string(*needs) : "");
}

}  // namespace

TEST_CASE("texts of schedulers are recognised, and the size that they name is read", "[observe]") {
  CHECK(read("3/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 4 minAvailable; Pending: 1 "
             "Unschedulable") == "volcano-gang 4");
  CHECK(read("Not enough valid tasks for gang-scheduling, valid: 2, min: 16") == "volcano-valid-tasks 16");
  CHECK(read("resource in cluster is overused") == "volcano-enqueue");
  CHECK(read("queue resource quota insufficient: insufficient nvidia.com/gpu") == "volcano-quota");
  CHECK(read("0/3 nodes are available: 3 cannot find enough sibling pods, current pods number: 2, minMember of group: "
             "5.") == "siblings 5");
  CHECK(read("rejection due to timeout / unreserve") == "permit-timeout");
  CHECK(read("Resources were found for 3 pods while 8 are required for gang scheduling. Additional pods cannot be "
             "scheduled") == "kai-gang 8");
  CHECK(read("waiting for minCount pods from a gang to appear in scheduling queue") == "native-quorum");
  CHECK(read("minCount (4) cannot be satisfied: 2 scheduled, 1 remaining") == "native-min-count");
  CHECK(read("couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 "
             "more needed") == "kueue-quota");
  CHECK(read("Evicted: PodsReadyTimeout") == "kueue-ready-timeout");
  CHECK(read("no topology domains at level: cloud.com/rack") == "kueue-topology");
  CHECK(read("0/4 nodes are available: 1 node(s) had untolerated taint {a: b}, 3 Insufficient nvidia.com/gpu.") ==
        "insufficient");
  CHECK(read("0/4 nodes are available: 4 node(s) had untolerated taint {a: b}.") == "taint");
  CHECK(read("0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.") == "affinity");
  CHECK(read("SchedulingGated: kueue.x-k8s.io/admission") == "gated");
  CHECK(read("Successfully assigned ml/a to n1") == "-");
  CHECK(read("") == "-");
}

TEST_CASE("numbers that are none, or too large, are no size", "[observe]") {
  CHECK(read("pod group is not ready, minAvailable") == "volcano-gang");
  CHECK(read("pod group is not ready, x minAvailable") == "volcano-gang");
  CHECK(read("pod group is not ready, 99999999999999999999 minAvailable") == "volcano-gang");
  CHECK(read(" are required for gang scheduling") == "kai-gang");
}

TEST_CASE("reasons of Slurm are looked up by their first word", "[observe]") {
  REQUIRE(slurm_reason("ReqNodeNotAvail, UnavailableNodes:n[1-2]") != nullptr);
  CHECK(slurm_reason("ReqNodeNotAvail, UnavailableNodes:n[1-2]")->kind == SlurmReason::Kind::Person);
  CHECK(slurm_reason("Resources")->kind == SlurmReason::Kind::Room);
  CHECK(slurm_reason("DependencyNeverSatisfied")->kind == SlurmReason::Kind::Never);
  CHECK(slurm_reason("Resource") == nullptr);
  CHECK(slurm_reason("") == nullptr);
}

TEST_CASE("GPUs are counted in every form in which Slurm prints them", "[observe]") {
  // Executed with 22.05.8, 24.11.5 and 26.05.5: CNT where the node has no slurmd yet.
  CHECK(gpus_of_gres("gpu:h100(CNT:8)") == 8);
  CHECK(gpus_of_gres("gpu:h100:8(IDX:0-7)") == 8);
  CHECK(gpus_of_gres("gpu:h100:4(IDX:0,2-4),gpu:a100:2(IDX:5-6),shard:16") == 6);
  CHECK(gpus_of_gres("gpu:8(S:0-1)") == 8);
  CHECK(gpus_of_gres("gpu") == 1);
  CHECK(gpus_of_gres("gpu:h100") == 1);
  CHECK(gpus_of_gres("gres/gpu:8") == 8);
  CHECK(gpus_of_gres("gres:gpu:8") == 8);
  CHECK(gpus_of_gres("cpu=3,mem=6000000M,node=3,billing=3,gres/gpu=24,gres/gpu:h100=24") == 24);
  CHECK(gpus_of_gres("gres/gpu:h100=16") == 16);
  CHECK(gpus_of_gres("cpu=3,mem=1G") == std::nullopt);
  CHECK(gpus_of_gres("gpumem:80G") == std::nullopt);
  CHECK(gpus_of_gres("") == std::nullopt);
}
