// Values of a batch script, as far as they are known, and where each character of them stands.
#include <algorithm>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

bool ShellValue::known() const { return text.find(kEvaluatedBegin) == text.npos; }

std::string ShellValue::mark() const {
  if (text.size() < 3 || text.front() != kEvaluatedBegin || text.find(kEvaluatedEnd) != text.size() - 1) return "";
  return text.substr(2, text.size() - 3);
}

std::string ShellValue::shown() const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEvaluatedBegin) {
      out += '$';
      ++i;  // who puts it in
    } else if (text[i] != kEvaluatedEnd) {
      out += text[i];
    }
  }
  return out;
}

bool ShellValue::of_batch_shell() const { return text.find(std::string{kEvaluatedBegin, 'b'}) != text.npos; }

bool ShellValue::of_task() const { return text.find(std::string{kEvaluatedBegin, 't'}) != text.npos; }

ShellValue tail_of(const ShellValue& value, std::size_t begin) {
  ShellValue out;
  out.text = value.text.substr(begin);
  out.at.assign(value.at.begin() + static_cast<std::ptrdiff_t>(std::min(begin, value.at.size())), value.at.end());
  if (out.at.empty() && !value.at.empty()) out.at.push_back(value.at.back());
  return out;
}

Span span_in(FileId file, const ShellValue& value, std::size_t begin, std::size_t end) {
  if (value.at.empty()) return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  const std::size_t last = value.at.size() - 1;
  const std::uint32_t from = value.at[std::min(begin, last)];
  const std::uint32_t to = value.at[std::min(end == 0 ? 0 : end - 1, last)] + 1;
  return {file, from, std::max(to, from + 1)};
}

std::optional<std::int64_t> number_of(const ShellValue& value, const std::map<std::string, std::int64_t>& numbers) {
  if (const std::optional<std::int64_t> number = parse_int(value.text)) return number;
  const auto found = numbers.find(value.mark());
  return found == numbers.end() ? std::nullopt : std::optional<std::int64_t>(found->second);
}

}  // namespace muster::sbatch
