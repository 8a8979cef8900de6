#include "pipeline/check.h"
#include "pipeline/dump.h"
#include "prove/prove.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"
#include "worlds/worlds.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

struct Read {
  Workspace workspace;
  std::vector<std::string> complaints;
};

Read read_file(const std::string& text) {
  const MemoryFileSystem disk({{"world.yaml", text}});
  Options options;
  options.paths = {"world.yaml"};
  Result<Workspace> workspace = read_workspace(options, disk);
  REQUIRE(workspace);
  Read out{std::move(*workspace), {}};
  for (const Finding& finding : out.workspace.findings) out.complaints.push_back(finding.message);
  return out;
}

std::string world(const std::string& rest) {
  return "muster: world/v1\nname: w\npools: [{name: p, nodes: [{count: 2, gpus: 8}]}]\n" + rest;
}

}  // namespace

TEST_CASE("mistakes in a world file are told with what was meant", "[prove]") {
  const std::pair<std::string, std::string> cases[] = {
      {"gangs: [{name: a, pods: 2, gpus: 1}]", "`gpus` is not a key of a gang"},
      {"gangs: [{name: a, pods: 2, mechanism: per-prod}]",
       "`mechanism` must be one of per-pod, atomic, hold-and-release, quota, ordered-atomic; got `per-prod`; did you "
       "mean `per-pod`?"},
      {"gangs: [{name: a, pods: 2, pool: q}]", "there is no pool `q`; did you mean `p`?"},
      {"gangs: [{name: a}]", "how many `pods`?"},
      {"gangs: [{pods: 2}]", "a gang needs a `name`"},
      {"gangs: [{name: a, pods: 2}, {name: a, pods: 2}]", "there are two gangs called `a`"},
      {"gangs: [{name: a, pods: 2, guaranteed: 3}]", "`guaranteed` must be between 0 and 2"},
      {"gangs: [{name: a, pods: -1}]", "`pods` must be between 0 and 1000000"},
      {"gangs: [{name: a, pods: 2, domain: leef}]", "no node has a domain of level `leef`"},
      {"gangs: [{name: a, roles: [{pods: 2, domain: leef}]}]", "no node has a domain of level `leef`"},
      {"gangs: [{name: a, roles: [{pods: 2, within: {leef: s}}]}]", "no node has a domain of level `leef`"},
      {"gangs: [{name: a, pods: 1, instances: 6000}]", "`instances` must be between 1 and 5000"},
      {"gangs: [{name: a, roles: []}]", "a gang needs at least one role"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    const Read got = read_file(world(text));
    REQUIRE_FALSE(got.complaints.empty());
    CHECK(got.complaints.front() == expected);
  }
}

TEST_CASE("worlds that are dumped read back as the same worlds", "[prove]") {
  const std::string text = test::read_file(test::source_dir() + "/tests/cases/kinds/world-file/world.yaml");
  const Read first = read_file(text);
  CHECK(first.complaints == std::vector<std::string>{});
  REQUIRE(first.workspace.model.worlds.size() == 1);
  const std::string dumped = dump_worlds(first.workspace.model.worlds);
  const Read second = read_file(dumped);
  CHECK(second.complaints == std::vector<std::string>{});
  CHECK(dump_worlds(second.workspace.model.worlds) == dumped);
}

TEST_CASE("several instances of each workload meet each other", "[prove]") {
  const std::string jobs = test::source_dir() + "/tests/cases/rules/gang-deadlock-reachable/";
  const auto verdict = [&](const std::string& folder, const std::string& concurrent) {
    const test::Ran ran = test::run_command(
        {"prove", jobs + folder, "--format", "json", "--property", "no-deadlock", "--concurrent", concurrent});
    INFO(ran.err);
    std::map<std::string, std::string> out;
    const Json answer = Json::parse(ran.out);
    for (const Json& result : answer["results"]) out[result["world"]] = result["verdict"];
    return out;
  };
  CHECK(verdict("quiet-exact-fit", "1").begin()->second == "holds");
  const std::map<std::string, std::string> twice = verdict("quiet-exact-fit", "2");
  REQUIRE(twice.size() == 3);
  CHECK(twice.at("batch/v1/Job/a") == "holds");
  CHECK(twice.at("batch/v1/Job/b") == "holds");
  CHECK(verdict("fires-two-jobs", "2").at("batch/v1/Job/a") == "counterexample");
  CHECK(verdict("quiet-whole-gangs", "2").at("batch.volcano.sh/v1alpha1/Job/a") == "holds");
}

TEST_CASE("prove ends with 1 for a counterexample and 0 for proofs, and with 2 for what it cannot do", "[prove]") {
  const std::string worlds = test::source_dir() + "/examples/worlds/two-jobs.yaml";
  CHECK(test::run_command({"prove", worlds}).code == 1);
  CHECK(test::run_command({"prove", worlds, "--property", "placeable"}).code == 0);
  const test::Ran wrong = test::run_command({"prove", worlds, "--property", "no-deadlok"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean `no-deadlock`?") != std::string::npos);
  CHECK(test::run_command({"prove", worlds, "--concurrent", "0"}).code == 2);
}

TEST_CASE("a heterogeneous job that starves on an idle cluster is shown with the order that does not", "[prove]") {
  const Read got = read_file(
      "muster: world/v1\nname: het\npools: [{name: p1, nodes: [{count: 5, gpus: 8, labels: {p2: y}}, {count: 5, gpus: "
      "8}]}]\n"
      "gangs: [{name: het, mechanism: ordered-atomic, components: [{name: a, pods: 5, gpus_per_pod: 8}, {name: b, "
      "pods: 5, gpus_per_pod: 8, node_labels: {p2: y}}]}]\n");
  const std::vector<ProofResult> results =
      prove_world(got.workspace.model.worlds.front(), {Property::Placeable, Property::NoDeadlock}, {});
  REQUIRE(results.size() == 2);
  CHECK(results[0].verdict == Verdict::Counterexample);
  REQUIRE(results[0].counterexample);
  CHECK(results[0].counterexample->repairs.front() == "put component `b` of `het` first");
  CHECK(results[1].verdict == Verdict::Holds);
}

TEST_CASE("a gang that fits no node pool of its size is shown with what the nodes take", "[prove]") {
  const Read got = read_file(world("gangs: [{name: a, pods: 3, gpus_per_pod: 5, mechanism: atomic, guaranteed: 3}]"));
  const std::vector<ProofResult> results = prove_world(got.workspace.model.worlds.front(), {Property::Placeable}, {});
  CHECK(results[0].verdict == Verdict::Counterexample);
  CHECK(results[0].reason == "`a` needs 3 pods; the empty nodes take 2");
}

TEST_CASE("pods that are lost can break what a whole commit guarantees", "[prove]") {
  const Read got = read_file(
      world("gangs: [{name: a, pods: 2, gpus_per_pod: 8, mechanism: atomic}, {name: b, pods: 1, gpus_per_pod: 8, "
            "mechanism: per-pod}]"));
  const World& found = got.workspace.model.worlds.front();
  CHECK(prove_world(found, {Property::AllOrNothing}, {}).front().verdict == Verdict::Holds);
  const std::vector<ProofResult> with_faults = prove_world(found, {Property::AllOrNothing}, {200'000, 64, 1, 1});
  REQUIRE(with_faults.front().counterexample);
  CHECK(replay(found, Property::AllOrNothing, *with_faults.front().counterexample, 1).empty());
  CHECK_FALSE(replay(found, Property::AllOrNothing, *with_faults.front().counterexample, 0).empty());
}

TEST_CASE("a queue that stops a gang halfway is part of the steps", "[prove]") {
  const auto verdict = [](const std::string& gpus, const std::string& gangs) {
    const Read got = read_file(world("queues: [{name: q, gpus: " + gpus + "}]\ngangs: [" + gangs + "]"));
    REQUIRE(got.complaints.empty());
    return prove_world(got.workspace.model.worlds.front(), {Property::NoDeadlock}, {}).front();
  };
  // Three nodes' worth of pods on two nodes: one pod of each is stuck, 16 GPUs held.
  const std::string stuck =
      "{name: a, pods: 2, gpus_per_pod: 8, mechanism: per-pod, queue: q}, {name: b, pods: 2, gpus_per_pod: 8, "
      "mechanism: per-pod, queue: q}";
  CHECK(verdict("16", stuck).verdict == Verdict::Counterexample);
  const ProofResult less = verdict("15", stuck);
  CHECK(less.verdict == Verdict::Counterexample);
  CHECK(less.reason == "`a` holds 1 of 2 pods; none can go on and none gives back what it holds");
  // The nodes have room for both; the queue has not.
  const std::string fits =
      "{name: a, pods: 2, gpus_per_pod: 4, mechanism: per-pod, queue: q}, {name: b, pods: 2, gpus_per_pod: 4, "
      "mechanism: per-pod, queue: q}";
  CHECK(verdict("16", fits).verdict == Verdict::Holds);
  const ProofResult halfway = verdict("12", fits);
  // While one is short of a pod, the other one has both: it completes.
  CHECK(halfway.verdict == Verdict::Holds);
  // Quota is taken for all pods of a gang, whatever it holds.
  const std::string whole =
      "{name: a, pods: 2, gpus_per_pod: 4, mechanism: atomic, queue: q}, {name: b, pods: 2, gpus_per_pod: 4, "
      "mechanism: atomic, queue: q}";
  CHECK(verdict("12", whole).verdict == Verdict::Holds);
}

TEST_CASE("commits of schedulers that race are proved only where no commit is needed", "[prove]") {
  const auto verdict = [](const std::string& pods, const std::string& other) {
    const Read got =
        read_file(world("gangs: [{name: a, pods: " + pods +
                        ", gpus_per_pod: 8, mechanism: atomic, scheduler: volcano}, {name: b, pods: " + pods +
                        ", gpus_per_pod: 8, mechanism: atomic, scheduler: " + other + "}]"));
    REQUIRE(got.complaints.empty());
    return prove_world(got.workspace.model.worlds.front(), {Property::NoDeadlock}, {}).front();
  };
  CHECK(verdict("2", "volcano").verdict == Verdict::Holds);
  const ProofResult raced = verdict("2", "kai");
  CHECK(raced.verdict == Verdict::Unknown);
  CHECK(raced.reason ==
        "it holds while one scheduler places at a time; kai and volcano bind pods on the same nodes, and where they "
        "race a part of a gang can be refused");
  CHECK(verdict("1", "kai").verdict == Verdict::Holds);
}
