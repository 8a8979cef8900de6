// What the rule of a finding knows, where a reader or a decoder made it.
#include <algorithm>
#include <vector>

#include "lint/lint.h"
#include "rulebook/rule_book.h"

namespace muster {

void complete_from_rules(std::vector<Finding>& findings, const RuleBook& book) {
  std::erase_if(findings, [&](const Finding& finding) {
    const Rule* rule = book.find(finding.rule);
    return rule != nullptr && !rule->enabled;
  });
  TextPool texts;
  for (Finding& finding : findings) {
    const Rule* rule = book.find(finding.rule);
    MUSTER_CHECK(rule != nullptr && !rule->check.empty(), "a finding has no rule: " + finding.rule);
    finding.severity = rule->info.severity;
    finding.effect = rule->info.effect;
    finding.plane = rule->info.plane;
    if (finding.follows.empty()) finding.follows = texts.like(rule->info.follows);
    if (finding.help.empty()) finding.help = texts.like(rule->info.help);
    if (finding.fix) {
      MUSTER_CHECK(rule->info.fix.has_value(), "a fix, and the rule does not say how safe it is: " + finding.rule);
      finding.fix->safety = *rule->info.fix;
    }
  }
}

}  // namespace muster
