#include "kubernetes/server_ranks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/capped.h"
#include "base/strings.h"

namespace muster {
namespace {

/// `--tensor_parallel_size=8` is `--tensor-parallel-size`.
std::string dashed_name(std::string_view word) {
  std::string name(word.substr(0, word.find('=')));
  std::ranges::replace(name, '_', '-');
  return name;
}

/// What places the ranks, or may come with an option that does. `-n` and `-r` are vLLM's short --nnodes and --node-rank
/// (vllm/engine/arg_utils.py, 0.11.2).
bool places_ranks(std::string_view name) {
  if (name == "-n" || name == "-r") return true;
  constexpr std::array<std::string_view, 7> kBegin{"--distributed", "--nnodes",        "--node-rank", "--headless",
                                                   "--config",      "--data-parallel", "-dp"};
  return std::ranges::any_of(kBegin, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_size(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSizes{"--tensor-parallel-size", "-tp", "--pipeline-parallel-size", "-pp"};
  return std::ranges::find(kSizes, name) != kSizes.end();
}

}  // namespace

bool ranks_want_nodes(std::span<const std::string_view> words, std::int64_t devices) {
  std::int64_t ranks = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool open = words[i].empty() || words[i].starts_with('$');
    if (open && i > 0 && !words[i - 1].starts_with('-')) return false;
    const std::string name = dashed_name(words[i]);
    if (places_ranks(name)) return false;
    if (!is_size(name)) continue;
    const std::size_t sign = words[i].find('=');
    const std::string_view value = sign != words[i].npos  ? words[i].substr(sign + 1)
                                   : i + 1 < words.size() ? words[i + 1]
                                                          : std::string_view();
    const std::optional<std::int64_t> size = parse_int(value);
    if (!size || *size < 1) return false;
    ranks = multiply_capped(ranks, *size);
  }
  return ranks > devices;
}

}  // namespace muster
