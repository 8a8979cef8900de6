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

/// GPU-hours between interruptions that others measured, for a fleet that does not know its own: 6.50 and 2.34 failures
/// in 1,000 days of nodes with 8 GPUs. Source: Meta's clusters RSC-1 and RSC-2, arXiv 2410.21680.
inline constexpr double kPublishedRateLow = 8 * 24 * 1000 / 6.50;
inline constexpr double kPublishedRateHigh = 8 * 24 * 1000 / 2.34;

/// Where the time of a running job goes; the parts make 1.
struct TimeParts {
  double progress = 0;
  double writes = 0;         ///< of checkpoints
  double interruptions = 0;  ///< to recover, and to do again what no checkpoint had
};

/// What interruptions cost one job. Shares are 0 to 1. Sources: series MTTF; J. Young, 1974, J. Daly, 2006, and
/// arXiv 2410.18124 for the interval between checkpoints; arXiv 2410.21680 for the expected share of effective training
/// time, without the time in the queue.
struct Goodput {
  std::int64_t gpus = 0;
  double rate = 0;                      ///< GPU-hours between interruptions
  std::optional<double> write;          ///< seconds to write a checkpoint
  std::optional<double> interval;       ///< seconds between checkpoints, as stated
  std::optional<double> recovery;       ///< seconds until it is back
  double hours_between = 0;             ///< interruptions of the job
  std::optional<double> best_interval;  ///< seconds between checkpoints that cost least
  std::optional<double> daly_interval;  ///< the same by Daly, of higher order: tells from Young's where writes are slow
  std::optional<double> cycle;       ///< seconds from checkpoint to checkpoint, write and recovery taken into account
  std::optional<double> share;       ///< with the interval and recovery as stated
  std::optional<double> best_share;  ///< with the best interval
  std::optional<TimeParts> parts;    ///< of `share`, else of `best_share`
  std::optional<double> recovery_most;   ///< seconds within which it has to be back for kWantedGoodput at that interval
  std::optional<double> lost_gpu_hours;  ///< in a year of running: at the stated interval, else at the best
  bool indicative = false;               ///< interruptions are so near each other that the formula only points the way
  std::vector<std::string> missing;      ///< facts of the workload that would tell more
};

/// Interruptions that a job is to expect in so many hours, and the chance of none: they come by themselves, at one
/// rate.
double expected_interruptions(const Goodput& job, double hours);
double chance_of_none(const Goodput& job, double hours);

/// The part of what the fleet's GPUs could compute that a job makes: how much of the time its GPUs are held by jobs
/// (`economics.occupancy`), goodput as stated, else at best, and `mfu`. Nothing while one of them is not known. A fleet
/// that is full need not be useful.
std::optional<double> useful_share(const Workload& workload, const Fleet& fleet, const Goodput& job);

/// Nothing while the size of the job or `reliability.gpu_hours_per_interruption` is not known.
std::optional<Goodput> goodput_of(const Workload& workload, const Fleet& fleet);

/// The same of a fleet with that many GPU-hours between interruptions.
std::optional<Goodput> goodput_at(const Workload& workload, double gpu_hours_per_interruption);

/// Nodes to keep in reserve for those in repair: how many are in repair at a time is Poisson distributed.
struct Spares {
  std::int64_t nodes = 0;  ///< of the fleet
  double mean_in_repair = 0;
  double rate = 0;                 ///< GPU-hours between interruptions
  double repair = 0;               ///< hours
  std::int64_t enough_for_95 = 0;  ///< the fewest with which 95 % of the time nobody waits for repair
  std::int64_t enough_for_99 = 0;
};

/// Nothing while sizes of pools, `reliability.gpu_hours_per_interruption` or `reliability.repair_hours` are not known.
std::optional<Spares> spares_of(const Fleet& fleet);

}  // namespace muster
