#include <algorithm>
#include <limits>

#include "rulebook/space.h"

namespace muster {
namespace {

/// Whether nothing is below a value, so that no cell is.
bool is_least(const TableValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return *number == std::numeric_limits<std::int64_t>::min();
  if (const auto* version = std::get_if<Version>(&value)) return *version == *Version::parse("0");
  if (const auto* quantity = std::get_if<Quantity>(&value))
    return quantity->whole == -std::numeric_limits<std::int64_t>::max();
  return false;
}

TableValue sample_below(const TableValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number - 1;
  if (const auto* number = std::get_if<double>(&value)) return *number - 1;
  if (const auto* quantity = std::get_if<Quantity>(&value)) return *quantity + Quantity::of(-1);
  return *Version::parse("0");
}

Version bumped(const Version& version, std::size_t part) {
  std::string text;
  for (std::size_t i = 0; i <= part; ++i) {
    const std::int64_t number = i < version.parts().size() ? version.parts()[i] : 0;
    text += (i == 0 ? "" : ".") + std::to_string(i == part ? number + 1 : number);
  }
  return Version::parse(text).value_or(version);
}

}  // namespace

void Dimension::add_words(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (std::ranges::find(samples_, TableValue(word)) == samples_.end()) samples_.emplace_back(word);
  }
}

void Dimension::add(const Cell& cell) {
  if (type_ == InputType::String) add_words(cell.words);
  for (const Range& range : cell.ranges) {
    add_edge(range.begin);
    add_edge(range.end);
  }
}

void Dimension::add_edge(const std::optional<TableValue>& value) {
  if (value) edges_.push_back(*value);
}

void Dimension::finish() { is_ordered(type_) ? finish_order() : finish_words(); }

void Dimension::finish_words() {
  if (type_ != InputType::String) return;
  std::string other = "other";
  while (std::ranges::find(samples_, TableValue(other)) != samples_.end()) other += "-one";
  samples_.emplace_back(other);
}

void Dimension::finish_order() {
  std::ranges::sort(edges_, [](const TableValue& a, const TableValue& b) { return a < b; });
  edges_.erase(
      std::unique(edges_.begin(), edges_.end(), [](const TableValue& a, const TableValue& b) { return !(a < b); }),
      edges_.end());
  if (edges_.empty()) {
    // Nobody compares it: one cell.
    samples_.push_back(*parse_value(type_, "1"));
    return;
  }
  const bool bounded = is_least(edges_.front());
  if (!bounded) samples_.push_back(sample_below(edges_.front()));
  for (std::size_t i = 0; i < edges_.size(); ++i)
    samples_.push_back(sample_between(edges_[i], i + 1 < edges_.size() ? &edges_[i + 1] : nullptr));
  if (bounded) edges_.erase(edges_.begin());
}

/// The first value of a cell is the plainest, unless it is only the neighbour of one that was written.
TableValue Dimension::sample_between(const TableValue& begin, const TableValue* end) const {
  const auto inside = [&](const TableValue& value) { return !(value < begin) && (end == nullptr || value < *end); };
  if (const auto* number = std::get_if<double>(&begin)) {
    const double rounded = static_cast<double>(static_cast<float>(*number));
    if (to_text(begin).size() < 10) return begin;
    for (const double candidate : {rounded + 1, rounded + 0.1, rounded + 0.01,
                                   end == nullptr ? *number : (*number + std::get<double>(*end)) / 2}) {
      if (inside(candidate)) return candidate;
    }
  }
  if (const auto* quantity = std::get_if<Quantity>(&begin); quantity != nullptr && quantity->nano % 1000 != 0) {
    for (const Quantity step : {Quantity{1, -1}, Quantity{0, 99'999'999}, Quantity{0, 999'999}}) {
      if (const TableValue candidate = *quantity + step; inside(candidate)) return candidate;
    }
  }
  if (const auto* version = std::get_if<Version>(&begin); version != nullptr && version->parts().size() == 4) {
    for (const std::size_t part : {1u, 2u}) {
      if (const TableValue candidate = bumped(*version, part); inside(candidate)) return candidate;
    }
  }
  return begin;
}

std::optional<TableValue> Dimension::end_of(std::size_t cell) const {
  return is_ordered(type_) && cell < edges_.size() ? std::optional(edges_[cell]) : std::nullopt;
}

std::optional<std::size_t> Dimension::cell_of(const TableValue& value) const {
  if (is_ordered(type_)) {
    const auto above = std::upper_bound(edges_.begin(), edges_.end(), value,
                                        [](const TableValue& a, const TableValue& b) { return a < b; });
    return static_cast<std::size_t>(above - edges_.begin());
  }
  const auto found = std::ranges::find(samples_, value);
  if (found != samples_.end()) return static_cast<std::size_t>(found - samples_.begin());
  if (type_ == InputType::String) return samples_.size() - 1;
  return std::nullopt;
}

}  // namespace muster
