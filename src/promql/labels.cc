#include "promql/labels.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"

namespace muster::promql {
namespace {

using Names = std::set<std::string_view>;

/// Of the series that an expression gives.
struct Labels {
  bool open = true;  ///< any may be there
  Names possible;    ///< where it is not open
  Names sure;        ///< on every series
};

bool can_be(const Labels& labels, std::string_view name) { return labels.open || labels.possible.contains(name); }

/// What nearly every scraped series of a pod has, so that somebody who groups by it means it.
bool is_of_pods(std::string_view name) {
  constexpr std::array<std::string_view, 5> kOfPods{"container", "instance", "job", "namespace", "pod"};
  return std::ranges::find(kOfPods, name) != kOfPods.end();
}

/// Words of what happens, and is counted: gauges are called `_total`, too (minio_cluster_drive_offline_total).
constexpr std::array<std::string_view, 14> kOfEvents{"disrupt", "drop",  "error",    "evict",  "exceed",
                                                     "fail",    "oom",   "preempt",  "reject", "restart",
                                                     "retries", "retry", "terminat", "timeout"};

/// And of parts that are worn out once they have one, which stay so until the next start.
constexpr std::array<std::string_view, 4> kOfHardware{"ecc", "edac", "remap", "xid"};

class Reader {
 public:
  Reader(const Query& query, const Names& recorded) : query_(query), recorded_(recorded), of_(query.nodes.size()) {}

  std::vector<Unmatched> run() {
    if (is_too_much()) return {};
    for (std::size_t i = 0; i < query_.nodes.size(); ++i) of_[i] = read(i);
    return std::move(out_);
  }

 private:
  /// Each node may have each label of the expression: 48 KB of sums over one selector would be gigabytes.
  bool is_too_much() const {
    constexpr std::size_t kMostKept = 200'000;
    std::size_t labels = 2;
    for (const Node& node : query_.nodes)
      labels += node.matchers.size() + node.grouping.size() + node.matching.labels.size() + node.matching.taken.size();
    return query_.nodes.size() > kMostKept / labels;
  }

  const Labels& part(const Node& node, std::size_t i) const { return of_[node.parts[i]]; }

  Labels read(std::size_t i) {
    const Node& node = query_.at(i);
    if (node.type == Type::Scalar || node.type == Type::Text) return {};
    switch (node.kind) {
      case Node::Kind::Selector: return of_selector(node);
      case Node::Kind::Range:
      case Node::Kind::Brackets:
      case Node::Kind::Unary: return part(node, 0);
      case Node::Kind::Call: return of_call(node);
      case Node::Kind::Aggregate: return of_aggregate(node);
      case Node::Kind::Binary: return of_binary(i, node);
      default: return {};
    }
  }

  Labels of_selector(const Node& node) const {
    Labels out;
    const bool scraped = !node.word.empty() && !contains(node.word, ":") && !node.word.starts_with("ALERTS") &&
                         !recorded_.contains(node.word);
    if (scraped) out.sure = {"instance", "job"};
    for (const Matcher& one : node.matchers) {
      const bool empty = (one.sign == "=" || one.sign == "=~") && one.value.empty();
      if (one.sign == "=" && !one.value.empty()) out.sure.insert(one.label);
      if (empty) out.sure.erase(one.label);
    }
    return out;
  }

  Labels of_call(const Node& node) const {
    const std::string_view name = node.word;
    if (name == "vector" || (node.parts.empty() && name != "time")) return {.open = false, .possible = {}, .sure = {}};
    if (name == "absent" || name == "absent_over_time" || name == "info") return {};
    std::optional<std::size_t> from;
    for (std::size_t i = 0; i < node.parts.size() && !from; ++i) {
      const Type type = query_.at(node.parts[i]).type;
      if (type == Type::Vector || type == Type::Range) from = i;
    }
    if (!from) return {};
    Labels out = part(node, *from);
    if (name == "histogram_quantile") {
      out.possible.erase("le");
      out.sure.erase("le");
    }
    if (name.starts_with("label_")) {  // may take a label away, or bring one
      out.open = true;
      out.sure.clear();
    }
    return out;
  }

  Labels of_aggregate(const Node& node) const {
    const std::string word = to_lower(node.word);
    const Labels& from = part(node, node.parts.size() - 1);
    // These choose among the series.
    if (word == "topk" || word == "bottomk" || word == "limitk" || word == "limit_ratio") return from;
    if (word == "count_values") return {};
    Labels out;
    if (node.grouped && node.without) {
      out = from;
      for (const std::string_view name : node.grouping) {
        out.possible.erase(name);
        out.sure.erase(name);
      }
      return out;
    }
    out.open = false;
    for (const std::string_view name : node.grouping) {
      if (!can_be(from, name)) continue;
      out.possible.insert(name);
      if (from.sure.contains(name) || is_of_pods(name)) out.sure.insert(name);
    }
    return out;
  }

  Labels of_binary(std::size_t i, const Node& node) {
    const bool vectors = query_.at(node.parts[0]).type == Type::Vector && query_.at(node.parts[1]).type == Type::Vector;
    const Labels& left = part(node, 0);
    const Labels& right = part(node, 1);
    if (!vectors) return query_.at(node.parts[0]).type == Type::Vector ? left : right;
    if (node.word != "or") compare(i, node, left, right);
    if (node.word == "and" || node.word == "unless") return left;
    Labels out;
    if (node.word == "or") {
      out.open = left.open || right.open;
      out.possible = left.possible;
      out.possible.insert(right.possible.begin(), right.possible.end());
      std::ranges::set_intersection(left.sure, right.sure, std::inserter(out.sure, out.sure.end()));
      return out;
    }
    if (node.matching.grouped) {
      out = node.matching.left_is_many ? left : right;
      for (const std::string_view name : node.matching.taken) {
        out.possible.insert(name);
        out.sure.erase(name);
      }
      return out;
    }
    if (node.matching.on) {
      out.open = false;
      for (const std::string_view name : node.matching.labels) {
        if (can_be(left, name) && can_be(right, name)) out.possible.insert(name);
        if (left.sure.contains(name) && right.sure.contains(name)) out.sure.insert(name);
      }
      return out;
    }
    out = left.open ? right : left;
    for (const std::string_view name : node.matching.labels) {
      out.possible.erase(name);
      out.sure.erase(name);
    }
    return out;
  }

  void compare(std::size_t i, const Node& node, const Labels& left, const Labels& right) {
    const auto counts = [&](std::string_view name) {
      const bool named = std::ranges::find(node.matching.labels, name) != node.matching.labels.end();
      return node.matching.on ? named : !named;
    };
    const auto alone = [&](const Labels& has, const Labels& lacks) -> std::optional<std::string_view> {
      for (const std::string_view name : has.sure) {
        if (counts(name) && !can_be(lacks, name)) return name;
      }
      return std::nullopt;
    };
    if (const auto name = alone(left, right)) {
      out_.push_back({i, std::string(*name), true});
    } else if (const auto other = alone(right, left)) {
      out_.push_back({i, std::string(*other), false});
    }
  }

  const Query& query_;
  const Names& recorded_;
  std::vector<Labels> of_;
  std::vector<Unmatched> out_;
};

}  // namespace

std::vector<Unmatched> unmatched_operations(const Query& query, const std::set<std::string_view>& recorded) {
  if (!query.root) return {};
  return Reader(query, recorded).run();
}

const Node* counter_above(const Query& query) {
  if (!query.root) return nullptr;
  const Node& root = query.inner(*query.root);
  if (root.kind != Node::Kind::Binary || (root.word != ">" && root.word != ">=") || root.asks_bool) return nullptr;
  const Node& right = query.inner(root.parts[1]);
  const Node* left = &query.inner(root.parts[0]);
  if (left->kind == Node::Kind::Aggregate && (to_lower(left->word) == "sum" || to_lower(left->word) == "max"))
    left = &query.inner(left->parts[0]);
  // A part of the name begins so: `oom` is not in headroom.
  const auto speaks_of = [&](std::string_view word) {
    return left->word.starts_with(word) || contains(left->word, "_" + std::string(word)) ||
           contains(left->word, ":" + std::string(word));
  };
  const bool counter = left->kind == Node::Kind::Selector && left->word.ends_with("_total") && !left->moved &&
                       std::ranges::any_of(kOfEvents, speaks_of) && std::ranges::none_of(kOfHardware, speaks_of);
  return counter && right.kind == Node::Kind::Number ? left : nullptr;
}

}  // namespace muster::promql
