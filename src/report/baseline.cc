#include "report/baseline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace muster {

nlohmann::ordered_json keyed_json(const KeyedFindings& finding) {
  nlohmann::ordered_json out;
  const FindingKey& key = finding.key;
  out["file"] = key.file;
  if (!key.object.empty()) out["object"] = key.object;
  out["rule"] = key.rule;
  if (!key.field.empty()) out["field"] = key.field;
  if (!key.about.empty()) out["about"] = key.about;
  out["severity"] = name_of(finding.severity);
  if (finding.count > 1) out["count"] = finding.count;
  return out;
}

std::string render_baseline(std::vector<KeyedFindings> findings) {
  const auto order = [](const KeyedFindings& one) { return std::tie(one.key, one.severity); };
  std::ranges::sort(findings, [&](const KeyedFindings& a, const KeyedFindings& b) { return order(a) < order(b); });
  std::string out = "{\n  \"muster\": \"baseline/v1\",\n  \"findings\": [";
  for (std::size_t i = 0; i < findings.size();) {
    KeyedFindings one = findings[i];
    for (++i; i < findings.size() && order(findings[i]) == order(one); ++i) one.count += findings[i].count;
    const bool first = out.ends_with('[');
    out += (first ? "\n    " : ",\n    ") +
           keyed_json(one).dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  }
  return out + (findings.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace muster
