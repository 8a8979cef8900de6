#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster::helm {

struct List;
struct Map;

/// How deep values may hold each other; `set` can make them hold themselves.
inline constexpr int kDeepestValue = 100;

/// A value of a template. Lists and maps are shared, as Go's are: `set` changes one for all who hold it.
struct Value {
  enum class Kind : unsigned char { Nil, Bool, Integer, Decimal, Text, List, Map };
  Kind kind = Kind::Nil;
  bool boolean = false;
  bool constant = false;  ///< a number that the template writes: it takes the type that is asked for
  std::int64_t integer = 0;
  double decimal = 0;
  std::string text;
  List* list = nullptr;  ///< owned by a Store
  Map* map = nullptr;
  Span where;  ///< what wrote a scalar in a file of values; FileId::None elsewhere

  bool is(Kind one) const { return kind == one; }
  bool is_nil() const { return kind == Kind::Nil; }
  bool is_text() const { return kind == Kind::Text; }
  bool is_map() const { return kind == Kind::Map; }
  bool is_list() const { return kind == Kind::List; }
  bool is_number() const { return kind == Kind::Integer || kind == Kind::Decimal; }

  static Value of(bool value);
  static Value of(std::int64_t value);
  static Value of(double value);
  static Value of(std::string text);
  static Value of(List* list);
  static Value of(Map* map);
};

struct List {
  std::vector<Value> items;
  bool unset = false;  ///< a slice of Go that is nil: written as null while it is empty
};

struct Member {
  Value value;
  Span key;  ///< in a file of values
};

struct Map {
  std::map<std::string, Member, std::less<>> members;
  bool record = false;  ///< a struct of Go: a field that it does not have is a mistake
  std::string printed;  ///< how Go prints it, if it says
  enum class Methods : unsigned char { None, Files, ApiVersions } methods = Methods::None;

  const Value* find(std::string_view key) const;
  Value& at(std::string_view key) { return members[std::string(key)].value; }
};

/// Owns the lists and maps of one rendering: they may hold each other.
class Store {
 public:
  Value list() { return Value::of(&lists_.emplace_back()); }
  Value list(std::vector<Value> items);
  Value map() { return Value::of(&maps_.emplace_back()); }
  std::size_t size() const { return lists_.size() + maps_.size(); }

 private:
  std::deque<List> lists_;
  std::deque<Map> maps_;
};

/// What `if` takes for true; what `default` takes for empty is the opposite, but for records.
bool is_true(const Value& value);
/// `string`, `float64`, `map`: as Go's reflection names the kind.
std::string_view kind_name(const Value& value);
/// As reflect.DeepEqual says; bounded, and false beyond.
bool deep_equal(const Value& a, const Value& b);
/// Leaves of a list or map and of what they hold are copied; false when it is nested too deeply.
bool deep_copy(const Value& value, Store& store, Value& out, int depth = 0);

/// As `%v` prints it; cut where it is nested too deeply.
std::string printed(const Value& value);
std::string printed(double value);
/// How a text is written in double quotes, beside `"` and a backslash.
struct Escapes {
  std::string_view controls;  ///< characters that have a letter
  std::string_view letters;   ///< those, in the same order
  std::string_view hex;       ///< what stands before two digits of any other control character
  std::string_view others;    ///< that are written so, too
};
std::string in_quotes(std::string_view text, const Escapes& how);
/// As strconv.Quote does.
std::string quoted(std::string_view text);

}  // namespace muster::helm
