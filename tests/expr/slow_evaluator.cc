#include "expr/slow_evaluator.h"

#include <cmath>
#include <sstream>

namespace muster::test {
namespace {

__extension__ using Big = __int128;

bool stops(const Outcome& outcome) { return outcome.index() < 2; }

/// What comes of several things that are all needed: open with all needs, else failed; bool true when none stops.
Outcome together(const std::vector<Outcome>& all) {
  Open open;
  bool failed = false;
  bool is_open = false;
  for (const Outcome& each : all) {
    if (const Open* one = std::get_if<Open>(&each)) {
      open.needs.insert(one->needs.begin(), one->needs.end());
      is_open = true;
    }
    failed = failed || std::holds_alternative<Failed>(each);
  }
  if (is_open) return open;
  return failed ? Outcome(Failed{}) : Outcome(true);
}

template <class Number>
Outcome whole_arithmetic(const std::string& op, Number a, Number b) {
  if ((op == "/" || op == "%") && b == 0) return Failed{};
  const Big x = a;
  const Big y = b;
  // The one product that twice the bits with a sign do not hold: of two large uints.
  if (op == "*" && a > 0 && b > 0 && std::numeric_limits<Number>::max() / a < b) return Failed{};
  const Big result = op == "+" ? x + y : op == "-" ? x - y : op == "*" ? x * y : op == "/" ? x / y : x % y;
  // The quotient of the least int and -1 does not fit; its remainder fails, too.
  const Big judged = op == "%" ? x / y : result;
  const bool fits =
      judged >= Big{std::numeric_limits<Number>::min()} && judged <= Big{std::numeric_limits<Number>::max()};
  return fits ? Outcome(static_cast<Number>(result)) : Outcome(Failed{});
}

/// -1, 0, 1, or 2 for NaN.
int order(const Outcome& a, const Outcome& b) {
  const auto sign = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; };
  if (std::holds_alternative<std::string>(a)) return sign(std::get<std::string>(a), std::get<std::string>(b));
  const double* real_a = std::get_if<double>(&a);
  const double* real_b = std::get_if<double>(&b);
  const auto whole = [](const Outcome& value) {
    return std::holds_alternative<std::int64_t>(value) ? Big{std::get<std::int64_t>(value)}
                                                       : Big{std::get<std::uint64_t>(value)};
  };
  if (real_a == nullptr && real_b == nullptr) return sign(whole(a), whole(b));
  return sign(real_a != nullptr ? *real_a : static_cast<double>(whole(a)),
              real_b != nullptr ? *real_b : static_cast<double>(whole(b)));
}

Outcome relate(const std::string& op, const Outcome& a, const Outcome& b) {
  if (std::holds_alternative<Ints>(a)) return (std::get<Ints>(a) == std::get<Ints>(b)) == (op == "==");
  const int found = order(a, b);
  if (op == "==") return found == 0;
  if (op == "!=") return found != 0;
  if (found == 2) return false;
  return op == "<" ? found < 0 : op == "<=" ? found <= 0 : op == ">" ? found > 0 : found >= 0;
}

Outcome combine(const std::string& op, const Outcome& a, const Outcome& b) {
  if (op == "in") {
    for (const std::int64_t each : std::get<Ints>(b)) {
      if (order(a, each) == 0) return true;
    }
    return false;
  }
  if (op.find_first_of("=<>") != std::string::npos) return relate(op, a, b);
  if (const auto* x = std::get_if<std::int64_t>(&a)) return whole_arithmetic(op, *x, std::get<std::int64_t>(b));
  if (const auto* x = std::get_if<std::uint64_t>(&a)) return whole_arithmetic(op, *x, std::get<std::uint64_t>(b));
  if (const auto* x = std::get_if<std::string>(&a)) return *x + std::get<std::string>(b);
  if (const auto* x = std::get_if<double>(&a)) {
    const double y = std::get<double>(b);
    return op == "+" ? *x + y : op == "-" ? *x - y : op == "*" ? *x * y : *x / y;
  }
  Ints joined = std::get<Ints>(a);
  const Ints& more = std::get<Ints>(b);
  joined.insert(joined.end(), more.begin(), more.end());
  return joined;
}

/// Decimal digits with a sign, as many as an int takes.
Outcome parse(const std::string& text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const bool minus = at == 1 && text[0] == '-';
  if (at == text.size() || text.size() - at > 19) return Failed{};
  Big value = 0;
  for (; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') return Failed{};
    value = value * 10 + (text[at] - '0');
  }
  if (minus) value = -value;
  const bool fits = value >= INT64_MIN && value <= INT64_MAX;
  return fits ? Outcome(static_cast<std::int64_t>(value)) : Outcome(Failed{});
}

Outcome convert(const std::string& target, const Outcome& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return parse(*text);
  if (const auto* truth = std::get_if<bool>(&value)) return std::string(*truth ? "true" : "false");
  if (const auto* real = std::get_if<double>(&value)) {
    const bool fits = *real > -9.3e18 && *real < 9.3e18 && std::fabs(*real) < std::ldexp(1.0, 63);
    return fits ? Outcome(static_cast<std::int64_t>(*real)) : Outcome(Failed{});
  }
  if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
    return *natural <= INT64_MAX ? Outcome(static_cast<std::int64_t>(*natural)) : Outcome(Failed{});
  }
  const std::int64_t whole = std::get<std::int64_t>(value);
  if (target == "double") return static_cast<double>(whole);
  if (target == "string") return std::to_string(whole);
  if (target == "uint") return whole >= 0 ? Outcome(static_cast<std::uint64_t>(whole)) : Outcome(Failed{});
  return whole;
}

Outcome logical(const Tree& tree, Names& names, bool decides) {
  std::vector<Outcome> open;
  for (const Tree& part : tree.parts) {
    const Outcome each = walk(part, names);
    if (each == Outcome(decides)) return decides;
    if (stops(each)) open.push_back(each);
  }
  return open.empty() ? Outcome(!decides) : together(open);
}

/// The body's outcome for each item of the range.
std::vector<Outcome> bodies(const Tree& tree, const Ints& range, Names& names) {
  std::vector<Outcome> out;
  for (const std::int64_t each : range) {
    names[tree.word] = each;
    out.push_back(walk(tree.parts[1], names));
  }
  names.erase(tree.word);
  return out;
}

Outcome macro(const Tree& tree, Names& names) {
  const Outcome range = walk(tree.parts[0], names);
  if (stops(range)) return range;
  const Ints& items = std::get<Ints>(range);
  const std::vector<Outcome> each = bodies(tree, items, names);
  const Outcome all = together(each);
  const auto count = [&](bool wanted) {
    std::size_t found = 0;
    for (const Outcome& one : each) found += one == Outcome(wanted) ? 1 : 0;
    return found;
  };
  if (tree.act == Act::All && count(false) > 0) return false;
  if (tree.act == Act::Exists && count(true) > 0) return true;
  if (stops(all)) return all;
  if (tree.act == Act::All) return true;
  if (tree.act == Act::Exists) return false;
  if (tree.act == Act::ExistsOne) return count(true) == 1;
  Ints made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (tree.act == Act::Map) made.push_back(std::get<std::int64_t>(each[i]));
    if (tree.act == Act::Filter && std::get<bool>(each[i])) made.push_back(items[i]);
  }
  return made;
}

Outcome strict(const Tree& tree, const std::vector<Outcome>& in, Names& names) {
  const auto whole = [&](std::size_t i) { return std::get<std::int64_t>(in[i]); };
  switch (tree.act) {
    case Act::Binary: return combine(tree.word, in[0], in[1]);
    case Act::Not: return !std::get<bool>(in[0]);
    case Act::Negate: return whole_arithmetic<std::int64_t>("-", 0, whole(0));
    case Act::Convert: return convert(tree.word, in[0]);
    case Act::Contains: return std::get<std::string>(in[0]).find(std::get<std::string>(in[1])) != std::string::npos;
    case Act::Size:
      if (const Ints* list = std::get_if<Ints>(&in[0])) return static_cast<std::int64_t>(list->size());
      return static_cast<std::int64_t>(std::get<std::string>(in[0]).size());
    case Act::Item:
    case Act::OptionalItem: {
      const Ints& list = std::get<Ints>(in[0]);
      const std::int64_t at = whole(1);
      if (at >= 0 && static_cast<std::uint64_t>(at) < list.size()) return list[static_cast<std::size_t>(at)];
      return tree.act == Act::Item ? Outcome(Failed{}) : walk(tree.parts[2], names);
    }
    case Act::MapField: return tree.word == "a" ? in[0] : Outcome(Failed{});
    case Act::HasField: return tree.word == "a";
    case Act::MakeList: {
      Ints made;
      for (std::size_t i = 0; i < in.size(); ++i) made.push_back(whole(i));
      return made;
    }
    default: return Failed{};
  }
}

}  // namespace

Outcome walk(const Tree& tree, Names& names) {
  switch (tree.act) {
    case Act::Literal: return tree.literal;
    case Act::Name: return names.at(tree.word);
    case Act::And: return logical(tree, names, false);
    case Act::Or: return logical(tree, names, true);
    case Act::Choose: {
      const Outcome condition = walk(tree.parts[0], names);
      return stops(condition) ? condition : walk(tree.parts[std::get<bool>(condition) ? 1 : 2], names);
    }
    case Act::Bind: {
      names[tree.word] = walk(tree.parts[0], names);
      const Outcome out = walk(tree.parts[1], names);
      names.erase(tree.word);
      return out;
    }
    case Act::All:
    case Act::Exists:
    case Act::ExistsOne:
    case Act::Map:
    case Act::Filter: return macro(tree, names);
    default: break;
  }
  std::vector<Outcome> in;
  const std::size_t needed = tree.act == Act::OptionalItem ? 2 : tree.parts.size();  // the other value only when wanted
  for (std::size_t i = 0; i < needed; ++i) in.push_back(walk(tree.parts[i], names));
  const Outcome all = together(in);
  return stops(all) ? all : strict(tree, in, names);
}

std::string show(const Outcome& outcome) {
  std::ostringstream out;
  out.precision(17);
  struct Show {
    std::ostringstream& out;
    void operator()(const Failed&) const { out << "failed"; }
    void operator()(const Open& open) const {
      out << "open:";
      for (const std::string& need : open.needs) out << " " << need;
    }
    void operator()(bool value) const { out << (value ? "true" : "false"); }
    void operator()(std::int64_t value) const { out << value; }
    void operator()(std::uint64_t value) const { out << value << "u"; }
    void operator()(double value) const {
      out << (std::isnan(value) ? 0.0 : value) << (std::isnan(value) ? "nan" : "d");
    }
    void operator()(const std::string& value) const { out << "'" << value << "'"; }
    void operator()(const Ints& values) const {
      out << "[";
      for (const std::int64_t value : values) out << value << " ";
      out << "]";
    }
  };
  std::visit(Show{out}, outcome);
  return out.str();
}

}  // namespace muster::test
