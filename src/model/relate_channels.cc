// Channels of NVLink across nodes: pods of a gang of which some join a ComputeDomain and others do not, and what
// slurm-operator's pods have of it. Sources: SlinkyProject/slurm-operator:docs/installation.md, With IMEX (1.2.1);
// kubernetes-sigs/dra-driver-nvidia-gpu:api/nvidia.com/resource/v1beta1/computedomain.go (0.5).
#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kSwitch = "switch/nvidia_imex";

const WrittenValue* channel_value(const WrittenValue* tree, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (tree == nullptr || tree->state != State::Set) return nullptr;
    tree = tree->find(key);
  }
  return tree;
}

/// Limits that count whole GPUs or pieces of them.
bool limits_gpus(const WrittenValue* limits) {
  for (std::size_t i = 0; limits != nullptr && i < limits->keys().size(); ++i) {
    const std::string_view key = limits->keys()[i];
    if ((key == "nvidia.com/gpu" || key.starts_with("nvidia.com/mig-")) && limits->items()[i].text() != "0")
      return true;
  }
  return false;
}

bool limits_of_pods_have_gpus(const Manifest& pods) {
  return std::ranges::any_of(pods.part("containers").items(), [](const WrittenValue& container) {
    return limits_gpus(channel_value(&container, {"resources", "limits"}));
  });
}

/// SwitchType of words for slurm.conf, or of a map of such; absent where neither has it.
Located<std::string> switch_type(const WrittenValue* words, const WrittenValue* map) {
  const bool text = words != nullptr && words->state == State::Set && !words->text().empty();
  for (const std::string_view line : split(text ? words->text() : std::string_view(), '\n')) {
    constexpr std::string_view kKey = "switchtype=";
    if (starts_with_ignoring_case(trim(line), kKey))
      return set_to(std::string(trim(trim(line).substr(kKey.size()))), words->where, "extraConf");
  }
  for (std::size_t i = 0; !text && map != nullptr && i < map->keys().size(); ++i) {
    if (equals_ignoring_case(map->keys()[i], "SwitchType"))
      return set_to(std::string(map->items()[i].text()), map->items()[i].where, "extraConfMap");
  }
  return {};
}

/// A NodeSet, be it an object or of a chart's values.
struct ChannelPods {
  const Manifest* of = nullptr;
  std::string name;
  Span where;
  const WrittenValue* claims = nullptr;  ///< of its pods
  const WrittenValue* used = nullptr;    ///< of its slurmd
  const WrittenValue* limits = nullptr;
};

class Channels {
 public:
  explicit Channels(Model& model) : model_(model) {}

  void run() {
    for (const Manifest& one : model_.manifests) {
      if (one.def == domains_) note_domain(one);
      if (one.def == controllers_) note_controller(one);
    }
    find_left_out();
    for (const Manifest& one : model_.manifests) {
      if (one.def == node_sets_) look_at_object(one);
      if (one.def == releases_ && one.part("chart").text() == "slurm") look_at_values(one);
    }
  }

 private:
  void note_domain(const Manifest& domain) {
    const WrittenValue* name = channel_value(&domain.part("channel"), {"resourceClaimTemplate", "name"});
    if (name != nullptr && name->is_text()) templates_[{domain.bundle, std::string(name->text())}] = &domain;
  }

  /// Of several in a bundle nobody can tell whose a NodeSet is.
  void note_controller(const Manifest& controller) {
    const auto [found, added] =
        switches_.try_emplace(controller.bundle, switch_type(&controller.part("extra_conf"), nullptr));
    if (!added) found->second = unknown_until<std::string>("its Controller", controller.where);
  }

  // --- gangs

  /// Pods with GPUs whose gang joins a ComputeDomain with others of its pods.
  void find_left_out() {
    std::map<std::size_t, std::set<const Manifest*>> joined;
    std::map<std::size_t, const ClaimUse*> by;
    for (const ClaimUse& use : model_.claim_uses) {
      if (use.found && use.claim == nullptr && use.gang) {
        joined[*use.gang].insert(use.pods);
        by.try_emplace(*use.gang, &use);
      }
      if (!use.found) unknown_.insert(use.pods);
    }
    for (Manifest& one : model_.manifests) {
      if (one.def != pods_ || !one.gang || !joined.contains(*one.gang) || joined[*one.gang].contains(&one)) continue;
      if (unknown_.contains(&one) || !limits_of_pods_have_gpus(one)) continue;
      one.remarks.own().no_channel = set_to(by[*one.gang]->target.value, one.where, "resourceClaims");
    }
  }

  // --- slurm-operator

  void look_at_object(const Manifest& one) {
    const WrittenValue& pod = one.part("pod");
    if (pod.state == State::Unknown || one.part("slurmd").state == State::Unknown) return;
    const auto controller = switches_.find(one.bundle);
    ChannelPods pods{&one,
                     one.name.value,
                     one.where,
                     pod.find("resourceClaims"),
                     channel_value(&one.part("slurmd"), {"resources", "claims"}),
                     channel_value(&one.part("slurmd"), {"resources", "limits"})};
    look_at(pods, controller == switches_.end() ? unknown_until<std::string>("its Controller", one.where)
                                                : controller->second);
  }

  void look_at_values(const Manifest& release) {
    const WrittenValue& values = release.part("values");
    const WrittenValue* sets = values.find("nodesets");
    const WrittenValue* controller = values.find("controller");
    if (sets == nullptr || (controller != nullptr && controller->state == State::Unknown)) return;
    const Located<std::string> type =
        controller == nullptr ? Located<std::string>{}
                              : switch_type(controller->find("extraConf"), controller->find("extraConfMap"));
    bool joins = false;
    for (std::size_t i = 0; i < sets->keys().size(); ++i) {
      const WrittenValue& set = sets->items()[i];
      ChannelPods pods{&release,
                       std::string(sets->keys()[i]),
                       set.where,
                       channel_value(&set, {"podSpec", "resourceClaims"}),
                       channel_value(&set, {"slurmd", "resources", "claims"}),
                       channel_value(&set, {"slurmd", "resources", "limits"})};
      joins = look_at(pods, type) || joins;
    }
    for (const char* list : {"prologScripts", "epilogScripts"}) {
      const WrittenValue* scripts = values.find(list);
      for (std::size_t i = 0; joins && scripts != nullptr && i < scripts->keys().size(); ++i) {
        if (!contains(scripts->items()[i].text(), "nvidia-imex")) continue;
        add(release, std::string(scripts->keys()[i]), "imex-script",
            set_to(std::string(scripts->keys()[i]), scripts->items()[i].where, FieldName(list)), {});
      }
    }
  }

  /// Whether it joins a ComputeDomain of the input.
  bool look_at(const ChannelPods& pods, const Located<std::string>& type) {
    const WrittenValue* channel = nullptr;  // the name of the entry
    const bool lists = pods.claims != nullptr && pods.claims->state == State::Set;
    for (std::size_t i = 0; lists && i < pods.claims->items().size(); ++i) {
      const WrittenValue& entry = pods.claims->items()[i];
      const WrittenValue* by = entry.find("resourceClaimTemplateName");
      const bool is_channel = by != nullptr && templates_.contains({pods.of->bundle, std::string(by->text())});
      const WrittenValue* name = entry.find("name");
      if (is_channel) channel = name;
      if (name == nullptr || !name->is_text()) continue;
      const bool uses = pods.used != nullptr && std::ranges::any_of(pods.used->items(), [&](const WrittenValue& used) {
                          return used.find("name") == nullptr || used.find("name")->text() == name->text();
                        });
      if (is_channel && !uses && (pods.used == nullptr || pods.used->state == State::Set))
        add(*pods.of, pods.name, "imex-slurmd", set_to(std::string(name->text()), name->where, "resourceClaims"), {});
    }
    const bool imex = type.is_set() && type.value == kSwitch;
    if (imex && pods.claims == nullptr && limits_gpus(pods.limits))
      add(*pods.of, pods.name, "imex-claim", set_to(pods.name, pods.where, "nodesets"), type);
    if (!imex && !type.unknown() && channel != nullptr)
      add(*pods.of, pods.name, "imex-switch", set_to(std::string(channel->text()), channel->where, "resourceClaims"),
          type);
    return channel != nullptr;
  }

  void add(const Manifest& one, const std::string& name, std::string_view fact, Located<std::string> here,
           const Located<std::string>& there) {
    PlaneTie tie;
    static_cast<Object&>(tie) = one;
    tie.name = set_to(name, here.where);
    tie.fact = fact;
    tie.here = std::move(here);
    tie.there = there;
    model_.plane_ties.push_back(std::move(tie));
  }

  Model& model_;
  const ManifestDef* controllers_ = &manifest_def("slinky_controllers");
  const ManifestDef* domains_ = &manifest_def("compute_domains");
  const ManifestDef* node_sets_ = &manifest_def("slinky_node_sets");
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* releases_ = &manifest_def("helm_releases");
  std::map<std::pair<std::string, std::string>, const Manifest*> templates_;  // by bundle and name
  std::map<std::string, Located<std::string>> switches_;                      // of the Controller, by bundle
  std::set<const Manifest*> unknown_;                                         // pods whose claims are not all known
};

}  // namespace

void relate_channels(Model& model) { Channels(model).run(); }

}  // namespace muster
