#include "syntax/hcl_reader.h"

#include <algorithm>

namespace muster {

std::string_view hcl_name_at(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  std::size_t end = at;
  while (end < text.size() && is_hcl_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

void HclReader::skip(bool lines) {
  while (!ended()) {
    const char c = here();
    if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
      ++at;
    } else if (c == '#' || begins("//")) {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (begins("/*")) {
      const std::size_t end = text_.find("*/", at + 2);
      at = end == text_.npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

void HclReader::skip_text() {
  ++at;
  int depth = 0;  // of ${ }
  for (; !ended(); ++at) {
    if (depth == 0 && here() == '\\') {
      ++at;
    } else if (begins("${") || begins("%{")) {
      ++depth;
      ++at;
    } else if (depth > 0 && (here() == '{' || here() == '}')) {
      depth += here() == '{' ? 1 : -1;
    } else if (depth == 0 && (here() == '"' || here() == '\n')) {
      at += here() == '"' ? 1 : 0;
      return;
    }
  }
}

std::optional<HclReader::Here> HclReader::here_document() {
  if (!begins("<<")) return std::nullopt;
  const std::size_t word = at + (begins("<<-") ? 3 : 2);
  const std::string_view mark = hcl_name_at(text_, word);
  const std::size_t end = word + mark.size();
  const std::size_t first = text_.find_first_not_of(" \t\r", end);
  if (mark.empty() || first == text_.npos || text_[first] != '\n') return std::nullopt;
  for (std::size_t line = first + 1; line < text_.size() && step();) {
    const std::size_t stop = std::min(text_.find('\n', line), text_.size());
    if (trim(text_.substr(line, stop - line)) == mark) {
      at = stop;
      return Here{first + 1, line};
    }
    line = stop + 1;
  }
  return std::nullopt;
}

void HclReader::skip_expression() {
  int depth = 0;
  while (!ended()) {
    const char c = here();
    if (c == '"') {
      skip_text();
    } else if (begins("<<") && here_document()) {
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
      ++at;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth-- == 0) return;
      ++at;
    } else if (depth == 0 && (c == ',' || c == '\n')) {
      return;
    } else if (c == '#' || begins("//") || begins("/*")) {
      skip(false);
    } else {
      ++at;
    }
  }
}

std::string_view without_hcl_comment(std::string_view written) {
  const std::size_t quote = written.starts_with('"') ? written.find('"', 1) : written.npos;
  const std::size_t end = quote != written.npos ? quote + 1 : std::min(written.find_first_of(" \t#/"), written.size());
  const std::string_view behind = trim(written.substr(end));
  const bool comment = behind.starts_with('#') || behind.starts_with("//") || behind.starts_with("/*");
  return comment ? written.substr(0, end) : written;
}

}  // namespace muster
