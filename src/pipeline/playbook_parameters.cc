#include "pipeline/playbook_parameters.h"

#include <cstdint>

#include "base/strings.h"

namespace muster {
namespace {

/// Words of `src=a.j2 dest="/etc/a b" when={{ x }}`, blanks in quotes and braces left within them.
std::vector<std::string_view> words_of_task_line(std::string_view line) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int braces = 0;
  char quote = '\0';
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ' ';
    if (c == '\\') {
      ++i;  // a quote behind it is none
    } else if (i < line.size() && quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '}') {
      braces += c == '{' ? 1 : -1;
    } else if (is_white(c) && (braces <= 0 || i == line.size())) {
      if (i > begin) out.push_back(line.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return out;
}

Span place_of_word(const Node& scalar, std::string_view word) {
  const Span all = scalar.where();
  const auto at = static_cast<std::uint32_t>(word.data() - scalar.text().data());
  const bool as_written =
      all.end - all.begin >= scalar.text().size() && all.end - all.begin <= scalar.text().size() + 2;
  if (!as_written) return all;
  const std::uint32_t quote = all.end - all.begin == scalar.text().size() ? 0 : 1;
  const std::uint32_t begin = all.begin + quote + at;
  return {all.file, begin, begin + static_cast<std::uint32_t>(word.size())};
}

}  // namespace

std::vector<TaskParameter> parameters_of(const Node& module) {
  std::vector<TaskParameter> out;
  for (std::size_t i = 0; i < module.size() && module.is_mapping(); ++i) {
    const Node value = module.value(i);
    out.push_back({module.key(i).text(), value.text(), module.key(i).where(), value.where(),
                   value.is_scalar() && value.style() == ScalarStyle::Plain, false});
  }
  if (!module.is_scalar()) return out;
  for (const std::string_view word : words_of_task_line(module.text())) {
    const std::size_t sign = word.find('=');
    const std::string_view name = word.substr(0, sign);
    const std::string_view value = sign == word.npos ? std::string_view{} : word.substr(sign + 1);
    out.push_back({name, value, place_of_word(module, name), place_of_word(module, word), false, sign == word.npos});
  }
  return out;
}

}  // namespace muster
