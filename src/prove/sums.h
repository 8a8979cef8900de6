#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster::prove {

/// What one gang can hold of identical slots: nothing, or a number in `plain`, or, marked, a number in `marked`. Ranges
/// are closed; one whose end lies before its begin is empty.
struct Share {
  std::pair<std::int64_t, std::int64_t> plain{1, 0};
  std::pair<std::int64_t, std::int64_t> marked{1, 0};
};

enum class SumOutcome { Found, Impossible, TooLarge };

struct SumAnswer {
  SumOutcome outcome = SumOutcome::Impossible;
  std::vector<std::int64_t> held;  ///< by share, where found
};

/// Numbers out of the shares that add up to `slots`, at least one of them marked where `needs_mark`. Takes the shares
/// with the largest numbers first, and no more of them than it needs. TooLarge: it would cost more than `kMaxSumCells`.
constexpr std::int64_t kMaxSumCells = 250'000'000;
SumAnswer find_sum(const std::vector<Share>& shares, std::int64_t slots, bool needs_mark);

/// Which items of the given weights have the largest value together and weigh no more than `limit`; nothing where that
/// would cost too much.
std::optional<std::vector<std::size_t>> best_subset(const std::vector<std::int64_t>& weights,
                                                    const std::vector<std::int64_t>& values, std::int64_t limit);

}  // namespace muster::prove
