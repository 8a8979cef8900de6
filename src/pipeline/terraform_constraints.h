#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace muster {

/// The module of EKS, as the public registry calls it.
inline constexpr std::string_view kEksModule = "terraform-aws-modules/eks/aws";

/// What a constraint is of. `~> 2` of a module takes every release behind 2 (hashicorp/go-version), of a provider those
/// below 3: apparentlymart/go-versions:versions/constraints/ruby_style.go (1.0).
enum class ConstraintOf { Module, Provider };

/// Which major releases `~> 2.9`, `>= 2.0, < 3.0` or `3.1.0` take, as far as one number parts them.
struct Majors {
  bool below = true;  ///< one below the number
  bool from = true;   ///< it, or one above
  bool known = true;
};

Majors majors_of(std::string_view constraint, std::int64_t number, ConstraintOf of);

/// Whether no release of a provider meets both. What cannot be read excludes nothing.
bool exclude_each_other(std::string_view constraint, std::string_view other);

/// `helm = { source = "hashicorp/helm", version = "~> 2.9" }` within `required_providers`, or `helm = "~> 2.9"`.
struct RequiredProvider {
  std::string_view name;
  std::string_view source;   ///< empty: not said
  std::string_view version;  ///< empty: not said
};

std::vector<RequiredProvider> required_providers(std::string_view text, std::size_t& left);

}  // namespace muster
