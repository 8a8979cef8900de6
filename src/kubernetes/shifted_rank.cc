#include "kubernetes/shifted_rank.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostRankWords = 1000;
constexpr std::size_t kMostMentions = 10;  // of one word

/// `$((INDEX + 1))`: behind the name of the option.
bool is_index_and_more(std::string_view value) {
  if (!value.starts_with('=') && !value.starts_with(' ')) return false;
  value = trim(value.substr(1, 200));
  if (!value.empty() && value.front() == '"') value.remove_prefix(1);
  const std::size_t end = value.find("))");
  if (!value.starts_with("$((") || end == value.npos) return false;
  const std::string_view sum = value.substr(3, end - 3);
  const std::size_t plus = sum.rfind('+');
  if (plus == sum.npos || contains(sum, "*")) return false;
  const std::string_view more = trim(sum.substr(plus + 1));
  return !more.empty() && std::ranges::all_of(more, is_digit) && more.front() != '0';
}

bool shifts_rank(std::string_view text) {
  for (const std::string_view option : {"node_rank", "node-rank"}) {
    std::size_t at = text.find(option);
    for (std::size_t i = 0; at != text.npos && i < kMostMentions; ++i, at = text.find(option, at + 1)) {
      if (is_index_and_more(text.substr(at + option.size()))) return true;
    }
  }
  return false;
}

}  // namespace

bool leaves_ranks_to_others(const Node& container) {
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostRankWords); ++i) {
      if (shifts_rank(words.item(i).text())) return true;
    }
  }
  return false;
}

}  // namespace muster
