#include "pipeline/terraform_clusters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

constexpr std::string_view kEksModuleSource = "terraform-aws-modules/eks/aws";
constexpr std::string_view kAksDefault = "10.0.0.0/16";

/// First and last address.
using AddressRange = std::pair<std::uint64_t, std::uint64_t>;

/// 10.0.0.0/16; nothing: it is none of four numbers.
std::optional<AddressRange> address_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  const std::optional<std::int64_t> bits = parse_int(text.substr(slash + 1));
  const std::vector<std::string_view> parts = split(text.substr(0, slash), '.');
  if (!bits || *bits < 0 || *bits > 32 || parts.size() != 4) return std::nullopt;
  std::uint64_t address = 0;
  for (const std::string_view part : parts) {
    const std::optional<std::int64_t> number = parse_int(part);
    if (!number || *number < 0 || *number > 255) return std::nullopt;
    address = address << 8 | static_cast<std::uint64_t>(*number);
  }
  const std::uint64_t size = std::uint64_t{1} << (32 - *bits);
  const std::uint64_t first = address / size * size;
  return AddressRange(first, first + size - 1);
}

bool ranges_overlap(std::string_view one, std::string_view other) {
  const std::optional<AddressRange> a = address_range(one);
  const std::optional<AddressRange> b = address_range(other);
  return a && b && a->first <= b->second && b->first <= a->second;
}

/// A value that is written out, and where.
struct ClusterLiteral {
  std::string_view text;
  std::size_t file = 0;
};

class TerraformClusters {
 public:
  TerraformClusters(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::map<std::string_view, std::vector<std::size_t>> folders;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (inputs_.files[i].context.path.ends_with(".tf") && inputs_.files[i].reading == Reading::Whole)
        folders[inputs_.files[i].context.folder].push_back(i);
    }
    for (const auto& [folder, files] : folders) {
      files_ = &files;
      for (const std::size_t i : files) {
        if (contains(text(i), "azurerm_kubernetes_cluster")) aks(i);
        if (contains(text(i), "node_pools") &&
            (contains(text(i), "aws_eks_cluster") || contains(text(i), kEksModuleSource)))
          eks(i);
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }
  static std::size_t steps_for(std::string_view text) { return 16 * text.size() + 1000; }

  Finding& report(std::string_view rule, std::size_t file, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(static_cast<FileId>(file), text(file), at), std::move(message)));
    return findings_.back();
  }

  void aks(std::size_t i) {
    std::size_t left = steps_for(text(i));
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      if (one.word != "resource" || one.labels[0] != "azurerm_kubernetes_cluster") continue;
      std::string_view subnet;
      std::string_view range;
      bool profile = false;
      bool open = false;
      for (const HclInnerBlock& inner : read_hcl_block(text(i), one.brace, left).blocks) {
        open = open || inner.dynamic;
        const HclBlock block = read_hcl_block(text(i), inner.brace, left);
        if (inner.name == "default_node_pool") subnet = block.attribute("vnet_subnet_id");
        if (inner.name != "network_profile") continue;
        profile = true;
        range = block.attribute("service_cidr");
        open = open || block.open || !block.attribute("service_cidrs").empty();
      }
      if (open || left == 0 || subnet.empty()) continue;
      const std::optional<ClusterLiteral> services =
          range.empty() ? ClusterLiteral{kAksDefault, i} : literal_of({range, i});
      const std::optional<ClusterLiteral> nodes = prefix_of(subnet);
      if (!services || !nodes || !ranges_overlap(services->text, nodes->text)) continue;
      report("aks-service-range-overlaps", i, range.empty() ? one.labels[1] : range,
             "Services of the cluster have the addresses " + std::string(services->text) +
                 (range.empty() ? profile ? ", as `network_profile` says no others" : ", the default" : "") +
                 ", and its nodes are in " + std::string(nodes->text))
          .related.push_back(
              {span_of_part(static_cast<FileId>(nodes->file), text(nodes->file), nodes->text), "the subnet"});
    }
  }

  /// Of `azurerm_subnet.NAME.id` in the same folder: its only prefix.
  std::optional<ClusterLiteral> prefix_of(std::string_view reference) {
    constexpr std::string_view kSubnet = "azurerm_subnet.";
    if (!reference.starts_with(kSubnet) || !reference.ends_with(".id")) return std::nullopt;
    const std::string_view name = reference.substr(kSubnet.size(), reference.size() - kSubnet.size() - 3);
    for (const std::size_t i : *files_) {
      if (!contains(text(i), "azurerm_subnet")) continue;
      std::size_t left = steps_for(text(i));
      for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
        if (one.word != "resource" || one.labels[0] != "azurerm_subnet" || one.labels[1] != name) continue;
        const std::string_view prefixes = read_hcl_block(text(i), one.brace, left).attribute("address_prefixes");
        return literal_of({prefixes, i});
      }
    }
    return std::nullopt;
  }

  /// `"10.0.1.0/24"`, `["10.0.1.0/24"]`, or the default of a variable that nothing else speaks of.
  std::optional<ClusterLiteral> literal_of(ClusterLiteral written) {
    if (written.text.starts_with('[')) {
      std::size_t left = steps_for(written.text);
      const std::vector<std::string_view> items = read_hcl_list(written.text, 0, left);
      if (items.size() != 1) return std::nullopt;
      written.text = items.front();
    }
    const std::string_view value = unquoted_hcl(written.text);
    constexpr std::string_view kVariable = "var.";
    if (!value.starts_with(kVariable))
      return address_range(value) ? std::optional(ClusterLiteral{value, written.file}) : std::nullopt;
    const std::string_view name = value.substr(kVariable.size());
    if (!std::ranges::all_of(name, is_word_char) || is_given(name)) return std::nullopt;
    for (const std::size_t i : *files_) {
      if (!contains(text(i), "variable \"" + std::string(name) + "\"")) continue;
      std::size_t left = steps_for(text(i));
      for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
        if (one.word != "variable" || one.labels[0] != name) continue;
        const std::string_view given = read_hcl_block(text(i), one.brace, left).attribute("default");
        return given.starts_with("var.") ? std::nullopt : literal_of({given, i});
      }
    }
    return std::nullopt;
  }

  /// Whether another file than those of the folder has the name, in which it may be given.
  bool is_given(std::string_view name) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const bool own = std::ranges::find(*files_, i) != files_->end();
      if (own || path.ends_with(".md") || path.ends_with(".example")) continue;
      if (contains(text(i), name)) return true;
    }
    return false;
  }

  void eks(std::size_t i) {
    std::size_t left = steps_for(text(i));
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      const bool cluster = one.word == "resource" && one.labels[0] == "aws_eks_cluster";
      if (!cluster && one.word != "module") continue;
      const HclBlock block = read_hcl_block(text(i), one.brace, left);
      if (!cluster && unquoted_hcl(block.attribute("source")) != kEksModuleSource) continue;
      for (const HclInnerBlock& inner : block.blocks) {
        if (inner.name == "compute_config") eks_pools(i, read_hcl_block(text(i), inner.brace, left), left);
      }
      for (const std::string_view name : {"cluster_compute_config", "compute_config"}) {
        const std::string_view config = block.attribute(name);
        if (!config.starts_with('{')) continue;
        eks_pools(i, read_hcl_block(text(i), static_cast<std::size_t>(config.data() - text(i).data()), left), left);
      }
    }
  }

  /// Source: docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html.
  void eks_pools(std::size_t i, const HclBlock& config, std::size_t& left) {
    std::string_view pools = config.attribute("node_pools");
    if (pools.starts_with("local.")) pools = local(i, pools.substr(6), left);
    if (!pools.starts_with('[')) return;
    const auto from = static_cast<std::size_t>(pools.data() - text(i).data());
    for (const std::string_view one : read_hcl_list(text(i), from, left)) {
      const std::string_view name = unquoted_hcl(one);
      if (!one.starts_with('"') || name.empty() || name == "general-purpose" || name == "system" ||
          contains(name, "$") || contains(name, "."))
        continue;
      report("eks-auto-pool-unknown", i, name, "EKS Auto Mode has no built-in pool `" + std::string(name) + "`");
    }
  }

  /// Of the same file.
  std::string_view local(std::size_t i, std::string_view name, std::size_t& left) const {
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      if (one.word != "locals") continue;
      const std::string_view value = read_hcl_block(text(i), one.brace, left).attribute(name);
      if (!value.empty()) return value;
    }
    return {};
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  const std::vector<std::size_t>* files_ = nullptr;  ///< of the folder that is looked at
};

}  // namespace

void find_terraform_clusters(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformClusters(inputs, findings).run();
}

}  // namespace muster
