#include "pipeline/terraform_pool_sizes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

/// A pool as a resource, or as a block of a cluster: what its size is called, and what makes it grow.
struct PoolKind {
  std::string_view resource;
  std::string_view block;  ///< empty: the resource is the pool
  std::string_view size;
  std::string_view switches;  ///< attributes that are true then; empty: a block says so
  std::string_view scaling;   ///< that block
  std::string_view least;
  std::string_view most;
};

constexpr std::string_view kAzureSwitches = "auto_scaling_enabled enable_auto_scaling";
constexpr std::array<PoolKind, 7> kPoolKinds{{
    {"google_container_node_pool", "", "node_count", "", "autoscaling", "min_node_count", "max_node_count"},
    {"azurerm_kubernetes_cluster_node_pool", "", "node_count", kAzureSwitches, "", "min_count", "max_count"},
    {"azurerm_kubernetes_cluster", "default_node_pool", "node_count", kAzureSwitches, "", "min_count", "max_count"},
    {"digitalocean_kubernetes_cluster", "node_pool", "node_count", "auto_scale", "", "min_nodes", "max_nodes"},
    {"digitalocean_kubernetes_node_pool", "", "node_count", "auto_scale", "", "min_nodes", "max_nodes"},
    {"linode_lke_cluster", "pool", "count", "", "autoscaler", "min", "max"},
    {"linode_lke_node_pool", "", "node_count", "", "autoscaler", "min", "max"},
}};

/// `node_count`, `default_node_pool[0].node_count`, `pool`.
bool is_size_of(std::string_view path, const PoolKind& kind) {
  if (kind.block.empty()) return path == kind.size;
  return path.starts_with(kind.block) &&
         (path == kind.block || path.ends_with("]") || path.ends_with("." + std::string(kind.size)));
}

bool leaves_size_alone(std::string_view ignored, const PoolKind& kind, std::size_t& left) {
  if (!ignored.starts_with('[')) return ignored == "all";
  return std::ranges::any_of(read_hcl_list(ignored, 0, left),
                             [&](std::string_view one) { return is_size_of(unquoted_hcl(one), kind); });
}

class PoolSizes {
 public:
  PoolSizes(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings)
      : inputs_(inputs), given_(given), findings_(findings) {}

  void run() {
    constexpr std::array<std::string_view, 4> kWords{"google_container_node_pool", "azurerm_kubernetes_cluster",
                                                     "digitalocean_kubernetes_", "linode_lke_"};
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (is_terraform(i) &&
          std::ranges::any_of(kWords, [&](std::string_view word) { return contains(text(i), word); }))
        look(i);
    }
  }

 private:
  bool is_terraform(std::size_t i) const { return inputs_.files[i].context.path.ends_with(".tf"); }
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void look(std::size_t i) {
    std::size_t left = hcl_steps(text(i));
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      const auto kind = std::ranges::find(kPoolKinds, one.labels[0], &PoolKind::resource);
      if (one.word != "resource" || kind == kPoolKinds.end()) continue;
      const HclBlock whole = read_hcl_block(text(i), one.brace, left);
      if (leaves_in_lifecycle(whole, *kind, i, left)) continue;
      if (kind->block.empty()) look_at_pool(i, whole, *kind, one.labels[1], left);
      for (const HclInnerBlock& inner : whole.blocks) {
        if (!kind->block.empty() && inner.name == kind->block && !inner.dynamic)
          look_at_pool(i, read_hcl_block(text(i), inner.brace, left), *kind, one.labels[1], left);
      }
    }
  }

  void look_at_pool(std::size_t i, const HclBlock& pool, const PoolKind& kind, std::string_view name,
                    std::size_t& left) {
    const std::string_view size = pool.attribute(kind.size);
    if (size.empty() || !grows(i, pool, kind, size, left) || left == 0 || !is_size(size)) return;
    findings_.push_back(problem("terraform-pool-size-reset", span_of_part(static_cast<FileId>(i), text(i), size),
                                (kind.block.empty() ? "node pool `" : "a node pool of `") + std::string(name) +
                                    "` has an autoscaler, and Terraform sets its size to " + std::string(size)));
  }

  bool grows(std::size_t i, const HclBlock& pool, const PoolKind& kind, std::string_view size,
             std::size_t& left) const {
    for (const std::string_view one : split_blanks(kind.switches)) {
      if (pool.attribute(one) == "true") return !has_one_size(pool, kind, size);
    }
    return std::ranges::any_of(pool.blocks, [&](const HclInnerBlock& block) {
      return block.name == kind.scaling && !block.dynamic &&
             !has_one_size(read_hcl_block(text(i), block.brace, left), kind, size);
    });
  }

  /// Whether the autoscaler may leave that size at all.
  static bool has_one_size(const HclBlock& scaling, const PoolKind& kind, std::string_view size) {
    return scaling.attribute(kind.least) == size && scaling.attribute(kind.most) == size;
  }

  bool leaves_in_lifecycle(const HclBlock& pool, const PoolKind& kind, std::size_t i, std::size_t& left) const {
    return std::ranges::any_of(pool.blocks, [&](const HclInnerBlock& block) {
      return block.name == "lifecycle" &&
             leaves_size_alone(read_hcl_block(text(i), block.brace, left).attribute("ignore_changes"), kind, left);
    });
  }

  /// A number, or a variable that is null neither by default nor where something gives it.
  bool is_size(std::string_view written) {
    if (parse_int(written)) return true;
    constexpr std::string_view kVariable = "var.";
    if (!written.starts_with(kVariable) || !std::ranges::all_of(written.substr(4), is_word_char)) return false;
    if (may_be_null(written.substr(4))) return false;
    return !given_.has_null(written.substr(4));
  }

  bool may_be_null(std::string_view name) {
    if (!defaults_) {
      defaults_.emplace();
      for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
        if (!is_terraform(i) || !contains(text(i), "variable \"")) continue;
        std::size_t left = hcl_steps(text(i));
        for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
          if (one.word != "variable") continue;
          const bool null = read_hcl_block(text(i), one.brace, left).attribute("default") == "null";
          bool& before = (*defaults_)[std::string(one.labels[0])];
          before = before || null;
        }
      }
    }
    const auto found = defaults_->find(std::string(name));
    return found == defaults_->end() || found->second;
  }

  const Inputs& inputs_;
  TerraformGiven& given_;
  std::vector<Finding>& findings_;
  std::optional<std::map<std::string, bool>> defaults_;  ///< by variable: whether one of the name is null by default
};

}  // namespace

void find_terraform_pool_sizes(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings) {
  PoolSizes(inputs, given, findings).run();
}

}  // namespace muster
