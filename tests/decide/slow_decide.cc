#include "decide/slow_decide.h"

#include <sstream>

namespace muster::test {
namespace {

std::vector<double> parts(const std::string& text) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '.');) out.push_back(std::stod(part));
  out.resize(4);
  return out;
}

/// A number has one part; versions are compared part by part.
std::vector<double> place(InputType type, const std::string& text) {
  return type == InputType::Version ? parts(text) : std::vector<double>{std::stod(text)};
}

bool allows(const std::string& cell, InputType type, const std::string& value) {
  if (!cell.empty() && cell.front() == '[') {
    std::istringstream in(cell.substr(1, cell.size() - 2));
    for (std::string item; std::getline(in, item, ',');) {
      if (allows(item.substr(item.find_first_not_of(' ')), type, value)) return true;
    }
    return false;
  }
  if (!cell.empty() && cell.front() == '!') return !allows(cell.substr(1), type, value);
  if (type == InputType::Bool || type == InputType::Enum || type == InputType::String) return cell == value;
  const std::vector<double> at = place(type, value);
  if (cell.rfind(">= ", 0) == 0) return at >= place(type, cell.substr(3));
  if (cell.rfind("<= ", 0) == 0) return at <= place(type, cell.substr(3));
  if (cell.rfind("< ", 0) == 0) return at < place(type, cell.substr(2));
  if (cell.rfind("> ", 0) == 0) return at > place(type, cell.substr(2));
  const std::size_t dots = cell.find("..");
  if (dots == std::string::npos) return at == place(type, cell);
  const std::string low = cell.substr(0, dots);
  const std::string high = cell.substr(dots + 2);
  return (low.empty() || at >= place(type, low)) && (high.empty() || at <= place(type, high));
}

class Slow {
 public:
  Slow(const std::vector<Table>& tables, const Facts& facts) : tables_(tables), facts_(facts) {}

  std::map<std::string, std::string> run() {
    for (const Table& table : tables_) decide(table);
    return out_;
  }

 private:
  std::string value_of(const TableInput& input) {
    if (input.from.empty()) return facts_.at(input.name);
    for (const Table& table : tables_) {
      if (table.id == input.from) decide(table);
    }
    return out_.at(input.from + "." + input.name);
  }

  bool matches(const Table& table, const TableRow& row) {
    for (const TableInput& input : table.inputs) {
      const auto cell = row.when.find(input.name);
      if (cell != row.when.end() && !allows(cell->second.text, input.type, value_of(input))) return false;
    }
    return true;
  }

  void decide(const Table& table) {
    for (const TableRow& row : table.rows) {
      if (!matches(table, row)) continue;
      if (table.hit == HitPolicy::Collect) {
        out_.emplace(table.id + "." + row.then.at("addon"), row.then.at("level"));
        continue;
      }
      for (const auto& [output, word] : row.then) out_[table.id + "." + output] = word;
      return;
    }
  }

  const std::vector<Table>& tables_;
  const Facts& facts_;
  std::map<std::string, std::string> out_;
};

}  // namespace

std::map<std::string, std::string> decide_slowly(const std::vector<Table>& tables, const Facts& facts) {
  return Slow(tables, facts).run();
}

}  // namespace muster::test
