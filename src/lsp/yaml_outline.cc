#include "lsp/yaml_outline.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"

namespace muster {
namespace {

/// A line as the outline sees it. `- - a: b` has two dashes and the key `a`.
struct OutlineLine {
  std::size_t start = 0;            ///< in the text
  std::string_view text;            ///< without its end
  std::vector<std::size_t> dashes;  ///< columns of `- `
  std::size_t column = 0;           ///< of what follows them
  std::string_view key;             ///< empty: none
  std::size_t behind = 0;           ///< column behind `key:`
  bool blank = false;               ///< nothing on it but a comment
};

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::string_view without_comment(std::string_view text) {
  const std::size_t hash = text.find(" #");
  return trim(text.starts_with('#') ? std::string_view{} : text.substr(0, hash));
}

OutlineLine read_line(std::string_view text, std::size_t start) {
  OutlineLine out;
  out.start = start;
  out.text = text.substr(start, text.find('\n', start) - start);
  if (out.text.ends_with('\r')) out.text.remove_suffix(1);
  std::size_t at = std::min(out.text.find_first_not_of(' '), out.text.size());
  out.blank = at == out.text.size() || out.text[at] == '#';
  while (at < out.text.size() && out.text[at] == '-' && (at + 1 == out.text.size() || out.text[at + 1] == ' ')) {
    out.dashes.push_back(at);
    at = std::min(out.text.find_first_not_of(' ', at + 1), out.text.size());
  }
  out.column = at;
  for (std::size_t colon = out.text.find(':', at); colon != out.text.npos; colon = out.text.find(':', colon + 1)) {
    if (colon + 1 < out.text.size() && out.text[colon + 1] != ' ') continue;
    const std::string_view key = out.text.substr(at, colon - at);
    if (key.find_first_of("{}[],#") != key.npos && key.find_first_of("\"'") != 0) break;
    out.key = key;
    out.behind = colon + 1;
    break;
  }
  return out;
}

bool parts_documents(std::string_view line) { return line.starts_with("---") || line.starts_with("..."); }

/// The lines of the document that a place stands in.
std::vector<OutlineLine> lines_of_document(std::string_view text, std::size_t offset) {
  std::vector<OutlineLine> out;
  for (std::size_t start = 0; start <= text.size();) {
    OutlineLine line = read_line(text, start);
    const std::size_t end = text.find('\n', start);
    if (parts_documents(line.text)) {
      if (start > offset) break;
      out.clear();
    } else {
      out.push_back(std::move(line));
    }
    if (end == text.npos) break;
    start = end + 1;
  }
  return out;
}

class Outliner {
 public:
  Outliner(const std::vector<OutlineLine>& lines, std::size_t offset) : lines_(lines), offset_(offset) {}

  YamlOutline run() {
    for (const OutlineLine& line : lines_) {
      if (line.column == 0 && !line.key.empty())
        out_.top[std::string(without_quotes(line.key))] =
            std::string(without_quotes(without_comment(line.text.substr(line.behind))));
    }
    const auto after = std::ranges::upper_bound(lines_, offset_, {}, &OutlineLine::start);
    if (after == lines_.begin()) return out_;
    here_ = static_cast<std::size_t>(after - lines_.begin() - 1);
    const OutlineLine& line = lines_[here_];
    const std::size_t at = std::min(offset_ - line.start, line.text.size());
    out_.is_value = !line.key.empty() && at >= line.behind;
    // On an empty line the column of the cursor says where a key would stand.
    const std::size_t column = line.blank ? at : line.column;
    if (out_.is_value) {
      out_.key = std::string(without_quotes(line.key));
      take_word(line, std::min(line.text.find_first_not_of(' ', line.behind), line.text.size()), at);
    } else if (line.key.empty()) {
      take_word(line, line.blank ? at : line.column, at);
    } else {
      out_.begin = line.start + line.column;
      out_.end = out_.begin + line.key.size();
    }
    climb(line, column);
    return out_;
  }

 private:
  void take_word(const OutlineLine& line, std::size_t begin, std::size_t at) {
    begin = std::min(begin, at);
    std::size_t end = std::max(begin + without_comment(line.text.substr(begin)).size(), at);
    out_.begin = line.start + begin;
    out_.end = line.start + std::min(end, line.text.size());
  }

  /// From the place up to the root: each key that stands further left holds what came before.
  void climb(const OutlineLine& line, std::size_t column) {
    std::vector<std::string> up;
    add_dashes(line, line.dashes.size(), up);
    std::size_t bound = line.dashes.empty() ? column : line.dashes.front();
    bool in_list = !line.dashes.empty();
    collect(column, line);
    for (std::size_t i = here_; i-- > 0 && (bound > 0 || in_list);) {
      const OutlineLine& above = lines_[i];
      if (above.blank) continue;
      const std::size_t dashes_left =
          static_cast<std::size_t>(std::ranges::count_if(above.dashes, [&](std::size_t dash) { return dash < bound; }));
      // A list may stand in the column of the key that it is the value of.
      const bool holds =
          !above.key.empty() && (above.column < bound || (in_list && above.column == bound && above.dashes.empty()));
      if (holds) up.push_back(std::string(without_quotes(above.key)));
      if (!holds && dashes_left == 0) continue;
      add_dashes(above, dashes_left, up);
      in_list = dashes_left > 0;
      bound = dashes_left > 0 ? above.dashes.front() : above.column;
    }
    out_.path.assign(up.rbegin(), up.rend());
  }

  static void add_dashes(const OutlineLine&, std::size_t count, std::vector<std::string>& up) {
    for (std::size_t i = 0; i < count; ++i) up.emplace_back("-");
  }

  /// Keys in the same column, up and down until something stands further left.
  void collect(std::size_t column, const OutlineLine& here) {
    const auto take = [&](const OutlineLine& line) {
      if (line.blank) return true;
      if (line.column == column && !line.key.empty()) out_.beside.emplace_back(without_quotes(line.key));
      return line.column >= column && (line.dashes.empty() || line.dashes.front() >= column);
    };
    if (here.dashes.empty()) {
      for (std::size_t i = here_; i-- > 0 && take(lines_[i]);) {
      }
    }
    for (std::size_t i = here_ + 1; i < lines_.size(); ++i) {
      const OutlineLine& line = lines_[i];
      if (!line.blank && (line.column < column || (!line.dashes.empty() && line.dashes.front() < column))) break;
      take(line);
    }
  }

  const std::vector<OutlineLine>& lines_;
  std::size_t offset_;
  std::size_t here_ = 0;
  YamlOutline out_;
};

}  // namespace

YamlOutline yaml_outline_at(std::string_view text, std::size_t offset) {
  return Outliner(lines_of_document(text, offset), offset).run();
}

}  // namespace muster
