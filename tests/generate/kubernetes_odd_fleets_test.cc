// Templates for Kubernetes on fleets that are odd: names, numbers, missing facts, sizes.
#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

TEST_CASE("a name becomes a legal one or is refused", "[generate]") {
  for (const char* id : {"volcano-queues", "kai-queues", "kueue-queues", "yunikorn-queues"}) {
    INFO(id);
    const auto with = [](const std::string& names) { return fleet_of(leads_to("volcano"), names); };
    CHECK(has(refusal_of(id, with("  - {name: Root, guaranteed_gpus: 8}\n")), "must not be called `Root`"));
    CHECK(has(refusal_of(id, with("  - {name: default, guaranteed_gpus: 8}\n")), "must not be called `default`"));
    CHECK(has(refusal_of(id, with("  - {name: \"___\", guaranteed_gpus: 8}\n")), "`___` cannot name a queue"));
    CHECK(has(refusal_of(id, with("  - {name: " + std::string(64, 'a') + ", guaranteed_gpus: 8}\n")),
              "cannot name a queue"));
    CHECK(has(refusal_of(id, with("  - {name: a b, guaranteed_gpus: 8}\n  - {name: a_b, guaranteed_gpus: 8}\n")),
              "queue of the same name"));
    CHECK(has(refusal_of(id, with("")), "`tenants` of the fleet file is empty"));
    const Result<Generated> generated = generate_one(id, with("  - {name: Team_Vision 2, guaranteed_gpus: 8}\n"));
    REQUIRE(generated);
    CHECK(has(generated->files.at(0).text, "name: team-vision-2\n"));
    CHECK(has(join(generated->notes, "\n"), "tenant `Team_Vision 2` becomes"));
  }
  const std::string job =
      text_of("volcano-job", fleet_for("volcano"), workloads_of(work("\"Pre_train v1.5 \"", kBatch)));
  CHECK(has(job, "  name: pre-train-v1-5\n"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("\"--\"", kBatch))),
            "`--` cannot name an object"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("\"a/b\"", kBatch))),
            "`a/b` cannot name an object"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("a b", kBatch) + work("a.b", kBatch))),
            "objects of the same name"));
}

TEST_CASE("numbers that a webhook refuses are refused, with the tenant", "[generate]") {
  for (const char* id : {"volcano-queues", "kai-queues", "kueue-queues", "yunikorn-queues"}) {
    INFO(id);
    const auto with = [](const std::string& tenants) { return fleet_of(leads_to("volcano"), tenants); };
    CHECK(has(refusal_of(id, with("  - {name: a, guaranteed_gpus: 9, limit_gpus: 8}\n")),
              "`a` is promised more GPUs than its limit: guaranteed_gpus 9, limit_gpus 8"));
    CHECK(has(refusal_of(id, with("  - {name: p, guaranteed_gpus: 8, limit_gpus: 8}\n  - {name: a, parent: p, "
                                  "guaranteed_gpus: 4}\n  - {name: b, parent: p, guaranteed_gpus: 5}\n")),
              "the tenants below `p` are promised more GPUs together"));
    CHECK(has(refusal_of(id, with("  - {name: p, limit_gpus: 8}\n  - {name: a, parent: p, limit_gpus: 9}\n")),
              "a tenant below `p` has a higher limit_gpus"));
    CHECK(has(refusal_of(id, with("  - {name: a, parent: b, limit_gpus: 9}\n  - {name: b, parent: a, limit_gpus: "
                                  "9}\n")),
              "their parents form a cycle"));
  }
  CHECK(has(refusal_of("kueue-queues", fleet_of(leads_to("volcano"), "  - {name: a, guaranteed_gpus: 257}\n")),
            "promised 257 GPUs, and the Kubernetes pools have 256"));
}

TEST_CASE("a missing fact is named, and only what depends on it is left out", "[generate]") {
  const std::string whole = work("whole", std::string("kind: job, ") + kBatch);
  std::string torn = work("torn", std::string("kind: job, ") + kBatch);
  torn.replace(torn.find(" gpus_per_node: 8,"), 18, "");
  const Written written = generate_everything(fleet_for("volcano"), workloads_of(torn + whole));
  CHECK(has(written.text("volcano-job.yaml"), "name: whole\n"));
  CHECK_FALSE(has(written.text("volcano-job.yaml"), "torn"));
  CHECK(has(join(written.all.generated.notes, "\n"), "`gpus_per_node` of workload `torn` is missing (w.yaml:"));
  CHECK(written.wrote("volcano-queues"));

  // The one fact that would settle who places it: nothing is guessed, and nothing else suffers.
  Leads open = leads_to("volcano");
  open.requirements = "keep_default_scheduler: false, support_contract: false";
  const Written undecided = generate_everything(fleet_of(open, kTree), workloads_of(whole));
  CHECK(undecided.all.templates == std::vector<std::string>{"gpu-operator", "node-problem-detector"});
  CHECK(has(join(undecided.all.generated.notes, "\n"), "`requirements.vendor_neutral` of the fleet"));
  CHECK(has(text_of("volcano-job", fleet_of(open, kTree), workloads_of(whole)), "minAvailable: 4\n"));

  const Result<Generated> queues =
      generate_one("volcano-queues", fleet_of(leads_to("volcano"),
                                              "  - {name: a, guaranteed_gpus: 8}\n  - {name: b, limit_gpus: "
                                              "8}\n"));
  REQUIRE(queues);
  CHECK(count_of(queues->files.at(0).text, "capability:") == 1);
  CHECK(count_of(queues->files.at(0).text, "deserved:") == 1);
  CHECK(has(join(queues->notes, "\n"), "`limit_gpus` of tenant `a` is missing"));
  CHECK(has(join(queues->notes, "\n"), "`guaranteed_gpus` of tenant `b` is missing"));
}

TEST_CASE("pools without a topology, two kinds of GPUs, and work larger than a pool", "[generate]") {
  const std::string two = std::string(kPool) +
                          "  - {name: A_100, nodes: \"m[1-4]\", gpus_per_node: 4, control_plane: kubernetes, "
                          "accelerator: {model: A100}}\n";
  const Written kueue = generate_everything(fleet_of(leads_to("kueue-topology"), kTree, two),
                                            workloads_of(work("w", std::string("kind: jobset, ") + kBatch)));
  CHECK(kueue.findings.empty());
  CHECK(kueue.all.refused.empty());
  const std::string queues = kueue.text("kueue-queues.yaml");
  CHECK(has(queues, "muster.dev/pool: a-100\n"));
  CHECK(count_of(queues, "topologyName: east-1\n") == 1);
  CHECK(count_of(queues, "topologyName: east-1-hosts\n") == 1);
  CHECK(has(kueue.text("kueue-topology.yaml"), "name: east-1-hosts\n"));
  // 64 GPUs over pools of 256 and 16: 60 and 4.
  CHECK(count_of(queues, "nominalQuota: 60\n") == 2);
  CHECK(count_of(queues, "nominalQuota: 4\n") == 2);
  const Written volcano = generate_everything(fleet_of(leads_to("volcano"), kTree, two),
                                              workloads_of(work("w", std::string("kind: job, ") + kBatch)));
  CHECK(volcano.findings.empty());
  CHECK(has(volcano.text("volcano-job.yaml"), "nodeSelector:\n            muster.dev/pool: h100\n"));
  CHECK(has(volcano.text("node-labels.sh"), "nodes muster.dev/pool=a-100 m1 m2 m3 m4\n"));

  const Written flat = generate_everything(fleet_of(leads_to("kueue-topology"), kTree, kPool, ""),
                                           workloads_of(work("w", std::string("kind: jobset, ") + kBatch)));
  CHECK(flat.findings.empty());
  CHECK(has(flat.text("jobset.yaml"), "kueue.x-k8s.io/podset-unconstrained-topology: \"true\"\n"));
  CHECK(has(refusal_of("volcano-hypernodes", fleet_of(leads_to("volcano"), kTree, kPool, "")),
            "places no node of a Kubernetes pool"));

  std::string large = work("large", std::string("kind: job, ") + kBatch);
  large.replace(large.find("nodes: 4"), 8, "nodes: 33");
  const Written too_large = generate_everything(fleet_for("volcano"), workloads_of(large));
  CHECK_FALSE(too_large.wrote("volcano-job"));
  CHECK(has(join(too_large.all.refused, "\n"), "no Kubernetes pool of the fleet has 33 nodes of 8 GPUs for `large`"));
  CHECK(too_large.wrote("volcano-queues"));

  const std::string amd = text_of(
      "volcano-job",
      fleet_of(leads_to("volcano"), kTree, std::string(kPool).replace(std::string(kPool).find("H100"), 4, "MI300X")),
      workloads_of(work("w", std::string("kind: job, ") + kBatch)));
  CHECK(has(amd, "amd.com/gpu"));
  CHECK_FALSE(has(amd, "nvidia.com/gpu"));
}

TEST_CASE("nodes without a place are named as one list", "[generate]") {
  std::string domains = kDomains;
  domains.replace(domains.find("n[17-32]"), 8, "n[17-20]");
  const std::string fleet = fleet_of(leads_to("kai"), kFlat, kPool, domains);
  for (const char* id : {"kai-topology", "kueue-topology", "kueue-queues", "node-labels", "volcano-hypernodes"}) {
    INFO(id);
    CHECK(has(refusal_of(id, fleet), "these nodes of pool `h100` have no place in topology.domains: n[21-32]"));
  }
  std::string ragged = kDomains;
  ragged.replace(ragged.find("level: leaf, parent: spine1, nodes: \"n[1-16]\""), 28, "level: leaf, ");
  CHECK(has(refusal_of("kai-topology", fleet_of(leads_to("kai"), kFlat, kPool, ragged)),
            "domain `leaf1` have no place in each of the levels spine, leaf"));
}

TEST_CASE("a fleet of 5,000 nodes", "[generate]") {
  std::string domains = "    - {name: spine, level: spine}\n";
  for (int i = 0; i < 100; ++i) {
    domains += "    - {name: leaf" + std::to_string(i) + ", level: leaf, parent: spine, nodes: \"n[" +
               std::to_string(i * 50 + 1) + "-" + std::to_string(i * 50 + 50) + "]\"}\n";
  }
  const std::string pool = "  - {name: h100, nodes: \"n[1-5000]\", gpus_per_node: 8, control_plane: kubernetes}\n";
  const std::string fleet = fleet_of(leads_to("volcano"), kFlat, pool, domains);
  CHECK(count_of(text_of("volcano-hypernodes", fleet), "type: Node\n") == 5000);
  const std::string labels = text_of("node-labels", fleet);
  CHECK(count_of(labels, "kubectl label") == 150);
  CHECK(has(labels, "topology.muster.dev/leaf=leaf99 topology.muster.dev/spine=spine n4951 n4952"));
  CHECK(count_of(text_of("kueue-topology", fleet), "nodeLabel:") == 3);
}
