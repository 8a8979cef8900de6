#include "gang/join_worlds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/capped.h"
#include "gang/joined_gangs.h"

namespace muster {
namespace {

constexpr std::size_t kMostWorkers = 500;  // for each all gangs and Services are gone through

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `nccl-host-*` of nccl-host-12: the last number in it; nothing where there is none.
std::optional<std::string> stem_of(std::string_view name) {
  const auto last = std::find_if(name.rbegin(), name.rend(), is_digit);
  if (last == name.rend()) return std::nullopt;
  const auto end = static_cast<std::size_t>(name.rend() - last);
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  return std::string(name.substr(0, begin)) + "*" + std::string(name.substr(end));
}

bool is_one_pod(const Gang& gang) {
  const bool bare = gang.kind == "Pod" && gang.group.empty();
  const bool job = gang.kind == "Job" && gang.group == "batch";
  return (bare || job) && gang.roles.size() == 1 && gang.name.is_set() && gang.instances.state == State::Absent &&
         gang.roles.front().count.known() && gang.roles.front().count.value == 1;
}

/// Nobody else says which pods it belongs with.
bool is_free(const Gang& gang) {
  return gang.pod_group->state == State::Absent && gang.queue.state == State::Absent && gang.task_groups.empty();
}

bool is_coupled(const Gang& gang) { return gang.tightly_coupled.known() && gang.tightly_coupled.value; }

class WorldJoiner {
 public:
  explicit WorldJoiner(Model& model) : model_(model) {}

  void run() {
    join_ranks();
    join_ray_clusters();
    erase_gangs(model_, gone_);
  }

 private:
  using Members = std::vector<std::size_t>;

  // --- ranks that are objects of their own

  void join_ranks() {
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, Members> worlds;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      const Gang& gang = model_.gangs[g];
      if (!is_one_pod(gang) || !is_free(gang)) continue;
      const std::optional<std::string> stem = stem_of(gang.name.value);
      const std::string scheduler = gang.scheduler.known() ? gang.scheduler.value : std::string();
      if (stem) worlds[{gang.bundle, gang.file, gang.space, scheduler + " " + gang.kind.str(), *stem}].push_back(g);
    }
    for (const auto& [key, found] : worlds) {
      const Members& members = found;  // clang 14 takes no name of `[ ]` into a lambda
      const std::string& stem = std::get<4>(key);
      if (members.size() < 2 || twice(members)) continue;
      const auto all = [&](auto holds) {
        return std::ranges::all_of(members, [&](std::size_t g) { return holds(model_.gangs[g]); });
      };
      if (all(is_coupled)) {
        if (nodes_of(members.front()) == static_cast<std::int64_t>(members.size())) join(members, stem);
      } else if (all([](const Gang& one) { return holds_host(one); })) {
        leave_open(members, "whether the " + std::to_string(members.size()) + " objects `" + stem +
                                "` of this file run one collective (`tightly_coupled` of its workload)");
      }
    }
  }

  /// The same Pod in two documents: one is applied, or the other.
  bool twice(const Members& members) const {
    std::set<std::string_view> names;
    return std::ranges::any_of(members,
                               [&](std::size_t g) { return !names.insert(model_.gangs[g].name.value).second; });
  }

  /// A Pod that holds a whole host, and is not said to work for itself.
  static bool holds_host(const Gang& gang) {
    const Located<std::int64_t>& each = gang.roles.front().gpus_each;
    return gang.kind == "Pod" && each.known() && (each.value == 4 || each.value >= 8) && !gang.works_alone &&
           gang.tightly_coupled.known() && !gang.tightly_coupled.value;
  }

  void leave_open(const Members& members, const std::string& needs) {
    for (const std::size_t g : members) {
      Gang& gang = model_.gangs[g];
      gang.tightly_coupled = unknown_until<bool>(needs, gang.where);
    }
  }

  /// Nodes of the world that its command starts: --nnodes; 0: not said.
  std::int64_t nodes_of(std::size_t g) {
    std::int64_t nodes = 0;
    each_container_of(model_.gangs[g], [&](const Container& one) {
      if (one.nodes->known() && one.nodes->state != State::Absent) nodes = std::max(nodes, one.nodes->value);
    });
    return nodes;
  }

  template <class Visit>
  void each_container_of(const Gang& gang, Visit visit) {
    if (!containers_) {
      containers_.emplace();
      for (const Container& one : model_.containers) containers_->emplace(object_key(one), &one);
    }
    const auto [first, last] = containers_->equal_range(object_key(gang));
    for (auto at = first; at != last; ++at) visit(*at->second);
  }

  /// Into the first of them.
  void join(const Members& members, const std::string& name) {
    Gang out = model_.gangs[members.front()];
    out.roles.clear();
    for (const std::size_t g : members) {
      const Gang& one = model_.gangs[g];
      out.joined.emplace_back(one.file, one.id);
      for (Role role : one.roles) {
        role.name = one.name;
        add_joined_role(out, std::move(role));
      }
      if (g != members.front()) gone_.insert(g);
    }
    if (out.roles.size() == 1) out.roles.front().name = defaulted_to<std::string>("pods", out.where);
    if (!name.empty()) {
      out.id = out.id.substr(0, out.id.size() - out.name.value.size()) + name;
      out.name.value = name;
    }
    model_.gangs[members.front()] = std::move(out);
  }

  // --- servers over a Ray cluster that is put together by hand

  void join_ray_clusters() {
    std::map<std::size_t, Members> clusters;  // workers, by the gang of their head
    std::size_t looked = 0;
    for (std::size_t g = 0; g < model_.gangs.size() && looked < kMostWorkers; ++g) {
      const Gang& worker = model_.gangs[g];
      if (!worker.remarks->joins.is_set() || !is_free(worker)) continue;
      ++looked;
      if (const std::optional<std::size_t> head = head_of(g)) clusters[*head].push_back(g);
    }
    for (auto& [head, workers] : clusters) spread(head, std::move(workers));
  }

  /// What the host names: an object, or the pods of a Service.
  std::optional<std::size_t> head_of(std::size_t worker) const {
    const Gang& from = model_.gangs[worker];
    std::string_view host = from.remarks->joins->value;
    host = host.substr(0, host.find('.'));
    const std::vector<const WrittenValue*> selectors = selectors_of(host, from);
    Members beside;  // in the same file
    Members others;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      const Gang& one = model_.gangs[g];
      if (g == worker || one.bundle != from.bundle || one.space != from.space || one.roles.size() != 1) continue;
      const bool meant = one.name.value == host || std::ranges::any_of(selectors, [&](const WrittenValue* selector) {
                           return selects(*selector, one.roles.front());
                         });
      if (meant) (one.file == from.file ? beside : others).push_back(g);
    }
    const Members& found = beside.empty() ? others : beside;
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }

  /// Of the Services of that name.
  std::vector<const WrittenValue*> selectors_of(std::string_view name, const Gang& from) const {
    const ManifestDef* services = &manifest_def("services");
    std::vector<const WrittenValue*> out;
    for (const Manifest& one : model_.manifests) {
      const bool here = one.def == services && one.bundle == from.bundle && one.space == from.space;
      if (here && one.name.value == name) out.push_back(&one.part("selector"));
    }
    return out;
  }

  static bool selects(const WrittenValue& selector, const Role& role) {
    if (!selector.is_text_map()) return false;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const auto label = role.labels.find(std::string(selector.keys()[i]));
      if (label == role.labels.end() || label->second != selector.items()[i].text()) return false;
    }
    return true;
  }

  /// Devices of all its pods; nothing where that is not known.
  static std::optional<std::int64_t> devices_of(const Gang& gang) {
    std::int64_t sum = 0;
    for (const Role& role : gang.roles) {
      if (!role.count.known() || !role.gpus_each.known()) return std::nullopt;
      sum = add_capped(sum, multiply_capped(role.count.value, role.gpus_each.value));
    }
    return sum;
  }

  /// A model over more devices than the head has needs those who join it.
  void spread(std::size_t head, Members workers) {
    Located<std::int64_t> parallel;
    each_container_of(model_.gangs[head], [&](const Container& one) {
      if (one.parallel->is_set()) parallel = one.parallel;
    });
    const std::optional<std::int64_t> own = devices_of(model_.gangs[head]);
    if (!parallel.is_set() || !own || parallel.value <= *own || !is_free(model_.gangs[head])) return;
    std::int64_t all = *own;
    bool known = model_.gangs[head].roles.front().count.value == 1;
    for (const std::size_t worker : workers) {
      const std::optional<std::int64_t> more = devices_of(model_.gangs[worker]);
      known = known && more && model_.gangs[worker].scheduler_name.value == model_.gangs[head].scheduler_name.value;
      all = add_capped(all, more.value_or(0));
    }
    workers.insert(workers.begin(), head);
    if (!known || all != parallel.value)
      return leave_open(workers, "which pods that join the Ray cluster of `" + model_.gangs[head].name.value +
                                     "` its model is spread over (`tightly_coupled` of its workload)");
    join(workers, "");
    model_.gangs[head].tightly_coupled = set_to(true, parallel.where, "command");
  }

  Model& model_;
  std::set<std::size_t> gone_;
  std::optional<std::multimap<ObjectKey, const Container*>> containers_;  ///< once somebody asks
};

}  // namespace

void join_worlds(Model& model) { WorldJoiner(model).run(); }

}  // namespace muster
