// The formulas of goodput and spares against simulated clusters: failures, checkpoints and repairs one after the other,
// with no formula in common.
#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

#include "decide/goodput.h"
#include "support/catch.h"
#include "support/goodput.h"

using namespace muster;

namespace {

/// The share of its time in which a job makes progress that it keeps. All in seconds; `between` is the mean time
/// between interruptions, which come while it computes, writes and recovers alike.
double simulated_share(double between, double write, double interval, double recovery, int interruptions) {
  std::mt19937_64 random(20'24);
  std::exponential_distribution<double> next(1 / between);
  double total = 0;
  double kept = 0;
  for (int i = 0; i < interruptions; ++i) {
    const double until = next(random);
    total += until;
    // After the first start it recovers from what stopped it last; an interruption meanwhile starts that again.
    const double works = until - (i == 0 ? 0 : recovery);
    if (works > 0) kept += std::floor(works / (interval + write)) * interval;
  }
  return kept / total;
}

/// The share of the time in which at most so many nodes are in repair, for 0, 1, 2 ...
std::vector<double> simulated_repairs(int nodes, double node_hours_between, double repair, int failures) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> next(nodes / node_hours_between);
  std::vector<double> hours(400);
  std::queue<double> back;
  double now = 0;
  for (int i = 0; i < failures; ++i) {
    const double failure = now + next(random);
    while (!back.empty() && back.front() < failure) {
      hours[std::min(back.size(), hours.size() - 1)] += back.front() - now;
      now = back.front();
      back.pop();
    }
    hours[std::min(back.size(), hours.size() - 1)] += failure - now;
    now = failure;
    back.push(failure + repair);
  }
  double sum = 0;
  for (double& of_count : hours) of_count = sum += of_count / now;
  return hours;
}

}  // namespace

TEST_CASE("goodput is what a simulated job has", "[decide][review][goodput]") {
  for (const int nodes : {128, 512, 2048}) {
    for (const double write : {5.0, 20.0, 60.0}) {
      for (const double recovery : {120.0, 600.0}) {
        INFO(nodes << " nodes, " << write << " s to write, " << recovery << " s to recover");
        const Goodput formula = test::goodput({.nodes = nodes, .write = write, .interval = 900, .recovery = recovery});
        const double between = formula.hours_between * 3600;
        const int many = 200'000;
        CHECK(std::abs(*formula.share - simulated_share(between, write, 900, recovery, many)) < 0.01);
        const double best = simulated_share(between, write, *formula.best_interval, recovery, many);
        CHECK(std::abs(*formula.best_share - best) < 0.01);
        // No interval far from it does better, and the other two formulas lead to about as much.
        for (const double factor : {0.25, 0.5, 2.0, 4.0})
          CHECK(simulated_share(between, write, factor * *formula.best_interval, recovery, many) < best);
        CHECK(std::abs(simulated_share(between, write, *formula.daly_interval, recovery, many) - best) < 0.003);
        CHECK(std::abs(simulated_share(between, write, *formula.cycle - write, recovery, many) - best) < 0.003);
      }
    }
  }
}

TEST_CASE("a job that is back within what is asked for has the goodput that is wanted", "[decide][goodput]") {
  const Goodput formula = test::goodput({.nodes = 2048, .write = 5});
  const double between = formula.hours_between * 3600;
  CHECK(std::abs(simulated_share(between, 5, *formula.best_interval, *formula.recovery_most, 200'000) -
                 kWantedGoodput) < 0.01);
}

TEST_CASE("spares are enough for as much of the time as simulated repairs say", "[decide][goodput]") {
  for (const int nodes : {128, 2048}) {
    for (const double repair : {24.0, 72.0}) {
      INFO(nodes << " nodes, " << repair << " h");
      const Spares spares = test::spares({.nodes = nodes, .repair = repair});
      const std::vector<double> share = simulated_repairs(nodes, test::kLlamaRate / 8, repair, 400'000);
      const auto at = [&](std::int64_t count) { return count < 0 ? 0 : share[static_cast<std::size_t>(count)]; };
      // Within the error of what was simulated.
      CHECK(at(spares.enough_for_95) > 0.95 - 0.005);
      CHECK(at(spares.enough_for_95 - 1) < 0.95 + 0.005);
      CHECK(at(spares.enough_for_99) > 0.99 - 0.005);
      CHECK(at(spares.enough_for_99 - 1) < 0.99 + 0.005);
    }
  }
}
