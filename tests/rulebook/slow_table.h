#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace muster::test {

// Decision tables judged one case at a time. Shares nothing with the program: own values, own order, own text.

/// A value of an input as text, and for an order as numbers: parts of a version, an int, thousandths of a quantity.
struct SlowValue {
  std::string text;
  std::vector<long> number;
};

enum class SlowType { Bool, Enum, Int, Version, Quantity };

struct SlowInput {
  std::string name;
  SlowType type;
  std::vector<SlowValue> universe;  ///< one value of every part of the domain that rows can tell apart
};

/// Which values of the universe a row allows.
struct SlowRow {
  std::string id;
  std::map<std::size_t, std::vector<bool>> cells;  ///< by input; a missing one allows anything
  std::string outcome;
};

struct SlowTable {
  bool unique = false;
  std::vector<SlowInput> inputs;
  std::vector<SlowRow> rows;
  std::vector<std::string> outcomes;
  std::string invariants;  ///< YAML

  std::string yaml(const std::string& id) const;
  /// The rows that allow a case, given by the index of each input's value.
  std::vector<std::size_t> hits(const std::vector<std::size_t>& point) const;
  std::size_t cases() const;
  std::vector<std::size_t> point(std::size_t number) const;
  /// The case that a witness describes: each value counts as the part of the domain it lies in.
  std::optional<std::vector<std::size_t>> point_of(const std::map<std::string, std::string>& witness) const;
};

/// Inputs of all types; `size` values to tell apart in an order.
std::vector<SlowInput> make_inputs(std::size_t count, std::size_t size, std::mt19937& random);
/// A table without any fault: its rows share the space among them, and read every input.
SlowTable make_clean_table(std::size_t inputs, std::size_t rows, std::mt19937& random);
/// Rows that know nothing of each other.
SlowTable make_random_table(std::size_t inputs, std::size_t rows, std::mt19937& random);

}  // namespace muster::test
