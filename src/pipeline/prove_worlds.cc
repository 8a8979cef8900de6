#include "pipeline/prove_worlds.h"

#include <algorithm>
#include <chrono>

#include "base/parallel.h"

namespace muster {
namespace {

constexpr std::int64_t kMoreStates = 4;
constexpr std::int64_t kMostStates = 100'000'000;

bool is_open(const std::vector<ProofResult>& results) {
  return std::ranges::any_of(
      results, [](const ProofResult& result) { return result.verdict == Verdict::Unknown && result.budget_exhausted; });
}

}  // namespace

std::vector<std::vector<ProofResult>> prove_worlds(const std::vector<World>& worlds,
                                                   const std::vector<Property>& properties, const ProveLimits& limits,
                                                   std::int64_t seconds, unsigned threads) {
  std::vector<std::vector<ProofResult>> out(worlds.size());
  const auto prove_those = [&](const std::vector<std::size_t>& which, const ProveLimits& now) {
    in_parallel(which.size(), threads,
                [&](std::size_t i) { out[which[i]] = prove_world(worlds[which[i]], properties, now); });
  };
  std::vector<std::size_t> open(worlds.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  const auto start = std::chrono::steady_clock::now();
  ProveLimits now = limits;
  while (!open.empty()) {
    prove_those(open, now);
    const auto spent = std::chrono::steady_clock::now() - start;
    std::erase_if(open, [&](std::size_t i) { return !is_open(out[i]); });
    now.states *= kMoreStates;
    // The next round takes about so many times what all of them took.
    if (spent * (kMoreStates + 1) > std::chrono::seconds(seconds) || now.states > kMostStates) break;
  }
  return out;
}

}  // namespace muster
