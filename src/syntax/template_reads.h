#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster {

/// A variable that a template of Terraform reads, `${name}` or `%{ if name }`, where it does so first.
struct TemplateRead {
  std::string_view name;
  std::uint32_t at = 0;
};

/// Those of a template, without what its own `for` binds.
/// Source: hashicorp/hcl:hclsyntax/spec.md, Templates (2.24).
std::vector<TemplateRead> template_reads(std::string_view text);

}  // namespace muster
