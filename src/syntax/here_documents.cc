#include "syntax/here_documents.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

std::size_t end_of_expansion(std::string_view text, std::size_t at) {
  const auto behind = [&](char close) {
    const std::size_t end = text.find(close, at + 1);
    return end == text.npos ? text.size() : end + 1;
  };
  if (text[at] == '`') return behind('`');
  if (text.substr(at + 1).starts_with('{')) return behind('}');
  if (text.substr(at + 1).starts_with('(')) {
    std::size_t depth = 0;
    for (std::size_t i = at + 1; i < text.size(); ++i) {
      depth += text[i] == '(' ? 1 : 0;
      if (text[i] == ')' && --depth == 0) return i + 1;
    }
    return text.size();
  }
  std::size_t end = at + 1;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return end;
}

}  // namespace

std::optional<HereDocument> HereDocuments::at(std::size_t at) {
  const std::string_view line = lines_[at].text;
  const std::size_t mark = line.find("<<");
  if (mark == line.npos || line.substr(mark).starts_with("<<<") || trim(line).starts_with('#')) return std::nullopt;
  std::string_view rest = line.substr(mark + 2);
  if (rest.starts_with('-')) rest.remove_prefix(1);
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  const bool quoted = rest.starts_with('\'') || rest.starts_with('"') || rest.starts_with('\\');
  if (quoted) rest.remove_prefix(1);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t'\";|>&)"));
  std::optional<std::size_t> end = word.empty() ? std::nullopt : first_below(word, at);
  // bash -c "cat > file <<EOF ... EOF"
  const std::size_t shell = line.substr(0, mark).find("-c ");
  const char quote = shell == line.npos ? ' ' : line[shell + 3];
  if (!end && !word.empty() && (quote == '"' || quote == '\'')) end = first_below(std::string(word) + quote, at);
  if (!end) return std::nullopt;
  return HereDocument{at + 1, *end, !quoted, lines_[*end].indent()};
}

std::optional<std::size_t> HereDocuments::first_below(std::string_view word, std::size_t line) {
  if (!std::exchange(built_, true)) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      // A word has no blank in it.
      if (const std::string_view text = trim(lines_[i].text); text.find(' ') == text.npos) by_text_[text].push_back(i);
    }
  }
  const auto found = by_text_.find(word);
  if (found == by_text_.end()) return std::nullopt;
  const auto below = std::ranges::upper_bound(found->second, line);
  return below == found->second.end() ? std::nullopt : std::optional(*below);
}

std::string with_shell_marks(std::string_view line) {
  std::string out(line);
  for (std::size_t at = 0; at < out.size(); ++at) {
    if (out[at] == '\\') {
      ++at;
      continue;
    }
    if (out[at] != '$' && out[at] != '`') continue;
    const std::size_t end = end_of_expansion(out, at);
    if (end == at + 1) continue;
    // In a manifest `{}` would be a mapping.
    if (end - at < 3 && !line.starts_with("#SBATCH")) return std::string(out.size(), ' ');
    out.replace(at, end - at, "{" + std::string(end - at - 2, 'x') + "}");
    at = end - 1;
  }
  return out;
}

std::string with_brace_marks(std::string_view line) {
  std::string out(line);
  for (std::size_t at = out.find("${"); at != out.npos; at = out.find("${", at)) {
    std::size_t end = at + 2;
    for (std::size_t depth = 1; end < out.size() && depth > 0; ++end) {
      depth += out[end] == '{' ? 1 : 0;
      depth -= out[end] == '}' ? 1 : 0;
    }
    // The one that closes it is left, if there is one.
    for (std::size_t i = at + 2; i + 1 < end; ++i) out[i] = 'x';
    at = end;
  }
  return out;
}

}  // namespace muster
