#pragma once

#include <string_view>
#include <vector>

namespace muster {

/// What a fact of our own files does besides being read by decision tables: facts that follow from it, figures, rules
/// and templates, in words. Empty where tables are all.
std::vector<std::string_view> uses_of_fact(std::string_view name);

}  // namespace muster
