#include "expr/functions.h"

#include <algorithm>
#include <array>

#include "expr/function_tables.h"

namespace muster {
namespace {

using Table = std::span<const Function> (*)();
constexpr std::array<Table, 9> kTables{conversion_functions, list_functions,     math_functions,
                                       model_functions,      quantity_functions, optional_functions,
                                       slurm_functions,      text_functions,     time_functions};

}  // namespace

std::size_t Overload::count() const {
  constexpr const Type* kNone = nullptr;
  return static_cast<std::size_t>(std::ranges::find(arguments, kNone) - arguments.begin());
}

void each_function(const std::function<void(const Function&)>& visit) {
  for (const Table table : kTables) std::ranges::for_each(table(), visit);
}

const Function* find_function(std::string_view name) {
  for (const Table table : kTables) {
    const std::span<const Function> functions = table();
    const auto found = std::ranges::lower_bound(functions, name, {}, &Function::name);
    if (found != functions.end() && found->name == name) return &*found;
  }
  return nullptr;
}

}  // namespace muster
