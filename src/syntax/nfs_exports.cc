#include "syntax/nfs_exports.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

/// What an option of an export begins with.
bool begins_exports_options(std::string_view text) {
  constexpr std::array<std::string_view, 6> kFirst{"rw", "ro", "sync", "async", "no_root_squash", "no_subtree_check"};
  if (!text.starts_with('(')) return false;
  const std::string_view first = text.substr(1, text.find_first_of(",)", 1) - 1);
  return std::ranges::find(kFirst, first) != kFirst.end();
}

/// A client stands there: a host, a network or `*`, not an option and no word of a shell.
bool is_exports_client(std::string_view word) {
  const bool name = std::ranges::all_of(
      word, [](char c) { return is_word_char(c) || contains("-.*?/:@[]{}$", std::string_view(&c, 1)); });
  return name && !word.empty() && !word.starts_with('-') && !word.starts_with('/');
}

}  // namespace

std::vector<Span> exports_options_apart(std::string_view path, std::string_view text, FileId file) {
  std::vector<Span> out;
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (name != "exports" && name != "exports.j2" && !contains(text, "/etc/exports")) return out;
  for (const TextLine& line : lines_of(text)) {
    if (trim(line.text).starts_with('#') || !contains(line.text, " (") || !contains(line.text, "/")) continue;
    const std::vector<std::string_view> words = split_blanks(line.text);
    for (std::size_t i = 2; i < words.size(); ++i) {
      std::string_view folder = words[i - 2];
      folder.remove_prefix(std::min(folder.find_first_not_of("\"'"), folder.size()));
      const bool exports = folder.starts_with('/') || folder.starts_with('$') || folder.ends_with("}}");
      if (!exports || !begins_exports_options(words[i]) || !is_exports_client(words[i - 1])) continue;
      out.push_back(span_of_part(file, text, words[i]));
      break;
    }
  }
  return out;
}

}  // namespace muster
