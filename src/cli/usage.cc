#include "cli/usage.h"

#include <algorithm>

#include "base/strings.h"
#include "embed/assets.h"

namespace muster {
namespace {

bool is_choice(std::string_view word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == word.npos;
}

}  // namespace

bool takes_files(const OperandUsage& operand) {
  constexpr std::string_view kFiles[] = {"PATH", "FOLDER", "FACTS", "SIDE", "DUMP", "EXPR", "RESULT"};
  return std::ranges::find(kFiles, operand.name) != std::end(kFiles);
}

std::vector<std::string> choices_in(const std::string& what) {
  std::string_view text = what;
  text = text.substr(0, text.find_first_of(";["));
  if (const std::size_t colon = text.find(": "); colon != text.npos) text.remove_prefix(colon + 2);
  const std::string list = replace_all(std::string(text), " or ", ", ");
  std::vector<std::string> out;
  for (const std::string_view part : split(list, ',')) {
    const std::string_view word = trim(part);
    if (!is_choice(word)) return {};
    out.emplace_back(word);
  }
  return out.size() > 1 ? out : std::vector<std::string>{};
}

std::string without_empty_lines(std::string text) {
  while (contains(text, "\n\n\n")) text = replace_all(std::move(text), "\n\n\n", "\n\n");
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::vector<std::string> as_options(std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words.front() == "help") {
    words.front() = "--help";
    if (words.size() > 1) std::swap(words[0], words[1]);
  } else if (words.front() == "version" || words.front() == "-V") {
    words.front() = "--version";
  }
  return words;
}

std::vector<std::string> names_of_schemas() {
  constexpr std::string_view kFolder = "schemas/";
  constexpr std::string_view kEnding = ".schema.json";
  std::vector<std::string> out;
  for (const Asset& asset : assets_below(kFolder)) {
    if (!asset.path.ends_with(kEnding)) continue;
    out.emplace_back(asset.path.substr(kFolder.size(), asset.path.size() - kFolder.size() - kEnding.size()));
  }
  return out;
}

}  // namespace muster
