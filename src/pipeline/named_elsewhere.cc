#include "pipeline/named_elsewhere.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace muster {
namespace {

constexpr std::uint64_t kMostLooked = 1'000'000'000;  // characters, of all names together

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// How often the text has it as a word.
std::size_t count_of_word(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_letter(text[at - 1])) && (end == text.size() || !is_word_letter(text[end]))) ++count;
  }
  return count;
}

}  // namespace

void forgive_named_elsewhere(const Inputs& inputs, Model& model) {
  std::map<std::string_view, std::map<std::string_view, std::size_t>> uses;  // by name and file
  for (const KeyUse& use : model.key_uses) {
    if (use.lost) ++uses[use.target.value][use.file];
  }
  if (uses.empty()) return;
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i)
    letters += inputs.sources.file(static_cast<FileId>(i)).text().size();
  std::set<std::string_view> known;
  for (const auto& [name, by_file] : uses) {
    bool found = letters * uses.size() > kMostLooked;
    for (std::size_t i = 0; !found && i < inputs.files.size(); ++i) {
      const auto own = by_file.find(inputs.files[i].context.path);
      const std::size_t expected = own == by_file.end() ? 0 : own->second;
      // Also in a comment of its own file: `kubectl create configmap ...`.
      found = count_of_word(inputs.sources.file(static_cast<FileId>(i)).text(), name) > expected;
    }
    if (found) known.insert(name);
  }
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> said;  // by file, object and name
  for (KeyUse& use : model.key_uses) {
    use.lost = use.lost && !known.contains(use.target.value);
    use.lost = use.lost && said.emplace(use.file, use.id, use.target.value).second;
  }
}

}  // namespace muster
