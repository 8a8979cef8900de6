#include "pipeline/terraform_given.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/hcl_blocks.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

std::string_view hcl_name_at(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  std::size_t end = at;
  while (end < text.size() && is_hcl_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace

TerraformGiven::TerraformGiven(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    read_commands(text);
    if (muster::contains(path, ".tfvars") || path.ends_with(".hcl")) read_values(text);
    if (path.ends_with(".tf") || path.ends_with(".tofu")) read_calls(text);
  }
}

void TerraformGiven::read_commands(std::string_view text) {
  for (const std::string_view option : {"TF_VAR_", "-var=", "-var ", "-var='", "-var '", "-var=\"", "-var \""}) {
    for (std::size_t at = text.find(option); at != text.npos; at = text.find(option, at + 1))
      names_.insert(hcl_name_at(text, at + option.size()));
  }
}

/// `NAME = "1.33"` of any depth, also on one line as in `inputs = {...}` of Terragrunt, and `{"NAME": "1.33"}`.
void TerraformGiven::read_values(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
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

/// Arguments of modules that stand in the input: those of others have variables of their own.
void TerraformGiven::read_calls(std::string_view text) {
  if (!muster::contains(text, "module")) return;
  std::size_t left = 16 * text.size() + 1000;
  for (const HclTopBlock& one : top_hcl_blocks(text, left)) {
    if (one.word != "module") continue;
    const HclBlock call = read_hcl_block(text, one.brace, left);
    if (!unquoted_hcl(call.attribute("source")).starts_with('.')) continue;
    for (const auto& [name, value] : call.attributes) {
      names_.insert(name);
      if (value == "null") nulls_.insert(name);
    }
  }
}

}  // namespace muster
