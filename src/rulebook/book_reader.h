#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/expr.h"
#include "rulebook/book_problem.h"
#include "source/source_map.h"
#include "syntax/document.h"

namespace muster {

/// Reads nodes of a rule file and remembers everything that is wrong, each with its place.
class BookReader {
 public:
  explicit BookReader(const SourceMap& sources) : sources_(sources) {}

  void wrong(const Span& where, const std::string& message);
  /// Of something that stands in no file of the book.
  void wrong(const std::string& message);
  void add(const Span& where, BookProblem problem);
  void add(BookProblem problem) { problems_.push_back(std::move(problem)); }
  /// Another of the same sources, which has found nothing yet.
  BookReader beside() const { return BookReader(sources_); }
  /// Everything that another reader of the same sources found.
  void take(BookReader&& other);
  /// File and position of a span.
  void place(const Span& where, std::string& file, Position& at) const;
  std::uint32_t line_of(const Span& where) const { return sources_.begin_of(where).line; }
  /// Whether nothing refuses the book; warnings do not.
  bool good() const;
  const std::vector<BookProblem>& all() const { return problems_; }
  /// What refuses the book, one a line: path:line:column: message.
  std::string problems() const;

  /// The text of a scalar; a problem when it is missing or no scalar.
  std::string text(const Node& mapping, std::string_view key);
  /// The same where it may be missing or empty.
  std::string text_or(const Node& mapping, std::string_view key, std::string_view fallback);
  /// Of a scalar; a problem when it is none.
  std::string text_of(const Node& node);
  /// Of a list of scalars; one scalar is a list of one, a missing node an empty list.
  std::vector<std::string> texts(const Node& list);
  /// A plain true or false; a problem when it is neither.
  std::optional<bool> boolean(const Node& node);
  /// Only these keys; what is there and no mapping is a problem, too.
  void known_keys(const Node& mapping, std::initializer_list<std::string_view> keys);
  /// A problem where it is there and no list, or no mapping.
  void want_list(const Node& node);
  void want_mapping(const Node& node);
  /// One of a few words; `fallback` where it is not there.
  std::string word_of(const Node& node, std::initializer_list<std::string_view> allowed, std::string_view fallback);

  /// A word of an enum.
  template <class Enum>
  Enum word(const Node& node, Enum fallback) {
    if (!node.exists()) return fallback;
    if (const std::optional<Enum> value = enum_of<Enum>(node.text())) return *value;
    not_a_word(node, names_of<Enum>());
    return fallback;
  }

  std::optional<Expr> expression(const Node& node, const CompileEnv& env);
  std::optional<TextTemplate> words(const Node& node, const CompileEnv& env);

 private:
  void not_a_word(const Node& node, std::span<const std::string_view> allowed);
  void report(const Node& node, const std::vector<ExprIssue>& issues);

  const SourceMap& sources_;
  std::vector<BookProblem> problems_;
};

}  // namespace muster
