#include "decide/goodput.h"

#include <cmath>

#include "facts/site_facts.h"

namespace muster {
namespace {

constexpr double kSecondsPerHour = 3600;
/// Above this part of the time between interruptions the formula of the share leaves the range it was derived for.
constexpr double kFormulaHolds = 0.1;
constexpr std::int64_t kMostSpares = 100'000;

/// As a fact of the workload; where it is not known, it is among those missing.
std::optional<double> asked(const Workload& workload, std::string_view name, Goodput& out) {
  std::optional<double> value = number_of(workload.fact(name));
  if (!value) out.missing.emplace_back(name);
  return value;
}

/// J. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", 2006.
double daly(double write, double between) {
  if (write >= 2 * between) return between;
  const double ratio = write / (2 * between);
  return std::sqrt(2 * write * between) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - write;
}

}  // namespace

std::optional<Goodput> goodput_of(const Workload& workload, const Fleet& fleet) {
  const std::optional<double> rate = number_of(fleet.fact("reliability.gpu_hours_per_interruption"));
  return rate ? goodput_at(workload, *rate) : std::nullopt;
}

std::optional<Goodput> goodput_at(const Workload& workload, double rate) {
  const std::optional<double> nodes = number_of(workload.fact("nodes"));
  const std::optional<double> each = number_of(workload.fact("gpus_per_node"));
  if (!nodes || !each || *nodes * *each < 1 || *nodes * *each > 1e12 || rate <= 0) return std::nullopt;
  Goodput out;
  out.gpus = static_cast<std::int64_t>(*nodes * *each);
  out.hours_between = rate / static_cast<double>(out.gpus);
  const double between = out.hours_between * kSecondsPerHour;
  out.rate = rate;
  const std::optional<double> write = out.write = asked(workload, "checkpoint.write_seconds", out);
  const std::optional<double> interval = out.interval = asked(workload, "checkpoint.interval_seconds", out);
  const std::optional<double> recovery = out.recovery = asked(workload, "recovery_seconds", out);
  const auto share_at = [&](double every) {
    const double lost = (*recovery + every / 2) / between;
    out.indicative = out.indicative || lost > kFormulaHolds;
    const double running = 1 / (1 + *write / every);
    const double progress = std::max(0.0, (1 - lost) * running);
    out.parts = TimeParts{progress, 1 - running, running - progress};
    return progress;
  };
  if (!write || *write <= 0) return out;
  out.best_interval = std::sqrt(2 * *write * between);
  out.daly_interval = daly(*write, between);
  out.recovery_most = (1 - kWantedGoodput * (1 + *write / *out.best_interval)) * between - *out.best_interval / 2;
  if (!recovery) return out;
  out.cycle = *write + std::sqrt(2 * (between + *recovery) * *write + *write * *write);
  out.best_share = share_at(*out.best_interval);
  if (interval && *interval > 0) out.share = share_at(*interval);
  out.lost_gpu_hours = (1 - out.share.value_or(*out.best_share)) * static_cast<double>(out.gpus) * kHoursPerYear;
  return out;
}

double expected_interruptions(const Goodput& job, double hours) { return hours / job.hours_between; }

double chance_of_none(const Goodput& job, double hours) { return std::exp(-expected_interruptions(job, hours)); }

std::optional<double> useful_share(const Workload& workload, const Fleet& fleet, const Goodput& job) {
  const std::optional<double> occupancy = number_of(fleet.fact("economics.occupancy"));
  const std::optional<double> mfu = number_of(workload.fact("mfu"));
  const std::optional<double> share = job.share ? job.share : job.best_share;
  if (!occupancy || !mfu || !share) return std::nullopt;
  return *occupancy * *share * *mfu;
}

std::optional<Spares> spares_of(const Fleet& fleet) {
  const std::optional<double> rate = number_of(fleet.fact("reliability.gpu_hours_per_interruption"));
  const std::optional<double> repair = number_of(fleet.fact("reliability.repair_hours"));
  if (!rate || !repair || *rate <= 0 || fleet.node_pools.empty()) return std::nullopt;
  Spares out;
  out.rate = *rate;
  out.repair = *repair;
  for (const NodePool& pool : fleet.node_pools) {
    const std::optional<double> each = number_of(pool.fact("gpus_per_node"));
    if (!each) return std::nullopt;
    out.nodes += pool.node_count;
    out.mean_in_repair += static_cast<double>(pool.node_count) * *each / *rate * *repair;
  }
  if (out.mean_in_repair > static_cast<double>(kMostSpares)) return std::nullopt;
  // Terms in logarithms: exp(-mean) alone is 0 for large fleets.
  double sum = 0;
  double log_term = -out.mean_in_repair;
  std::optional<std::int64_t> enough_for_95;
  for (std::int64_t k = 0; k < 2 * kMostSpares; ++k) {
    if (k > 0) log_term += std::log(out.mean_in_repair) - std::log(static_cast<double>(k));
    sum += std::exp(log_term);
    if (sum >= 0.95 && !enough_for_95) enough_for_95 = k;
    if (sum < 0.99) continue;
    out.enough_for_95 = *enough_for_95;
    out.enough_for_99 = k;
    return out;
  }
  return std::nullopt;
}

}  // namespace muster
