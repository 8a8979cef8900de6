#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/strings.h"
#include "model/model.h"
#include "model/node_pools.h"

namespace muster {
namespace {

using PoolList = std::vector<const PoolNodes*>;

/// Whether the pods tolerate something that no pool here has: they are for nodes from elsewhere.
bool is_for_others(const Manifest& pods, const PoolList& pools) {
  return std::ranges::any_of(pods.part("tolerations").items(), [&](const WrittenValue& one) {
    const std::string_view key = one.text_of("key");
    // Named as what pods ask for, it is there for clusters of any kind.
    if (key.empty() || key == "nvidia.com/gpu" || key == "amd.com/gpu") return false;
    return std::ranges::none_of(pools, [&](const PoolNodes* pool) {
      return std::ranges::find(pool->taints(), key, &NodePoolTaint::key) != pool->taints().end();
    });
  });
}

bool is_of_cloud(const PoolNodes* pool) { return pool->cloud() != nullptr; }

/// Pools that have what pods select: by a label of their own, or nobody knows.
struct FittingPools {
  PoolList named;
  PoolList maybe;
};
using FittingBySelector = std::map<std::pair<const PoolList*, std::string>, FittingPools>;

const FittingPools& fitting(const WrittenValue& selector, const PoolList& pools, FittingBySelector& known) {
  const auto [at, fresh] = known.try_emplace({&pools, key_of_selector(selector)});
  for (std::size_t i = 0; fresh && i < pools.size(); ++i) {
    const PoolFit fit = pools[i]->fit(selector);
    if (fit == PoolFit::Named) at->second.named.push_back(pools[i]);
    if (fit == PoolFit::Maybe) at->second.maybe.push_back(pools[i]);
  }
  return at->second;
}

/// The pools that its pods select, or where they select nothing those for GPUs. Of pools that Terraform makes all have
/// to be known: `others` are nodes of the input beside them.
PoolList pools_for(const Manifest& pods, const PoolList& pools, bool others, FittingBySelector& known) {
  const WrittenValue& selector = pods.part("node_selector");
  if (selector.state == State::Unknown) return {};
  others = others || is_of_template(pods.file);
  const bool gpus = asks_for_gpus(pods);
  const FittingPools& fits = fitting(selector, pools, known);
  PoolList wanted = fits.named;
  if (std::ranges::any_of(wanted, is_of_cloud)) {
    if (others) return {};
    std::ranges::copy_if(fits.maybe, std::back_inserter(wanted), [&](const PoolNodes* pool) {
      return is_of_cloud(pool) && (!gpus || pool->cloud()->may_have_gpus());
    });
    return wanted;
  }
  PoolList open;
  PoolList unsure;  // whose machines nobody knows
  bool karpenter = false;
  for (const PoolNodes* pool : fits.maybe) {
    if (pool->for_gpus()) open.push_back(pool);
    if (pool->for_gpus() && !is_of_cloud(pool)) karpenter = true;
    if (is_of_cloud(pool) && !pool->cloud()->gpus) unsure.push_back(pool);
  }
  const bool anywhere = selector.items().empty() && pods.part("affinity").state == State::Absent;
  if (!wanted.empty() || open.empty() || !anywhere || !gpus || is_for_others(pods, pools)) return wanted;
  if (!karpenter) open.insert(open.end(), unsure.begin(), unsure.end());
  return karpenter || !others ? open : wanted;
}

void find_untolerated(Manifest& pods, const PoolList& wanted) {
  for (const PoolNodes* pool : wanted) {
    if (untolerated(*pool, pods) == nullptr) return;
  }
  if (wanted.empty()) return;
  const std::string_view key = untolerated(*wanted.front(), pods)->key;
  if (key.empty()) return;
  pods.remarks.own().not_tolerated = set_to(std::string(key), pods.place_of("tolerations"), "tolerations");
}

/// Whether Karpenter empties nodes of the pool whose pods fit elsewhere, at some time at least. Source:
/// kubernetes-sigs/karpenter:pkg/apis/v1/nodepool.go (1.14): what the defaults are.
bool is_consolidated(const PoolNodes* pool) {
  if (pool->manifest() == nullptr) return false;
  const WrittenValue& disruption = pool->manifest()->part("disruption");
  if (disruption.state == State::Unknown) return false;
  const std::string_view policy = disruption.text_of("consolidationPolicy");
  const bool when_used = policy.empty() || policy == "WhenEmptyOrUnderutilized" || policy == "WhenUnderutilized";
  if (!when_used || disruption.text_of("consolidateAfter") == "Never") return false;
  const WrittenValue* budgets = disruption.find("budgets");
  return budgets == nullptr || std::ranges::none_of(budgets->items(), [](const WrittenValue& budget) {
           const std::string_view nodes = budget.text_of("nodes");
           return (nodes == "0" || nodes == "0%") && budget.find("schedule") == nullptr;
         });
}

/// Pods of one collective, on nodes that Karpenter may empty, without what keeps it from that.
void find_consolidated(const Boxed<Gang>& gangs, Manifest& pods, const PoolList& wanted) {
  if (!pods.gang || wanted.empty()) return;
  const Gang& gang = gangs[*pods.gang];
  const bool collective = gang.tightly_coupled.known() && gang.tightly_coupled.value && gang.size.known() &&
                          gang.size.value > 1 && gang.gpus.known() && gang.gpus.value > 0;
  const WrittenValue& annotations = pods.part("annotations");
  if (!collective || annotations.state == State::Unknown || annotations.find("karpenter.sh/do-not-disrupt") != nullptr)
    return;
  if (!std::ranges::all_of(wanted, is_consolidated)) return;
  pods.remarks.own().beside = set_to(wanted.front()->words(), pods.where, "name");
}

/// One pool that Karpenter may take single pods with GPUs off, by the first of them.
void find_emptied(const Manifest& pods, const PoolList& wanted, std::map<const Manifest*, const Manifest*>& emptied) {
  const WrittenValue& annotations = pods.part("annotations");
  if (pods.remarks->beside.is_set() || annotations.state == State::Unknown || !asks_for_gpus(pods) ||
      annotations.find("karpenter.sh/do-not-disrupt") != nullptr || pods.kind == "DaemonSet")
    return;
  if (!std::ranges::all_of(wanted, is_consolidated)) return;
  if (!wanted.empty()) emptied.try_emplace(wanted.front()->manifest(), &pods);
}

void note_emptied(Model& model, const std::map<const Manifest*, const Manifest*>& emptied) {
  for (Manifest& pool : model.manifests) {
    if (const auto found = emptied.find(&pool); found != emptied.end())
      pool.remarks.own().empties = set_to(found->second->kind + " `" + found->second->name.value + "`",
                                          pool.place_of("disruption"), "disruption");
  }
}

/// Whether a Queue with the name of a DeviceClass is held to it. The switch is on as shipped.
/// Source: volcano-sh/volcano:pkg/scheduler/plugins/capacity/capacity.go, New and parseDRAResourceList (1.15).
Located<bool> counts_claims(const VolcanoConf& conf) {
  const VolcanoPlugin* capacity = conf.plugin("capacity");
  if (!conf.understood) return {};
  return set_to(capacity != nullptr && capacity->class_quotas, capacity != nullptr ? capacity->where : conf.where,
                "volcano-scheduler.conf");
}

/// The one configuration of Volcano's scheduler in the bundle of a gang or of a queue.
void find_scheduler_confs(Model& model) {
  std::map<std::string, std::vector<std::size_t>> confs;
  for (std::size_t c = 0; c < model.volcano_confs.size(); ++c) {
    confs[model.volcano_confs[c].bundle].push_back(c);
    for (VolcanoPlugin& plugin : model.volcano_confs[c].plugins) plugin.conf = c;
  }
  for (Gang& gang : model.gangs) {
    const auto found = confs.find(gang.bundle);
    const bool volcano = gang.scheduler.known() && gang.scheduler.value == "volcano";
    if (volcano && found != confs.end() && found->second.size() == 1) gang.scheduler_conf = found->second.front();
  }
  for (Queue& queue : model.queues) {
    const auto found = confs.find(queue.bundle);
    if (queue.system == GangSystem::Volcano && found != confs.end() && found->second.size() == 1)
      queue.counts_claims = counts_claims(model.volcano_confs[found->second.front()]);
  }
}

/// A ClusterQueue that stands in several files of a bundle: what one says of its namespaces counts once that is
/// applied.
void find_selectors_elsewhere(Model& model) {
  std::set<std::pair<std::string_view, std::string_view>> selecting;  // by bundle and name
  for (const Queue& queue : model.queues) {
    if (queue.has_namespace_selector.known() && queue.has_namespace_selector.value)
      selecting.insert({queue.bundle, queue.name.value});
  }
  for (Queue& queue : model.queues) {
    const bool silent = queue.has_namespace_selector.known() && !queue.has_namespace_selector.value;
    if (silent && selecting.contains({queue.bundle, queue.name.value})) queue.has_namespace_selector = {};
  }
}

/// Pods get VLLM_PORT=tcp://... of a Service called vllm, and vLLM reads VLLM_PORT as a number of its own. One without
/// an address has no such variables. Sources: docs.vllm.ai/en/stable/configuration/env_vars;
/// kubernetes/kubernetes:pkg/kubelet/kubelet_pods.go (1.36), getServiceEnvVarMap.
void find_service_variables(Model& model) {
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> services;  // by bundle and namespace
  const ManifestDef* service_def = &manifest_def("services");
  for (const Manifest& one : model.manifests) {
    if (one.def != service_def || one.name.value != "vllm") continue;
    if (one.part("cluster_ip").text() == "None" || one.part("type").text() == "ExternalName") continue;
    services.try_emplace({one.bundle, one.space}, &one);
  }
  if (services.empty()) return;
  for (Container& container : model.containers) {
    if (!container.service_links || container.remarks->server->value != "vllm") continue;
    const auto found = services.find({container.bundle, container.space});
    if (found != services.end()) container.remarks.own().service_env = found->second->name;
  }
}

/// A repository of Flux has hundreds of objects of one version, and hundreds of health checks: what is said of them is
/// said at the first.
void count_alike(Model& model) {
  const ManifestDef* flux = &manifest_def("flux_objects");
  std::map<std::string, Manifest*> firsts;
  std::set<std::pair<std::string_view, std::uint32_t>> counted;  // several kustomizations may build a file
  for (Manifest& one : model.manifests) {
    if (one.def != flux || !counted.emplace(one.file, one.where.begin).second) continue;
    std::string key = one.api_version + " " + one.kind;
    for (const WrittenValue& check : one.part("health_checks").items())
      key = one.api_version + " " + one.kind + " " + std::string(check.text_of("apiVersion"));
    const auto [first, fresh] = firsts.try_emplace(std::move(key), &one);
    if (fresh) one.remarks.own().alike = set_to<std::int64_t>(1, one.where, "apiVersion");
    if (!fresh) ++first->second->remarks.own().alike.value;
  }
}

/// Names that are used, of Topologies of KAI, tiers of HyperNodes and JobTemplates of Volcano. Where the input has none
/// of a kind, they stand somewhere else.
class NameCheck {
 public:
  explicit NameCheck(Model& model) : model_(model) {}

  void run() {
    for (const LevelTopology& one : model_.level_topologies) {
      if (one.system == GangSystem::Kai) topologies_[one.bundle].insert(one.name.value);
    }
    for (const Manifest& one : model_.manifests) {
      const WrittenValue& tier = one.def == hyper_nodes_ ? one.part("tier_name") : nothing_;
      if (tier.state == State::Set) tiers_[one.bundle].insert(tier.text());
      const WrittenValue* named = one.def == marked_ ? one.part("annotations").find(kTopology) : nullptr;
      if (named != nullptr) of_object_.try_emplace(object_key(one), named);
      if (one.def == templates_) job_templates_[one.bundle].insert(one.name.value);
    }
    for (Manifest& one : model_.manifests) {
      if (one.def == pods_) check(topology_of(one), topologies_, one);
      if (one.def == jobs_ || one.def == groups_) check(one.part("topology").find("highestTierName"), tiers_, one);
      if (one.def != flows_) continue;
      for (const WrittenValue& flow : one.part("flows").items()) check(flow.find("name"), job_templates_, one);
    }
  }

 private:
  using Names = std::map<std::string_view, std::set<std::string_view>>;  // by bundle
  static constexpr std::string_view kTopology = "kai.scheduler/topology";

  const WrittenValue* topology_of(const Manifest& pods) const {
    const WrittenValue* named = pods.part("annotations").find(kTopology);
    const auto above = of_object_.find(object_key(pods));
    return named != nullptr || above == of_object_.end() ? named : above->second;
  }

  static void check(const WrittenValue* named, const Names& all, Manifest& user) {
    const auto known = all.find(user.bundle);
    if (named == nullptr || named->state != State::Set || known == all.end() || known->second.contains(named->text()))
      return;
    user.remarks.own().dangling = set_to(named->text(), named->where, named->field);
  }

  Model& model_;
  const ManifestDef* hyper_nodes_ = &manifest_def("hyper_node_objects");
  const ManifestDef* marked_ = &manifest_def("marked_objects");
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* jobs_ = &manifest_def("volcano_jobs");
  const ManifestDef* groups_ = &manifest_def("pod_group_objects");
  const ManifestDef* flows_ = &manifest_def("volcano_job_flows");
  const ManifestDef* templates_ = &manifest_def("volcano_job_templates");
  WrittenValue nothing_;
  Names topologies_;
  Names tiers_;
  Names job_templates_;
  std::map<ObjectKey, const WrittenValue*> of_object_;
};

struct HashOfKey {
  std::size_t operator()(const ObjectKey& key) const {
    const std::hash<std::string_view> hash;
    return (hash(key.bundle) * 31 + hash(key.file)) * 31 + hash(key.id);
  }
};
using Gangs = std::unordered_map<ObjectKey, std::size_t, HashOfKey>;  // in Model::gangs

/// Of workloads that go by one name the only one, or the only one of the file that names it: another may be a patch, or
/// of an environment of its own. Nothing: nobody can tell.
std::optional<std::size_t> the_one_meant(const Boxed<Gang>& gangs, const std::vector<std::size_t>& alike,
                                         std::string_view file) {
  constexpr std::size_t kMostOfOneName = 100;  // that are looked at
  if (alike.size() == 1) return alike.front();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < std::min(alike.size(), kMostOfOneName); ++i) {
    if (gangs[alike[i]].file != file) continue;
    if (found) return std::nullopt;
    found = alike[i];
  }
  return found;
}

/// Whoever read the two did not know of each other.
void share_id(const Gang& gang, Object& object) {
  if (object.id == gang.id) object.id = gang.id;
}

void link_containers(Model& model, const Gangs& gangs) {
  for (Container& container : model.containers) {
    const bool asked = container.nodes.is_set() || container.parallel->is_set();
    const auto found = asked ? gangs.find(object_key(container)) : gangs.end();
    if (found != gangs.end()) container.gang = found->second;
    if (container.gang) share_id(model.gangs[*container.gang], container);
  }
}

/// Pods of the pause image hold devices for a demonstration: no collective hangs where one is lost.
void forgive_placeholders(Model& model) {
  std::map<ObjectKey, bool> paused;  // by object, all of its containers with devices
  for (const Container& one : model.containers) {
    const std::string& image = one.image.value;
    const bool pause = contains(image, "/pause:") || contains(image, "/pause@") || image.ends_with("/pause");
    const auto [at, fresh] = paused.try_emplace(object_key(one), pause);
    if (!fresh) at->second = at->second && pause;
  }
  for (Gang& gang : model.gangs) {
    if (gang.restarts_whole.state == State::Absent) continue;
    if (const auto found = paused.find(object_key(gang)); found != paused.end() && found->second)
      gang.restarts_whole = {};
  }
}

/// What manifests say of each other, gangs aside.
void relate_names(Model& model) {
  find_scheduler_confs(model);
  find_service_variables(model);
  find_selectors_elsewhere(model);
  NameCheck(model).run();
  count_alike(model);
  relate_autoscalers(model);
  relate_products(model);
  relate_pool_sizes(model);
  relate_selectors(model);
  relate_key_uses(model);
  relate_unserved(model);
  relate_network(model);
  relate_name_servers(model);
  relate_policies(model);
  relate_quotas(model);
  relate_limit_ranges(model);
  relate_cohorts(model);
  relate_checks(model);
  relate_late_labels(model);
  relate_sources(model);
  relate_circles(model);
  relate_listeners(model);
  relate_train_jobs(model);
  relate_driver_classes(model);
  relate_pools(model);
  relate_model_formats(model);
  relate_knative(model);
  relate_kept_jobs(model);
  relate_workflow_roles(model);
}

}  // namespace

void relate_manifests(Model& model) {
  relate_names(model);
  Gangs gang_by_id;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>, std::vector<std::size_t>>
      gangs_by_name;  // where something scales one by its name
  const ManifestDef* pool_def = &manifest_def("node_pools");
  const ManifestDef* pod_def = &manifest_def("pods");
  const ManifestDef* scaler_def = &manifest_def("autoscalers");
  const bool scaled = std::ranges::find(model.manifests, scaler_def, &Manifest::def) != model.manifests.end();
  const ManifestDef* budget_def = &manifest_def("disruption_budgets");
  std::deque<PoolNodes> made;                  // the pools, each read once
  PoolList of_clouds;                          // of all of the input
  std::map<std::string_view, PoolList> pools;  // of a bundle
  FittingBySelector fitting_pools;
  std::set<std::string_view> budgeted;  // bundles where a PodDisruptionBudget may keep pods
  for (std::size_t g = 0; g < model.gangs.size(); ++g) {
    const Gang& gang = model.gangs[g];
    gang_by_id.try_emplace(object_key(gang), g);
    for (const auto& [file, id] : gang.joined) gang_by_id.try_emplace({gang.bundle, file, id}, g);
    if (scaled) gangs_by_name[{gang.bundle, gang.kind, gang.space, gang.name.value}].push_back(g);
  }
  std::map<const Manifest*, const Manifest*> emptied;  // pools, and the first pods that they may lose
  for (const Manifest& manifest : model.manifests) {
    if (manifest.def == pool_def) pools[manifest.bundle].push_back(&made.emplace_back(manifest));
    if (manifest.def == budget_def) budgeted.insert(manifest.bundle);
  }
  for (const CloudPool& pool : model.cloud_pools) of_clouds.push_back(&made.emplace_back(pool));
  for (auto& [bundle, near] : pools) near.insert(near.end(), of_clouds.begin(), of_clouds.end());
  link_containers(model, gang_by_id);
  forgive_placeholders(model);
  for (Manifest& manifest : model.manifests) {
    if (manifest.def == scaler_def) {
      const WrittenValue& target = manifest.part("target");
      const auto found =
          gangs_by_name.find({manifest.bundle, target.text_of("kind"), manifest.space, target.text_of("name")});
      if (found != gangs_by_name.end()) manifest.gang = the_one_meant(model.gangs, found->second, manifest.file);
      continue;
    }
    const auto found = gang_by_id.find(object_key(manifest));
    if (found != gang_by_id.end()) manifest.gang = found->second;
    if (manifest.gang) share_id(model.gangs[*manifest.gang], manifest);
    if (manifest.def != pod_def) continue;
    const auto near = pools.find(manifest.bundle);
    const PoolList wanted =
        pools_for(manifest, near == pools.end() ? of_clouds : near->second, model.other_nodes, fitting_pools);
    find_untolerated(manifest, wanted);
    if (budgeted.contains(manifest.bundle)) continue;
    find_consolidated(model.gangs, manifest, wanted);
    find_emptied(manifest, wanted, emptied);
  }
  note_emptied(model, emptied);
  relate_node_classes(model);
  relate_devices(model);
  relate_claims(model);
}

}  // namespace muster
