#include "pipeline/terraform_given.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/hcl_blocks.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

/// `NAMESPACE/NAME/PROVIDER` of the public registry, maybe with a folder within it: it has variables of its own. One of
/// git or of another registry may be the input itself, as a release of it. Source:
/// https://developer.hashicorp.com/terraform/language/modules/sources#terraform-registry
bool is_public_module(std::string_view source) {
  constexpr std::string_view kHost = "registry.terraform.io/";
  if (source.starts_with(kHost)) source.remove_prefix(kHost.size());
  const std::vector<std::string_view> parts = split(source.substr(0, source.find("//")), '/');
  return parts.size() == 3 && parts.front().find_first_of(".:@") == std::string_view::npos;
}

}  // namespace

bool TerraformGiven::contains(std::string_view name) {
  read();
  return names_.contains(name);
}

bool TerraformGiven::has_null(std::string_view name) {
  read();
  return nulls_.contains(name);
}

void TerraformGiven::read() {
  if (std::exchange(read_, true)) return;
  for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
    const std::string_view path = inputs_.files[i].context.path;
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
    read_commands(text);
    // Source: https://atmos.tools/components/terraform: `vars` of stacks become files of variables.
    const bool stack = is_yaml_file(path) && muster::contains(text, "terraform:") && muster::contains(text, "vars:");
    if (muster::contains(path, ".tfvars") || path.ends_with(".hcl") || stack) read_values(text);
    if (path.ends_with(".tf") || path.ends_with(".tofu")) read_calls(text);
  }
}

/// `TF_VAR_NAME`, `-var=NAME=`, `-var 'NAME=`.
void TerraformGiven::read_commands(std::string_view text) {
  constexpr std::string_view kVariable = "TF_VAR_";
  constexpr std::string_view kOption = "-var";
  for (std::size_t at = find_part(text, kVariable); at != text.npos; at = find_part(text, kVariable, at + 1))
    names_.insert(hcl_name_at(text, at + kVariable.size()));
  for (std::size_t at = find_part(text, kOption); at != text.npos; at = find_part(text, kOption, at + 1)) {
    const std::string_view behind = text.substr(at + kOption.size(), 2);
    if (!behind.starts_with('=') && !behind.starts_with(' ')) continue;
    const bool quoted = behind.ends_with('\'') || behind.ends_with('"');
    names_.insert(hcl_name_at(text, at + kOption.size() + (quoted ? 2 : 1)));
  }
}

/// `NAME = "1.33"` of any depth, also on one line as in `inputs = {...}` of Terragrunt, and `{"NAME": "1.33"}`. What is
/// commented out gives nothing.
void TerraformGiven::read_values(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::string_view name = hcl_name_at(text, at);
    at += std::max<std::size_t>(name.size(), 1);
    if (name.empty()) continue;
    std::size_t sign = at + (text.substr(at).starts_with('"') ? 1 : 0);
    sign = std::min(text.find_first_not_of(" \t", sign), text.size());
    if (sign == text.size() || (text[sign] != '=' && text[sign] != ':')) continue;
    names_.insert(name);
    if (hcl_name_at(text, text.find_first_not_of(" \t", sign + 1)) == "null") nulls_.insert(name);
  }
}

void TerraformGiven::read_calls(std::string_view text) {
  if (!muster::contains(text, "module")) return;
  std::size_t left = hcl_steps(text);
  for (const HclTopBlock& one : top_hcl_blocks(text, left)) {
    if (one.word != "module") continue;
    const HclBlock call = read_hcl_block(text, one.brace, left);
    if (is_public_module(unquoted_hcl(call.attribute("source")))) continue;
    for (const auto& [name, value] : call.attributes) {
      names_.insert(name);
      if (value == "null") nulls_.insert(name);
    }
  }
}

}  // namespace muster
