#include "lsp/known_key.h"

#include <algorithm>

#include "base/strings.h"
#include "lsp/vocabulary.h"
#include "report/markdown_text.h"

namespace muster {

std::optional<KnownKey> known_key_at(const AskedPlace& place) {
  const std::string& text = place.document.text;
  const LineIndex lines(text);
  const std::size_t offset = lines.offset(place.at, place.encoding);
  const std::optional<Vocabulary> there = vocabulary_at(place.document.path, text, offset);
  if (!there) return std::nullopt;
  const std::string_view name = std::string_view(text).substr(there->begin, there->end - there->begin);
  const bool any_case = there->behind_key == "=";  // Slurm's
  const auto found = std::ranges::find_if(there->words, [&](const Word& word) {
    return any_case ? equals_ignoring_case(word.name, name) : word.name == name;
  });
  if (found == there->words.end()) return std::nullopt;
  std::string markdown = "**" + markdown_code(found->name) + "**";
  if (!found->detail.empty()) markdown += ": " + markdown_text(found->detail);
  if (!there->of.empty()) markdown += "\n\n*In* " + markdown_text(there->of);
  for (const std::string_view line : split(found->doc, '\n')) {
    if (!line.empty()) markdown += "\n\n" + markdown_text(line);
  }
  return KnownKey{{lines.position(there->begin, place.encoding), lines.position(there->end, place.encoding)},
                  markdown + "\n"};
}

}  // namespace muster
