#include "cli/usage.h"

#include <algorithm>

#include "base/strings.h"

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

}  // namespace muster
