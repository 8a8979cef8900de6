// The figures of the arithmetic that the formulas were taken from: jobs at Llama 3's rate.
#include "support/goodput.h"

#include <array>
#include <cmath>

#include "support/catch.h"
#include "support/model.h"

using namespace muster;
using test::goodput;
using test::GoodputFacts;

namespace {

double rounded(double value, double to) { return std::round(value / to) * to; }

struct Published {
  int gpus;
  double hours;
  double write;
  double minutes;         ///< the best interval
  double slow, fast;      ///< goodput with 600 and with 120 seconds to recover
  double minutes_to = 1;  ///< digits that are given
  double share_to = 0.001;
};

/// The worked table, every cell of it.
constexpr std::array kPublished{
    Published{1024, 49.5, 5, 22, 0.989, 0.992},
    Published{1024, 49.5, 20, 44.5, 0.982, 0.984, 0.1},  // printed as 45: rounded twice
    Published{1024, 49.5, 60, 77, 0.971, 0.974},
    Published{1024, 49.5, 300, 172, 0.940, 0.943},
    Published{4096, 12.4, 5, 11, 0.972, 0.982},
    Published{4096, 12.4, 20, 22, 0.957, 0.968},
    Published{4096, 12.4, 60, 39, 0.936, 0.947},
    Published{4096, 12.4, 300, 86, 0.878, 0.888},
    Published{16384, 3.1, 5, 5.6, 0.917, 0.960, 0.1},
    Published{16384, 3.1, 20, 11, 0.889, 0.931},
    Published{16384, 3.1, 60, 19, 0.850, 0.891},
    Published{16384, 3.1, 300, 43, 0.744, 0.782},
    Published{100000, 0.5, 5, 2.3, 0.611, 0.865, 0.1},
    Published{100000, 0.5, 20, 4.5, 0.556, 0.801, 0.1},
    Published{100000, 0.5, 60, 7.8, 0.481, 0.714, 0.1},
    Published{100000, 0.5, 300, 17, 0.30, 0.50, 1, 0.01},
};

}  // namespace

TEST_CASE("goodput and intervals are those of the worked table", "[decide][review][goodput]") {
  for (const Published& row : kPublished) {
    INFO(row.gpus << " GPUs, " << row.write << " s to write");
    const Goodput slow = goodput({.nodes = row.gpus / 8, .write = row.write});
    const Goodput fast = goodput({.nodes = row.gpus / 8, .write = row.write, .recovery = 120});
    CHECK(slow.gpus == row.gpus);
    CHECK(rounded(slow.hours_between, 0.1) == Approx(row.hours));
    CHECK(rounded(*slow.best_interval / 60, row.minutes_to) == Approx(row.minutes));
    CHECK(rounded(*slow.best_share, row.share_to) == Approx(row.slow));
    CHECK(rounded(*fast.best_share, row.share_to) == Approx(row.fast));
    if (row.gpus == 100000) CHECK(slow.indicative);
    if (row.gpus <= 4096) CHECK_FALSE(slow.indicative);
  }
}

TEST_CASE("outside of its range the formula only points the way", "[decide][goodput]") {
  // (recovery + interval / 2) / time between interruptions, over all cells of 100,000 GPUs: 0.1 to 0.6.
  double least = 1;
  double most = 0;
  for (const double write : {5.0, 20.0, 60.0, 300.0}) {
    for (const double recovery : {120.0, 600.0}) {
      const Goodput out = goodput({.nodes = 12'500, .write = write, .recovery = recovery});
      const double lost = (recovery + *out.best_interval / 2) / (out.hours_between * 3600);
      least = std::min(least, lost);
      most = std::max(most, lost);
      CHECK(out.indicative);
    }
  }
  CHECK(rounded(least, 0.1) == Approx(0.1));
  CHECK(rounded(most, 0.1) == Approx(0.6));
  CHECK(rounded(goodput({.nodes = 12'500}).hours_between, 0.01) == Approx(0.51));
}

TEST_CASE("chances and counts of interruptions are those of failures at one rate", "[decide][goodput]") {
  const Goodput job = goodput({});  // 16,384 GPUs, one every 3.09 h
  CHECK(rounded(expected_interruptions(job, 54 * 24), 1) == 419);
  CHECK(rounded(expected_interruptions(job, 24), 0.01) == Approx(7.76));
  // By hand: e^-1, e^-7.76, and an hour e^(-1 / 3.093).
  CHECK(chance_of_none(job, job.hours_between) == Approx(0.367879).epsilon(1e-5));
  CHECK(rounded(chance_of_none(job, 24), 1e-5) == Approx(0.00043));
  CHECK(rounded(chance_of_none(job, 1), 0.001) == Approx(0.724));
  CHECK(chance_of_none(job, 0) == 1);
}

TEST_CASE("useful is less than full: occupancy, goodput and MFU together", "[decide][goodput]") {
  const auto useful = [](const std::string& fleet, const std::string& job) {
    const Workspace w = test::read_files(
        {{"r/fleet.yaml", "muster: fleet/v1\nname: f\nreliability: {gpu_hours_per_interruption: 50677}\n" + fleet},
         {"r/workloads.yaml",
          "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 2048, gpus_per_node: 8, "
          "checkpoint: {write_seconds: 20}, recovery_seconds: 600" +
              job + "}\n"}});
    REQUIRE(w.findings.empty());
    const std::optional<Goodput> out = goodput_of(w.model.workloads.front(), w.model.fleets.front());
    REQUIRE(out);
    return useful_share(w.model.workloads.front(), w.model.fleets.front(), *out);
  };
  const std::string full = "economics: {occupancy: 0.9}\n";
  CHECK(rounded(*useful(full, ", mfu: 0.4"), 0.001) == Approx(0.32));  // 0.9 * 0.889 * 0.4
  CHECK_FALSE(useful(full, ""));
  CHECK_FALSE(useful("", ", mfu: 0.4"));
}

TEST_CASE("percentages that were printed otherwise than their counts say", "[decide][goodput]") {
  CHECK(rounded(100 * 148 / 419.0, 0.1) == Approx(35.3));  // faulty GPUs; printed 30.1
  CHECK(rounded(100 * 268 / 419.0, 0.1) == Approx(64.0));  // all of GPUs; printed 58.7
  CHECK(466 - 47 == 419);
  // A human in the path takes 8 to 13 minutes: no time at all where writes take a minute.
  const auto minutes = [](double write) { return *goodput({.write = write}).recovery_most / 60; };
  CHECK(rounded(minutes(20), 1) == 8);
  CHECK(rounded(minutes(5), 1) == 13);
  CHECK(minutes(60) < 1);
}

TEST_CASE("how fast a job of 16,384 GPUs has to be back for 90 %", "[decide][review][goodput]") {
  const auto most = [](double write) { return *goodput({.write = write}).recovery_most; };
  CHECK(std::abs(most(5) - 796) < 1);
  CHECK(std::abs(most(20) - 479) < 1);
  CHECK(std::abs(most(60) - 15) < 1);
  CHECK(most(300) < 0);
}

TEST_CASE("Daly's interval leaves Young's where writes are slow", "[decide][goodput]") {
  // By hand, of M = 11,135.1 s: sqrt(2 w M) * (1 + sqrt(w / 2M) / 3 + w / 18M) - w.
  CHECK(std::abs(*goodput({.write = 20}).daly_interval - 654.1) < 0.1);
  CHECK(std::abs(*goodput({.write = 300}).daly_interval - 2388.6) < 0.1);
  const Goodput hopeless = goodput({.write = 30000});
  CHECK(*hopeless.daly_interval == Approx(hopeless.hours_between * 3600));
}

TEST_CASE("what is lost is by the stated interval, else by the best", "[decide][goodput]") {
  const Goodput stated = goodput({.nodes = 128, .interval = 36000});
  CHECK(*stated.share < *stated.best_share - 0.05);
  CHECK(*stated.lost_gpu_hours == Approx((1 - *stated.share) * 1024 * 8760));
  const Goodput best = goodput({.nodes = 128}, ", checkpoint: {write_seconds: 20}, recovery_seconds: 600");
  CHECK_FALSE(best.share);
  CHECK(*best.lost_gpu_hours == Approx((1 - *best.best_share) * 1024 * 8760));
}

TEST_CASE("what is not said is named, and decides nothing", "[decide][review]") {
  const Goodput out = goodput({}, ", elastic: {min_nodes: 4}");
  CHECK_FALSE(out.share);
  CHECK_FALSE(out.best_interval);
  CHECK(out.missing ==
        std::vector<std::string>{"checkpoint.write_seconds", "checkpoint.interval_seconds", "recovery_seconds"});
}

// 54 days of 16,384 H100: 466 interruptions, 47 of them planned; 148 of the others by faulty GPUs, 72 by HBM3, 19 by
// SRAM, 17 by the system processor, 6 by silent corruption, 6 by heat.
TEST_CASE("counts of interruptions give the rates, and rates the hours between interruptions", "[decide][goodput]") {
  constexpr double kGpuHours = 54.0 * 24 * 16384;
  CHECK(rounded(kGpuHours / 419, 1) == test::kLlamaRate);
  CHECK(rounded(kGpuHours / 466, 1) == 45566);
  CHECK(148 + 72 + 19 + 17 + 6 + 6 == 268);
  CHECK(rounded(kGpuHours / 268, 1) == 79230);
  CHECK(rounded(419 / 54.0, 0.01) == Approx(7.76));
  CHECK(rounded(8 * 24 * 1000 / test::kLlamaRate, 0.01) == Approx(3.79));  // in 1,000 days of nodes
  const auto hours = [](int gpus, double rate) { return goodput({.nodes = gpus / 8, .rate = rate}).hours_between; };
  CHECK(rounded(hours(16384, test::kLlamaRate), 0.01) == Approx(3.09));
  CHECK(rounded(24 / hours(16384, test::kLlamaRate), 0.01) == Approx(7.76));
  CHECK(rounded(hours(16384, kPublishedRateLow), 0.001) == Approx(1.803));
  CHECK(rounded(hours(131072, kPublishedRateLow), 0.001) == Approx(0.225));
  CHECK(rounded(hours(1024, kPublishedRateLow), 0.1) == Approx(28.8));
  // Small jobs were measured to fail that much more often than nodes do.
  CHECK(rounded(hours(1024, kPublishedRateLow) / 7.9, 0.1) == Approx(3.7).epsilon(0.02));
  CHECK(rounded(hours(100'000, test::kLlamaRate) * 60, 0.1) == Approx(30.4));
  // "80,000 hours for each GPU" is the rate of GPUs alone: five hours at 16,000, not three.
  CHECK(rounded(hours(16'000, 80'000), 0.1) == Approx(5.0));
  CHECK(rounded(hours(16'384, 80'000), 0.01) == Approx(4.88));
  CHECK(rounded(hours(100'000, 80'000) * 60, 1) == Approx(48));
}

TEST_CASE("at the best interval a job loses about the root of 2w/M, and its recovery over M", "[decide][goodput]") {
  for (const double write : {5.0, 20.0, 60.0}) {
    const Goodput out = goodput({.write = write});
    const double between = out.hours_between * 3600;
    CHECK(std::abs(1 - *out.best_share - (std::sqrt(2 * write / between) + 600 / between)) < 0.01);
    CHECK(*out.best_interval == Approx(std::sqrt(2 * write * between)));
    // NVIDIA's cycle: w + sqrt(2 (M + recovery) w + w w).
    CHECK(*out.cycle == Approx(write + std::sqrt(2 * (between + 600) * write + write * write)));
  }
}

TEST_CASE("published rates are those of 29,538 and 82,051 GPU-hours", "[decide][goodput]") {
  CHECK(std::round(kPublishedRateLow) == 29538);
  CHECK(std::round(kPublishedRateHigh) == 82051);
}

TEST_CASE("spares are what a Poisson distribution says", "[decide][review]") {
  const auto spares = [](int nodes, double repair) { return test::spares({.nodes = nodes, .repair = repair}); };
  CHECK(rounded(spares(2048, 24).mean_in_repair, 0.1) == Approx(7.8));
  CHECK(rounded(spares(2048, 72).mean_in_repair, 0.1) == Approx(23.3));
  CHECK(rounded(spares(2048, 168).mean_in_repair, 1) == Approx(54));
  CHECK(spares(2048, 24).enough_for_95 == 13);
  CHECK(spares(2048, 72).enough_for_95 == 31);
  CHECK(spares(2048, 168).enough_for_95 == 67);
  CHECK(spares(128, 72).enough_for_95 == 4);
  // In per cent of the nodes.
  CHECK(rounded(100 * 13 / 2048.0, 0.01) == Approx(0.63));
  CHECK(rounded(100 * 31 / 2048.0, 0.1) == Approx(1.5));
  CHECK(rounded(100 * 67 / 2048.0, 0.1) == Approx(3.3));
  CHECK(rounded(100 * 4 / 128.0, 0.1) == Approx(3.1));
  CHECK(spares(2048, 72).enough_for_99 > 31);
}
