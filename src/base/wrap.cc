#include "base/wrap.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {

std::string wrapped(std::string_view label, std::string_view text, std::size_t indent) {
  std::string out;
  std::string line(label);
  std::size_t width = count_code_points(label);
  std::size_t start = width;  // where words of this line begin
  const auto end_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    line.assign(indent, ' ');
    width = start = indent;
  };
  for (std::string_view word : split_blanks(text)) {
    while (!word.empty()) {
      const std::size_t blank = width > start ? 1 : 0;
      const std::size_t length = count_code_points(word);
      if (width + blank + length <= kLineWidth) {
        line.append(blank, ' ').append(word);
        width += blank + length;
        break;
      }
      if (width > start) {
        end_line();
        continue;
      }
      std::size_t bytes = 0;
      for (std::size_t room = std::max<std::size_t>(kLineWidth - std::min(width, kLineWidth), 1);
           room > 0 && bytes < word.size(); --room)
        bytes += code_point_length(word, bytes);
      line.append(word.substr(0, bytes));
      width += kLineWidth;
      word.remove_prefix(bytes);
      end_line();
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line.empty() && !out.empty() ? out : out + line + "\n";
}

std::string wrapped_lines(std::string_view text) {
  std::string out;
  for (const std::string_view piece : split(text, '\n')) {
    const std::string line = printable(piece);
    out += count_code_points(line) <= kLineWidth ? line + "\n" : wrapped("", line, 0);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.push_back(printable(line));
  return join(lines, "\n");
}

}  // namespace muster
