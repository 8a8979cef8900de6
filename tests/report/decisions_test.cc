#include "report/decisions.h"

#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"

namespace {

using OrderedJson = nlohmann::ordered_json;

muster::Choice decided(const std::string& value, const std::string& because) {
  muster::Choice choice;
  choice.value = value;
  choice.because = because;
  choice.rule = "table/row";
  choice.reversibility = muster::Reversibility::BakedIn;
  return choice;
}

muster::Choice open(const std::vector<std::string>& possible, const std::vector<std::string>& unknown) {
  muster::Choice choice;
  choice.possible = possible;
  choice.unknown = unknown;
  choice.reversibility = muster::Reversibility::Costly;
  return choice;
}

std::vector<muster::Decision> decisions() {
  muster::Decision first;
  first.workload = "pretrain";
  first.primary = decided("ray", "Python runs on Ray");
  first.host = decided("kubernetes", "Ray runs on Kubernetes");
  first.runs_on = first.host;
  first.addons = {{"gang-scheduler", decided("required", "pods are bound one by one"), {"volcano", "kai"}}};
  first.hybrid = decided("partition", "services need a pool of their own");
  first.choices = {{"gang-scheduler", decided("kai", "shares of a GPU")},
                   {"dra", open({"pilot", "ready"}, {"stage"})},
                   {"serving", decided("hpa", "people wait")},
                   {"serving.metric", decided("pending-requests", "people wait")}};
  first.choices[0].choice.horizon = "months";
  first.pools = {{"h200", {{"dra", decided("ready", "new enough")}}},
                 {"l40s", {{"dra", open({"pilot", "ready"}, {"stage"})}}}};
  muster::Decision second;
  second.workload = "later";
  second.primary = open({"slurm", "kubernetes"}, {"bare_metal"});
  second.host = open({"slurm", "kubernetes"}, {"bare_metal"});
  second.runs_on = second.host;
  second.addons = {{"kuberay", open({"required", "none"}, {"python_native_pipeline"}), {}}};
  second.hybrid = open({"none", "partition"}, {"long_lived_services"});
  muster::Decision third;
  third.workload = "half";
  third.primary = decided("kubernetes", "containers");
  third.host = decided("kubernetes", "containers");
  third.runs_on = decided("slurm", "a Slurm that works is there");
  third.hybrid = decided("none", "one plane is enough");
  muster::Decision fourth;
  fourth.workload = "where";
  fourth.primary = decided("ray", "Python runs on Ray");
  fourth.host = open({"kubernetes", "k3s"}, {"edge_or_dev"});
  fourth.runs_on = fourth.host;
  fourth.hybrid = decided("none", "one plane is enough");
  return {first, second, third, fourth};
}

muster::FleetDecision fleet() {
  muster::FleetDecision out;
  out.planes = decided("both", "neither kind is small");
  out.kinds = {"slurm", "kubernetes"};
  out.hybrid = open({"partition", "soperator"}, {"stage"});
  out.economics = "a fixed border strands GPUs worth 1 USD a year";
  out.choices = {{"maturity", decided("3", "quotas")},
                 {"build-or-buy", open({"build", "buy"}, {"requirements.differentiating"})}};
  out.gang_schedulers = {{"kubernetes", decided("kai", "shares of a GPU"), {"pretrain", "tune"}}};
  out.break_evens = {{"planes", "both", "work.slurm_share", "0.6", true, "0.9", "slurm"}};
  return out;
}

std::string decided_golden(const std::string& name) {
  return muster::test::source_dir() + "/tests/report/golden/" + name;
}

}  // namespace

TEST_CASE("decisions are written as their goldens show", "[report]") {
  muster::test::check_golden(decided_golden("decide-text.txt"), muster::decisions_text(decisions(), fleet(), {}));
  muster::test::check_golden(decided_golden("decide-json.txt"), muster::decisions_json(decisions(), fleet(), {}));
}

TEST_CASE("decisions as JSON have every key that is promised", "[report]") {
  const auto keys = [](const OrderedJson& json) {
    std::string out;
    for (const auto& [key, value] : json.items()) out += key + " ";
    return out;
  };
  const OrderedJson json = OrderedJson::parse(muster::decisions_json(decisions(), fleet(), {}));
  CHECK(json["version"] == "muster.decide/v1");
  for (const OrderedJson& decision : json["decisions"])
    CHECK(keys(decision) == "workload status primary host runs_on addons hybrid choices pools unknown trace ");
  const OrderedJson& first = json["decisions"][0];
  CHECK(keys(first["addons"][0]) == "id level options because ");
  CHECK(keys(first["choices"][0]) == "id value reversibility horizon because rule ");
  CHECK(keys(first["hybrid"]) == "mode because ");
  // What is open is null, with what it could be and what would settle it.
  const OrderedJson& second = json["decisions"][1];
  CHECK(second["status"] == "undetermined");
  CHECK(second["primary"].is_null());
  CHECK(second["hybrid"] ==
        OrderedJson{{"mode", nullptr}, {"possible", {"none", "partition"}}, {"unknown", {"long_lived_services"}}});
  CHECK(second["unknown"] == OrderedJson{"bare_metal", "long_lived_services", "python_native_pipeline"});
  CHECK(json["decisions"][2]["hybrid"].is_null());
  CHECK(keys(json["fleet"]) == "planes hybrid because economics choices gang_schedulers break_even ");
  CHECK(json["fleet"]["planes"] == OrderedJson{"slurm", "kubernetes"});
  CHECK(json["fleet"]["hybrid"]["mode"].is_null());
}

TEST_CASE("no name of a workload writes lines or escapes of its own", "[report]") {
  muster::Decision hostile = decisions()[2];
  hostile.workload = "x\nother: slurm \x1b[31m\xE2\x80\xAE";
  hostile.primary.because = "because\n\x1b[31m";
  hostile.runs_on = hostile.host;
  CHECK(muster::decisions_text({hostile}, {}, {}) ==
        "x\\nother: slurm \\x1b[31m\\u202e: kubernetes (baked-in)\n  because because\\n\\x1b[31m\n\n");
  const OrderedJson json = OrderedJson::parse(muster::decisions_json({hostile}, {}, {}));
  CHECK(json["decisions"][0]["workload"] == hostile.workload);
  CHECK(muster::decisions_json({hostile}, {}, {}).find("\xE2\x80\xAE") == std::string::npos);
}
