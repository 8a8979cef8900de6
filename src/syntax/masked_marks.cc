#include <algorithm>

#include "base/strings.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

/// `{{ '' }}`, `{{ "\n" }}`: a quoted text of blanks and line ends alone.
bool prints_blanks(std::string_view mark) {
  if (!mark.starts_with("{{") || !mark.ends_with("}}") || mark.size() < 6) return false;
  std::string_view words = mark.substr(2, mark.size() - 4);
  if (words.starts_with('-')) words.remove_prefix(1);
  if (words.ends_with('-')) words.remove_suffix(1);
  words = trim(words);
  const bool quoted =
      words.size() > 1 && (words.front() == '\'' || words.front() == '"') && words.back() == words.front();
  if (!quoted) return false;
  words = words.substr(1, words.size() - 2);
  while (!words.empty()) {
    const bool escape = words.starts_with("\\n") || words.starts_with("\\r") || words.starts_with("\\t");
    if (!escape && words.front() != ' ') return false;
    words.remove_prefix(escape ? 2 : 1);
  }
  return true;
}

constexpr std::string_view kEaten = " \t\r\n";

/// Whether the line that is being written has anything on it, part by part.
class LineBegun {
 public:
  void read(std::string_view part) {
    const std::size_t end = part.rfind('\n');
    if (end != part.npos) begun_ = false;
    const std::string_view last = end == part.npos ? part : part.substr(end);
    begun_ = begun_ || last.find_first_not_of(kEaten) != last.npos;
  }
  bool begun() const { return begun_; }

 private:
  bool begun_ = false;
};

}  // namespace

std::string masked_template_marks(std::string_view text) {
  std::string out(text);
  LineBegun line;
  std::size_t read = 0;
  for (const TemplateMark& mark : template_marks(text)) {
    const std::string_view written = text.substr(mark.begin, mark.end - mark.begin);
    const std::size_t last = mark.end - 1;
    line.read(std::string_view(out).substr(read, mark.begin - read));
    read = mark.begin;
    const bool blank = prints_blanks(written);
    const bool shown = mark.value && !blank && !contains(written, "\n") && written.size() > 2;
    for (std::size_t i = mark.begin; i <= last; ++i) {
      if (out[i] != '\n' && out[i] != '\r') out[i] = !shown ? ' ' : i == mark.begin ? '{' : i == last ? '}' : 'x';
    }
    if (blank && contains(written, "\\n")) {
      out[mark.begin] = '\n';
    } else if (!shown && line.begun() && (written.ends_with("-}}") || written.ends_with("-%}"))) {
      // It eats the blanks behind it: the line goes on below.
      const std::size_t next = std::min(out.find_first_not_of(kEaten, mark.end), out.size());
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(mark.end), out.begin() + static_cast<std::ptrdiff_t>(next),
                ' ');
    }
  }
  return out;
}

}  // namespace muster
