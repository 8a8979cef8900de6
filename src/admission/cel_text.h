#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "expr/expr.h"

namespace muster {

/// How a field of a rule's variable is read from the object of a request.
struct FieldText {
  std::string has;  ///< true where it is written
  std::string value;
};
/// By name of the field; nothing where the object alone does not have it.
using FieldTexts = std::function<std::optional<FieldText>(std::string_view field)>;

/// An expression as Kubernetes 1.30 and later reads it, or why it cannot.
struct CelText {
  std::string text;
  std::string obstacle;  ///< empty: there is none
  bool loose = false;    ///< operators that bind less than && stand open in it
};

/// The obstacle of an expression that reads a field of which there is no text.
inline constexpr std::string_view kReadsMore =
    "reads what a check makes of scripts, of several fields or of other objects";

/// The text of a checked expression with every field of the first variable replaced. `variable` stands where the
/// variable itself is meant; empty: nowhere.
CelText kubernetes_text(const Expr& expr, const FieldTexts& fields, std::string_view variable);

}  // namespace muster
