#include "pipeline/comments.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "input/kind.h"

namespace muster {
namespace {

/// Follows a shell script line by line: the quote that is open and the here-document that has begun.
class ShellLines {
 public:
  /// Where the comment of a line begins; the line's size when it has none.
  std::size_t comment_in(std::string_view line) {
    if (!here_end_.empty()) {
      std::string_view end = line;
      while (tabs_ && end.starts_with('\t')) end.remove_prefix(1);
      if (end == here_end_) here_end_.clear();
      return line.size();
    }
    // Options stand in comments, too, and may be quoted.
    constexpr std::string_view kDirective = "#SBATCH";
    const bool directive = open_ == 0 && line.starts_with(kDirective);
    std::size_t at = directive ? kDirective.size() : 0;
    for (; at < line.size(); ++at) {
      const char c = line[at];
      const bool begins_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t' || line[at - 1] == ';';
      if (open_ == 0 && c == '#' && begins_word) break;
      if (c == '\\' && open_ != '\'') {
        ++at;
      } else if (open_ == 0 && (c == '\'' || c == '"')) {
        open_ = c;
      } else if (c == open_) {
        open_ = 0;
      }
    }
    at = std::min(at, line.size());
    if (directive) open_ = 0;
    if (!directive && open_ == 0) begin_here_document(line.substr(0, at));
    return at;
  }

 private:
  void begin_here_document(std::string_view command) {
    const std::size_t at = command.find("<<");
    if (at == command.npos || command.substr(at + 2).starts_with('<')) return;
    std::string_view word = command.substr(at + 2);
    tabs_ = word.starts_with('-');
    if (tabs_) word.remove_prefix(1);
    word = trim(word);
    const std::size_t end = word.find_first_of(" \t;|&>)");
    std::string name = replace_all(replace_all(std::string(word.substr(0, end)), "'", ""), "\"", "");
    if (!name.empty() && !is_digit(name.front())) here_end_ = std::move(name);  // `1 << 3` is arithmetic
  }

  char open_ = 0;
  std::string here_end_;
  bool tabs_ = false;
};

}  // namespace

CommentProbe::CommentProbe(const ParsedFile& parsed, std::string_view text) : text_(text) {
  if (parsed.script) {
    read_shell();
  } else {
    read_scalars(parsed);
  }
}

bool CommentProbe::in_text(std::uint32_t offset) const {
  if (offset > 0 && text_[offset - 1] == '\\') return true;
  const auto after = std::ranges::upper_bound(stretches_, offset, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  return after != stretches_.begin() && offset < std::prev(after)->second;
}

void CommentProbe::read_scalars(const ParsedFile& parsed) {
  for (const Document& document : parsed.documents) {
    for (const Node& scalar : document.scalars()) {
      Span where = scalar.where();
      const std::string_view written = text_.substr(where.begin, where.end - where.begin);
      if (written.find('#') == written.npos) continue;
      // Behind `|` and `>` a comment may stand; the text begins on the next line.
      if (written.front() == '|' || written.front() == '>')
        where.begin += static_cast<std::uint32_t>(std::min(written.find('\n'), written.size()));
      stretches_.emplace_back(where.begin, where.end);
    }
  }
  std::ranges::sort(stretches_);
}

void CommentProbe::read_shell() {
  ShellLines lines;
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    std::string_view line = text_.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t comment = lines.comment_in(line);
    if (comment > 0) stretches_.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + comment));
    at = end + 1;
  }
}

}  // namespace muster
