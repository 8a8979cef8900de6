// Commands that answer in words: help, explain, rules, dump, decide.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/files.h"
#include "support/json.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using Files = std::map<std::string, std::string>;

std::string golden(const std::string& name) { return muster::test::source_dir() + "/tests/cli/golden/" + name; }

const Files kWorkloads{
    {"w.yaml",
     "muster: workloads/v1\nworkloads:\n"
     "  - {name: pretrain, nodes: 8, gpus_per_node: 8, tightly_coupled: true, bare_metal: true, long_lived_services: "
     "false, multi_tenant: false, python_native_pipeline: false, edge_or_dev: false}\n"
     "  - {name: later, nodes: 8, tightly_coupled: true, multi_tenant: false, python_native_pipeline: false, "
     "edge_or_dev: false}\n"}};

}  // namespace

TEST_CASE("help reads as its goldens show", "[cli]") {
  const Ran all = run_command({"--help"});
  CHECK(all.code == 0);
  CHECK(all.err.empty());
  muster::test::check_golden(golden("help.txt"), all.out);
  for (const std::string command :
       {"check", "decide", "dump", "explain", "generate", "inventory", "prove", "review", "rules", "schema"}) {
    const Ran ran = run_command({command, "--help"});
    CHECK(ran.code == 0);
    muster::test::check_golden(golden("help-" + command + ".txt"), ran.out);
    for (const std::string_view line : muster::split(ran.out, '\n')) CHECK(line.size() <= 110);
  }
  CHECK(run_command({"--version"}).out.starts_with("muster "));
}

TEST_CASE("explain tells a rule as its golden shows", "[cli]") {
  const Ran ran = run_command({"explain", "gang-min-above-size"});
  CHECK(ran.code == 0);
  muster::test::check_golden(golden("explain-rule.txt"), ran.out);
}

TEST_CASE("explain never advises a comment where comments have no effect", "[cli]") {
  CHECK(run_command({"explain", "gang-min-above-size"}).out.find("# muster: allow gang-min-above-size -- reason") !=
        std::string::npos);
  const std::string safety = run_command({"explain", "gang-min-below-size"}).out;
  CHECK(safety.find("# muster: allow") == std::string::npos);
  CHECK(safety.find("in muster.yaml alone") != std::string::npos);
}

TEST_CASE("explain knows tables, kinds and templates, and what else was meant", "[cli]") {
  CHECK(run_command({"explain", "control-plane"}).out.starts_with("decision table control-plane"));
  CHECK(run_command({"explain", "volcano-queue"}).out.starts_with("volcano-queue: "));
  const std::string both = run_command({"explain", "topology-conf"}).out;
  CHECK(both.starts_with("topology-conf: "));
  CHECK(both.find("\ntemplate topology-conf\n") != std::string::npos);
  const Ran misspelt = run_command({"explain", "gang-min-above-sise"});
  CHECK(misspelt.code == 2);
  CHECK(misspelt.err ==
        "muster: there is no rule, table, kind, scheduler, operator, fact, function or template called "
        "`gang-min-above-sise`; did you mean "
        "`gang-min-above-size`?\n");
  CHECK(run_command({"explain", "gang-min"}).err ==
        "muster: there is no rule, table, kind, scheduler, operator, fact, function or template called `gang-min`; "
        "there are "
        "gang-min-above-size, gang-min-below-size, gang-min-below-task-mins\n");
  CHECK(run_command({"explain", "zzz"}).err ==
        "muster: there is no rule, table, kind, scheduler, operator, fact, function or template called `zzz`\n");
}

TEST_CASE("rules list has a line for each rule, in columns", "[cli]") {
  const Ran ran = run_command({"rules", "list"});
  CHECK(ran.code == 0);
  const std::vector<std::string_view> lines = muster::split(muster::trim(ran.out), '\n');
  CHECK(lines.size() > 40);
  CHECK(std::ranges::is_sorted(lines));
  for (const std::string_view line : lines) CHECK(muster::split_blanks(line).size() == 4);
  CHECK(run_command({"rules", "lst"}).err == "muster: `muster rules lst`: known are check, docs, eval, list, test\n");
}

TEST_CASE("dump shows each stage and knows no other", "[cli]") {
  const FakeDisk disk(kWorkloads);
  CHECK(run_command({"dump", "artifacts", "w.yaml"}, disk).out == "w.yaml:1: workloads-file\n");
  for (const char* stage : {"model", "facts", "decisions"}) {
    INFO(stage);
    const Ran ran = run_command({"dump", stage, "w.yaml"}, disk);
    CHECK(ran.code == 0);
    CHECK(ran.out.find("pretrain") != std::string::npos);
  }
  CHECK(run_command({"dump", "modl"}, disk).err ==
        "muster: there is no stage `modl`; did you mean `model`?; known are artifacts, rendered, model, site, facts, "
        "decisions, "
        "worlds\n");
}

TEST_CASE("decide answers by exit code, too", "[cli]") {
  const FakeDisk disk(kWorkloads);
  const Ran ran = run_command({"decide", "w.yaml"}, disk);
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
  CHECK(ran.out.starts_with("pretrain: slurm (baked-in)\n"));
  CHECK(ran.out.find("later: undetermined: ") != std::string::npos);
  CHECK(run_command({"decide", "w.yaml", "--fail-on-unknown"}, disk).code == 1);
  CHECK(nlohmann::json::parse(run_command({"decide", "w.yaml", "--format", "json"}, disk).out)["decisions"].size() ==
        2);
  CHECK(run_command({"decide", "w.yaml", "--format", "sarif"}, disk).code == 2);

  const FakeDisk wrong(Files{{"w.yaml", "muster: workloads/v1\nworkloads:\n  - {name: a, nods: 8}\n"}});
  const Ran mistaken = run_command({"decide", "w.yaml"}, wrong);
  CHECK(mistaken.code == 1);
  CHECK(mistaken.err.starts_with("w.yaml:3:15: "));
  const FakeDisk other(Files{{"a.yaml", "a: 1\n"}});
  CHECK(run_command({"decide", "a.yaml"}, other).err ==
        "muster: there is no workload in these files; a workloads file begins with `muster: workloads/v1`, and `muster "
        "init` writes one\n");
}
