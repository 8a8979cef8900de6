#include "syntax/terraform_node_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "syntax/gpu_machines.h"
#include "syntax/hcl_blocks.h"
#include "syntax/hcl_reader.h"
#include "syntax/hcl_yaml.h"

namespace muster {
namespace {

constexpr std::string_view kHeadOfGroup =
    "apiVersion: eks.aws.upbound.io/v1beta1\nkind: NodeGroup\nmetadata:\n  name: ";

/// `name` or `"name"`, and behind it; empty: none.
std::string_view hcl_key(HclReader& in, std::string_view text) {
  const bool quoted = in.here() == '"';
  const std::size_t begin = in.at + (quoted ? 1 : 0);
  if (quoted) in.skip_text();
  while (!quoted && !in.ended() && is_hcl_letter(in.here())) ++in.at;
  const std::size_t end = in.at - (quoted && in.at > begin ? 1 : 0);
  return end > begin ? text.substr(begin, end - begin) : std::string_view{};
}

/// What makes a group: a resource, or a module that makes a launch template for it, where it may join what the module
/// says of all its groups.
enum class Maker { Resource, Module, ModuleWithDefaults };

/// Attributes and blocks of one resource that count here, and where their values begin.
class NodeGroup {
 public:
  NodeGroup(std::string_view text, std::size_t brace, std::size_t& left) : text_(text), left_(left) {
    HclReader in(text, left);
    in.at = brace + 1;
    while (read(in)) {
    }
  }

  /// Written out, not by a variable.
  bool has_gpus() const {
    const std::string_view image = written("ami_type");
    if (contains(image, "GPU") || contains(image, "NVIDIA")) return true;
    return names_gpu_instance(written("instance_types"));
  }

  /// Whether it has an image or a start of its own.
  bool starts_its_own_way() const {
    return std::ranges::any_of(at_, [this](const auto& one) {
      const std::string_view key = one.first;
      const bool own = contains(key, "user_data") || contains(key, "bootstrap") || contains(key, "cloudinit") ||
                       key == "ami_id" || key.starts_with("launch_template") ||
                       key.starts_with("use_custom_launch_template");
      if (!own || key.ends_with("_tags")) return false;
      const std::string_view value = trim(written(key));
      return value != "false" && value != "null" && value != "\"\"";
    });
  }

  /// `create = false`.
  bool is_off() const { return trim(written("create")) == "false"; }

  /// As release 18 of the module says it, and those from 19 on.
  bool has_no_template() const {
    return trim(written("use_custom_launch_template")) == "false" ||
           (trim(written("create_launch_template")) == "false" && !at_.contains("use_custom_launch_template"));
  }

  void write(HclYaml& out, Maker maker) const {
    out.add("{");
    bool first = true;
    const bool module = maker != Maker::Resource;
    // What the defaults of all groups say is not joined.
    const bool own = maker == Maker::ModuleWithDefaults || starts_its_own_way();
    if (module) out.add(own ? "launchTemplate: [{}]" : "launchTemplate: [{ofModule: true");
    if (module && !own && at_.contains("block_device_mappings")) out.add(", disks: true");
    if (module && !own && has_no_template()) out.add(", left: true");
    if (module && !own) out.add("}]");
    if (module) first = false;
    for (const auto& [key, at] : at_) {
      const auto known = std::ranges::find(kKeys, key, &Key::written);
      if (known == kKeys.end() || (module && known->name == "launchTemplate")) continue;
      if (!first) out.add(", ");
      first = false;
      out.put(known->name, static_cast<std::size_t>(key.data() - text_.data()));
      out.add(": ");
      if (text_[at] == '{') {
        out.add("[{}]");  // a block, whatever stands in it
      } else {
        HclReader in(text_, left_);
        in.at = at;
        HclConverter(in, out).value(1);
      }
    }
    out.add("}\n");
  }

 private:
  struct Key {
    std::string_view written;
    std::string_view name;
  };
  static constexpr std::array<Key, 4> kKeys{{{"ami_type", "amiType"},
                                             {"disk_size", "diskSize"},
                                             {"instance_types", "instanceTypes"},
                                             {"launch_template", "launchTemplate"}}};

  /// One attribute or block; false: there are no more.
  bool read(HclReader& in) {
    in.skip(true);
    if (in.ended() || in.here() == '}') return false;
    const std::size_t from = in.at;
    std::string_view key = hcl_key(in, text_);
    in.skip(false);
    if (in.here() == '=') {
      ++in.at;
      in.skip(false);
    } else if (in.here() == '"') {  // dynamic "launch_template" {
      const std::size_t begin = in.at + 1;
      in.skip_text();
      key = text_.substr(begin, in.at - begin - 1);
      in.skip(false);
    }
    if (in.at < text_.size()) at_.try_emplace(key, in.at);
    in.skip_expression();
    return in.at > from;
  }

  /// Up to the end of its line.
  std::string_view written(std::string_view key) const {
    const auto found = at_.find(key);
    if (found == at_.end()) return {};
    HclReader in(text_, left_);
    in.at = found->second;
    in.skip_expression();
    return text_.substr(found->second, in.at - found->second);
  }

  std::string_view text_;
  std::size_t& left_;
  std::map<std::string_view, std::size_t> at_;
};

}  // namespace

std::optional<CutText> next_node_group(std::string_view text, std::size_t& from, std::size_t& left) {
  constexpr std::string_view kResource = "resource \"aws_eks_node_group\" \"";
  while ((from = text.find(kResource, from)) != text.npos && left > 0) {
    const std::size_t begin = from += kResource.size();
    constexpr std::size_t kLongestName = 300;
    const std::string_view head = text.substr(begin, kLongestName);
    const std::size_t name_end = head.find('"');
    const std::size_t opens = head.find_first_of("{\n");
    if (name_end == head.npos || opens == head.npos || head[opens] != '{' || name_end > opens) continue;
    const std::size_t quote = begin + name_end;
    const std::size_t brace = begin + opens;
    const NodeGroup group(text, brace, left);
    if (!group.has_gpus()) continue;
    HclYaml out;
    out.add(kHeadOfGroup);
    out.put(text.substr(begin, quote - begin), begin);
    out.add("\nspec:\n  forProvider: ");
    group.write(out, Maker::Resource);
    if (left > 0) return out.take();
  }
  from = text.size();
  return std::nullopt;
}

namespace {

/// `NAME = {` or `"NAME" = {` of a map, and behind it; nothing at its end.
struct HclEntry {
  std::string_view name;
  std::size_t begin = 0;  ///< of the name
  std::size_t brace = std::string_view::npos;
};

std::optional<HclEntry> next_hcl_entry(HclReader& in, std::string_view text) {
  in.skip(true);
  if (in.here() == ',') ++in.at;
  in.skip(true);
  HclEntry out;
  out.name = hcl_key(in, text);
  if (out.name.empty()) return std::nullopt;
  out.begin = static_cast<std::size_t>(out.name.data() - text.data());
  in.skip(false);
  if (in.here() != '=') return std::nullopt;
  ++in.at;
  in.skip(false);
  if (in.here() == '{') out.brace = in.at;
  const std::size_t value = in.at;
  in.skip_expression();
  return in.at > value ? std::optional(out) : std::nullopt;
}

}  // namespace

namespace {

/// Whether a module is terraform-aws-modules/eks, by the registry or by git.
bool is_module_of_eks(std::string_view source) {
  return contains(source, "terraform-aws-modules/eks/aws") ||
         contains(source, "terraform-aws-modules/terraform-aws-eks");
}

/// Groups of one module.
struct ModuleGroups {
  std::size_t brace = 0;
  Maker maker = Maker::Module;
};

std::vector<ModuleGroups> node_groups_of_modules(std::string_view text, std::size_t& left) {
  constexpr std::string_view kGroups = "eks_managed_node_groups";
  std::vector<ModuleGroups> out;
  for (const HclTopBlock& one : top_hcl_blocks(text, left)) {
    if (one.word != "module") continue;
    const HclBlock block = read_hcl_block(text, one.brace, left);
    const std::string_view groups = block.attribute(kGroups);
    if (groups.starts_with('{') && is_module_of_eks(block.attribute("source")))
      out.push_back(
          {static_cast<std::size_t>(groups.data() - text.data()),
           block.attribute("eks_managed_node_group_defaults").empty() ? Maker::Module : Maker::ModuleWithDefaults});
  }
  return out;
}

}  // namespace

std::vector<CutText> module_node_groups(std::string_view text, std::size_t& left) {
  std::vector<CutText> out;
  if (!contains(text, "eks_managed_node_groups")) return out;
  for (const auto& [brace, maker] : node_groups_of_modules(text, left)) {
    HclReader in(text, left);
    in.at = brace + 1;
    for (auto entry = next_hcl_entry(in, text); entry; entry = next_hcl_entry(in, text)) {
      if (entry->brace == text.npos) continue;
      const NodeGroup group(text, entry->brace, left);
      if (!group.has_gpus() || group.is_off()) continue;
      HclYaml written;
      written.add(kHeadOfGroup);
      written.put(entry->name, entry->begin);
      written.add("\nspec:\n  forProvider: ");
      group.write(written, maker);
      if (left > 0) out.push_back(written.take());
    }
  }
  return out;
}

}  // namespace muster
