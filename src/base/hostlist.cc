#include "base/hostlist.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

#include "base/check.h"
#include "base/strings.h"

namespace muster {
namespace {

using Range = Hostlist::Range;

constexpr std::uint64_t kMostNumber = std::numeric_limits<std::uint64_t>::max();

constexpr std::size_t kShown = 60;  // characters of a list that a message repeats

bool is_separator(char c) { return c == '\t' || c == ',' || c == ' ' || c == '\n'; }

std::string number_text(std::uint64_t value, std::size_t width) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

struct Number {
  std::uint64_t value = 0;
  std::size_t length = 0;  ///< characters used, leading blanks included; 0 when there is no number
};

/// As strtoul in base 10, which Slurm uses: blanks and a plus in front are skipped, too large saturates.
Number read_number(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  if (at < text.size() && text[at] == '+') ++at;
  const std::size_t first = at;
  std::uint64_t value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    value = value > (kMostNumber - digit) / 10 ? kMostNumber : value * 10 + digit;
  }
  return at == first ? Number{} : Number{value, at};
}

std::uint64_t count_of_ranges(const std::vector<Range>& ranges) { return ranges.back().before + ranges.back().count(); }

std::string nth(const std::vector<Range>& ranges, std::uint64_t i) {
  const auto behind = std::ranges::upper_bound(ranges, i, {}, &Range::before);
  MUSTER_CHECK(behind != ranges.begin() && i - std::prev(behind)->before < std::prev(behind)->count(),
               "index beyond the ranges");
  const Range& range = *std::prev(behind);
  return number_text(range.low + (i - range.before), range.width);
}

bool has_number(const std::vector<Range>& ranges, std::string_view digits) {
  const Number number = read_number(digits);
  return std::ranges::any_of(ranges, [&](const Range& range) {
    return number.value >= range.low && number.value <= range.high && number_text(number.value, range.width) == digits;
  });
}

Error invalid(std::string message) { return Error{Error::Code::Usage, std::move(message)}; }

}  // namespace

/// Reads one list. Kept apart from Hostlist so that its state does not outlive the parse.
class HostlistParser {
 public:
  HostlistParser(std::string_view text, HostlistDialect dialect) : text_(text), dialect_(dialect) {}

  Result<Hostlist> run() {
    while (next_token()) {
      if (std::optional<Error> error = read_token()) return *error;
    }
    return std::move(list_);
  }

 private:
  /// Splits at separators outside brackets (and braces, where functions exist).
  bool next_token() {
    while (at_ < text_.size() && is_separator(text_[at_])) ++at_;
    if (at_ == text_.size()) return false;
    const std::size_t begin = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[' || (c == '{' && dialect_ == HostlistDialect::V25_05)) ++depth;
      if ((c == ']' || (c == '}' && dialect_ == HostlistDialect::V25_05)) && depth > 0) --depth;
      if (depth == 0 && is_separator(c)) break;
    }
    token_ = text_.substr(begin, at_ - begin);
    return true;
  }

  std::optional<Error> read_token() {
    const std::size_t brace = token_.find('{');
    if (dialect_ == HostlistDialect::V25_05 && brace != token_.npos && token_.find('[') > brace) {
      if (token_.back() != '}' || brace == 0) return invalid("invalid hostlist function `" + std::string(token_) + "`");
      list_.functions_.emplace_back(token_);
      return std::nullopt;
    }
    Hostlist::Item item;
    std::string_view rest = token_;
    for (;;) {
      const std::size_t open = rest.find('[');
      if (open == rest.npos) break;
      const std::size_t close = rest.find(']', open);
      if (close == rest.npos) {
        if (dialect_ != HostlistDialect::V22_05) return invalid("`[` without `]` in `" + std::string(token_) + "`");
        rest = rest.substr(0, open);  // 22.05 takes `n[1-3` for one host called `n]`
        item.suffix = "]";
        break;
      }
      item.literals.emplace_back(rest.substr(0, open));
      Result<std::vector<Range>> ranges = read_ranges(rest.substr(open + 1, close - open - 1));
      if (!ranges) return ranges.error();
      item.brackets.push_back(std::move(*ranges));
      rest.remove_prefix(close + 1);
    }
    item.suffix = std::string(rest) + item.suffix;
    if (dialect_ == HostlistDialect::V22_05 && !item.brackets.empty() && !item.suffix.empty()) {
      return invalid("text behind the last `]` in `" + std::string(token_) + "` (Slurm before 23.11 rejects it)");
    }
    return add(std::move(item));
  }

  Result<std::vector<Range>> read_ranges(std::string_view text) const {
    std::vector<Range> ranges;
    for (;;) {
      const std::size_t comma = text.find(',');
      const std::string_view piece = text.substr(0, comma);
      const std::size_t dash = piece.find('-');
      const std::string_view low_text = piece.substr(0, dash);
      const std::string_view high_text = dash == piece.npos ? std::string_view{} : piece.substr(dash + 1);
      const Number low = read_number(low_text);
      Number high = read_number(high_text);
      // `[1-]` is 1 alone. Behind a low number that is followed by a high one Slurm does not look for garbage.
      const bool alone = high_text.empty();
      if (alone) high = {low.value, 0};
      const bool good = low.length > 0 && piece.find('x') == piece.npos && low.value <= high.value &&
                        (alone ? low.length == low_text.size() : high.length > 0 && high.length == high_text.size()) &&
                        !high_text.starts_with('-');
      if (!good) return invalid("invalid range `" + std::string(piece) + "`");
      if (high.value - low.value >= Hostlist::kMaxRange) {
        return invalid("too many hosts in range `" + std::string(piece) + "` (Slurm allows 65,536)");
      }
      ranges.push_back({low.value, high.value, low_text.size(), ranges.empty() ? 0 : count_of_ranges(ranges)});
      if (comma == text.npos) return ranges;
      text.remove_prefix(comma + 1);
    }
  }

  /// Characters of an item's longest name.
  static std::size_t longest(const Hostlist::Item& item) {
    std::size_t length = item.suffix.size();
    for (const std::string& literal : item.literals) length += literal.size();
    for (const std::vector<Range>& ranges : item.brackets) {
      std::size_t digits = 20;
      for (const Range& range : ranges) digits = std::max(digits, range.width);
      length += digits;
    }
    return length;
  }

  std::optional<Error> add(Hostlist::Item item) {
    std::uint64_t prefixes = 1;
    for (std::size_t i = 0; i < item.brackets.size(); ++i) {
      const std::uint64_t count = count_of_ranges(item.brackets[i]);
      if (i + 1 < item.brackets.size()) prefixes *= count;
      if (prefixes > Hostlist::kMaxRange) return invalid("too many combinations in `" + std::string(token_) + "`");
      item.count *= count;
    }
    if (item.count > 1 && longest(item) > Hostlist::kMaxName) {
      return invalid("names of more than " + std::to_string(Hostlist::kMaxName) + " characters in `" +
                     std::string(token_.substr(0, kShown)) + "...`");
    }
    list_.size_ += item.count;
    list_.items_.push_back(std::move(item));
    return std::nullopt;
  }

  std::string_view text_;
  HostlistDialect dialect_;
  std::size_t at_ = 0;
  std::string_view token_;
  Hostlist list_;
};

Result<Hostlist> Hostlist::parse(std::string_view text, HostlistDialect dialect) {
  return HostlistParser(text, dialect).run();
}

std::string Hostlist::name_in(const Item& item, std::uint64_t i) {
  // Slurm's order: the last bracket turns fastest, then the first, the second ... of the others.
  const std::size_t brackets = item.brackets.size();
  std::vector<std::string> numbers(brackets);
  if (brackets > 0) {
    const std::uint64_t last = count_of_ranges(item.brackets.back());
    numbers.back() = nth(item.brackets.back(), i % last);
    i /= last;
  }
  for (std::size_t b = 0; b + 1 < brackets; ++b) {
    const std::uint64_t count = count_of_ranges(item.brackets[b]);
    numbers[b] = nth(item.brackets[b], i % count);
    i /= count;
  }
  std::string out;
  for (std::size_t b = 0; b < brackets; ++b) out += item.literals[b] + numbers[b];
  return out + item.suffix;
}

std::string Hostlist::name(std::uint64_t i) const {
  MUSTER_CHECK(i < size_, "hostlist index out of range");
  for (const Item& item : items_) {
    if (i < item.count) return name_in(item, i);
    i -= item.count;
  }
  MUSTER_CHECK(false, "hostlist size and items disagree");
}

void Hostlist::each(const std::function<void(std::string)>& visit) const {
  for (const Item& item : items_) {
    for (std::uint64_t i = 0; i < item.count; ++i) visit(name_in(item, i));
  }
}

std::optional<std::vector<std::string>> Hostlist::expand(std::uint64_t limit) const {
  if (size_ > limit) return std::nullopt;
  std::vector<std::string> names;
  names.reserve(size_);
  each([&](std::string name) { names.push_back(std::move(name)); });
  return names;
}

bool Hostlist::contains(std::string_view name) const {
  // Tries every split of a digit run, because n[1-2][3-4] has nothing between its brackets.
  const std::function<bool(const Item&, std::size_t, std::string_view)> matches =
      [&](const Item& item, std::size_t bracket, std::string_view rest) {
        if (bracket == item.brackets.size()) return rest == item.suffix;
        const std::string& literal = item.literals[bracket];
        if (!rest.starts_with(literal)) return false;
        rest.remove_prefix(literal.size());
        for (std::size_t length = 1; length <= rest.size() && is_digit(rest[length - 1]); ++length) {
          if (has_number(item.brackets[bracket], rest.substr(0, length)) &&
              matches(item, bracket + 1, rest.substr(length))) {
            return true;
          }
        }
        return false;
      };
  return std::ranges::any_of(items_, [&](const Item& item) { return matches(item, 0, name); });
}

std::string compress_hostlist(std::span<const std::string> names) {
  struct Run {
    std::string_view prefix;
    bool numbered = false;
    Range range;
  };
  std::vector<Run> runs;
  for (const std::string& name : names) {
    std::size_t digits = 0;
    while (digits < name.size() && digits < 18 && is_digit(name[name.size() - 1 - digits])) ++digits;
    const std::string_view prefix = std::string_view(name).substr(0, name.size() - digits);
    const std::uint64_t value = digits == 0 ? 0 : read_number(std::string_view(name).substr(prefix.size())).value;
    if (!runs.empty() && digits > 0 && runs.back().numbered && runs.back().prefix == prefix) {
      Range& last = runs.back().range;
      if (value == last.high + 1 && number_text(value, last.width).size() == digits) {
        last.high = value;
        continue;
      }
    }
    runs.push_back({prefix, digits > 0, {value, value, digits}});
  }
  std::string out;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t end = i + 1;
    while (end < runs.size() && runs[i].numbered && runs[end].numbered && runs[end].prefix == runs[i].prefix) ++end;
    if (!out.empty()) out += ',';
    out += runs[i].prefix;
    const bool bracket = end - i > 1 || runs[i].range.high > runs[i].range.low;
    if (bracket) out += '[';
    for (std::size_t r = i; r < end && runs[r].numbered; ++r) {
      if (r > i) out += ',';
      out += number_text(runs[r].range.low, runs[r].range.width);
      if (runs[r].range.high > runs[r].range.low) out += "-" + number_text(runs[r].range.high, runs[r].range.width);
    }
    if (bracket) out += ']';
    i = end;
  }
  return out;
}

}  // namespace muster
