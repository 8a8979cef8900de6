// Templates whose pods claim devices: of the version that the cluster serves, one claim a pod, in whole gangs.
#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

namespace {

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A new fleet of one pool, with the runtime that claims need.
std::string claiming_fleet(const std::string& scheduler, const std::string& version, int domain_nodes) {
  const std::string pool =
      "  - {name: gb200, nodes: \"n[1-32]\", gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: GB200, "
      "partitioning: none}, fabric: {kind: infiniband, nvlink_domain_nodes: " +
      std::to_string(domain_nodes) + "}, runtime: {containerd: 2.1.4, driver: 580.126.20}}\n";
  const Leads& leads = leads_to(scheduler);
  const std::string fleet = fleet_of(leads, leads.tree ? kTree : kFlat, pool);
  return with(with(fleet, "name: east-1\n", "name: east-1\nstage: greenfield\n"), "version: \"1.37\"",
              "version: \"" + version + "\"");
}

const std::string kJob = workloads_of(work("train", std::string("kind: job, ") + kBatch));

}  // namespace

TEST_CASE("each gang claims its GPUs by a template of the version that is served", "[generate]") {
  for (const auto& [version, api] : {std::pair{"1.37", "resource.k8s.io/v1"},
                                     {"1.34", "resource.k8s.io/v1"},
                                     {"1.33", "resource.k8s.io/v1beta2"},
                                     {"1.32", "resource.k8s.io/v1beta1"}}) {
    const std::string fleet = with(claiming_fleet("coscheduling", version, 1), "GenericWorkload: false",
                                   "GenericWorkload: false, DynamicResourceAllocation: true");
    const std::string text = text_of("dra-claim", fleet, kJob);
    INFO(version << "\n" << text);
    CHECK(has(text, "apiVersion: " + std::string(api) + "\nkind: ResourceClaimTemplate\n"));
    CHECK(has(text, "exactly:\n") == (std::string(version) != "1.32"));
    CHECK(has(text, "resourceClaimTemplateName: train-gpus\n"));
    CHECK(!has(text, "nvidia.com/gpu: "));
  }
  CHECK(has(refusal_of("dra-claim", claiming_fleet("coscheduling", "1.31", 1), kJob), "workload"));
}

TEST_CASE("claiming gangs are whole, whoever places them", "[generate]") {
  for (const char* scheduler : {"volcano", "kai", "kueue-topology", "coscheduling"}) {
    for (const char* id : {"dra-claim", "dra-computedomain"}) {
      const std::string fleet = claiming_fleet(scheduler, "1.37", 18);
      const std::string text = text_of(id, fleet, kJob);
      const Checked checked = check_files({{"fleet.yaml", fleet}, {"w.yaml", kJob}, {"out/written.yaml", text}});
      INFO(scheduler << " " << id << "\n" << text);
      CHECK(summary_of(checked) == "");
      REQUIRE(checked.workspace.model.gangs.size() == 1);
      const Gang& gang = checked.workspace.model.gangs.front();
      CHECK(gang.path.value == Path::In);
      CHECK(gang.gpus.value == 32);
      if (std::string(scheduler) != "kueue-topology") CHECK(gang.guaranteed.value == 4);
    }
  }
}

TEST_CASE("a ComputeDomain is written where NVLink joins nodes, and for no more nodes than it joins", "[generate]") {
  const std::string text = text_of("dra-computedomain", claiming_fleet("volcano", "1.37", 18), kJob);
  CHECK(has(text, "kind: ComputeDomain\n"));
  CHECK(has(text, "numNodes: 0\n"));
  CHECK(has(text, "topologyKey: nvidia.com/gpu.clique\n"));
  CHECK(has(refusal_of("dra-computedomain", claiming_fleet("volcano", "1.37", 1), kJob), "NVLink across nodes"));
  CHECK(has(refusal_of("dra-computedomain", claiming_fleet("volcano", "1.37", 2), kJob), "no NVLink domain"));
}
