#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster::helm {

struct Pipeline;

/// What stands between blanks in an action.
struct Operand {
  enum class Kind : unsigned char { Dot, Nil, True, False, Integer, Decimal, Text, Variable, Function, Within };
  Kind kind = Kind::Dot;
  std::string text;          ///< of a text without quotes; name of a variable or function
  std::int64_t integer = 0;  ///< also of a character
  double decimal = 0;
  std::vector<std::string> fields;  ///< behind it: `.a.b`; a Dot with fields is `.a.b` itself
  std::vector<Pipeline> within;     ///< of a Within: the one in parentheses
};

/// A value, or a call: a function, or a field that takes arguments.
struct Command {
  std::vector<Operand> operands;  ///< never empty
};

struct Pipeline {
  std::vector<std::string> names;  ///< variables that take the value, with `$`; two of a `range`
  bool declares = false;           ///< `:=`
  std::vector<Command> commands;
};

struct Part {
  enum class Kind : unsigned char { Text, Value, If, With, Range, Template, Break, Continue };
  Kind kind = Kind::Text;
  std::size_t begin = 0;  ///< in the text of the template: of a Text what is left of it, else of the action
  std::size_t end = 0;
  std::string name;   ///< of a Template
  Pipeline pipeline;  ///< of a Template perhaps without commands
  std::vector<Part> body;
  std::vector<Part> otherwise;
};

/// A file of templates as it was parsed. Its texts stand in the file.
struct TemplateTree {
  std::vector<Part> body;
  std::map<std::string, std::vector<Part>, std::less<>> named;  ///< `define` and `block`
};

}  // namespace muster::helm
