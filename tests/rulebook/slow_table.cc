#include "rulebook/slow_table.h"

#include <algorithm>

namespace muster::test {
namespace {

bool ordered(SlowType type) { return type == SlowType::Int || type == SlowType::Version || type == SlowType::Quantity; }

std::vector<long> numbers_of(SlowType type, const std::string& text) {
  std::vector<long> out;
  if (type == SlowType::Int) return {std::stol(text)};
  if (type == SlowType::Quantity) return {static_cast<long>(std::stod(text) * 1000 + 0.5)};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t dot = std::min(text.find('.', at), text.size());
    out.push_back(std::stol(text.substr(at, dot - at)));
    at = dot + 1;
  }
  out.resize(4);
  return out;
}

/// In an order the universe alternates: a value below, each value that rows name, a value between each two, one above.
SlowInput make_order(const std::string& name, SlowType type, std::size_t size) {
  SlowInput input{name, type, {}};
  const auto add = [&](const std::string& text) { input.universe.push_back({text, numbers_of(type, text)}); };
  if (type == SlowType::Int) {
    for (std::size_t i = 0; i < size; ++i) add(std::to_string(i));
    return input;
  }
  add(type == SlowType::Version ? "1.29.9" : "0.5");
  for (std::size_t i = 1; i <= size; ++i) {
    add(type == SlowType::Version ? "1." + std::to_string(29 + i) : std::to_string(i));
    add(type == SlowType::Version ? "1." + std::to_string(29 + i) + ".5" : std::to_string(i) + ".5");
  }
  return input;
}

/// Whether a value of the universe is one that a row may name; all ints are.
bool named(const SlowInput& input, std::size_t i) { return input.type == SlowType::Int || i % 2 == 1; }

std::string cell_text(const SlowInput& input, const std::vector<bool>& allowed) {
  const auto first = static_cast<std::size_t>(std::ranges::find(allowed, true) - allowed.begin());
  std::size_t last = allowed.size() - 1;
  while (!allowed[last]) --last;
  if (!ordered(input.type)) {
    std::string words;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      if (allowed[i]) words += (words.empty() ? "" : ", ") + input.universe[i].text;
    }
    const auto missing = std::ranges::count(allowed, false);
    if (missing == 1 && allowed.size() > 2)
      return "\"!" +
             input.universe[static_cast<std::size_t>(std::ranges::find(allowed, false) - allowed.begin())].text + "\"";
    return first == last ? words : "[" + words + "]";
  }
  const bool begins_named = named(input, first);
  const std::string low = first == 0     ? ""
                          : begins_named ? ">= " + input.universe[first].text
                                         : "> " + input.universe[first - 1].text;
  const bool ends_named = named(input, last);
  const std::string high = last + 1 == allowed.size() ? ""
                           : ends_named               ? "<= " + input.universe[last].text
                                                      : "< " + input.universe[last + 1].text;
  if (first == last && begins_named) return "\"" + input.universe[first].text + "\"";
  if (low.empty()) return "\"" + (high.empty() ? "-" : high) + "\"";
  if (high.empty()) return "\"" + low + "\"";
  return "\"" + input.universe[first].text + ".." + input.universe[last].text + "\"";  // see make_interval
}

/// A stretch of the universe. In the middle it has both ends named, so that `a..b` can say it.
std::vector<bool> make_interval(const SlowInput& input, std::size_t first, std::size_t last) {
  std::vector<bool> out(input.universe.size());
  if (first > 0 && last + 1 < out.size()) {
    if (!named(input, first)) --first;
    if (!named(input, last)) ++last;
  }
  for (std::size_t i = first; i <= last && i < out.size(); ++i) out[i] = true;
  return out;
}

std::size_t below(std::mt19937& random, std::size_t bound) { return random() % bound; }

}  // namespace

std::string SlowTable::yaml(const std::string& id) const {
  constexpr const char* kTypes[] = {"bool", "enum", "int", "version", "quantity"};
  std::string out =
      "id: " + id + "\nsince: \"1\"\nhit: " + (unique ? "unique" : "first") + "\nreversibility: costly\ninputs:\n";
  for (const SlowInput& input : inputs) {
    out += "  " + input.name + ": {type: " + kTypes[static_cast<int>(input.type)];
    if (input.type == SlowType::Int)
      out += ", min: " + input.universe.front().text + ", max: " + input.universe.back().text;
    if (input.type == SlowType::Enum) {
      out += ", values: [";
      for (std::size_t i = 0; i < input.universe.size(); ++i) out += (i == 0 ? "" : ", ") + input.universe[i].text;
      out += "]";
    }
    out += "}\n";
  }
  out += "outputs:\n  out: {type: enum, values: [";
  for (std::size_t i = 0; i < outcomes.size(); ++i) out += (i == 0 ? "" : ", ") + outcomes[i];
  out += "]}\nrows:\n";
  for (const SlowRow& row : rows) {
    out += "  - id: " + row.id + "\n    when: {";
    bool begun = false;
    for (const auto& [input, allowed] : row.cells) {
      out += (begun ? ", " : "") + inputs[input].name + ": " + cell_text(inputs[input], allowed);
      begun = true;
    }
    out += "}\n    then: {out: " + row.outcome + "}\n    because: generated\n";
  }
  return out + invariants + "sources: [generated]\n";
}

std::vector<std::size_t> SlowTable::hits(const std::vector<std::size_t>& point) const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (std::ranges::all_of(rows[r].cells, [&](const auto& cell) { return cell.second[point[cell.first]]; }))
      out.push_back(r);
  }
  return out;
}

std::size_t SlowTable::cases() const {
  std::size_t out = 1;
  for (const SlowInput& input : inputs) out *= input.universe.size();
  return out;
}

std::vector<std::size_t> SlowTable::point(std::size_t number) const {
  std::vector<std::size_t> out;
  for (const SlowInput& input : inputs) {
    out.push_back(number % input.universe.size());
    number /= input.universe.size();
  }
  return out;
}

std::optional<std::vector<std::size_t>> SlowTable::point_of(const std::map<std::string, std::string>& witness) const {
  std::vector<std::size_t> out;
  for (const SlowInput& input : inputs) {
    const auto value = witness.find(input.name);
    if (value == witness.end()) return std::nullopt;
    std::size_t at = input.universe.size();
    for (std::size_t i = 0; i < input.universe.size(); ++i) {
      if (input.universe[i].text == value->second) at = i;
    }
    if (at == input.universe.size() && ordered(input.type) && input.type != SlowType::Int) {
      // The part between two named values.
      const std::vector<long> number = numbers_of(input.type, value->second);
      at = 0;
      for (std::size_t i = 1; i < input.universe.size(); i += 2) {
        if (number == input.universe[i].number) at = i;
        if (number > input.universe[i].number) at = i + 1;
      }
    }
    if (at == input.universe.size()) return std::nullopt;
    out.push_back(at);
  }
  return out;
}

std::vector<SlowInput> make_inputs(std::size_t count, std::size_t size, std::mt19937& random) {
  std::vector<SlowInput> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "site_input_" + std::to_string(i);
    const auto type = static_cast<SlowType>(below(random, 5));
    if (ordered(type)) {
      out.push_back(make_order(name, type, size));
    } else if (type == SlowType::Bool) {
      out.push_back({name, type, {{"false", {}}, {"true", {}}}});
    } else {
      out.push_back({name, type, {{"red", {}}, {"green", {}}, {"blue", {}}}});
    }
  }
  return out;
}

SlowTable make_clean_table(std::size_t inputs, std::size_t rows, std::mt19937& random) {
  SlowTable table;
  table.unique = below(random, 2) == 0;
  table.inputs = make_inputs(inputs, 4, random);
  table.outcomes = {"a", "b", "c"};
  table.rows.push_back({"row-0", {}, "a"});
  std::size_t next = 0;  // each input is split once, then chance decides
  for (std::size_t tries = 0; table.rows.size() < rows && tries < rows * 20; ++tries) {
    const std::size_t i = next < inputs ? next : below(random, inputs);
    SlowRow& row = table.rows[below(random, table.rows.size())];
    const SlowInput& input = table.inputs[i];
    const auto cell = row.cells.find(i);
    const std::vector<bool> allowed =
        cell == row.cells.end() ? std::vector<bool>(input.universe.size(), true) : cell->second;
    const auto first = static_cast<std::size_t>(std::ranges::find(allowed, true) - allowed.begin());
    const auto count = static_cast<std::size_t>(std::ranges::count(allowed, true));
    if (count < 2 || (ordered(input.type) && count != input.universe.size()))
      continue;  // an order is split once: `<` and `>=`
    std::size_t middle = first + 1 + below(random, count - 1);
    if (ordered(input.type) && !named(input, middle)) middle = middle + 1 < allowed.size() ? middle + 1 : middle - 1;
    SlowRow other = row;
    std::vector<bool> low = allowed;
    std::vector<bool> high = allowed;
    for (std::size_t v = 0; v < allowed.size(); ++v) (v < middle ? high : low)[v] = false;
    if (std::ranges::count(low, true) == 0 || std::ranges::count(high, true) == 0) continue;
    row.cells[i] = low;
    other.cells[i] = high;
    other.id = "row-" + std::to_string(table.rows.size());
    other.outcome = table.outcomes[below(random, 3)] == row.outcome ? (row.outcome == "a" ? "b" : "a")
                                                                    : table.outcomes[below(random, 3)];
    table.rows.push_back(other);
    next += next < inputs ? 1 : 0;
  }
  return table;
}

SlowTable make_random_table(std::size_t inputs, std::size_t rows, std::mt19937& random) {
  SlowTable table;
  table.unique = below(random, 2) == 0;
  table.inputs = make_inputs(inputs, 2, random);
  table.outcomes = {"a", "b"};
  for (std::size_t r = 0; r < rows; ++r) {
    SlowRow row{"row-" + std::to_string(r), {}, table.outcomes[below(random, 2)]};
    for (std::size_t i = 0; i < inputs; ++i) {
      if (below(random, 2) == 0) continue;
      const std::size_t size = table.inputs[i].universe.size();
      const std::size_t a = below(random, size);
      const std::size_t b = below(random, size);
      row.cells[i] = make_interval(table.inputs[i], std::min(a, b), std::max(a, b));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace muster::test
