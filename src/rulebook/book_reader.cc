#include "rulebook/book_reader.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {

void BookReader::wrong(const Span& where, const std::string& message) {
  const Position at = sources_.begin_of(where);
  problems_.push_back(sources_.file(where.file).path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message);
}

std::string BookReader::problems() const { return join(problems_, "\n"); }

std::string BookReader::text(const Node& mapping, std::string_view key) {
  const Node node = mapping[key];
  if (!node.is_scalar()) wrong(node.where(), "`" + std::string(key) + "` is missing");
  return std::string(node.text());
}

std::string BookReader::text_or(const Node& mapping, std::string_view key, std::string_view fallback) {
  const Node node = mapping[key];
  return std::string(node.is_scalar() ? node.text() : fallback);
}

std::vector<std::string> BookReader::texts(const Node& list) {
  std::vector<std::string> out;
  if (list.is_scalar()) return {std::string(list.text())};
  if (list.exists() && !list.is_sequence()) wrong(list.where(), "expected a list, got " + describe(list));
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) out.emplace_back(list.item(i).text());
  return out;
}

void BookReader::known_keys(const Node& mapping, std::initializer_list<std::string_view> keys) {
  const std::vector<std::string_view> known(keys);
  for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i) {
    const Node key = mapping.key(i);
    if (std::ranges::find(known, key.text()) != known.end()) continue;
    wrong(key.where(), "unknown key `" + std::string(key.text()) + "`" + did_you_mean(key.text(), known));
  }
}

void BookReader::not_a_word(const Node& node, std::span<const std::string_view> allowed) {
  wrong(node.where(), "expected one of " + join(allowed, ", ") + "; got " + describe(node) + did_you_mean(node.text(), allowed));
}

void BookReader::report(const Node& node, const std::vector<ExprIssue>& issues) {
  for (const ExprIssue& issue : issues) {
    // Within a plain scalar of one line the place of the mistake itself is known.
    Span where = node.where();
    const bool plain = node.style() == ScalarStyle::Plain && where.end - where.begin == node.text().size();
    if (plain) where.begin += std::min(issue.begin, where.end - where.begin);
    wrong(where, issue.message);
  }
}

std::optional<Expr> BookReader::expression(const Node& node, const CompileEnv& env) {
  std::vector<ExprIssue> issues;
  std::optional<Expr> expr = Expr::compile(node.text(), env, issues);
  report(node, issues);
  return expr;
}

std::optional<TextTemplate> BookReader::words(const Node& node, const CompileEnv& env) {
  std::vector<ExprIssue> issues;
  std::optional<TextTemplate> words = TextTemplate::compile(trim(node.text()), env, issues);
  report(node, issues);
  return words;
}

}  // namespace muster
