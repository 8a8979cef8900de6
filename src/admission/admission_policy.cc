#include "admission/admission_policy.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "admission/cel_text.h"
#include "admission/container_facts.h"
#include "admission/pod_templates.h"
#include "base/strings.h"
#include "facts/types.h"
#include "model/manifest.h"

namespace muster {
namespace {

// Kinds of these groups are files that programs read; no API server has them.
constexpr std::array<std::string_view, 6> kFilesAlone{
    "config.kueue.x-k8s.io",  "eksctl.io", "kops.k8s.io", "kubeadm.k8s.io", "kubescheduler.config.k8s.io",
    "kustomize.config.k8s.io"};

// Rules about a field that is left out, or that speaks where it is written: the API server fills these in before it
// asks a policy, by its own defaults or those of the kind's definition. Executed with kube-apiserver 1.36.3.
constexpr std::array<std::string_view, 5> kFilledIn{
    "clique-scaling-group-min-default", "gpu-operator-field-without-effect", "leader-worker-set-without-size",
    "node-name-past-scheduler", "runtime-topology-without-tier"};

// Both states of an update, so that what was so before is let through.
constexpr std::string_view kStates = "oldObject == null ? [dyn(object)] : [dyn(object), dyn(oldObject)]";

/// `p.spec.containers`, or the first of several that is there.
FieldText text_of(const PartDef& part, std::string_view variable) {
  FieldText out;
  std::vector<std::string> optional;
  for (const std::string_view path : split(part.path, '|')) {
    optional.emplace_back(variable);
    for (const std::string_view step : split(path, '.')) optional.back() += ".?" + std::string(step);
  }
  std::string first = optional.back();
  for (std::size_t i = optional.size() - 1; i-- > 0;) first = optional[i] + ".or(" + first + ")";
  out.has = first + ".hasValue()";
  out.value = optional.size() > 1 ? first + ".value()" : std::string(variable) + "." + std::string(part.path);
  return out;
}

FieldTexts manifest_texts(const ManifestDef& def, std::string variable) {
  return [&def, variable = std::move(variable)](std::string_view field) -> std::optional<FieldText> {
    if (field == "kind") return FieldText{"true", "object.kind"};
    if (field == "api_version") return FieldText{"true", "object.apiVersion"};
    if (field == "name") return FieldText{"true", "object.metadata.name"};
    const auto part = std::ranges::lower_bound(def.parts, field, {}, &PartDef::name);
    if (part == def.parts.end() || part->name != field) return std::nullopt;
    return text_of(*part, variable);
  };
}

FieldTexts container_texts(std::string variable) {
  return [variable = std::move(variable)](std::string_view field) -> std::optional<FieldText> {
    if (find_container_fact(field) == nullptr) return std::nullopt;
    const std::string text = variable + "." + std::string(field);
    return FieldText{"has(" + text + ")", text};
  };
}

Severity mildest(const Rule& rule) {
  Severity out = rule.info.severity;
  for (const auto& one : rule.severity.cases) out = std::max(out, one.is);
  return out;
}

std::vector<std::string> actions_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return {"Deny"};
    case Severity::Warning: return {"Warn", "Audit"};
    case Severity::Info: return {"Audit"};
  }
  return {};
}

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return std::string(trim(text));
}

/// One rule on its way to a policy.
class Exporter {
 public:
  Exporter(const Rule& rule, const PodKinds& pods) : rule_(rule), pods_(pods) {}

  /// Why it cannot be one; empty: it is.
  std::string run(AdmissionPolicy& out) {
    if (std::string reason = general_obstacle(); !reason.empty()) return reason;
    const std::string_view collection = rule_.collection->name;
    in_containers_ = collection == "containers";
    if (!in_containers_) {
      const auto defs = manifest_defs();
      const auto def = std::ranges::lower_bound(defs, collection, {}, &ManifestDef::collection);
      if (def == defs.end() || def->collection != collection) return other_collection();
      def_ = &*def;
      for (const std::string_view group : split(def_->group, ' ')) {
        if (std::ranges::find(kFilesAlone, group) != kFilesAlone.end()) return "about files that no API server reads";
      }
    }
    const bool in_pods = in_containers_ || collection == "pods" || collection == "device_guests";
    if (!in_pods && def_->kinds.empty()) return "about objects of any kind";
    std::string condition;
    if (std::string reason = translate(condition); !reason.empty()) return reason;
    out.rule = rule_.info.id;
    out.name = "muster-" + rule_.info.id;
    out.severity = mildest(rule_);
    out.actions = actions_of(out.severity);
    out.variables.push_back({"objects", std::string(kStates)});
    in_pods ? find_in_pods(condition, out) : find_objects(condition, out);
    out.expression = "variables.found[0].size() == 0 || (variables.found.size() > 1 && variables.found[1].size() > 0)";
    say(out);
    return does_not_compile(out);
  }

 private:
  std::string general_obstacle() const {
    if (!rule_.enabled) return "switched off";
    if (rule_.check == "prover") return "found by `muster prove`";
    if (rule_.collection == nullptr) return "found by a reader, by what is written or missing in files";
    const bool refused =
        std::ranges::all_of(rule_.effect.cases, [](const auto& one) { return one.is == Effect::Rejected; });
    if (refused && rule_.info.effect == Effect::Rejected)
      return "refused already, by the API server, an operator's webhook or slurmctld";
    if (std::ranges::find(kFilledIn, rule_.info.id) != kFilledIn.end())
      return "looks at a field that the API server has filled in before it asks";
    if (!rule_.targets.empty() || !rule_.applies.empty()) return "depends on the release of something else";
    return "";
  }

  std::string other_collection() const {
    if (rule_.info.family == "slurm" || rule_.info.family == "sbatch")
      return "about Slurm; the template job-submit-lua refuses requests";
    return "joins several objects, or fields by what their kind means";
  }

  FieldTexts texts(std::string variable) const {
    return in_containers_ ? container_texts(std::move(variable)) : manifest_texts(*def_, std::move(variable));
  }

  /// A condition that holds of no container that a policy looks at.
  bool never_holds(const Expr& condition) const {
    if (!in_containers_) return false;
    if (condition.text() == rule_.variable + ".accelerator == \"\"") return true;  // only those with one are looked at
    const AstNode& root = condition.ast().nodes[condition.ast().root];
    if (root.op != Op::Has) return false;
    const ContainerFact* fact = find_container_fact(condition.ast().nodes[root.children[0]].name);
    return fact != nullptr && fact->always_off;
  }

  std::string translate(std::string& out) const {
    const FieldTexts fields = texts(rule_.variable);
    for (const Expr& condition : rule_.when) {
      const CelText text = kubernetes_text(condition, fields, "");
      if (!text.obstacle.empty()) return text.obstacle;
      if (never_holds(condition)) return std::string(kReadsMore);
      if (!out.empty()) out += " && ";
      out += text.loose && rule_.when.size() > 1 ? "(" + text.text + ")" : text.text;
    }
    return "";
  }

  /// A rule of a site is joined as those that are shipped are, and nobody has tried it.
  static std::string does_not_compile(AdmissionPolicy& policy) {
    CompileEnv env;
    env.gradual = true;
    env.variables = {{"object", kDynType}, {"oldObject", kDynType}, {"variables", kDynType}};
    std::vector<ExprIssue> issues;
    for (const PolicyVariable& one : policy.variables) {
      if (!Expr::compile(one.expression, env, issues))
        return "its conditions make an expression that does not compile: " + issues.front().message;
    }
    if (policy.message_expression && !Expr::compile(*policy.message_expression, env, issues))
      policy.message_expression.reset();
    return "";
  }

  void find_objects(const std::string& condition, AdmissionPolicy& out) const {
    for (const std::string_view group : split(def_->group, ' ')) {
      for (const std::string_view kind : split(def_->kinds, ' ')) {
        add_resource(group == "-" ? "" : group, kind, out.resources);
      }
    }
    out.variables.push_back(
        {"found", "variables.objects.map(o, [o].filter(" + rule_.variable + ", " + condition + "))"});
  }

  void find_in_pods(const std::string& condition, AdmissionPolicy& out) const {
    out.resources = pods_.resources;
    out.variables.push_back({"templates", "variables.objects.map(o, " + pods_.templates + ")"});
    const bool guests = rule_.collection->name == "device_guests";
    out.variables.push_back({"pods", "variables.templates.map(ts, ts.filter(p, " +
                                         (guests ? is_device_guest() : asks_for_devices()) + "))"});
    const std::string filter = "filter(" + rule_.variable + ", " + condition + ")";
    if (!in_containers_) {
      out.variables.push_back({"found", "variables.pods.map(ps, ps." + filter + ")"});
      return;
    }
    std::vector<const ContainerFact*> facts;
    for (const ContainerFact& fact : container_facts()) {
      if (reads(fact.name)) facts.push_back(&fact);
    }
    out.variables.push_back(
        {"containers", "variables.pods.map(ps, ps.map(p, p.spec.containers." + facts_text(facts) + "))"});
    out.variables.push_back(
        {"found", "variables.containers.map(ps, ps.map(cs, cs." + filter + ").filter(cs, cs.size() > 0))"});
  }

  /// Whether a fact stands in a condition or in the words.
  bool reads(std::string_view fact) const {
    const std::string text = rule_.variable + "." + std::string(fact);
    std::vector<std::string_view> all{rule_.message->text()};
    for (const auto& words : {&rule_.follows, &rule_.help}) {
      if (*words) all.push_back((*words)->text());
    }
    for (const Expr& condition : rule_.when) all.push_back(condition.text());
    const auto has = [&](std::string_view words) {
      for (std::size_t at = words.find(text); at != words.npos; at = words.find(text, at + 1)) {
        const std::size_t end = at + text.size();
        if (end == words.size() || (words[end] != '_' && std::isalnum(static_cast<unsigned char>(words[end])) == 0))
          return true;
      }
      return false;
    };
    return std::ranges::any_of(all, has);
  }

  void say(AdmissionPolicy& out) const {
    const std::string behind = " (muster explain " + rule_.info.id + ")";
    out.says = on_one_line(without_values(rule_.message->text()));
    out.message = out.says + behind;
    const std::string found = in_containers_ ? "variables.found[0][0][0]" : "variables.found[0][0]";
    std::string words = rule_.message->text();
    if (rule_.follows && !rule_.follows->text().empty()) words += ": " + rule_.follows->text();
    if (rule_.help && !rule_.help->text().empty()) words += "; " + rule_.help->text();
    std::vector<std::string> pieces;
    if (add_words(words + behind, found, pieces)) out.message_expression = join(pieces, " + ");
  }

  /// Words of the rule as pieces of a sum; false where a value in them cannot be had.
  bool add_words(std::string_view words, const std::string& found, std::vector<std::string>& pieces) const {
    CompileEnv env;
    env.variables = {{rule_.variable, Type{TypeKind::Object, nullptr, nullptr, rule_.collection->element, {}}}};
    env.may_be_absent = true;
    const FieldTexts fields = texts(found);
    std::string literal;
    const auto flush = [&] {
      if (!literal.empty()) pieces.push_back(to_literal(Value::of(std::string_view(literal))));
      literal.clear();
    };
    for (std::size_t at = 0; at < words.size(); ++at) {
      if (words[at] != '$' || at + 1 == words.size() || (words[at + 1] != '{' && words[at + 1] != '$')) {
        literal += words[at];
        continue;
      }
      if (words[++at] == '$') {
        literal += '$';
        continue;
      }
      // An expression ends at the first brace with which it can be read.
      std::optional<Expr> expr;
      std::size_t end = at;
      while (!expr) {
        end = words.find('}', end + 1);
        if (end == words.npos) return false;
        std::vector<ExprIssue> issues;
        expr = Expr::compile(words.substr(at + 1, end - at - 1), env, issues);
      }
      const CelText text = kubernetes_text(*expr, fields, "");
      if (!text.obstacle.empty()) return false;
      flush();
      pieces.push_back("string(" + text.text + ")");
      at = end;
    }
    flush();
    return true;
  }

  const Rule& rule_;
  const PodKinds& pods_;
  const ManifestDef* def_ = nullptr;
  bool in_containers_ = false;
};

}  // namespace

AdmissionPolicies admission_policies(const RuleBook& book, const std::vector<const KindFile*>& kinds) {
  AdmissionPolicies out;
  const PodKinds pods = pod_kinds(kinds);
  std::map<std::string, std::vector<std::string>> left_out;
  for (const Rule& rule : book.rules()) {
    AdmissionPolicy policy;
    std::string reason = Exporter(rule, pods).run(policy);
    reason.empty() ? out.policies.push_back(std::move(policy)) : left_out[reason].push_back(rule.info.id);
  }
  for (auto& [reason, rules] : left_out) out.left_out.push_back({reason, std::move(rules)});
  return out;
}

}  // namespace muster
