#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostAlike = 100;  // objects of one name that are looked at

/// `data` and `data-pvc`: whether one of the names is the other with what says its kind.
bool has_twin(const std::set<std::pair<std::string_view, std::string_view>>& made, const KeyUse& use) {
  if (use.of != "PersistentVolumeClaim") return false;
  for (const std::string_view ending : {"-pvc", "-claim"}) {
    const std::string_view name = use.target.value;
    const bool shorter = name.ends_with(ending) && made.contains({use.of, name.substr(0, name.size() - ending.size())});
    if (shorter || made.contains({use.of, use.target.value + std::string(ending)})) return true;
  }
  return false;
}

bool is_binding(const KeyUse& use) { return use.kind == "RoleBinding" || use.kind == "ClusterRoleBinding"; }

/// Secrets mostly come from somewhere else.
bool is_asked_for(const KeyUse& use) {
  if (use.by_operator || use.of_values || is_binding(use)) return false;  // its namespace is another's
  if (use.kind.ends_with("Workflow") || use.kind.ends_with("WorkflowTemplate")) return false;  // locks, often of others
  return use.of == "ConfigMap" || use.of == "PersistentVolumeClaim" || use.of == "ServiceAccount" ||
         use.of == "EC2NodeClass";
}

/// By a policy; the Gateway of a route often stands in another repository.
bool is_policy_target(const KeyUse& use) { return is_route_target(use.of) && !use.kind.ends_with("Route"); }

/// Where all objects of a kind and name stand that the bundle has.
struct Stands {
  std::set<std::string_view> spaces;
  std::map<std::string_view, std::string_view> by_folder;  ///< the namespace of the first in each folder
};

/// One that an operator or a person fills in is none. Source: RFC 1123, labels.
bool is_space_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c == '-' || is_digit(c) || (c >= 'a' && c <= 'z'); });
}

/// What is named in one namespace and stands in another alone.
void find_elsewhere(Model& model) {
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;  // bundle, kind, name
  std::map<Name, Stands> made;
  const auto add = [&](const Object& one) {
    Stands& all = made[{one.bundle, one.kind, one.name.value}];
    all.spaces.insert(one.space);
    all.by_folder.try_emplace(folder_of(one.file), one.space);
  };
  for (const NamedKeys& one : model.named_keys) add(one);
  for (const Manifest& one : model.manifests) {
    if (one.kind == "PersistentVolumeClaim" && one.def == &manifest_def("volume_claims")) add(one);
  }
  for (KeyUse& use : model.key_uses) {
    const bool spaced = use.of != "EC2NodeClass" && !use.space.empty() && is_space_name(use.space);
    if (!is_asked_for(use) || !spaced) continue;
    const auto found = made.find({use.bundle, use.of, use.target.value});
    if (found == made.end() || found->second.spaces.contains("") || found->second.spaces.contains(use.space)) continue;
    const auto beside = found->second.by_folder.find(folder_of(use.file));
    if (beside != found->second.by_folder.end() && is_space_name(beside->second)) use.elsewhere = beside->second;
  }
}

/// `manager` and `controller-manager`, `trainer` and `trainr`.
bool is_near(std::string_view a, std::string_view b) {
  const auto ends = [](std::string_view whole, std::string_view end) {
    return whole.ends_with("-" + std::string(end));
  };
  const std::array<std::string_view, 1> other{b};
  return ends(a, b) || ends(b, a) || !did_you_mean(a, other).empty();
}

/// `time-slicing-config` and `time-slicing-config-all`, too.
bool is_near_or_longer(std::string_view a, std::string_view b) {
  return is_near(a, b) || a.starts_with(std::string(b) + "-") || b.starts_with(std::string(a) + "-");
}

/// ConfigMaps of an operator of which the input has none of the name, but one that is called nearly so and has the key.
void find_misnamed(Model& model) {
  std::set<std::string_view> made;
  std::map<std::string_view, std::vector<const NamedKeys*>> by_key;
  for (const NamedKeys& one : model.named_keys) {
    if (one.kind != "ConfigMap") continue;
    made.insert(one.name.value);
    for (const std::string& key : one.keys) by_key[key].push_back(&one);
  }
  for (KeyUse& use : model.key_uses) {
    if (!use.by_operator || use.of != "ConfigMap" || !use.key.is_set() || made.contains(use.target.value)) continue;
    const auto found = by_key.find(use.key.value);
    if (found == by_key.end() || found->second.size() > kMostAlike) continue;
    for (const NamedKeys* one : found->second) {
      if (use.there.empty() && is_near_or_longer(one->name.value, use.target.value))
        use.there.emplace_back(one->name.value);
    }
  }
}

/// ConfigMaps, claims, accounts and classes of nodes that are named and in no file, beside others of their kind.
void find_lost(Model& model) {
  std::set<std::pair<std::string_view, std::string_view>> made;     // by kind and name
  std::set<std::pair<std::string_view, std::string_view>> folders;  // that have the kind
  std::set<std::string_view> open;                                  // folders where something else makes objects, too
  std::set<std::pair<std::string_view, std::string_view>> said;     // claims of which relate_selectors has spoken
  for (const NamedKeys& one : model.named_keys) {
    made.insert({one.kind, one.name.value});
    if (!one.of_controller) folders.insert({one.kind, folder_of(one.file)});
  }
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "helm_releases") open.insert(folder_of(one.file));
    if (one.remarks->dangling.is_set()) said.insert({one.file, one.remarks->dangling->value});
    if (one.kind != "PersistentVolumeClaim") continue;
    made.insert({one.kind, one.name.value});
    folders.insert({one.kind, folder_of(one.file)});
  }
  for (KeyUse& use : model.key_uses) {
    if (use.by_operator)
      use.lost = !made.contains({use.of, use.target.value}) && (!use.key.is_set() || !use.there.empty());
    const bool policy = is_policy_target(use);
    if (!is_asked_for(use) && !policy) continue;
    const std::string_view folder = folder_of(use.file);
    // Whether some script makes them is seen later.
    use.alone = !folders.contains({use.of, folder}) && !has_twin(made, use);
    use.lost = !made.contains({use.of, use.target.value}) && (!use.alone || use.of == "ConfigMap") &&
               !open.contains(folder) && !said.contains({use.file, use.target.value}) &&
               !use.target.value.ends_with(".crt");
  }
}

/// Uses of one kind, by the name that they want.
using WantedNames = std::map<std::string_view, std::vector<KeyUse*>>;

/// Of what is wanted and nobody of the input makes, where it makes at least half of the names that are wanted.
void lose_others(const std::set<std::string_view>& made, const WantedNames& wanted) {
  const auto there = std::ranges::count_if(wanted, [&](const auto& one) { return made.contains(one.first); });
  if (made.empty() || 2 * there < std::ssize(wanted)) return;
  for (const auto& [name, uses] : wanted) {
    for (KeyUse* use : uses) use->lost = !made.contains(name);
  }
}

/// In a namespace in which the input has none of the kind: another team's.
bool is_of_others(const KeyUse& use, const std::set<std::string_view>& spaces) {
  return !use.space.empty() && !spaces.contains("") && !spaces.contains(use.space.view());
}

/// Gateways that routes name and nobody of the input is.
void find_lost_parents(Model& model) {
  std::set<std::string_view> made;
  std::set<std::string_view> spaces;
  WantedNames wanted;
  for (const NamedKeys& one : model.named_keys) {
    if (one.kind != "Gateway") continue;
    made.insert(one.name.value);
    spaces.insert(one.space.view());
  }
  if (made.empty()) return;
  for (KeyUse& use : model.key_uses) {
    if (use.of == "Gateway" && !is_policy_target(use)) wanted[use.target.value].push_back(&use);
  }
  lose_others(made, wanted);
  for (auto& [name, uses] : wanted) {
    for (KeyUse* use : uses) use->lost = use->lost && !is_of_others(*use, spaces);
  }
}

/// What installers make under a name of their own: `default` of OpenShift's and HyperPod's, `user-queue` and
/// `user-queue-2` of Kueue's pages.
bool is_given_in_kueue(std::string_view name) {
  constexpr std::array<std::string_view, 4> kGiven{"cluster-queue", "default", "default-flavor", "default-local-queue"};
  return name.starts_with("user-queue") || std::ranges::find(kGiven, name) != kGiven.end();
}

/// Whether the file is shown to people, who have queues of their own.
bool is_example(std::string_view path) {
  constexpr std::array<std::string_view, 7> kFolders{"docs",    "example", "examples", "sample",
                                                     "samples", "site",    "website"};
  const std::vector<std::string_view> parts = split(folder_of(path), '/');
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return std::ranges::find(kFolders, part) != kFolders.end(); });
}

/// What others of Kueue's objects name, where its being there is not settled otherwise.
void add_kueue_uses(Model& model) {
  if (model.queues.empty()) return;
  const auto add = [&](const Object& user, std::string_view of, const Located<std::string>& target) {
    const std::string& name = target.value;
    if (!target.is_set() || name.empty() || is_given_in_kueue(name) || !is_space_name(name)) return;
    KeyUse one;
    static_cast<Object&>(one) = user;
    one.of = of;
    one.target = target;
    model.key_uses.push_back(std::move(one));
  };
  for (const Queue& queue : model.queues) {
    if (queue.local && queue.cluster_queue_found.unknown()) add(queue, "ClusterQueue", queue.cluster_queue);
    for (const QueueFlavor& flavor : queue.flavors) {
      if (flavor.found.state == State::Absent) add(queue, "ResourceFlavor", flavor.name);
    }
  }
  std::set<std::string_view> local;  // folders with LocalQueues
  for (const Queue& queue : model.queues) {
    if (queue.local) local.insert(folder_of(queue.file));
  }
  for (const Gang& gang : model.gangs) {
    const bool of_kueue = gang.queue.field == "kueue.x-k8s.io/queue-name";
    if (local.empty() || !of_kueue || !gang.queue_found.unknown()) continue;
    if (local.contains(folder_of(gang.file)) || !is_example(gang.file)) add(gang, "LocalQueue", gang.queue);
  }
}

void find_lost_kueue_objects(Model& model) {
  std::map<std::string_view, std::set<std::string_view>> made;  // by kind
  std::set<std::string_view> spaces;                            // of LocalQueues
  for (const Queue& queue : model.queues) {
    if (queue.system != GangSystem::Kueue) continue;
    made[queue.local ? "LocalQueue" : "ClusterQueue"].insert(queue.name.value);
    if (queue.local) spaces.insert(queue.space.view());
  }
  for (const ResourceFlavor& one : model.resource_flavors) made["ResourceFlavor"].insert(one.name.value);
  std::map<std::string_view, WantedNames> wanted;
  // Of what is found there is no use.
  const auto want = [&](std::string_view of, const Located<std::string>& name) {
    if (name.is_set() && made[of].contains(name.value)) wanted[of].try_emplace(name.value);
  };
  for (const Queue& queue : model.queues) {
    if (queue.local) want("ClusterQueue", queue.cluster_queue);
    for (const QueueFlavor& flavor : queue.flavors) want("ResourceFlavor", flavor.name);
  }
  for (const Gang& gang : model.gangs) want("LocalQueue", gang.queue);
  for (KeyUse& use : model.key_uses) {
    if (use.of == "LocalQueue" && is_of_others(use, spaces)) continue;
    if (use.of == "ClusterQueue" || use.of == "LocalQueue" || use.of == "ResourceFlavor")
      wanted[use.of][use.target.value].push_back(&use);
  }
  for (const auto& [of, names] : wanted) lose_others(made[of], names);
}

/// Accounts of the input by their folder, and who has to do with them.
struct Accounts {
  std::map<std::string_view, std::vector<const NamedKeys*>> by_folder;
  std::map<std::pair<std::string_view, std::string_view>, const NamedKeys*> by_file;  ///< by file and name
  std::set<std::string_view> known;  ///< that a file has, or that pods run as
  std::set<std::string_view> run;    ///< of these those of pods
  std::set<std::string_view> bound;
};

Accounts read_accounts(const Model& model) {
  Accounts out;
  for (const NamedKeys& one : model.named_keys) {
    if (one.kind != "ServiceAccount") continue;
    out.by_folder[folder_of(one.file)].push_back(&one);
    out.by_file.try_emplace({one.file, one.name.value}, &one);
    out.known.insert(one.name.value);
  }
  for (const KeyUse& use : model.key_uses) {
    if (use.of != "ServiceAccount") continue;
    (is_binding(use) ? out.bound : out.run).insert(use.target.value);
    if (!is_binding(use)) out.known.insert(use.target.value);
  }
  return out;
}

/// Of a subject that it does not know, kustomize leaves `system` as it is, and makes `train-system` of the account's.
bool may_be_one_space(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || a == b || a.ends_with("-" + std::string(b));
}

/// The account of the name of a binding, where it stands in its file, pods run as it and nothing binds it: the binding
/// for another one is a copy in which that was forgotten.
const NamedKeys* namesake(const Accounts& accounts, const KeyUse& use) {
  const auto found = accounts.by_file.find({use.file, use.name.value});
  if (found == accounts.by_file.end() || accounts.by_file.contains({use.file, use.target.value})) return nullptr;
  const bool left = accounts.run.contains(use.name.value) && !accounts.bound.contains(use.name.value);
  return left ? found->second : nullptr;
}

/// `notebook-pipelines` and `notebooks-pipelines`: a slip in one word of several letters. Not `rank-1` and `rank-2`.
bool is_slip(std::string_view a, std::string_view b) {
  constexpr std::size_t kLeastLetters = 4;
  const std::vector<std::string_view> left = split(a, '-');
  const std::vector<std::string_view> right = split(b, '-');
  if (left.size() != right.size()) return false;
  const auto [x, y] = std::ranges::mismatch(left, right);
  if (x == left.end() || !std::ranges::equal(x + 1, left.end(), y + 1, right.end())) return false;
  if (std::min(x->size(), y->size()) < kLeastLetters) return false;
  const auto has_digit = [](std::string_view word) { return std::ranges::any_of(word, is_digit); };
  const std::array<std::string_view, 1> other{*y};
  return !has_digit(*x) && !has_digit(*y) && !did_you_mean(*x, other).empty();
}

/// Bindings of an account that is nowhere, beside one that pods run as and that nothing binds or that is called nearly
/// so; in one file with a binding it was meant where a letter is all that differs, whoever runs as it.
void find_unbound(Model& model) {
  const Accounts accounts = read_accounts(model);
  for (KeyUse& use : model.key_uses) {
    if (!is_binding(use) || use.of_several) continue;
    if (accounts.known.contains(use.target.value)) {
      const NamedKeys* meant = namesake(accounts, use);
      if (meant == nullptr) continue;
      use.missing = true;  // somebody else gets what it grants
      use.there.emplace_back(meant->name.value);
      continue;
    }
    const auto beside = accounts.by_folder.find(folder_of(use.file));
    if (beside == accounts.by_folder.end() || beside->second.size() > kMostAlike) continue;
    for (const NamedKeys* one : beside->second) {
      const bool here = one->bundle == use.bundle && may_be_one_space(one->space, use.space);
      const std::string_view name = one->name.value;
      const bool meant = !accounts.bound.contains(name) || is_near(name, use.target.value);
      const bool slip = one->file == use.file && !accounts.bound.contains(name) && is_slip(name, use.target.value);
      const bool run = meant && accounts.run.contains(name);
      if (here && (run || slip) && use.there.size() < kShown) use.there.emplace_back(name);
    }
  }
}

using Alike = std::vector<const NamedKeys*>;

/// What objects of one name have: overlays and environments may each have some of it.
struct Together {
  std::set<std::string_view> keys;
  bool known = false;  ///< there is one, and all of them are known
};

/// Of those in a namespace, or in whatever one.
Together together(const Alike& alike, std::string_view space) {
  Together out;
  if (alike.size() > kMostAlike) return out;
  for (const NamedKeys* one : alike) {
    if (!one->space.empty() && !space.empty() && one->space != space) continue;
    if (one->open) return {};
    out.known = true;
    out.keys.insert(one->keys.begin(), one->keys.end());
  }
  return out;
}

/// Whether one of that name has the key, in whatever bundle: what an operator hands on may be put in place by another.
bool has_key_somewhere(const std::vector<const NamedKeys*>& alike, const KeyUse& use) {
  return alike.size() > kMostAlike || std::ranges::any_of(alike, [&](const NamedKeys* one) {
           return one->open || std::ranges::find(one->keys, use.key.value) != one->keys.end();
         });
}

}  // namespace

bool is_route_target(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kKinds{"GRPCRoute", "Gateway",  "HTTPRoute",
                                                   "TCPRoute",  "TLSRoute", "UDPRoute"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

void relate_key_uses(Model& model) {
  add_kueue_uses(model);
  if (model.key_uses.empty()) return;
  find_misnamed(model);
  find_lost(model);
  find_lost_parents(model);
  find_lost_kueue_objects(model);
  find_elsewhere(model);
  find_unbound(model);
  find_generated_names(model);
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;  // bundle, kind, name
  std::map<Name, Alike> by_name;
  std::map<std::pair<std::string_view, std::string_view>, Alike> everywhere;  // by kind and name
  for (const NamedKeys& one : model.named_keys) {
    by_name[{one.bundle, one.kind, one.name.value}].push_back(&one);
    everywhere[{one.kind, one.name.value}].push_back(&one);
  }
  std::map<std::pair<const Alike*, std::string_view>, Together> of_space;  // asked once, however many name it
  // Gateways are seldom in the bundle of their routes.
  const auto alike_of = [&](const KeyUse& use) -> const Alike* {
    const auto near = by_name.find({use.bundle, use.of, use.target.value});
    const auto far = everywhere.find({use.of, use.target.value});
    if (use.of == "Gateway") return far == everywhere.end() ? nullptr : &far->second;
    return near == by_name.end() ? nullptr : &near->second;
  };
  for (KeyUse& use : model.key_uses) {
    const Alike* alike = use.key.is_set() ? alike_of(use) : nullptr;
    if (alike == nullptr) continue;
    const auto [place, fresh] = of_space.try_emplace({alike, use.space});
    if (fresh) place->second = together(*alike, use.space);
    const Together& all = place->second;
    if (!all.known || all.keys.contains(use.key.value)) continue;
    if (use.by_operator && has_key_somewhere(everywhere[{use.of, use.target.value}], use)) continue;
    use.missing = true;
    for (const std::string_view key : all.keys) {
      if (use.there.size() == kShown) break;
      use.there.emplace_back(key);
    }
  }
}

}  // namespace muster
