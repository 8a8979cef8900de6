#include "slurm/written_files.h"

#include "base/strings.h"

namespace muster {
namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view line_up_to(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? text.npos : text.rfind('\n', at - 1);
  return text.substr(begin + 1, at - begin - 1);  // npos + 1 is 0
}

}  // namespace

bool names_file(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::string_view before = trim(line_up_to(text, at));
    if (!before.starts_with('#') && !before.starts_with("//")) return true;
  }
  return false;
}

void find_edited_keys(std::string_view text, EditedKeys& keys) {
  constexpr std::size_t kMost = 200;
  for (std::size_t at = text.find("sed "); at != text.npos && keys.size() < kMost; at = text.find("sed ", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    for (std::size_t mark = line.find("s/"); mark != line.npos; mark = line.find("s/", mark + 1)) {
      std::size_t begin = mark + 2;
      if (begin < line.size() && line[begin] == '^') ++begin;
      std::size_t end = begin;
      while (end < line.size() && is_name(line[end])) ++end;
      if (end == begin || end >= line.size() || line[end] != '=') continue;
      std::vector<std::string>& words = keys[std::string(line.substr(begin, end - begin))];
      const std::size_t word = end + 1;
      for (end = word; end < line.size() && (is_name(line[end]) || line[end] == '-'); ++end) {
      }
      const bool whole = end > word && end < line.size() && line[end] == '/';
      if (whole && words.size() < kMost) words.emplace_back(line.substr(word, end - word));
    }
  }
}

}  // namespace muster
