#include "rulebook/book_reader.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {

void BookReader::wrong(const Span& where, const std::string& message) {
  BookProblem problem;
  problem.check = "syntax";
  problem.message = message;
  add(where, std::move(problem));
}

void BookReader::wrong(const std::string& message) {
  BookProblem problem;
  problem.check = "syntax";
  problem.message = message;
  add(std::move(problem));
}

void BookReader::add(const Span& where, BookProblem problem) {
  place(where, problem.file, problem.at);
  add(std::move(problem));
}

void BookReader::take(BookReader&& other) { std::ranges::move(other.problems_, std::back_inserter(problems_)); }

void BookReader::place(const Span& where, std::string& file, Position& at) const {
  if (!where.placed()) return;
  file = sources_.file(where.file).path();
  at = sources_.begin_of(where);
}

bool BookReader::good() const {
  return std::ranges::none_of(problems_,
                              [](const BookProblem& problem) { return problem.severity == Severity::Error; });
}

std::string BookReader::problems() const {
  std::vector<std::string> lines;
  for (const BookProblem& problem : problems_) {
    if (problem.severity == Severity::Error) lines.push_back(to_text(problem));
  }
  return join(lines, "\n");
}

std::string to_text(const BookProblem& problem) {
  std::string out;
  if (!problem.file.empty())
    out = problem.file + ":" + std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) + ": ";
  if (!problem.check.empty() && problem.check != "syntax") out += problem.check + ": ";
  out += problem.message;
  if (!problem.witness.empty()) out += "\n    witness: " + to_text(problem.witness);
  return out;
}

std::string to_text(const Witness& witness) {
  std::string out;
  for (const WitnessValue& value : witness) out += (out.empty() ? "" : ", ") + value.name + "=" + value.text;
  return out;
}

std::string BookReader::text(const Node& mapping, std::string_view key) {
  const Node node = mapping[key];
  if (!node.is_scalar()) wrong(node.where(), "`" + std::string(key) + "` is missing");
  return std::string(node.text());
}

std::string BookReader::text_or(const Node& mapping, std::string_view key, std::string_view fallback) {
  const Node node = mapping[key];
  if (!node.exists() || node.is_null()) return std::string(fallback);
  return text_of(node);
}

std::string BookReader::text_of(const Node& node) {
  if (!node.is_scalar()) wrong(node.where(), "expected a text, got " + describe(node));
  return std::string(node.text());
}

std::optional<bool> BookReader::boolean(const Node& node) {
  const bool plain = node.is_scalar() && node.style() == ScalarStyle::Plain;
  if (plain && (node.text() == "true" || node.text() == "false")) return node.text() == "true";
  wrong(node.where(), "expected true or false, got " + describe(node));
  return std::nullopt;
}

std::vector<std::string> BookReader::texts(const Node& list) {
  std::vector<std::string> out;
  if (list.is_scalar()) return {std::string(list.text())};
  if (list.exists() && !list.is_sequence()) wrong(list.where(), "expected a list, got " + describe(list));
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) out.push_back(text_of(list.item(i)));
  return out;
}

void BookReader::known_keys(const Node& mapping, std::initializer_list<std::string_view> keys) {
  const std::vector<std::string_view> known(keys);
  want_mapping(mapping);
  for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i) {
    const Node key = mapping.key(i);
    if (std::ranges::find(known, key.text()) != known.end()) continue;
    wrong(key.where(), "unknown key `" + std::string(key.text()) + "`" + did_you_mean(key.text(), known));
  }
}

void BookReader::want_list(const Node& node) {
  if (node.exists() && !node.is_null() && !node.is_sequence())
    wrong(node.where(), "expected a list, got " + describe(node));
}

void BookReader::want_mapping(const Node& node) {
  if (node.exists() && !node.is_null() && !node.is_mapping())
    wrong(node.where(), "expected `key: value` lines, got " + describe(node));
}

std::string BookReader::word_of(const Node& node, std::initializer_list<std::string_view> allowed,
                                std::string_view fallback) {
  if (!node.exists() || node.is_null()) return std::string(fallback);
  const std::vector<std::string_view> words(allowed);
  if (std::ranges::find(words, node.text()) == words.end()) not_a_word(node, words);
  return std::string(node.text());
}

void BookReader::not_a_word(const Node& node, std::span<const std::string_view> allowed) {
  wrong(node.where(),
        "expected one of " + join(allowed, ", ") + "; got " + describe(node) + did_you_mean(node.text(), allowed));
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
