#include <algorithm>
#include <initializer_list>
#include <set>

#include "base/strings.h"
#include "input/kind.h"
#include "own/own_file.h"
#include "syntax/read_value.h"

namespace muster::world_file {
namespace {

// What the prover's arithmetic and its simulator of single nodes are made for.
constexpr std::int64_t kMostNodes = 1'000'000;
constexpr std::int64_t kMostPods = 1'000'000;
constexpr std::int64_t kMostGangs = 5'000;
constexpr std::int64_t kMostEach = 1'000'000;                ///< GPUs or CPUs of a node or pod
constexpr std::int64_t kMostMemory = std::int64_t{1} << 50;  ///< bytes of a node or pod

class Reader {
 public:
  Reader(const Artifact& artifact, const NormaliseContext& context)
      : root_(artifact.object), context_(context), findings_(context.findings) {}

  void run() {
    const std::size_t before = findings_.size();
    report_unknown_keys(root_, words({"muster", "name", "pools", "gangs", "queues"}), "a world file", findings_);
    if (root_["muster"].text() != "world/v1")
      wrong(root_["muster"].where(), "expected `world/v1`, got " + describe(root_["muster"]));
    static_cast<Object&>(world_) = own_object("world", root_["name"], context_);
    each_mapping(root_["pools"], [&](const Node& node) { read_pool(node); });
    each_mapping(root_["queues"], [&](const Node& node) { read_queue(node); });
    each_mapping(root_["gangs"], [&](const Node& node) { read_gang(node); });
    if (world_.pools.empty()) wrong(root_["pools"].key_where(), "a world needs a pool with nodes");
    // Of a world that was not read as it was meant nothing is proved.
    if (findings_.size() == before) context_.model.worlds.push_back(std::move(world_));
  }

 private:
  static std::vector<std::string_view> words(std::initializer_list<std::string_view> list) { return list; }
  void wrong(Span where, std::string message) {
    findings_.push_back(problem("own-file-value", where, std::move(message)));
  }

  template <class Visit>
  void each_mapping(const Node& list, Visit visit) {
    if (list.exists() && !list.is_null() && !list.is_sequence())
      wrong(list.where(), "expected a list, got " + describe(list));
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      if (list.item(i).is_mapping()) {
        visit(list.item(i));
      } else {
        wrong(list.item(i).where(), "expected a mapping, got " + describe(list.item(i)));
      }
    }
  }

  /// A whole number within bounds; `fallback` where it is not written or wrong.
  std::int64_t number(const Node& parent, FieldName field, std::int64_t fallback, std::int64_t least,
                      std::int64_t most) {
    const Located<std::int64_t> value = read_int(parent[field], field, findings_, IntStyle::Signed);
    if (!value.is_set()) return fallback;
    if (value.value >= least && value.value <= most) return value.value;
    wrong(value.where,
          "`" + std::string(field) + "` must be between " + std::to_string(least) + " and " + std::to_string(most));
    return fallback;
  }

  /// CPUs in thousandths, rounded up.
  std::optional<std::int64_t> cpus(const Node& parent, FieldName field) {
    const Located<Quantity> value = read_quantity(parent[field], field, findings_);
    if (!value.is_set()) return std::nullopt;
    if (value.value.whole < 0 || value.value.nano < 0 || value.value.whole > kMostEach) {
      wrong(value.where, "`" + std::string(field) + "` must be between 0 and " + std::to_string(kMostEach));
      return std::nullopt;
    }
    return value.value.whole * 1000 + (value.value.nano + 999'999) / 1'000'000;
  }
  /// Bytes; what a pod asks of one is all of it.
  std::optional<std::int64_t> memory(const Node& parent, FieldName field, bool up) {
    const Located<Quantity> value = read_quantity(parent[field], field, findings_);
    if (!value.is_set()) return std::nullopt;
    if (value.value.whole < 0 || value.value.nano < 0 || value.value.whole > kMostMemory) {
      wrong(value.where, "`" + std::string(field) + "` must be between 0 and 1Pi");
      return std::nullopt;
    }
    return value.value.whole + (up && value.value.nano > 0 ? 1 : 0);
  }
  std::map<std::string, std::string> texts(const Node& mapping) {
    std::map<std::string, std::string> out;
    if (mapping.exists() && !mapping.is_null() && !mapping.is_mapping())
      wrong(mapping.where(), "expected a mapping, got " + describe(mapping));
    for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i)
      out[std::string(mapping.key(i).text())] = mapping.value(i).text();
    return out;
  }

  void read_pool(const Node& node) {
    report_unknown_keys(node, words({"name", "nodes", "quota", "serial"}), "a pool", findings_);
    WorldPool pool;
    pool.name = read_text(node["name"], "name", findings_);
    pool.where = node.where();
    if (!pool.name.is_set()) return wrong(node.where(), "a pool needs a `name`");
    if (find_pool(pool.name.value) != nullptr)
      return wrong(pool.name.where, "there are two pools called `" + pool.name.value + "`");
    pool.serial = read_bool(node["serial"], "serial", findings_);
    if (node["quota"].exists() && !node["quota"].is_null()) {
      pool.quota = set_to(number(node, "quota", 0, 0, kMostNodes * kMostEach), node["quota"].where());
    }
    each_mapping(node["nodes"], [&](const Node& nodes) { read_nodes(nodes, pool); });
    world_.pools.push_back(std::move(pool));
  }

  void read_nodes(const Node& node, WorldPool& pool) {
    report_unknown_keys(node, words({"count", "gpus", "cpus", "memory", "labels", "domains"}), "nodes of a pool",
                        findings_);
    WorldNodes nodes;
    nodes.where = node.where();
    nodes.count = number(node, "count", 1, 0, kMostNodes);
    nodes.gpus = number(node, "gpus", 0, 0, kMostEach);
    nodes.milli_cpus = cpus(node, "cpus");
    nodes.memory = memory(node, "memory", false);
    nodes.labels = texts(node["labels"]);
    nodes.domains = texts(node["domains"]);
    all_nodes_ += nodes.count;
    if (all_nodes_ > kMostNodes) {
      all_nodes_ -= nodes.count;
      return wrong(node["count"].where(), "a world has at most " + std::to_string(kMostNodes) + " nodes");
    }
    pool.nodes.push_back(std::move(nodes));
  }

  void read_queue(const Node& node) {
    report_unknown_keys(node, words({"name", "gpus"}), "a queue", findings_);
    const Located<std::string> name = read_text(node["name"], "name", findings_);
    if (!name.is_set()) return wrong(node.where(), "a queue needs a `name`");
    if (!node["gpus"].exists()) return wrong(node.where(), "how many `gpus` does `" + name.value + "` admit?");
    world_.queues.push_back({name.value, number(node, "gpus", 0, 0, kMostNodes * kMostEach)});
  }

  const WorldPool* find_pool(const std::string& name) const {
    const auto found = std::ranges::find(world_.pools, name, [](const WorldPool& pool) { return pool.name.value; });
    return found == world_.pools.end() ? nullptr : &*found;
  }
  /// A pool that the file has; else a finding.
  std::optional<std::string> pool_name(const Node& node, const std::string& fallback) {
    const Located<std::string> name = read_text(node, "pool", findings_);
    if (!name.is_set()) return fallback;
    if (find_pool(name.value) != nullptr) return name.value;
    std::vector<std::string_view> known;
    for (const WorldPool& pool : world_.pools) known.push_back(pool.name.value);
    wrong(name.where, "there is no pool `" + name.value + "`" + did_you_mean(name.value, known));
    return std::nullopt;
  }

  std::optional<WorldRole> read_role(const Node& node, const std::string& pool) {
    WorldRole role;
    const std::optional<std::string> named = pool_name(node["pool"], pool);
    if (!named) return std::nullopt;
    role.pool = *named;
    role.name = read_text(node["name"], "name", findings_).value;
    if (!node["pods"].exists()) {
      wrong(node.where(), "how many `pods`?");
      return std::nullopt;
    }
    role.pods = number(node, "pods", 0, 0, kMostPods);
    role.gpus_per_pod = number(node, "gpus_per_pod", 0, 0, kMostEach);
    role.milli_cpus_per_pod = cpus(node, "cpus_per_pod").value_or(0);
    role.memory_per_pod = memory(node, "memory_per_pod", true).value_or(0);
    role.selector = texts(node["node_labels"]);
    return role;
  }

  void read_gang(const Node& node) {
    report_unknown_keys(node, words({"name",           "pool",           "pods",        "gpus_per_pod",
                                     "cpus_per_pod",   "memory_per_pod", "node_labels", "roles",
                                     "components",     "guaranteed",     "mechanism",   "timeout_seconds",
                                     "domain",         "priority",       "preempts",    "restarts",
                                     "one_per_node",   "queue",          "scheduler",   "tightly_coupled",
                                     "asks_beyond",    "instances",      "takes",       "may_lose_pods",
                                     "may_work_alone", "at_once"}),
                        "a gang", findings_);
    WorldGang gang;
    gang.name = read_text(node["name"], "name", findings_);
    gang.where = gang.name.where;
    if (!gang.name.is_set()) return wrong(node.where(), "a gang needs a `name`");
    if (!names_.insert(gang.name.value).second)
      return wrong(gang.name.where, "there are two gangs called `" + gang.name.value + "`");
    const std::optional<std::string> pool =
        pool_name(node["pool"], world_.pools.empty() ? "" : world_.pools.front().name.value);
    if (!pool || !read_roles(node, *pool, gang)) return;
    if (!node["pool"].exists() && world_.pools.size() > 1 && node["pods"].exists()) {
      return wrong(node.where(), "which `pool` does `" + gang.name.value + "` go to?");
    }
    gang.pool = gang.roles.front().pool;
    read_mechanism(node, gang);
    gang.domain = read_domain(node["domain"]);
    gang.priority = number(node, "priority", 0, -kMostEach * 10'000, kMostEach * 10'000);
    read_eviction(node, gang);
    gang.one_per_node = read_bool(node["one_per_node"], "one_per_node", findings_).value;
    read_choice(node["takes"], gang);
    gang.taken_apart = read_text(node["may_lose_pods"], "may_lose_pods", findings_).value;
    gang.scheduler = read_text(node["scheduler"], "scheduler", findings_).value;
    read_queue_of(node["queue"], gang);
    const Located<bool> coupled = read_bool(node["tightly_coupled"], "tightly_coupled", findings_);
    gang.coupled = !coupled.is_set() || coupled.value;
    if (gang.coupled) gang.may_work_alone = read_text(node["may_work_alone"], "may_work_alone", findings_).value;
    const Node beyond = node["asks_beyond"];
    if (beyond.exists() && !beyond.is_null() && !beyond.is_sequence())
      wrong(beyond.where(), "expected a list, got " + describe(beyond));
    for (std::size_t i = 0; beyond.is_sequence() && i < beyond.size(); ++i)
      gang.beyond.push_back(read_text(beyond.item(i), "asks_beyond", findings_).value);
    add(std::move(gang), number(node, "instances", 1, 1, kMostGangs), node);
  }

  void read_choice(const Node& node, WorldGang& gang) {
    const Located<std::string> takes = read_text(node, "takes", findings_);
    if (!takes.is_set()) return;
    const std::optional<NodesTaken> choice = enum_of<NodesTaken>(takes.value);
    if (choice) gang.takes = *choice;
    if (!choice) wrong(takes.where, "`takes` must be one of any, first, unknown; got `" + takes.value + "`");
  }

  /// preempts: true (or gangs) and pods; restarts: whole.
  void read_eviction(const Node& node, WorldGang& gang) {
    const Node preempts = node["preempts"];
    const std::string_view word = preempts.text();
    if (word == "pods" || word == "gangs") {
      gang.preempts = true;
      gang.evicts_pods = word == "pods";
    } else {
      gang.preempts = read_bool(preempts, "preempts", findings_).value;
    }
    const Located<std::string> restarts = read_text(node["restarts"], "restarts", findings_);
    gang.restarts_whole = restarts.value == "whole";
    if (restarts.is_set() && restarts.value != "whole" && restarts.value != "pods")
      wrong(restarts.where, "`restarts` must be one of pods, whole; got `" + restarts.value + "`");
  }

  /// `pods` and `gpus_per_pod` of the gang itself, or a list of roles (components of a heterogeneous job).
  bool read_roles(const Node& node, const std::string& pool, WorldGang& gang) {
    const std::string_view list = node["components"].exists() ? "components" : "roles";
    if (!node[list].exists()) {
      std::optional<WorldRole> role = read_role(node, pool);
      if (!role) return false;
      role->name.clear();
      gang.roles.push_back(std::move(*role));
      return true;
    }
    for (const std::string_view key : {"pods", "gpus_per_pod", "cpus_per_pod", "memory_per_pod", "node_labels"}) {
      if (node[key].exists())
        wrong(node[key].key_where(),
              "`" + std::string(key) + "` stands in the `" + std::string(list) + "` of a gang that has them");
    }
    bool fine = true;
    each_mapping(node[list], [&](const Node& item) {
      report_unknown_keys(item,
                          words({"name", "pool", "pods", "gpus_per_pod", "cpus_per_pod", "memory_per_pod",
                                 "node_labels", "guaranteed", "domain", "within"}),
                          "a role", findings_);
      std::optional<WorldRole> role = read_role(item, pool);
      fine = fine && role.has_value();
      if (!role) return;
      role->guaranteed = number(item, "guaranteed", 0, 0, std::max<std::int64_t>(role->pods, 0));
      role->domain = read_domain(item["domain"]);
      role->within = texts(item["within"]);
      const Node within = item["within"];
      for (std::size_t i = 0; within.is_mapping() && i < within.size(); ++i) read_domain(within.key(i));
      gang.roles.push_back(std::move(*role));
    });
    if (gang.roles.empty()) wrong(node[list].key_where(), "a gang needs at least one role");
    return fine && !gang.roles.empty();
  }

  void read_mechanism(const Node& node, WorldGang& gang) {
    std::int64_t pods = 0;
    for (const WorldRole& role : gang.roles) pods += role.pods;
    const Located<std::string> word = read_text(node["mechanism"], "mechanism", findings_);
    if (word.is_set()) {
      const std::vector<std::string_view> known(std::begin(EnumNames<Mechanism>::names),
                                                std::end(EnumNames<Mechanism>::names));
      const auto found = std::ranges::find(known, word.value);
      if (found == known.end()) {
        wrong(word.where, "`mechanism` must be one of " + join(known, ", ") + "; got `" + word.value + "`" +
                              did_you_mean(word.value, known));
      } else {
        gang.mechanism = static_cast<Mechanism>(found - known.begin());
      }
    }
    const std::int64_t fallback = gang.mechanism == Mechanism::PerPod ? 1 : pods;
    gang.guaranteed =
        set_to(number(node, "guaranteed", fallback, 0, std::max<std::int64_t>(pods, 0)), node["guaranteed"].where());
    if (const Node timeout = node["timeout_seconds"]; timeout.exists() && !timeout.is_null()) {
      gang.timeout_seconds = number(node, "timeout_seconds", 0, 0, kMostEach * 1000);
    }
    gang.at_once = number(node, "at_once", 0, 0, std::max<std::int64_t>(pods, 0));
    if (gang.at_once > 0 && gang.mechanism != Mechanism::HoldAndRelease)
      wrong(node["at_once"].where(), "`at_once` is for mechanism `hold-and-release`");
  }

  /// A level that some node has a domain of.
  std::string read_domain(const Node& node) {
    std::string domain = read_text(node, "domain", findings_).value;
    if (domain.empty()) return domain;
    std::set<std::string_view> levels;
    for (const WorldPool& pool : world_.pools) {
      for (const WorldNodes& nodes : pool.nodes) {
        for (const auto& [level, where] : nodes.domains) levels.insert(level);
      }
    }
    if (levels.contains(domain)) return domain;
    const std::vector<std::string_view> known(levels.begin(), levels.end());
    wrong(node.where(), "no node has a domain of level `" + domain + "`" + did_you_mean(domain, known));
    return domain;
  }

  void read_queue_of(const Node& node, WorldGang& gang) {
    gang.queue = read_text(node, "queue", findings_).value;
    std::vector<std::string_view> known;
    for (const WorldQueue& queue : world_.queues) known.push_back(queue.name);
    if (gang.queue.empty() || std::ranges::find(known, gang.queue) != known.end()) return;
    wrong(node.where(), "there is no queue `" + gang.queue + "`" + did_you_mean(gang.queue, known));
  }

  /// Several instances are gangs of their own: train, train#2 ...
  void add(WorldGang gang, std::int64_t instances, const Node& node) {
    for (std::int64_t i = 1; i <= instances; ++i) {
      if (static_cast<std::int64_t>(world_.gangs.size()) >= kMostGangs) {
        if (!too_many_) wrong(node.where(), "a world has at most " + std::to_string(kMostGangs) + " gangs");
        too_many_ = true;
        return;
      }
      WorldGang one = gang;
      if (i > 1) one.name.value += "#" + std::to_string(i);
      world_.gangs.push_back(std::move(one));
    }
  }

  Node root_;
  const NormaliseContext& context_;
  std::vector<Finding>& findings_;
  World world_;
  std::set<std::string> names_;
  std::int64_t all_nodes_ = 0;
  bool too_many_ = false;
};

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["muster"].text().starts_with("world/"); }

/// muster: world/v1.
void normalise(const Artifact& artifact, const NormaliseContext& context) { Reader(artifact, context).run(); }

}  // namespace muster::world_file
