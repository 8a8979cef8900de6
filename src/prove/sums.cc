#include "prove/sums.h"

#include <algorithm>
#include <numeric>

namespace muster::prove {
namespace {

/// The set of sums up to a limit, a bit each.
class SumSet {
 public:
  explicit SumSet(std::int64_t limit) : limit_(limit), words_(static_cast<std::size_t>(limit / 64 + 1)) {}

  void add(std::int64_t sum) { words_[static_cast<std::size_t>(sum / 64)] |= std::uint64_t{1} << (sum % 64); }
  bool has(std::int64_t sum) const {
    return sum >= 0 && sum <= limit_ && (words_[static_cast<std::size_t>(sum / 64)] >> (sum % 64) & 1) != 0;
  }
  void join(const SumSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void shift_up(std::int64_t by) {
    const std::size_t whole = static_cast<std::size_t>(by / 64);
    const unsigned part = static_cast<unsigned>(by % 64);
    for (std::size_t i = words_.size(); i-- > 0;) {
      std::uint64_t word = 0;
      if (i >= whole) {
        word = words_[i - whole] << part;
        if (part != 0 && i > whole) word |= words_[i - whole - 1] >> (64 - part);
      }
      words_[i] = word;
    }
  }
  /// Each sum plus each number of the range.
  SumSet plus(std::pair<std::int64_t, std::int64_t> range) const {
    SumSet out(limit_);
    range.second = std::min(range.second, limit_);
    if (range.second < range.first) return out;
    out = *this;
    std::int64_t width = 1;
    const std::int64_t wanted = range.second - range.first + 1;
    while (width < wanted) {
      SumSet moved = out;
      const std::int64_t by = std::min(width, wanted - width);
      moved.shift_up(by);
      out.join(moved);
      width += by;
    }
    out.shift_up(range.first);
    return out;
  }

 private:
  std::int64_t limit_;
  std::vector<std::uint64_t> words_;
};

std::int64_t largest(const Share& share) {
  std::int64_t out = 0;
  for (const auto& range : {share.plain, share.marked}) {
    if (range.first <= range.second) out = std::max(out, range.second);
  }
  return out;
}

/// The number of the range that leads from `sum` back to one of the set, as large as can be.
std::optional<std::int64_t> step_back(const SumSet& before, std::int64_t sum,
                                      std::pair<std::int64_t, std::int64_t> range) {
  for (std::int64_t number = std::min(range.second, sum); number >= range.first; --number) {
    if (before.has(sum - number)) return number;
  }
  return std::nullopt;
}

}  // namespace

SumAnswer find_sum(const std::vector<Share>& shares, std::int64_t slots, bool needs_mark) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return largest(shares[i]); });
  std::int64_t most = 0;
  bool any_mark = !needs_mark;
  for (const Share& share : shares) {
    most += std::min(largest(share), slots);
    any_mark = any_mark || share.marked.first <= share.marked.second;
  }
  if (most < slots || !any_mark) return {SumOutcome::Impossible, {}};
  if (slots / 64 * static_cast<std::int64_t>(shares.size() + 1) > kMaxSumCells / 64) return {SumOutcome::TooLarge, {}};

  // plain[k], marked[k]: sums of the first k shares, without and with a mark.
  std::vector<SumSet> plain{SumSet(slots)};
  std::vector<SumSet> marked{SumSet(slots)};
  plain[0].add(0);
  const auto reached = [&] { return needs_mark ? marked.back().has(slots) : plain.back().has(slots); };
  for (std::size_t k = 0; k < order.size() && !reached(); ++k) {
    const Share& share = shares[order[k]];
    SumSet next = plain[k];
    next.join(plain[k].plus(share.plain));
    SumSet next_marked = marked[k];
    if (needs_mark) {
      next_marked.join(marked[k].plus(share.plain));
      next_marked.join(plain[k].plus(share.marked));
    }
    plain.push_back(std::move(next));
    marked.push_back(std::move(next_marked));
  }
  if (!reached()) return {SumOutcome::Impossible, {}};

  SumAnswer answer{SumOutcome::Found, std::vector<std::int64_t>(shares.size())};
  std::int64_t sum = slots;
  bool mark = needs_mark;
  for (std::size_t k = plain.size() - 1; k > 0; --k) {
    const Share& share = shares[order[k - 1]];
    const SumSet& same = mark ? marked[k - 1] : plain[k - 1];
    std::int64_t number = 0;
    if (const std::optional<std::int64_t> with_mark =
            mark ? step_back(plain[k - 1], sum, share.marked) : std::nullopt) {
      number = *with_mark;
      mark = false;
    } else if (const std::optional<std::int64_t> without = step_back(same, sum, share.plain)) {
      number = *without;
    }
    answer.held[order[k - 1]] = number;
    sum -= number;
  }
  return answer;
}

std::optional<std::vector<std::size_t>> best_subset(const std::vector<std::int64_t>& weights,
                                                    const std::vector<std::int64_t>& values, std::int64_t limit) {
  std::vector<std::size_t> out;
  if (limit < 0) return out;
  std::int64_t all = 0;
  for (const std::int64_t weight : weights) all += std::min(weight, limit + 1);
  if (all <= limit) {
    out.resize(weights.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  if (limit > kMaxSumCells / static_cast<std::int64_t>(weights.size() + 1)) return std::nullopt;
  const std::size_t width = static_cast<std::size_t>(limit) + 1;
  std::vector<std::int64_t> best(width, 0);
  std::vector<std::vector<bool>> taken;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::vector<bool>& row = taken.emplace_back(width, false);
    if (weights[i] > limit) continue;
    const std::size_t weight = static_cast<std::size_t>(weights[i]);
    for (std::size_t w = width; w-- > weight;) {
      if (best[w - weight] + values[i] <= best[w]) continue;
      best[w] = best[w - weight] + values[i];
      row[w] = true;
    }
  }
  std::size_t left = width - 1;
  for (std::size_t i = weights.size(); i-- > 0;) {
    if (!taken[i][left]) continue;
    out.push_back(i);
    left -= static_cast<std::size_t>(weights[i]);
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace muster::prove
