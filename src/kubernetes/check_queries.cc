#include "kubernetes/check_queries.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "promql/labels.h"
#include "promql/query.h"

namespace muster {
namespace {

constexpr std::size_t kMostGroups = 1000;
constexpr std::size_t kMostRules = 1000;  // of one group
constexpr std::size_t kMostNodes = 100'000;
constexpr int kDeepest = 30;

/// `{app="a"} |= "error"`, `{app="a"} != "debug"`: the rules of Loki are written so.
bool is_logql(std::string_view text) {
  for (std::size_t at = text.find('}'); at != text.npos; at = text.find('}', at + 1)) {
    const std::size_t sign = text.find_first_not_of(" \t\r\n", at + 1);
    if (sign == text.npos) break;
    const std::string_view behind = text.substr(sign);
    if (behind.starts_with('|')) return true;
    if (!behind.starts_with("!=") && !behind.starts_with("!~")) continue;
    const std::size_t value = behind.find_first_not_of(" \t\r\n", 2);
    if (value != behind.npos && contains("\"`", behind.substr(value, 1))) return true;
  }
  return contains(text, "bytes_rate(") || contains(text, "bytes_over_time(") || contains(text, " |") ||
         contains(text, "|=") || contains(text, "|~");
}

/// Whether somebody fills it in first, or it is LogQL.
bool is_of_others(std::string_view text) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    if (at + 1 == text.size() || !is_digit(text[at + 1])) return true;  // not $1 of label_replace
  }
  return contains(text, "{{") || contains(text, "<<") || is_logql(text);
}

std::size_t count(const Node& list, std::size_t most) { return list.is_sequence() ? std::min(list.size(), most) : 0; }

class Alerts {
 public:
  explicit Alerts(std::vector<Finding>& findings) : findings_(findings) {}

  void run(const Node& spec) {
    const Node groups = spec["groups"];
    for (std::size_t g = 0; g < count(groups, kMostGroups); ++g) {
      const Node rules = groups.item(g)["rules"];
      for (std::size_t r = 0; r < count(rules, kMostRules); ++r) {
        if (const Node record = rules.item(r)["record"]; record.is_scalar()) recorded_.insert(record.text());
        if (is_logql(rules.item(r)["expr"].text())) return;  // and so the others are for Loki, too
      }
    }
    for (std::size_t g = 0; g < count(groups, kMostGroups); ++g) {
      const Node rules = groups.item(g)["rules"];
      for (std::size_t r = 0; r < count(rules, kMostRules); ++r) judge(rules.item(r));
    }
  }

  /// nullopt: nothing is known of it.
  std::optional<promql::Query> read(const Node& written) {
    if (!written.is_scalar() || is_of_others(written.text())) return std::nullopt;
    promql::Query query = promql::read_query(written.text());
    if (query.refusal) refused(written, *query.refusal);
    if (!query.root) return std::nullopt;
    return query;
  }

 private:
  void refused(const Node& written, const promql::Refusal& refusal) {
    const std::string_view text = written.text();
    report("prometheus-query-refused", written, "the query is no PromQL: " + refusal.what);
    Finding& said = findings_.back();
    // The words themselves where the value is written as it is, or in quotes without escapes: not where an action of a
    // template stands for it.
    const std::size_t stretch = said.where.end - said.where.begin;
    const bool quoted = written.style() == ScalarStyle::Quoted && stretch == text.size() + 2;
    const bool as_written = !contains(text, "\n") && (quoted || stretch == text.size());
    if (as_written && refusal.end > refusal.begin) {
      const auto at = [&](std::size_t place) {
        return said.where.begin + static_cast<std::uint32_t>((quoted ? 1 : 0) + place);
      };
      said.where = {said.where.file, at(refusal.begin), at(refusal.end)};
    } else if (contains(trim(text), "\n")) {
      const auto line = std::ranges::count(text.substr(0, refusal.begin), '\n') + 1;
      said.message = std::string(said.message) + " (line " + std::to_string(line) + " of the query)";
    }
  }

  void judge(const Node& rule) {
    const Node written = rule["expr"];
    const std::optional<promql::Query> query = read(written);
    if (!query) return;
    const promql::Node& root = query->at(*query->root);
    if (root.type == promql::Type::Range || root.type == promql::Type::Text) {
      report("prometheus-query-refused", written,
             root.type == promql::Type::Text ? "the query gives a text" : "the query gives a range of samples");
      // Prometheus looks at the grammar alone where it loads the rules.
      findings_.back().follows = "the rule fails each time it is evaluated, and its alert never comes";
      findings_.back().help = root.type == promql::Type::Text
                                  ? "compare something with a number; labels and annotations have the texts"
                                  : "a function around the range, such as `rate` or `max_over_time`";
      return;
    }
    const std::vector<promql::Unmatched> unmatched = promql::unmatched_operations(*query, recorded_);
    if (!unmatched.empty()) {
      const promql::Unmatched& first = unmatched.front();
      const std::string_view word = query->at(first.node).word;
      report("alert-sides-unmatched", written,
             in_ticks(word) + " finds no two series with equal labels: the " + (first.left_has ? "left" : "right") +
                 " side has " + in_ticks(first.label) + ", the other has not");
    }
    const promql::Node* counter = rule["alert"].exists() ? promql::counter_above(*query) : nullptr;
    if (counter != nullptr)
      report("alert-counter-stays", written,
             "the alert compares counter " + in_ticks(counter->word) + " itself, which never falls");
  }

  void report(std::string_view rule, const Node& written, std::string message) {
    findings_.push_back(problem(rule, written.where(), std::move(message)));
    findings_.back().field = "expr";
  }

  std::vector<Finding>& findings_;
  std::set<std::string_view> recorded_;
};

/// Wherever a list of groups stands.
void walk(const Node& node, int depth, std::size_t& left, std::vector<Finding>& findings) {
  if (depth > kDeepest || left == 0) return;
  --left;
  if (node.is_mapping()) {
    const Node groups = node["groups"];
    if (groups.is_sequence() && groups.size() > 0 && groups.item(0)["rules"].is_sequence()) Alerts(findings).run(node);
    for (std::size_t i = 0; i < node.size(); ++i) walk(node.value(i), depth + 1, left, findings);
  }
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) walk(node.item(i), depth + 1, left, findings);
}

}  // namespace

void check_rule_lists(const Node& document, std::vector<Finding>& findings) {
  std::size_t left = kMostNodes;
  walk(document, 0, left, findings);
}

void check_queries(const Node& object, std::string_view api_version, std::string_view kind,
                   std::vector<Finding>& findings) {
  if (kind == "PrometheusRule" && api_version == "monitoring.coreos.com/v1") Alerts(findings).run(object["spec"]);
  if (kind != "ScaledObject" || api_version != "keda.sh/v1alpha1") return;
  const Node triggers = object["spec"]["triggers"];
  for (std::size_t i = 0; i < count(triggers, kMostRules); ++i) {
    if (triggers.item(i)["type"].text() == "prometheus") Alerts(findings).read(triggers.item(i)["metadata"]["query"]);
  }
}

}  // namespace muster
