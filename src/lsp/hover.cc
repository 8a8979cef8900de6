#include "lsp/hover.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "lsp/json_value.h"
#include "lsp/known_key.h"
#include "report/markdown_text.h"

namespace muster {
namespace {

using Json = nlohmann::json;

/// The first paragraph of a teaching text.
std::string_view first_paragraph(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find("\n\n"));
}

std::string text_of(const PlacedFinding& finding, const RuleInfo* rule) {
  std::string out = "**" + finding.rule + "**, " + std::string(name_of(finding.severity)) + ", effect " +
                    std::string(name_of(finding.effect)) + "\n\n" + markdown_text(finding.message) + "\n";
  if (!finding.follows.empty()) out += "\n*Follows:* " + markdown_text(finding.follows) + "\n";
  if (!finding.help.empty()) out += "\n*What to do:* " + markdown_text(finding.help) + "\n";
  if (rule == nullptr) return out;
  out += "\n---\n\n" + markdown_text(replace_all(std::string(first_paragraph(rule->why)), "\n", " ")) + "\n";
  if (!rule->sources.empty()) out += "\n*Source:* " + markdown_text(rule->sources.front()) + "\n";
  return out;
}

Json hover_json(const std::string& markdown, const TextRange& range) {
  return {{"contents", {{"kind", "markdown"}, {"value", markdown}}}, {"range", range_json(range)}};
}

}  // namespace

Json hover(const AskedPlace& place) {
  const std::vector<const PlacedFinding*> found = place.found();
  if (!found.empty()) {
    std::string text;
    for (const PlacedFinding* finding : found)
      text += (text.empty() ? "" : "\n---\n\n") + text_of(*finding, place.rule(finding->rule));
    return hover_json(text, found.front()->where);
  }
  const std::optional<KnownKey> key = known_key_at(place);
  return key ? hover_json(key->markdown, key->where) : Json();
}

}  // namespace muster
