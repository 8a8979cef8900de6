#include "helm/compared_numbers.h"

#include <algorithm>
#include <array>

#include "helm/parse_template.h"

namespace muster::helm {
namespace {

constexpr std::size_t kMostCompared = 100;

class ComparedNumbers {
 public:
  void parts(const std::vector<Part>& list) {
    for (const Part& part : list) {
      part_ = &part;
      pipeline(part.pipeline);
      parts(part.body);
      parts(part.otherwise);
    }
  }

  std::vector<ComparedNumber> out;

 private:
  void pipeline(const Pipeline& what) {
    for (const Command& command : what.commands) {
      compares(command);
      for (const Operand& operand : command.operands) {
        for (const Pipeline& within : operand.within) pipeline(within);
      }
    }
  }

  void compares(const Command& command) {
    constexpr std::array<std::string_view, 6> kComparisons{"eq", "ge", "gt", "le", "lt", "ne"};
    const Operand& first = command.operands.front();
    if (first.kind != Operand::Kind::Function || std::ranges::find(kComparisons, first.text) == kComparisons.end())
      return;
    const Operand* value = nullptr;
    const Operand* number = nullptr;
    for (const Operand& one : command.operands) {
      const bool of_dot = one.kind == Operand::Kind::Dot || (one.kind == Operand::Kind::Variable && one.text == "$");
      if (of_dot && one.fields.size() > 1 && one.fields[0] == "Values") value = &one;
      if (one.kind == Operand::Kind::Integer) number = &one;
    }
    if (value == nullptr || number == nullptr || out.size() == kMostCompared) return;
    out.push_back(
        {part_->begin, part_->end, first.text, {value->fields.begin() + 1, value->fields.end()}, number->integer});
  }

  const Part* part_ = nullptr;
};

}  // namespace

std::vector<ComparedNumber> compared_numbers(std::string_view text) {
  const ParsedTemplate parsed = parse_template(text);
  if (parsed.trouble || parsed.too_large) return {};
  ComparedNumbers found;
  found.parts(parsed.tree.body);
  for (const auto& [name, parts] : parsed.tree.named) found.parts(parts);
  return std::move(found.out);
}

}  // namespace muster::helm
