#include "pipeline/nextflow_text.h"

#include <algorithm>

namespace muster {
namespace {

/// Past the text in quotes that begins at a place, `'...'` or `"""..."""`; the next line where nothing closes it.
std::size_t past_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  if (text.substr(at).starts_with(three)) {
    const std::size_t end = text.find(three, at + 3);
    return end == text.npos ? text.size() : end + 3;
  }
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
  }
  return std::min(at + 1, text.size());
}

/// Past the comment that begins at a place; the same place where none does.
std::size_t past_comment(std::string_view text, std::size_t at) {
  const bool block = text.substr(at).starts_with("/*");
  if (!block && !text.substr(at).starts_with("//")) return at;
  const std::size_t end = block ? text.find("*/", at + 2) : text.find('\n', at);
  if (end == text.npos) return text.size();
  return block ? end + 2 : end;
}

}  // namespace

std::string without_nextflow_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\'' || text[at] == '"') {
      at = past_quotes(text, at);
      continue;
    }
    const std::size_t end = past_comment(text, at);
    for (std::size_t i = at; i < end; ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return out;
}

}  // namespace muster
