#pragma once

#include <span>

#include "expr/functions.h"

namespace muster {

// The functions of the rule language, each table sorted by name; no name stands in two of them.
std::span<const Function> conversion_functions();
std::span<const Function> list_functions();
std::span<const Function> math_functions();
std::span<const Function> model_functions();
std::span<const Function> optional_functions();
std::span<const Function> quantity_functions();
std::span<const Function> slurm_functions();
std::span<const Function> text_functions();
std::span<const Function> time_functions();

// Functions of other files that a table lists.
Value find_all_matches(std::span<const Value> in, EvalContext& context);
Value find_match(std::span<const Value> in, EvalContext& context);
Value format_text(std::span<const Value> in, EvalContext& context);
Value has_match(std::span<const Value> in, EvalContext& context);
Value regex_extract(std::span<const Value> in, EvalContext& context);
Value regex_extract_all(std::span<const Value> in, EvalContext& context);
Value regex_replace(std::span<const Value> in, EvalContext& context);
Value reverse_text(std::span<const Value> in, EvalContext& context);
Value text_index_of(std::span<const Value> in, EvalContext& context);
Value text_last_index_of(std::span<const Value> in, EvalContext& context);

// Types of arguments that several tables use.
inline constexpr Type kDynList{TypeKind::List, &kDynType};
inline constexpr Type kIntList{TypeKind::List, &kIntType};
inline constexpr Type kDynOptional{TypeKind::Optional, &kDynType};

}  // namespace muster
