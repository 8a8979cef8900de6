#include "pipeline/terraform_clusters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/terraform_constraints.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

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
  TerraformClusters(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings)
      : inputs_(inputs), given_(given), findings_(findings) {}

  void run() {
    std::map<std::string_view, std::vector<std::size_t>> folders;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (inputs_.files[i].context.path.ends_with(".tf") && inputs_.files[i].reading == Reading::Whole)
        folders[inputs_.files[i].context.folder].push_back(i);
    }
    for (const auto& [folder, files] : folders) {
      files_ = &files;
      subnets_.clear();
      defaults_.clear();
      read_ = false;
      for (const std::size_t i : files) {
        if (contains(text(i), "azurerm_kubernetes_cluster")) aks(i);
        if (contains(text(i), "node_pools") && (contains(text(i), "aws_eks_cluster") || contains(text(i), kEksModule)))
          eks(i);
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  Finding& report(std::string_view rule, std::size_t file, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(static_cast<FileId>(file), text(file), at), std::move(message)));
    return findings_.back();
  }

  void aks(std::size_t i) {
    std::size_t left = hcl_steps(text(i));
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

  /// Subnets and variables of the folder, once for all of its clusters.
  void read_folder() {
    if (std::exchange(read_, true)) return;
    for (const std::size_t i : *files_) {
      if (!contains(text(i), "azurerm_subnet") && !contains(text(i), "variable")) continue;
      std::size_t left = hcl_steps(text(i));
      for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
        if (one.word == "resource" && one.labels[0] == "azurerm_subnet") {
          subnets_.try_emplace(
              one.labels[1], ClusterLiteral{read_hcl_block(text(i), one.brace, left).attribute("address_prefixes"), i});
        } else if (one.word == "variable") {
          defaults_.try_emplace(one.labels[0],
                                ClusterLiteral{read_hcl_block(text(i), one.brace, left).attribute("default"), i});
        }
      }
    }
  }

  /// Of `azurerm_subnet.NAME.id` in the same folder: its only prefix.
  std::optional<ClusterLiteral> prefix_of(std::string_view reference) {
    constexpr std::string_view kSubnet = "azurerm_subnet.";
    if (!reference.starts_with(kSubnet) || !reference.ends_with(".id")) return std::nullopt;
    read_folder();
    const auto found = subnets_.find(reference.substr(kSubnet.size(), reference.size() - kSubnet.size() - 3));
    return found == subnets_.end() ? std::nullopt : literal_of(found->second);
  }

  /// `"10.0.1.0/24"` or `["10.0.1.0/24"]`, without the brackets and quotes.
  static std::string_view only_word(std::string_view written) {
    if (written.starts_with('[')) {
      std::size_t left = hcl_steps(written);
      const std::vector<std::string_view> items = read_hcl_list(written, 0, left);
      if (items.size() != 1) return {};
      written = items.front();
    }
    return unquoted_hcl(written);
  }

  /// A range as it is written, or the default of a variable that nothing gives.
  std::optional<ClusterLiteral> literal_of(const ClusterLiteral& written) {
    ClusterLiteral out{only_word(written.text), written.file};
    constexpr std::string_view kVariable = "var.";
    if (out.text.starts_with(kVariable)) {
      const std::string_view name = out.text.substr(kVariable.size());
      read_folder();
      const auto found = defaults_.find(name);
      if (found == defaults_.end() || !std::ranges::all_of(name, is_word_char) || given_.contains(name))
        return std::nullopt;
      out = {only_word(found->second.text), found->second.file};  // no default names a variable
    }
    return address_range(out.text) ? std::optional(out) : std::nullopt;
  }

  void eks(std::size_t i) {
    std::size_t left = hcl_steps(text(i));
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      const bool cluster = one.word == "resource" && one.labels[0] == "aws_eks_cluster";
      if (!cluster && one.word != "module") continue;
      const HclBlock block = read_hcl_block(text(i), one.brace, left);
      if (!cluster && unquoted_hcl(block.attribute("source")) != kEksModule) continue;
      if (block.attribute("count") == "0" || (!cluster && block.attribute("create") == "false")) continue;
      for (const HclInnerBlock& inner : block.blocks) {
        if (inner.name != "compute_config") continue;
        const HclBlock config = read_hcl_block(text(i), inner.brace, left);
        if (!inner.dynamic) eks_pools(i, config, left);
        for (const HclInnerBlock& content : config.blocks) {
          if (inner.dynamic && content.name == "content")
            eks_pools(i, read_hcl_block(text(i), content.brace, left), left);
        }
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
    if (config.attribute("enabled") == "false") return;
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
  TerraformGiven& given_;
  std::vector<Finding>& findings_;
  // Of the folder that is looked at:
  const std::vector<std::size_t>* files_ = nullptr;
  std::map<std::string_view, ClusterLiteral> subnets_;   ///< their prefixes as they are written
  std::map<std::string_view, ClusterLiteral> defaults_;  ///< those of variables
  bool read_ = false;                                    ///< the two are filled
};

}  // namespace

void find_terraform_clusters(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings) {
  TerraformClusters(inputs, given, findings).run();
}

}  // namespace muster
