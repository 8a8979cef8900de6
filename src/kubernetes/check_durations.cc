#include "kubernetes/check_durations.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "gang/manifest.h"

namespace muster {
namespace {

/// `7d`, `1w`, `2h3d`: numbers with a unit that Go's durations do not have.
bool has_long_unit(std::string_view text) {
  if (text.empty() || !is_digit(text.front()) || text.find_first_not_of("0123456789.hmsdwy") != text.npos) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (contains("dwy", text.substr(i, 1)) && is_digit(text[i - 1])) return true;
  }
  return false;
}

void check_keys(const Node& node, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 8> kKeys{
      "interval",    "timeout",  "retryInterval",    "ttl",
      "expireAfter", "duration", "consolidateAfter", "terminationGracePeriod"};
  for (const std::string_view key : kKeys) {
    const Node value = node[key];
    if (!value.is_scalar() || !has_long_unit(value.text())) continue;
    findings.push_back(problem("duration-unit-unknown", value.where(),
                               in_ticks(key) + " is " + in_ticks(value.text()) + ", and its units end with hours"));
    findings.back().field = key;
    findings.back().about = About::Whole;
  }
}

}  // namespace

void check_durations(const Node& object, std::string_view api_version, std::vector<Finding>& findings) {
  const std::string_view group = api_group(api_version);
  if (!group.ends_with(".toolkit.fluxcd.io") && group != "karpenter.sh" && group != "velero.io") return;
  const Node spec = object["spec"];
  check_keys(spec, findings);
  check_keys(spec["chart"]["spec"], findings);
  for (const std::string_view part : {"install", "upgrade", "rollback", "uninstall", "test", "disruption", "template"})
    check_keys(spec[part], findings);
  check_keys(spec["template"]["spec"], findings);
  const Node budgets = spec["disruption"]["budgets"];
  for (std::size_t i = 0; budgets.is_sequence() && i < budgets.size(); ++i) check_keys(budgets.item(i), findings);
}

}  // namespace muster
