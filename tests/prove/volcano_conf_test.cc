// What the ConfigMap of Volcano's scheduler makes of gangs: who commits them, and what evicts their pods.
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/proofs.h"

using namespace muster;
using test::told;

namespace {

using Json = nlohmann::json;

std::string conf(const std::string& actions, const std::string& gang) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: volcano-scheduler-configmap}\ndata:\n"
         "  volcano-scheduler.conf: |\n    actions: \"" +
         actions + "\"\n    tiers:\n    - plugins:\n      - name: priority\n" + gang +
         "    - plugins:\n      - name: predicates\n";
}

const std::string kVeto = "      - name: gang\n";
const std::string kStock = "      - name: gang\n        enablePreemptable: false\n";

/// The first result for a Volcano Job of five pods, two of which run at a time, on one node of eight GPUs.
Json prove(const std::string& config, const std::string& policies = "", const std::string& format = "json",
           std::string* out = nullptr) {
  const std::string fleet =
      "muster: fleet/v1\nname: lab\nnode_pools: [{name: gpu, nodes: 'a[1-1]', gpus_per_node: 8}]\n";
  const std::string job =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: t}\nspec:\n  schedulerName: volcano\n"
      "  minAvailable: 5\n" +
      policies +
      "  tasks:\n    - name: w\n      replicas: 5\n      template:\n        spec:\n          containers:\n"
      "            - name: w\n              image: e/t:1\n              command: [torchrun, --nnodes=5, t.py]\n"
      "              resources: {limits: {nvidia.com/gpu: 1}}\n";
  std::map<std::string, std::string> files{{"r/fleet.yaml", fleet}, {"r/job.yaml", job}};
  if (!config.empty()) files["r/conf.yaml"] = config;
  const test::FakeDisk disk(files);
  const test::Ran ran =
      test::run_command({"prove", "/r", "--format", format, "--property", "all-or-nothing", "--concurrent", "2"}, disk);
  if (out != nullptr) *out = ran.out;
  return format == "json" ? Json::parse(ran.out) : Json();
}

}  // namespace

TEST_CASE("the configuration of Volcano's scheduler decides whether a gang is one", "[prove][worlds]") {
  CHECK(told(prove("")) == "holds");
  CHECK(told(prove(conf("enqueue, allocate, backfill", kStock))) == "holds");
  const Json without = prove(conf("enqueue, allocate, backfill", ""));
  CHECK(told(without) == "counterexample");
  const Json& source = without["results"][0]["rests_on"][0];
  CHECK(source["says"] == "plugin `gang` is not in `volcano-scheduler-configmap`: Volcano places pod by pod");
  CHECK(source["location"]["file"] == "r/conf.yaml");
  CHECK(source["location"]["line"] == 6);
  CHECK(told(prove(conf("allocate", "      - name: gang\n        enableJobReady: false\n"))) == "counterexample");
  CHECK(told(prove(conf("allocate, elect", kStock))).starts_with("left out: a configuration that Volcano takes"));
}

TEST_CASE("actions that evict single pods leave it open whether a gang stays whole", "[prove][worlds]") {
  const Json open = prove(conf("enqueue, allocate, preempt", kStock));
  CHECK(told(open) == "unknown");
  CHECK(open["results"][0]["reason"].get<std::string>().find("action `preempt` of `volcano-scheduler-configmap` evicts "
                                                             "single pods") != std::string::npos);
  const std::string restart = "  policies: [{event: PodEvicted, action: RestartJob}]\n";
  CHECK(told(prove(conf("enqueue, allocate, preempt", kStock), restart)) == "holds");
  CHECK(told(prove(conf("enqueue, allocate, preempt", kStock),
                   "  policies: [{event: PodFailed, action: RestartJob}]\n")) == "unknown");
  CHECK(told(prove(conf("enqueue, allocate, preempt", kVeto))) == "holds");
  CHECK(told(prove(conf("enqueue, allocate, reclaim", kStock))) == "holds");
  CHECK(told(prove(conf("allocate, reclaim", "      - name: gang\n        enableReclaimable: false\n"))) == "unknown");
  CHECK(told(prove(conf("enqueue, allocate, gangpreempt, gangreclaim", kStock))) == "holds");
}

TEST_CASE("what a proof takes from the input, and what it takes as given, stands in every format", "[prove][worlds]") {
  std::string text;
  prove(conf("allocate", ""), "", "text", &text);
  CHECK(text.find("as written: plugin `gang` is not in `volcano-scheduler-configmap`: Volcano places pod by pod "
                  "(r/conf.yaml:6)") != std::string::npos);
  prove(conf("allocate", ""), "", "svg", &text);
  CHECK(text.find("as written: plugin `gang` is not in") != std::string::npos);
  prove("", "", "text", &text);
  CHECK(text.find("taken as given: no configuration of Volcano's scheduler is in the bundle: as shipped it evicts no "
                  "pod") != std::string::npos);
}
