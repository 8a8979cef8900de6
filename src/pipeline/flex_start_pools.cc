#include "pipeline/flex_start_pools.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/whole_input.h"

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
  if (!is_whole(inputs)) return;
  const auto text_of = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  std::vector<Finding> found;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::size_t at =
        inputs.files[i].context.path.ends_with(".tf") ? flex_start_in(text_of(i)) : std::string_view::npos;
    if (at == std::string_view::npos) continue;
    found.push_back(problem("node-pool-without-queued-provisioning",
                            span_of_part(static_cast<FileId>(i), text_of(i), text_of(i).substr(at, 10)),
                            "no pool takes requests of the class queued-provisioning.gke.io, which the input makes"));
  }
  if (found.empty()) return;
  bool asked = false;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = text_of(i);
    if (contains(text, "enable-queued-provisioning")) return;
    const bool terraform = path.ends_with(".tf") || path.ends_with(".tfvars");
    if (terraform && contains(text, "queued_provisioning")) return;
    asked = asked || (is_yaml_file(path) && contains(text, "provisioningClassName: queued-provisioning.gke.io"));
  }
  if (asked) std::ranges::move(found, std::back_inserter(findings));
}

}  // namespace muster
