#include "pipeline/terraform_pools.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/capped.h"
#include "base/strings.h"
#include "pipeline/other_nodes.h"
#include "pipeline/terraform_constraints.h"
#include "pipeline/terraform_folders.h"
#include "syntax/gpu_machines.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

constexpr std::size_t kMostCloudPools = 1000;

/// A text or a number that is written out; nothing: an expression, or nothing at all.
std::optional<std::string> literal_of(std::string_view written) {
  const bool quoted = written.size() > 1 && written.front() == '"' && written.back() == '"';
  const std::string_view inner = quoted ? written.substr(1, written.size() - 2) : written;
  const bool word = written == "true" || written == "false" || (!written.empty() && parse_int(written));
  if (quoted ? inner.find_first_of("$%\\\"") == inner.npos : word) return std::string(inner);
  return std::nullopt;
}

/// `NO_SCHEDULE` and `NoSchedule` are one; empty: neither.
std::string effect_of(std::string_view written) {
  const std::optional<std::string> word = literal_of(written);
  for (const auto& [cloud, kubernetes] : {std::pair{"NO_SCHEDULE", "NoSchedule"}, std::pair{"NO_EXECUTE", "NoExecute"},
                                          std::pair{"PREFER_NO_SCHEDULE", "PreferNoSchedule"}}) {
    if (word && (*word == cloud || *word == kubernetes)) return kubernetes;
  }
  return {};
}

/// Words of `["a", "b"]`; nothing: it is no list, or not all of it is written out.
std::optional<std::vector<std::string>> words_of_list(std::string_view written) {
  if (written.size() < 2 || written.front() != '[' || written.back() != ']') return std::nullopt;
  std::vector<std::string> out;
  std::size_t left = hcl_steps(written);
  for (const std::string_view one : read_hcl_list(written, 0, left)) {
    const std::optional<std::string> word = literal_of(one);
    if (!word) return std::nullopt;
    out.push_back(*word);
  }
  return out;
}

/// The GPUs of the largest machine of a list; nothing: nobody knows.
std::optional<std::int64_t> most_gpus(std::string_view written, auto gpus_of) {
  const auto types = words_of_list(written);
  if (!types || types->empty()) return std::nullopt;
  std::int64_t out = 0;
  for (const std::string& type : *types) {
    const std::optional<std::int64_t> gpus = gpus_of(type);
    if (!gpus) return std::nullopt;
    out = std::max(out, *gpus);
  }
  return out;
}

/// What is taken off a node once it can be used, and pods do not tolerate. Sources:
/// docs.cilium.io/en/stable/installation/taints;
/// kubernetes/autoscaler:cluster-autoscaler/utils/taints/taints.go (1.33), StartupTaintPrefix.
bool is_startup_taint(std::string_view key) {
  for (const std::string_view part :
       {"not-ready", "uninitialized", "unready", "startup", "not-initialized", "node.cilium.io/",
        "node.cluster.x-k8s.io/", "ignore-taint.cluster-autoscaler.", "status-taint.cluster-autoscaler."}) {
    if (contains(key, part)) return true;
  }
  return false;
}

/// Whether somebody else sets the size of the pool, and what is written is that of its beginning.
bool ignores_size(const HclBlock& lifecycle) {
  for (const std::string_view one : split(lifecycle.attribute("ignore_changes"), ',')) {
    if (contains(one, "desired_size") || contains(one, "initial_node_count")) continue;
    for (const std::string_view part : {"node_count", "scaling", "max_", "all"}) {
      if (contains(one, part)) return true;
    }
  }
  return false;
}

/// Pools of one file.
class TerraformPools {
 public:
  TerraformPools(FileId file, std::string_view folder, std::string_view text, Model& model, TerraformFolders& folders)
      : file_(file), folder_(folder), text_(text), left_(hcl_steps(text)), model_(model), folders_(folders) {}

  int clusters = 0;  ///< that it makes

  void run() {
    for (const HclTopBlock& one : top_hcl_blocks(text_, left_)) {
      if (model_.cloud_pools.size() >= kMostCloudPools) {
        model_.other_nodes = true;
        return;
      }
      if (one.word == "module") read_module(inner(one.brace));
      if (one.word == "resource") read_resource(one);
    }
    model_.other_nodes = model_.other_nodes || left_ == 0;
  }

 private:
  HclBlock inner(std::size_t brace) { return read_hcl_block(text_, brace, left_); }

  std::size_t offset_of(std::string_view written) const {
    return static_cast<std::size_t>(written.data() - text_.data());
  }

  /// Of `NAME = {`; nothing: it is no object.
  std::optional<HclBlock> object(std::string_view written) {
    const bool loop = written.starts_with('{') && trim(written.substr(1)).starts_with("for ");
    if (!written.starts_with('{') || loop) return std::nullopt;
    return inner(offset_of(written));
  }

  void read_resource(const HclTopBlock& one) {
    const std::string_view type = one.labels[0];
    if (type == "aws_eks_cluster" || type == "google_container_cluster" || type == "azurerm_kubernetes_cluster")
      ++clusters;
    if (type == "aws_eks_node_group") return read_eks(inner(one.brace), "node_group_name", one.labels[1]);
    if (type == "google_container_node_pool") return read_gke(inner(one.brace), one.labels[1]);
    if (type == "google_container_cluster") return read_gke_cluster(inner(one.brace));
    if (type == "azurerm_kubernetes_cluster_node_pool") return read_aks(inner(one.brace), one.labels[1]);
    if (type == "azurerm_kubernetes_cluster") {
      for (const HclInnerBlock& block : inner(one.brace).blocks) {
        if (block.name == "default_node_pool") read_aks(inner(block.brace), "default");
      }
      return;
    }
    const bool others = makes_other_nodes(type);
    model_.other_nodes = model_.other_nodes || others;
  }

  /// Source: terraform-aws-modules/terraform-aws-eks:modules/eks-managed-node-group/variables.tf (21).
  void read_module(const HclBlock& module) {
    const std::string source(unquoted_hcl(module.attribute("source")));
    const bool often = !module.attribute("count").empty() || !module.attribute("for_each").empty();
    // Its files are read where they are.
    if (source.starts_with(".")) return folders_.add_call(folder_, source, often);
    if (!is_eks_module(source)) {
      model_.other_nodes = model_.other_nodes || !is_module_without_nodes(source);
      return;
    }
    ++clusters;
    for (const std::string_view key : {"worker_groups", "worker_groups_launch_template", "node_groups"})  // up to 17
      model_.other_nodes = model_.other_nodes || !module.attribute(key).empty();
    const std::string_view groups = module.attribute("eks_managed_node_groups");
    const std::optional<HclBlock> all = object(groups);
    const bool others = !module.attribute("self_managed_node_groups").empty() ||
                        !module.attribute("fargate_profiles").empty() || (!groups.empty() && (!all || all->open));
    model_.other_nodes = model_.other_nodes || others;
    if (!all) return;
    const bool defaults = !module.attribute("eks_managed_node_group_defaults").empty();
    for (const auto& [name, written] : all->attributes) {
      const std::optional<HclBlock> group = object(written);
      if (!group) model_.other_nodes = true;
      if (!group) continue;
      read_eks(*group, "", name);
      CloudPool& pool = model_.cloud_pools.back();
      pool.open_labels = pool.open_labels || defaults;
      pool.open_taints = pool.open_taints || defaults;
      pool.labels["eks.amazonaws.com/nodegroup"] = std::nullopt;  // with something behind its name
      if (defaults && group->attribute("instance_types").empty()) pool.gpus.reset();
      if (often) pool.most_nodes.reset();
    }
  }

  static bool is_eks_module(std::string_view source) {
    return source.starts_with(kEksModule) && !contains(source, "//");
  }

  void read_labels(std::string_view written, CloudPool& pool) {
    if (written.empty() || written == "null") return;
    const std::optional<HclBlock> labels = object(written);
    pool.open_labels = pool.open_labels || !labels || labels->open;
    if (!labels) return;
    for (const auto& [key, value] : labels->attributes) {
      slices_ =
          slices_ || key.starts_with("nvidia.com/mig.config") || key.starts_with("nvidia.com/device-plugin.config");
      if (contains(key, "$")) pool.open_labels = true;
      pool.labels[std::string(key)] = literal_of(value);
    }
  }

  void add_taint(const HclBlock& taint, CloudPool& pool) {
    const std::optional<std::string> key = literal_of(taint.attribute("key"));
    const std::string effect = effect_of(taint.attribute("effect"));
    pool.open_taints = pool.open_taints || !key || effect.empty();
    if (!key || effect.empty()) return;
    const std::string_view value = taint.attribute("value");
    if (is_startup_taint(*key)) return;
    pool.taints.push_back({*key, value.empty() ? std::optional<std::string>("") : literal_of(value), effect});
  }

  /// `taint { ... }`, each of them.
  void read_taint_blocks(const HclBlock& of, CloudPool& pool) {
    for (const HclInnerBlock& block : of.blocks) {
      if (block.name != "taint") continue;
      if (block.dynamic) pool.open_taints = true;
      if (!block.dynamic) add_taint(inner(block.brace), pool);
    }
    const std::string_view list = of.attribute("taint");
    pool.open_taints = pool.open_taints || (!list.empty() && list != "[]");
  }

  /// `taints = { a = {...} }` or `taints = [{...}]`.
  void read_taint_map(std::string_view written, CloudPool& pool) {
    if (written.empty() || written == "[]" || written == "{}" || written == "null") return;
    if (const std::optional<HclBlock> all = object(written)) {
      pool.open_taints = pool.open_taints || all->open;
      for (const auto& [name, value] : all->attributes) {
        const std::optional<HclBlock> taint = object(value);
        pool.open_taints = pool.open_taints || !taint;
        if (taint) add_taint(*taint, pool);
      }
      return;
    }
    if (!written.starts_with('[') || trim(written.substr(1)).starts_with("for ")) pool.open_taints = true;
    if (pool.open_taints) return;
    for (const std::string_view one : read_hcl_list(text_, offset_of(written), left_)) {
      const std::optional<HclBlock> taint = object(one);
      pool.open_taints = pool.open_taints || !taint;
      if (taint) add_taint(*taint, pool);
    }
  }

  /// With labels by which NVIDIA's operator cuts or shares its GPUs nobody knows how many there are.
  void leave_slices(CloudPool& pool) {
    if (slices_ && pool.gpus != 0) pool.gpus.reset();
    slices_ = false;
  }

  /// Nodes of a pool that is there once, in each of so many zones.
  void read_most(const HclBlock& pool_block, std::string_view written, std::size_t zones, CloudPool& pool) {
    const std::optional<std::int64_t> most = written.empty() ? std::nullopt : parse_int(unquoted_hcl(written));
    bool often = !pool_block.attribute("count").empty() || !pool_block.attribute("for_each").empty();
    for (const HclInnerBlock& block : pool_block.blocks)
      often = often || (block.name == "lifecycle" && ignores_size(inner(block.brace)));
    if (!most || *most < 0 || often || zones == 0) return;
    pool.most_nodes = multiply_capped(*most, static_cast<std::int64_t>(zones));
    const std::size_t begin = offset_of(written);
    pool.most_where = {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + written.size())};
  }

  CloudPool& add_pool(std::string_view what, std::string_view name) {
    CloudPool& pool = model_.cloud_pools.emplace_back();
    pool.most_where = {file_, 0, 0};
    slices_ = false;
    pool.words = std::string(what) + " `" + std::string(name) + "` of Terraform";
    return pool;
  }

  void read_eks(const HclBlock& group, std::string_view name_key, std::string_view called) {
    const std::optional<std::string> name = name_key.empty() ? std::nullopt : literal_of(group.attribute(name_key));
    CloudPool& pool = add_pool("node group", name ? *name : called);
    pool.open_labels = pool.open_taints = group.open;
    pool.labels["eks.amazonaws.com/nodegroup"] = name;
    read_labels(group.attribute("labels"), pool);
    read_taint_blocks(group, pool);
    read_taint_map(group.attribute("taints"), pool);
    pool.gpus = most_gpus(group.attribute("instance_types"), gpus_of_aws_machine);
    for (const HclInnerBlock& block : group.blocks) {
      if (block.dynamic && block.name != "timeouts" && block.name != "taint") pool.gpus.reset();
      if (block.name == "scaling_config" && !block.dynamic)
        read_most(group, inner(block.brace).attribute("max_size"), 1, pool);
    }
    read_most(group, group.attribute("max_size"), 1, pool);  // of the module
    // User data gives labels and taints, too.
    constexpr std::array<std::string_view, 7> kUserData{
        "launch_template", "bootstrap_extra_args",    "pre_bootstrap_user_data", "cloudinit_pre_nodeadm",
        "user_data",       "user_data_template_path", "launch_template_id"};
    const bool user_data =
        std::ranges::any_of(kUserData, [&](std::string_view key) { return !group.attribute(key).empty(); }) ||
        std::ranges::find(group.blocks, "launch_template", &HclInnerBlock::name) != group.blocks.end();
    pool.open_labels = pool.open_labels || user_data;
    pool.open_taints = pool.open_taints || user_data;
    leave_slices(pool);
  }

  void read_gke_cluster(const HclBlock& cluster) {
    const auto is_on = [](std::string_view written) { return !written.empty() && written != "false"; };
    if (is_on(cluster.attribute("enable_autopilot"))) model_.other_nodes = true;
    const bool removed = cluster.attribute("remove_default_node_pool") == "true";
    bool pools = false;
    for (const HclInnerBlock& block : cluster.blocks) {
      const HclBlock within = inner(block.brace);
      const bool of_nodes =
          block.name == "node_pool" || block.name == "node_config" || block.name == "cluster_autoscaling";
      if (block.dynamic && of_nodes) model_.other_nodes = true;
      if (block.name == "cluster_autoscaling" && is_on(within.attribute("enabled"))) model_.other_nodes = true;
      if (block.name != "node_pool" || block.dynamic) continue;
      read_gke(within, "default");
      pools = true;
    }
    if (!removed && !pools) read_gke(cluster, "default-pool");
  }

  /// Source: hashicorp/terraform-provider-google:website/docs/r/container_cluster.html.markdown (7), node_config.
  void read_gke(const HclBlock& written, std::string_view called) {
    const std::optional<std::string> name = literal_of(written.attribute("name"));
    const bool of_cluster = called == "default-pool";  // whose name it has not
    CloudPool& pool = add_pool("node pool", name && !of_cluster ? *name : called);
    pool.open_labels = pool.open_taints = written.open;
    pool.labels["cloud.google.com/gke-nodepool"] = of_cluster ? std::nullopt : name;
    read_gke_most(written, pool);
    for (const HclInnerBlock& block : written.blocks) {
      if (block.name == "node_config" && block.dynamic) pool.open_labels = pool.open_taints = true;
      if (block.name == "node_config" && !block.dynamic) return read_gke_nodes(inner(block.brace), pool);
    }
    pool.gpus = pool.open_labels ? std::nullopt : std::optional<std::int64_t>(0);
  }

  /// What is written of nodes is for each zone, unless it is the total.
  void read_gke_most(const HclBlock& written, CloudPool& pool) {
    const auto zones = words_of_list(written.attribute("node_locations"));
    for (const HclInnerBlock& block : written.blocks) {
      if (block.name != "autoscaling") continue;
      const HclBlock sizes = block.dynamic ? HclBlock() : inner(block.brace);
      const std::string_view total = sizes.attribute("total_max_node_count");
      return read_most(written, total.empty() ? sizes.attribute("max_node_count") : total,
                       !total.empty() ? 1
                       : zones        ? zones->size()
                                      : 0,
                       pool);
    }
    read_most(written, written.attribute("node_count"), zones ? zones->size() : 0, pool);
  }

  void read_gke_nodes(const HclBlock& nodes, CloudPool& pool) {
    pool.open_labels = pool.open_labels || nodes.open;
    pool.open_taints = pool.open_taints || nodes.open;
    read_labels(nodes.attribute("labels"), pool);
    read_taint_blocks(nodes, pool);
    read_taint_map(nodes.attribute("taints"), pool);
    const std::string_view machine = nodes.attribute("machine_type");
    const std::optional<std::string> type =
        machine.empty() ? std::optional<std::string>("e2-medium") : literal_of(machine);
    if (!type) return;
    pool.gpus = gpus_of_google_machine(*type);
    // Others have none but by what is written beside them.
    constexpr std::array<std::string_view, 4> kWithGpus{"a2-", "a3-", "a4", "g"};
    const bool unknown =
        !pool.gpus && std::ranges::any_of(kWithGpus, [&](auto begin) { return type->starts_with(begin); });
    if (!pool.gpus && !unknown) pool.gpus = 0;
    if (!nodes.attribute("guest_accelerator").empty()) pool.gpus.reset();
    for (const HclInnerBlock& block : nodes.blocks) {
      if (block.name == "guest_accelerator") read_gke_gpus(inner(block.brace), block.dynamic, pool);
    }
    leave_slices(pool);
  }

  /// Where each is cut or shared, pods see another number of them.
  static void read_gke_gpus(const HclBlock& accelerator, bool dynamic, CloudPool& pool) {
    const std::optional<std::string> count = literal_of(accelerator.attribute("count"));
    const bool shared = std::ranges::any_of(
        accelerator.blocks, [](const HclInnerBlock& block) { return block.name == "gpu_sharing_config"; });
    const bool open = dynamic || accelerator.open || shared || !accelerator.attribute("gpu_partition_size").empty() ||
                      !accelerator.attribute("gpu_sharing_config").empty();
    pool.labels["cloud.google.com/gke-accelerator"] = literal_of(accelerator.attribute("type"));
    pool.gpus = open || !count ? std::nullopt : parse_int(*count);
  }

  /// Source: hashicorp/terraform-provider-azurerm:website/docs/r/kubernetes_cluster_node_pool.html.markdown (4);
  /// https://learn.microsoft.com/azure/aks/spot-node-pool.
  void read_aks(const HclBlock& written, std::string_view called) {
    const std::optional<std::string> name = literal_of(written.attribute("name"));
    CloudPool& pool = add_pool("node pool", name ? *name : called);
    pool.open_labels = pool.open_taints = written.open;
    pool.labels["agentpool"] = pool.labels["kubernetes.azure.com/agentpool"] = name;
    read_labels(written.attribute("node_labels"), pool);
    const std::optional<std::string> machine = literal_of(written.attribute("vm_size"));
    if (machine) pool.gpus = gpus_of_azure_machine(*machine);
    if (!written.attribute("gpu_instance").empty()) pool.gpus.reset();
    const std::string_view newer = written.attribute("auto_scaling_enabled");
    const std::string_view grows = newer.empty() ? written.attribute("enable_auto_scaling") : newer;
    const std::string_view most = written.attribute("max_count");
    if (grows == "true") read_most(written, most, 1, pool);
    if ((grows.empty() || grows == "false") && most.empty())
      read_most(written, written.attribute("node_count"), 1, pool);
    leave_slices(pool);
    const std::string_view taints = written.attribute("node_taints");
    const auto words = words_of_list(taints);
    pool.open_taints = pool.open_taints || (!taints.empty() && !words);
    for (const std::string& word : words ? *words : std::vector<std::string>()) {
      const std::size_t colon = word.rfind(':');
      const std::string pair = word.substr(0, colon);
      const std::size_t sign = pair.find('=');
      if (colon == word.npos) pool.open_taints = true;
      if (colon == word.npos || is_startup_taint(pair.substr(0, sign))) continue;
      pool.taints.push_back(
          {pair.substr(0, sign), sign == pair.npos ? std::string() : pair.substr(sign + 1), word.substr(colon + 1)});
    }
    const std::string_view priority = written.attribute("priority");
    if (priority.empty() || literal_of(priority) == "Regular") return;
    constexpr std::string_view kSpot = "kubernetes.azure.com/scalesetpriority";
    pool.open_taints = pool.open_taints || literal_of(priority) != "Spot";
    pool.labels[std::string(kSpot)] = "spot";
    pool.taints.push_back({std::string(kSpot), "spot", "NoSchedule"});
  }

  FileId file_;
  std::string_view folder_;
  std::string_view text_;
  std::size_t left_;
  bool slices_ = false;
  Model& model_;
  TerraformFolders& folders_;
};

/// Of a module's tests or examples: no cluster that the pods of the input run on.
bool is_of_trial(std::string_view path) {
  constexpr std::array<std::string_view, 8> kTrials{"test",     "tests",    "testdata", "fixture",
                                                    "fixtures", "examples", "example",  "e2e"};
  return std::ranges::any_of(split(path, '/'),
                             [&](std::string_view step) { return std::ranges::find(kTrials, step) != kTrials.end(); });
}

/// How much of the paths, which are sorted, is the folder that all files stand in.
std::size_t folder_of_all(const Inputs& inputs) {
  const std::string_view first = inputs.files.front().context.path;
  const std::string_view last = inputs.files.back().context.path;
  const auto at = std::ranges::mismatch(first, last).in1;
  const std::string_view same = first.substr(0, static_cast<std::size_t>(at - first.begin()));
  return same.rfind('/') == same.npos ? 0 : same.rfind('/') + 1;
}

/// Pools of one cluster are known by one folder that is applied, and its modules.
void leave_several(const Inputs& inputs, TerraformFolders& folders, Model& model) {
  const std::size_t above = folder_of_all(inputs);
  std::set<std::string> applied;
  for (CloudPool& pool : model.cloud_pools) {
    const InputFile& file = inputs.files[static_cast<std::size_t>(pool.most_where.file)];
    if (folders.is_made_often(file.context.folder)) pool.most_nodes.reset();
    const std::set<std::string>& above_it = folders.applied_for(file.context.folder);
    applied.insert(above_it.begin(), above_it.end());
    model.other_nodes = model.other_nodes || above_it.empty();
    model.other_nodes = model.other_nodes || is_of_trial(std::string_view(file.context.path).substr(above));
  }
  model.other_nodes = model.other_nodes || applied.size() > 1 || !folders.complete();
}

/// Who counts the GPUs of a node as more than there are, in words of Terraform.
bool slices_gpus(std::string_view text) {
  return contains(text, "timeSlicing") || contains(text, "mig.strategy") || contains(text, "migStrategy");
}

}  // namespace

void note_terraform_pools(const Inputs& inputs, Model& model) {
  const auto text = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  const auto is_code = [&](std::size_t i) {
    const std::string& path = inputs.files[i].context.path;
    return path.ends_with(".tf") || path.ends_with(".tofu");
  };
  TerraformFolders folders;
  int clusters = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    const bool whole = inputs.files[i].reading == Reading::Whole;
    if (is_code(i) && !whole) model.other_nodes = true;
    if (context.path.ends_with(".tf.json") || context.path.ends_with("terragrunt.hcl")) model.other_nodes = true;
    if (!is_code(i) || !whole) continue;
    folders.add_file(context.folder);
    TerraformPools pools(static_cast<FileId>(i), context.folder, text(i), model, folders);
    pools.run();
    clusters += pools.clusters;
  }
  if (model.cloud_pools.empty()) return;
  if (clusters > 1) model.other_nodes = true;
  leave_several(inputs, folders, model);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!model.other_nodes) model.other_nodes = speaks_of_other_nodes(text(i), is_code(i));
    if (is_code(i) && slices_gpus(text(i))) model.sliced_accelerators.insert("nvidia.com/gpu");
  }
}

}  // namespace muster
