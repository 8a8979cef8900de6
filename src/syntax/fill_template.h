#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// What a playbook gives a variable: the text of a scalar.
struct FilledValue {
  enum class Kind { Text, Number, Bool } kind = Kind::Text;
  std::string text;  ///< as Jinja prints it: True for `yes`
  Span where;        ///< not placed: a default that the template itself has
};

using FilledValues = std::map<std::string, FilledValue, std::less<>>;

/// A template of Jinja with what could be filled in.
class FilledTemplate {
 public:
  std::string text;

  /// The span of the template that `[begin, end)` of the text comes from; a value counts as its whole mark.
  Span source_of(FileId file, std::size_t begin, std::size_t end) const;
  /// Where the value was written that `[begin, end)` is and nothing else; not placed: it is none.
  Span value_at(std::size_t begin, std::size_t end) const;
  bool filled_any() const { return !pieces_.empty() && changed_; }

  void copy(std::string_view from, std::size_t begin, std::size_t end);
  void fill(const FilledValue& value, std::size_t begin, std::size_t end);
  void drop() { changed_ = true; }

 private:
  struct Piece {
    std::size_t out = 0;    ///< where it begins in `text`
    std::size_t begin = 0;  ///< in the template
    std::size_t end = 0;
    bool copied = true;
    Span where;
  };
  const Piece* piece_at(std::size_t at) const;

  std::vector<Piece> pieces_;
  bool changed_ = false;
};

/// Names of variables that `{{ NAME }}` and `{% if NAME %}` of a template take, but for those it sets itself.
std::vector<std::string> names_taken_by(std::string_view text);

/// Puts values in for `{{ NAME }}` (also behind default, int, string, trim, and a default that is written there where
/// nobody else gives one), and takes one side of a condition that asks for one such name. The rest stays as it is.
/// `open`: names that somebody gives, but who knows what.
FilledTemplate fill_template(std::string_view text, const FilledValues& values, const std::set<std::string>& open);

/// What a scalar of YAML is for a template; nothing for lists, maps, nothing, and what is itself a template.
bool read_filled_value(std::string_view scalar, FilledValue& out);

}  // namespace muster
