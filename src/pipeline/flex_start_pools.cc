#include "pipeline/flex_start_pools.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// Where a line sets `flex_start = true`; npos: none does.
std::size_t flex_start_in(std::string_view text) {
  for (std::size_t at = text.find("flex_start"); at != text.npos; at = text.find("flex_start", at + 1)) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view behind = trim(text.substr(at + 10, text.find('\n', at) - at - 10));
    if (trim(text.substr(line, at - line)).empty() && behind.starts_with('=') &&
        trim(behind.substr(1)).starts_with("true"))
      return at;
  }
  return text.npos;
}

}  // namespace

void find_flex_start_pools(const Inputs& inputs, std::vector<Finding>& findings) {
  bool asked = false;
  std::vector<Finding> found;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (contains(text, "enable-queued-provisioning")) return;
    if (is_yaml_file(path)) asked = asked || contains(text, "provisioningClassName: queued-provisioning.gke.io");
    const bool terraform = path.ends_with(".tf") || path.ends_with(".tfvars");
    if (terraform && contains(text, "queued_provisioning")) return;
    const std::size_t at = path.ends_with(".tf") ? flex_start_in(text) : text.npos;
    if (at == text.npos) continue;
    const auto begin = static_cast<std::uint32_t>(at);
    found.push_back(problem("node-pool-without-queued-provisioning", {static_cast<FileId>(i), begin, begin + 10},
                            "no pool takes requests of the class queued-provisioning.gke.io, which the input makes"));
  }
  if (asked && inputs.too_large.empty() && inputs.ignored.empty() && inputs.excluded.empty())
    std::ranges::move(found, std::back_inserter(findings));
}

}  // namespace muster
