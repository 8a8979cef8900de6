#include "observe/node_choice.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

std::string text_of(const Node& node) { return std::string(node.text()); }

void read_expressions(const Node& list, bool field, std::vector<NodeChoice::Expression>& out) {
  each_item(list, [&](const Node& item) {
    NodeChoice::Expression expression{text_of(item["key"]), text_of(item["operator"]), {}, field};
    each_item(item["values"], [&](const Node& value) { expression.values.push_back(text_of(value)); });
    out.push_back(std::move(expression));
  });
}

bool holds(const NodeChoice::Expression& expression, const NodeMarks& node) {
  const auto label = node.labels.find(expression.key);
  const bool has = expression.field || label != node.labels.end();
  const std::string& value = expression.field ? node.name : has ? label->second : expression.key;
  const bool listed = has && std::ranges::find(expression.values, value) != expression.values.end();
  if (expression.op == "In") return listed;
  if (expression.op == "NotIn") return !listed;
  if (expression.op == "Exists") return has;
  if (expression.op == "DoesNotExist") return !has;
  if (!has || expression.values.size() != 1) return false;
  const std::optional<std::int64_t> number = parse_int(value);
  const std::optional<std::int64_t> bound = parse_int(expression.values.front());
  if (!number || !bound) return false;
  return expression.op == "Gt" ? *number > *bound : expression.op == "Lt" && *number < *bound;
}

bool tolerates(const NodeChoice::Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.op == "Exists") return toleration.key.empty() || toleration.key == taint.key;
  return toleration.key == taint.key && toleration.value == taint.value;
}

void append(std::string& out, std::string_view text) { out += std::to_string(text.size()) + ":" + std::string(text); }

}  // namespace

bool NodeChoice::allows(const NodeMarks& node) const {
  if (!node.known) return true;
  for (const auto& [key, value] : selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return false;
  }
  const auto matches = [&](const std::vector<Expression>& term) {
    return !term.empty() &&
           std::ranges::all_of(term, [&](const Expression& expression) { return holds(expression, node); });
  };
  if (has_terms && std::ranges::none_of(terms, matches)) return false;
  return std::ranges::all_of(node.taints, [&](const Taint& taint) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") return true;
    return std::ranges::any_of(tolerations, [&](const Toleration& toleration) { return tolerates(toleration, taint); });
  });
}

std::string NodeChoice::key() const {
  std::string out = has_terms ? "t" : "";
  for (const auto& [key, value] : selector) append(out, key), append(out, value);
  for (const std::vector<Expression>& term : terms) {
    out += "|";
    for (const Expression& expression : term) {
      out += expression.field ? "f" : "l";
      append(out, expression.key), append(out, expression.op);
      for (const std::string& value : expression.values) append(out, value);
    }
  }
  out += "!";
  for (const Toleration& one : tolerations)
    append(out, one.key), append(out, one.op), append(out, one.value), append(out, one.effect);
  return out;
}

NodeChoice read_node_choice(const Node& pod_spec) {
  NodeChoice out;
  const Node selector = pod_spec["nodeSelector"];
  for (std::size_t i = 0; selector.is_mapping() && i < selector.size(); ++i)
    out.selector.emplace_back(selector.key(i).text(), selector.value(i).text());
  std::ranges::sort(out.selector);
  const Node terms =
      pod_spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"];
  out.has_terms = terms.is_sequence();
  each_item(terms, [&](const Node& term) {
    std::vector<NodeChoice::Expression>& expressions = out.terms.emplace_back();
    read_expressions(term["matchExpressions"], false, expressions);
    read_expressions(term["matchFields"], true, expressions);
  });
  each_item(pod_spec["tolerations"], [&](const Node& item) {
    out.tolerations.push_back(
        {text_of(item["key"]), text_of(item["operator"]), text_of(item["value"]), text_of(item["effect"])});
  });
  return out;
}

NodeMarks read_node_marks(const Node& node) {
  NodeMarks out;
  out.known = true;
  out.name = text_of(node["metadata"]["name"]);
  const Node labels = node["metadata"]["labels"];
  for (std::size_t i = 0; labels.is_mapping() && i < labels.size(); ++i)
    out.labels[text_of(labels.key(i))] = text_of(labels.value(i));
  each_item(node["spec"]["taints"], [&](const Node& taint) {
    out.taints.push_back({text_of(taint["key"]), text_of(taint["value"]), text_of(taint["effect"])});
  });
  if (is_true(node["spec"]["unschedulable"]))
    out.taints.push_back({"node.kubernetes.io/unschedulable", "", "NoSchedule"});
  return out;
}

}  // namespace muster
