#include "decide/circumstances.h"
#include "decide/decide.h"
#include "support/catch.h"
#include "support/workloads.h"

namespace {

muster::Workload training() {
  muster::Workload workload = muster::test::workload_without_facts("train");
  muster::test::set_fact(workload, "nodes", std::int64_t{8});
  for (const char* fact : {"tightly_coupled", "bare_metal"}) muster::test::set_fact(workload, fact, true);
  for (const char* fact : {"python_native_pipeline", "edge_or_dev", "long_lived_services"})
    muster::test::set_fact(workload, fact, false);
  return workload;
}

const muster::RuleBook& book() {
  static const muster::Result<muster::RuleBook> result = muster::RuleBook::embedded();
  REQUIRE(result);
  return *result;
}

/// `a=1 b=2; c=3`: the sets of changes, each as the values it wants.
std::string changes_of(const muster::WhyNot& answer) {
  std::string out;
  for (const std::vector<muster::FactChange>& set : answer.changes) {
    if (!out.empty()) out += "; ";
    for (std::size_t i = 0; i < set.size(); ++i) out += (i == 0 ? "" : " ") + set[i].fact + "=" + set[i].to;
  }
  return out;
}

muster::WhyNot ask(const muster::Workload& workload, const std::string& value, const muster::Site& site = {}) {
  muster::Result<muster::WhyNot> answer = muster::why_not(workload, book(), site, value);
  REQUIRE(answer);
  return *answer;
}

}  // namespace

TEST_CASE("the trace names each row that was tried with the cells that failed", "[decide]") {
  const std::vector<muster::TableTrace> trace = muster::trace_tables(training(), book(), {});
  REQUIRE(trace.front().table == "control-plane");
  std::string text;
  for (const muster::TraceRow& row : trace.front().rows) {
    text += row.id + " " + std::string(muster::name_of(row.state));
    for (const muster::TraceCell& cell : row.cells) text += " " + cell.input + ":" + cell.value + "/" + cell.wanted;
    text += "\n";
  }
  CHECK(text ==
        "slurm-bare-metal hits\n"
        "ray-on-k3s fails python_native_pipeline:false/true edge_or_dev:false/true\n"
        "ray-on-kubernetes fails python_native_pipeline:false/true\n"
        "k3s-small fails edge_or_dev:false/true\n"
        "kubernetes-platform taken\n");
}

TEST_CASE("why not names the fewest changes among facts that can change", "[decide]") {
  CHECK(changes_of(ask(training(), "k3s")) == "nodes=1 edge_or_dev=true; tightly_coupled=false edge_or_dev=true");
  CHECK(changes_of(ask(training(), "kubernetes")) == "nodes=1; tightly_coupled=false");
  CHECK(changes_of(ask(training(), "mode=partition")) == "long_lived_services=true economics.convergence_pays=false");
  CHECK(ask(training(), "slurm").already);
}

TEST_CASE("a fact that nobody can change is never suggested, but named where nothing else helps", "[decide]") {
  const muster::WhyNot answer = ask(training(), "gang-scheduler", muster::alone(training(), {}));
  CHECK(answer.changes.empty());
  CHECK(answer.fixed == std::vector<std::string>{"bare_metal", "existing.kubernetes"});
  // Where nobody says which planes are there, they may be.
  CHECK(changes_of(ask(training(), "gang-scheduler")) ==
        "stage=production existing.kubernetes=true today.plane=kubernetes");
}

TEST_CASE("open facts are part of the answer only where the value would not be certain without them", "[decide]") {
  muster::Workload workload = training();
  muster::test::clear_fact(workload, "bare_metal");
  muster::test::clear_fact(workload, "python_native_pipeline");
  CHECK(changes_of(ask(workload, "gang-scheduler", muster::alone(workload, {}))) == "bare_metal=false");
}

TEST_CASE("a fact that is set is decided as if the file said so", "[decide]") {
  muster::Workload workload = training();
  muster::Site site;
  CHECK_FALSE(muster::set_fact("bare_metal=false", book(), workload, site));
  CHECK(muster::decide(workload, book()).primary.value == "kubernetes");
  CHECK(muster::set_fact("bare_metl=false", book(), workload, site)->message ==
        "--set bare_metl=false: there is no fact `bare_metl`; did you mean `bare_metal`?");
  CHECK(muster::set_fact("nodes=many", book(), workload, site)->message ==
        "--set nodes=many: `nodes` is int, which `many` is not");
  CHECK(muster::set_fact("nodes=0", book(), workload, site)->message == "--set nodes=0: `nodes` must be at least 1");
}
