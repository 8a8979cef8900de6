#include "slurm/written_files.h"

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostEdits = 200;

std::string_view line_up_to(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? text.npos : text.rfind('\n', at - 1);
  return text.substr(begin + 1, at - begin - 1);  // npos + 1 is 0
}

bool is_separator(char c) { return c == '/' || c == '|' || c == '#' || c == '@' || c == ',' || c == '!'; }

/// What stands behind `s/`: a key, `=` and what is replaced of its value.
void find_edited_key(std::string_view text, char separator, EditedKeys& keys) {
  std::size_t begin = 0;
  if (begin < text.size() && text[begin] == '^') ++begin;
  std::size_t end = begin;
  while (end < text.size() && is_word_char(text[end])) ++end;
  if (end == begin || end >= text.size() || text[end] != '=') return;
  std::vector<EditedValue>& values = keys[std::string(text.substr(begin, end - begin))];
  const std::size_t word = end + 1;
  for (end = word; end < text.size() && (is_word_char(text[end]) || text[end] == '-'); ++end) {
  }
  if (values.size() >= kMostEdits || end >= text.size()) return;
  const std::string_view rest = text.substr(end);
  if (rest.front() == separator && end > word) {
    values.push_back({std::string(text.substr(word, end - word)), EditedValue::Whole});
  } else if (rest.starts_with(".*") || rest.starts_with(".+")) {
    values.push_back({std::string(text.substr(word, end - word)), EditedValue::RestOfLine});
  } else if (rest.front() == '[') {
    values.push_back({std::string(text.substr(word, end - word)), EditedValue::Begin});
  }
}

/// `/NodeName=node1 CPUs=4/c\#NodeName=node1`, `/^NodeName=node1/d`: a line that becomes another or goes.
void find_changed_line(std::string_view text, EditedKeys& keys) {
  const std::size_t end = text.find('/');
  if (end == text.npos || end + 1 >= text.size() || (text[end + 1] != 'c' && text[end + 1] != 'd')) return;
  std::string_view pattern = text.substr(0, end);
  if (pattern.starts_with('^')) pattern.remove_prefix(1);
  std::size_t name = 0;
  while (name < pattern.size() && is_word_char(pattern[name])) ++name;
  if (name == 0 || name >= pattern.size() || pattern[name] != '=') return;
  std::vector<EditedValue>& values = keys[std::string(pattern.substr(0, name))];
  std::string_view word = pattern.substr(name + 1);
  word = word.substr(0, word.find_first_of(" .*\\"));
  if (values.size() < kMostEdits) values.push_back({std::string(word), EditedValue::Line});
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
  for (std::size_t at = text.find("sed "); at != text.npos && keys.size() < kMostEdits;
       at = text.find("sed ", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    for (const std::string_view quote : {"\"/", "'/"}) {
      const std::size_t pattern = line.find(quote);
      if (pattern != line.npos) find_changed_line(line.substr(pattern + 2), keys);
    }
    for (std::size_t mark = line.find('s'); mark != line.npos; mark = line.find('s', mark + 1)) {
      if (mark + 2 >= line.size() || !is_separator(line[mark + 1])) continue;
      find_edited_key(line.substr(mark + 2), line[mark + 1], keys);
    }
  }
}

}  // namespace muster
