#include "lsp/completion.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "lsp/json_value.h"
#include "lsp/vocabulary.h"

namespace muster {
namespace {

using Json = nlohmann::json;

constexpr int kProperty = 10;  // CompletionItemKind
constexpr int kValue = 12;

/// Words that older YAML takes for true and false.
bool needs_quotes(const std::string& value) {
  return value == "on" || value == "off" || value == "yes" || value == "no";
}

}  // namespace

Json completion(const AskedPlace& place) {
  const std::string& text = place.document.text;
  const LineIndex lines(text);
  const std::size_t offset = lines.offset(place.at, place.encoding);
  const std::optional<Vocabulary> there = vocabulary_at(place.document.path, text, offset);
  if (!there || there->words.empty()) return nullptr;
  const bool keys = there->part == Vocabulary::Part::Key;
  const TextRange word{lines.position(there->begin, place.encoding), lines.position(there->end, place.encoding)};
  const std::string_view now = std::string_view(text).substr(there->begin, there->end - there->begin);
  // A key that has its value already gets none of the signs that part them.
  const std::string_view behind = trim(std::string_view(text).substr(there->end, 1));
  const bool parted = !behind.empty() && there->behind_key.front() == behind.front();
  Json items = Json::array();
  for (const Word& one : there->words) {
    const bool taken = keys && one.name != now && std::ranges::find(there->taken, one.name) != there->taken.end();
    if (taken) continue;
    std::string written = one.name;
    if (!keys && there->behind_key != "=" && needs_quotes(written)) written = "\"" + written + "\"";
    if (keys && !parted) written += one.holds_more ? trim(there->behind_key) : there->behind_key;
    Json item{{"label", one.name},
              {"kind", keys ? kProperty : kValue},
              {"textEdit", {{"range", range_json(word)}, {"newText", written}}}};
    if (!one.detail.empty()) item["detail"] = one.detail;
    if (!one.doc.empty()) item["documentation"] = one.doc;
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

}  // namespace muster
