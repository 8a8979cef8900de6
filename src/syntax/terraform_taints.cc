#include "syntax/terraform_taints.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 3> kPools{"aws_eks_node_group", "google_container_cluster",
                                                 "google_container_node_pool"};
constexpr std::array<std::string_view, 3> kPoolEffects{"NO_EXECUTE", "NO_SCHEDULE", "PREFER_NO_SCHEDULE"};

/// `effect = "..."` at the beginning of lines between two offsets.
void add_effects(std::string_view text, FileId file, std::size_t from, std::size_t to, std::string_view resource,
                 std::vector<TerraformTaint>& out) {
  constexpr std::string_view kKey = "effect";
  for (std::size_t at = text.find(kKey, from); at < to; at = text.find(kKey, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    if (!trim(text.substr(line, at - line)).empty()) {
      at = std::min(text.find('\n', at), text.size());  // what stands further right is no key
      continue;
    }
    std::size_t next = text.find_first_not_of(" \t", at + kKey.size());
    if (next == text.npos || text[next] != '=') continue;
    next = text.find_first_not_of(" \t", next + 1);
    if (next == text.npos || text[next] != '"') continue;
    const std::size_t end = text.find_first_of("\"\n", next + 1);
    if (end == text.npos || text[end] != '"') continue;
    const std::string_view effect = text.substr(next + 1, end - next - 1);
    if (contains(effect, "$") || std::ranges::find(kPoolEffects, effect) != kPoolEffects.end()) continue;
    out.push_back({resource, effect, {file, static_cast<std::uint32_t>(next + 1), static_cast<std::uint32_t>(end)}});
  }
}

}  // namespace

std::vector<TerraformTaint> refused_taints(std::string_view text, FileId file) {
  std::vector<TerraformTaint> out;
  std::size_t left = 4 * text.size() + 1000;  // steps
  for (const std::string_view resource : kPools) {
    const std::string opening = "resource \"" + std::string(resource) + "\" \"";
    for (std::size_t at = text.find(opening); at != text.npos && left > 0; at = text.find(opening, at)) {
      at += opening.size();
      const std::size_t brace = text.find_first_of("{\n", at);
      if (brace == text.npos || text[brace] != '{') continue;
      HclReader in(text, left);
      in.at = brace;
      in.skip_expression();
      add_effects(text, file, brace, std::min(in.at, text.size()), resource, out);
    }
  }
  return out;
}

}  // namespace muster
