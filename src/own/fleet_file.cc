#include <algorithm>
#include <set>
#include <span>

#include "base/strings.h"
#include "base/version.h"
#include "facts/object_type.h"
#include "gang/scheduler.h"
#include "input/kind.h"
#include "model/device_platforms.h"
#include "model/device_releases.h"
#include "own/own_file.h"
#include "slurm/records.h"
#include "syntax/read_value.h"

namespace muster::fleet_file {
namespace {

using Keys = std::initializer_list<std::string_view>;

class Reader {
 public:
  Reader(const Artifact& artifact, const NormaliseContext& context)
      : root_(artifact.object), context_(context), findings_(context.findings) {}

  void run() {
    constexpr std::string_view kOthers[] = {"muster",   "name",    "control_planes", "node_pools",
                                            "topology", "tenants", "targets",        "operators"};
    report_unknown_fact_keys(root_, fleet_facts(), kOthers, "a fleet file", findings_);
    if (root_["muster"].text() != "fleet/v1")
      wrong(root_["muster"].where(), "expected `fleet/v1`, got " + describe(root_["muster"]));
    static_cast<Object&>(fleet_) = own_object("fleet", root_["name"], context_);
    fleet_.facts = read_facts(root_, fleet_facts(), findings_);
    each_mapping(root_["control_planes"], [&](const Node& node) { read_control_plane(node); });
    each_mapping(root_["node_pools"], [&](const Node& node) { read_pool(node); });
    read_topology(root_["topology"]);
    each_mapping(root_["tenants"], [&](const Node& node) { read_tenant(node); });
    read_targets(root_["targets"]);
    read_operators(root_["operators"]);
    fleet_.lists_control_planes = root_["control_planes"].exists();
    fleet_.lists_domains = root_["topology"]["domains"].exists();
    fleet_.lists_tenants = root_["tenants"].exists();
    analyse_fleet(fleet_);
    context_.model.fleets.push_back(std::move(fleet_));
  }

 private:
  void keys(const Node& node, Keys known, std::string_view what) {
    report_unknown_keys(node, std::vector<std::string_view>(known), what, findings_);
  }
  void wrong(Span where, std::string message) {
    findings_.push_back(problem("own-file-value", where, std::move(message)));
  }

  template <class Visit>
  void each(const Node& list, Visit visit) {
    if (list.exists() && !list.is_null() && !list.is_sequence())
      wrong(list.where(), "expected a list, got " + describe(list));
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) visit(list.item(i));
  }

  /// A list of mappings; one that says nothing counts as empty.
  template <class Visit>
  void each_mapping(const Node& list, Visit visit) {
    each(list, [&](const Node& item) {
      if (is_mapping(item)) visit(item);
    });
  }
  bool is_mapping(const Node& node) {
    if (node.is_mapping() || !node.exists() || node.is_null()) return true;
    wrong(node.where(), "expected a mapping, got " + describe(node));
    return false;
  }

  /// A text that must be one of a few words.
  Located<std::string> word(const Node& node, FieldName field, Keys allowed) {
    return word(node, field, std::span<const std::string_view>(allowed.begin(), allowed.size()));
  }
  Located<std::string> word(const Node& node, FieldName field, std::span<const std::string_view> allowed) {
    Located<std::string> value = read_text(node, field, findings_);
    if (!value.is_set() || std::ranges::find(allowed, value.value) != allowed.end()) return value;
    const std::vector<std::string_view> words(allowed.begin(), allowed.end());
    wrong(value.where, "`" + std::string(field) + "` must be one of " + join(words, ", ") + "; got `" + value.value +
                           "`" + did_you_mean(value.value, words));
    return unknown_until<std::string>("a value for `" + std::string(field) + "`", value.where, field);
  }
  Located<std::string> text(const Node& node, FieldName field) { return read_text(node, field, findings_); }
  Located<std::int64_t> count(const Node& node, FieldName field) {
    Located<std::int64_t> value = read_int(node, field, findings_, IntStyle::Signed);
    if (!value.is_set() || value.value >= 0) return value;
    wrong(value.where, "`" + std::string(field) + "` must not be negative");
    return unknown_until<std::int64_t>("a value for `" + std::string(field) + "`", value.where, field);
  }

  void read_control_plane(const Node& node) {
    keys(node, {"kind", "version", "platform", "feature_gates"}, "a control plane");
    FleetControlPlane plane;
    plane.kind = word(node["kind"], "kind", {"slurm", "kubernetes", "k3s", "ray"});
    plane.version = text(node["version"], "version");
    if (plane.version.is_set() && !Version::parse(plane.version.value))
      wrong(plane.version.where, "`" + plane.version.value + "` is not a version");
    read_platform(node["platform"], plane);
    const Node gates = node["feature_gates"];
    for (std::size_t i = 0; is_mapping(gates) && i < gates.size(); ++i) {
      const Located<bool> on = read_bool(gates.value(i), "feature_gates", findings_);
      if (!on.is_set()) continue;
      plane.feature_gates[std::string(gates.key(i).text())] = on.value;
      check_gate(gates.key(i).text(), on, plane.version);
      if (plane.kind.value != "slurm") read_gate(gates.key(i).text(), on, plane.version);
    }
    fleet_.control_planes.push_back(std::move(plane));
  }

  /// A gate that is not there yet keeps the API server from starting.
  void check_gate(std::string_view name, const Located<bool>& on, const Located<std::string>& release) {
    const auto gate = std::ranges::find(device_gates(), name, &DeviceGate::name);
    const std::optional<Version> version = release.is_set() ? Version::parse(release.value) : std::nullopt;
    if (gate == device_gates().end() || !version || *version >= *Version::parse(gate->first())) return;
    wrong(on.where, "Kubernetes has the gate `" + std::string(name) + "` from " + std::string(gate->first()) +
                        " on, and `version` is " + version->text());
  }

  void read_platform(const Node& node, FleetControlPlane& plane) {
    plane.platform = word(node, "platform", platform_ids());
    if (plane.platform.is_set() && plane.kind.is_set() && plane.kind.value != "kubernetes")
      wrong(plane.platform.where,
            "`platform` is of a control plane of Kubernetes, and this one is of `" + plane.kind.value + "`");
    const std::optional<Version> release = plane.version.is_set() ? Version::parse(plane.version.value) : std::nullopt;
    if (plane.platform.value == "openshift" && release && *release >= *Version::parse("4"))
      wrong(plane.version.where, "`" + plane.version.value +
                                     "` is a release of OpenShift; `version` is that of its Kubernetes: 1.33 for 4.20, "
                                     "1.34 for 4.21");
  }

  /// A feature gate is the setting of an operator where one is read from it.
  void read_gate(std::string_view gate, const Located<bool>& on, const Located<std::string>& release) {
    const std::optional<Version> version = release.is_set() ? Version::parse(release.value) : std::nullopt;
    for (const Operator& which : SchedulerBook::or_shipped(context_.schedulers).operators) {
      for (const OperatorOption& option : which.settings) {
        if (option.gate != gate) continue;
        const std::optional<Version> before = Version::parse(option.gate_before);
        if (before && (!version || *version >= *before)) continue;
        say(which, option, set_to<std::string>(on.value ? "true" : "false", on.where, "feature_gates"));
      }
    }
  }

  void say(const Operator& which, const OperatorOption& option, Located<std::string> value) {
    context_.model.operator_settings.push_back({setting_name(which.id, option.name), std::move(value),
                                                context_.file.path, context_.file.bundle, SaidBy::Fleet});
  }

  /// targets: {volcano: "1.15"}, as in muster.yaml.
  void read_targets(const Node& node) {
    if (!is_mapping(node)) return;
    report_unknown_keys(node, target_names(), "`targets`", findings_);
    for (std::size_t i = 0; i < node.size(); ++i) {
      FleetTarget target{std::string(node.key(i).text()), text(node.value(i), "version")};
      if (target.version.is_set() && !Version::parse(target.version.value))
        wrong(target.version.where, "`" + target.version.value + "` is not a version");
      else if (target_type().find(target.name) != nullptr)
        fleet_.targets.push_back(std::move(target));
    }
  }

  /// operators: {training-operator: {gang-scheduler-name: volcano}}, as in muster.yaml.
  void read_operators(const Node& node) {
    const SchedulerBook& book = SchedulerBook::or_shipped(context_.schedulers);
    std::vector<std::string_view> known;
    for (const Operator& one : book.operators) known.push_back(one.id);
    if (!is_mapping(node)) return;
    report_unknown_keys(node, known, "`operators`", findings_);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Operator* which = book.find_operator(node.key(i).text());
      if (which != nullptr && is_mapping(node.value(i))) read_settings(*which, node.value(i));
    }
  }

  void read_settings(const Operator& which, const Node& node) {
    std::vector<std::string_view> known;
    for (const OperatorOption& option : which.settings) known.push_back(option.name);
    report_unknown_keys(node, known, "`" + which.id + "`", findings_);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const OperatorOption* option = which.find(node.key(i).text());
      if (option == nullptr) continue;
      std::vector<std::string> words;
      if (node.value(i).is_sequence())
        each(node.value(i), [&](const Node& item) { words.push_back(text(item, "operators").value); });
      else
        words.push_back(text(node.value(i), "operators").value);
      say(which, *option, set_to(join(words, ","), node.value(i).where(), "operators"));
    }
  }

  void read_pool(const Node& node) {
    constexpr std::string_view kOthers[] = {"name", "nodes", "node.labels", "node.taints"};
    report_unknown_fact_keys(node, pool_facts(), kOthers, "a node pool", findings_);
    NodePool pool;
    pool.name = text(node["name"], "name");
    pool.where = pool.name.where;
    pool.nodes = text(node["nodes"], "nodes");
    pool.hosts = read_hostlist(pool.nodes, findings_);
    if (pool.hosts) pool.node_count = static_cast<std::int64_t>(std::min(pool.hosts->size(), Hostlist::kMaxExpanded));
    pool.facts = read_facts(node, pool_facts(), findings_);
    each(node["node"]["taints"], [&](const Node& taint) { read_taint(taint, pool); });
    const Node labels = node["node"]["labels"];
    for (std::size_t i = 0; is_mapping(labels) && i < labels.size(); ++i) {
      pool.labels[std::string(labels.key(i).text())] = labels.value(i).text();
    }
    fleet_.node_pools.push_back(std::move(pool));
  }

  /// key=value:Effect, or a mapping as in a Node. PreferNoSchedule keeps nobody away.
  static void read_taint(const Node& node, NodePool& pool) {
    const std::string_view text = node.is_mapping() ? node["effect"].text() : node.text();
    if (text.ends_with("PreferNoSchedule")) return;
    PoolTaint taint;
    if (node.is_mapping()) {
      taint.key = node["key"].text();
      taint.value = node["value"].text();
      if (!text.empty()) taint.effect = text;
    } else {
      const std::size_t colon = text.find(':');
      const std::string_view pair = text.substr(0, colon);
      const std::size_t equals = pair.find('=');
      taint.key = pair.substr(0, equals);
      if (colon != text.npos) taint.effect = text.substr(colon + 1);
      if (equals != pair.npos) taint.value = pair.substr(equals + 1);
      if (equals == pair.npos && taint.effect) taint.value = "";
    }
    pool.taints.push_back(std::move(taint));
  }

  void read_topology(const Node& node) {
    if (!is_mapping(node)) return;
    keys(node, {"levels", "domains"}, "`topology`");
    const Node levels = node["levels"];
    fleet_.levels_where = levels.key_where();
    each(levels, [&](const Node& level) { fleet_.levels.push_back(text(level, "levels").value); });
    levels_.insert(fleet_.levels.begin(), fleet_.levels.end());
    each_mapping(node["domains"], [&](const Node& domain) { read_domain(domain); });
  }

  void read_domain(const Node& node) {
    keys(node, {"name", "level", "parent", "nodes"}, "a topology domain");
    TopologyDomain domain;
    domain.name = text(node["name"], "name");
    domain.where = domain.name.where;
    domain.level = text(node["level"], "level");
    domain.parent = text(node["parent"], "parent");
    domain.nodes = text(node["nodes"], "nodes");
    domain.hosts = read_hostlist(domain.nodes, findings_);
    const bool known_level = !domain.level.is_set() || levels_.contains(domain.level.value);
    if (!known_level) wrong(domain.level.where, "`" + domain.level.value + "` is not one of `topology.levels`");
    fleet_.domains.push_back(std::move(domain));
  }

  void read_tenant(const Node& node) {
    keys(node, {"name", "parent", "guaranteed_gpus", "limit_gpus"}, "a tenant");
    Tenant tenant;
    tenant.name = text(node["name"], "name");
    tenant.where = tenant.name.where;
    tenant.parent = text(node["parent"], "parent");
    tenant.guaranteed_gpus = count(node["guaranteed_gpus"], "guaranteed_gpus");
    tenant.limit_gpus = count(node["limit_gpus"], "limit_gpus");
    fleet_.tenants.push_back(std::move(tenant));
  }

  Node root_;
  const NormaliseContext& context_;
  std::vector<Finding>& findings_;
  Fleet fleet_;
  std::set<std::string> levels_;  ///< Fleet::levels
};

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["muster"].text().starts_with("fleet/"); }

/// muster: fleet/v1.
void normalise(const Artifact& artifact, const NormaliseContext& context) { Reader(artifact, context).run(); }

}  // namespace muster::fleet_file
