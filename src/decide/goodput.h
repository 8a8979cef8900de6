#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fleet.h"
#include "model/workload.h"

namespace muster {

/// The share of its time that a job should make progress in; what recovery has to be fast enough for. Source: the
/// orchestration guide's test of an architecture, "more than 90 % goodput".
inline constexpr double kWantedGoodput = 0.9;

/// What interruptions cost one job. Shares are 0 to 1. Sources: series MTTF; J. Young, 1974, for the interval between
/// checkpoints; arXiv 2410.21680 for the expected share of effective training time, without the time in the queue.
struct Goodput {
  std::int64_t gpus = 0;
  double hours_between = 0;             ///< interruptions of the job
  std::optional<double> best_interval;  ///< seconds between checkpoints that cost least
  std::optional<double> share;          ///< with the interval and recovery as stated
  std::optional<double> best_share;     ///< with the best interval
  std::optional<double> recovery_most;  ///< seconds within which it has to be back for kWantedGoodput at that interval
  bool indicative = false;              ///< interruptions are so near each other that the formula only points the way
  std::vector<std::string> missing;     ///< facts of the workload that would tell more
};

/// Nothing while the size of the job or `reliability.gpu_hours_per_interruption` is not known.
std::optional<Goodput> goodput_of(const Workload& workload, const Fleet& fleet);

/// Nodes to keep in reserve for those in repair: how many are in repair at a time is Poisson distributed.
struct Spares {
  std::int64_t nodes = 0;  ///< of the fleet
  double mean_in_repair = 0;
  std::int64_t enough_for_95 = 0;  ///< the fewest with which 95 % of the time nobody waits for repair
};

/// Nothing while sizes of pools, `reliability.gpu_hours_per_interruption` or `reliability.repair_hours` are not known.
std::optional<Spares> spares_of(const Fleet& fleet);

}  // namespace muster
