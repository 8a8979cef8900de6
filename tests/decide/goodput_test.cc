// The figures of the arithmetic that the formulas were taken from: 16,384 GPUs of Llama 3's rate.
#include "decide/goodput.h"

#include <cmath>

#include "support/catch.h"
#include "support/model.h"

using namespace muster;

namespace {

constexpr double kLlamaRate = 50677;  // GPU-hours between interruptions: 1296 h * 16384 GPUs / 419

struct FleetFacts {
  int nodes = 2048;
  double write = 20;
  double interval = 600;
  double recovery = 600;
  double repair = 72;
};

Workspace read(const FleetFacts& facts, const std::string& more = "") {
  return test::read_files(
      {{"r/fleet.yaml",
        "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[0001-" + std::to_string(facts.nodes) +
            "]\", gpus_per_node: 8}\nreliability: {gpu_hours_per_interruption: " + std::to_string(kLlamaRate) +
            ", repair_hours: " + std::to_string(facts.repair) + "}\n"},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: " + std::to_string(facts.nodes) +
                                ", gpus_per_node: 8" +
                                (more.empty() ? ", checkpoint: {write_seconds: " + std::to_string(facts.write) +
                                                    ", interval_seconds: " + std::to_string(facts.interval) +
                                                    "}, recovery_seconds: " + std::to_string(facts.recovery)
                                              : more) +
                                "}\n"}});
}

Goodput goodput(const FleetFacts& facts, const std::string& more = "") {
  const Workspace w = read(facts, more);
  const std::optional<Goodput> out = goodput_of(w.model.workloads.front(), w.model.fleets.front());
  REQUIRE(out);
  return *out;
}

double rounded(double value, double to) { return std::round(value / to) * to; }

}  // namespace

TEST_CASE("a job of 16,384 GPUs is interrupted every three hours and has 0.889 goodput", "[decide][review]") {
  const Goodput slow = goodput({});
  CHECK(slow.gpus == 16384);
  CHECK(rounded(slow.hours_between, 0.01) == Approx(3.09));
  CHECK(rounded(*slow.best_interval, 1) == Approx(667));
  CHECK(rounded(*slow.best_share, 0.001) == Approx(0.889));
  CHECK(rounded(*slow.recovery_most, 1) == Approx(479));
  FleetFacts fast;
  fast.recovery = 120;
  CHECK(rounded(*goodput(fast).best_share, 0.001) == Approx(0.931));
  FleetFacts light;
  light.write = 5;
  CHECK(rounded(*goodput(light).best_share, 0.001) == Approx(0.917));
  CHECK(std::abs(*goodput(light).recovery_most - 796) < 1);
  FleetFacts heavy;
  heavy.write = 60;
  CHECK(rounded(*goodput(heavy).recovery_most, 1) == Approx(15));
}

TEST_CASE("a smaller job with a stated interval", "[decide][review]") {
  FleetFacts small;
  small.nodes = 128;
  small.interval = 3600;
  const Goodput out = goodput(small);
  CHECK(rounded(out.hours_between, 0.1) == Approx(49.5));
  CHECK(rounded(*out.best_share, 0.001) == Approx(0.982));
  CHECK(*out.share < *out.best_share + 0.0005);
  CHECK_FALSE(out.indicative);
}

TEST_CASE("what is not said is named, and decides nothing", "[decide][review]") {
  const Goodput out = goodput({}, ", elastic: {min_nodes: 4}");
  CHECK_FALSE(out.share);
  CHECK_FALSE(out.best_interval);
  CHECK(out.missing ==
        std::vector<std::string>{"checkpoint.write_seconds", "checkpoint.interval_seconds", "recovery_seconds"});
}

TEST_CASE("where interruptions are minutes apart the share only points the way", "[decide][review]") {
  FleetFacts huge;
  huge.nodes = 12500;
  CHECK(goodput(huge).indicative);
}

TEST_CASE("spares are what a Poisson distribution says", "[decide][review]") {
  const auto spares = [](int nodes, double repair) {
    FleetFacts facts;
    facts.nodes = nodes;
    facts.repair = repair;
    const Workspace w = read(facts);
    const std::optional<Spares> out = spares_of(w.model.fleets.front());
    REQUIRE(out);
    return *out;
  };
  CHECK(rounded(spares(2048, 24).mean_in_repair, 0.1) == Approx(7.8));
  CHECK(spares(2048, 24).enough_for_95 == 13);
  CHECK(spares(2048, 72).enough_for_95 == 31);
  CHECK(spares(2048, 168).enough_for_95 == 67);
  CHECK(spares(128, 72).enough_for_95 == 4);
}
