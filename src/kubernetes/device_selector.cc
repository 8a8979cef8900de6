#include "kubernetes/device_selector.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/strings.h"
#include "expr/functions.h"
#include "expr/parser.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// Marks of templates, which may stand for anything.
bool is_filled_in(std::string_view text) {
  return is_placeholder(text) || contains(text, "{{") || contains(text, "${") || contains(text, "<%");
}

bool is_order(Op op) { return op == Op::Less || op == Op::LessEqual || op == Op::Greater || op == Op::GreaterEqual; }

/// Types, and what functions of libraries stand behind. Source: kubernetes/kubernetes:staging/src/k8s.io/apiserver/pkg/
/// cel/environment/base.go (1.37).
bool is_selector_name(std::string_view name) {
  constexpr std::array<std::string_view, 21> kNames{
      "bool",  "bytes", "cel",  "cidr",      "double",   "dyn",  "format", "google",  "int",  "ip",  "list",
      "lists", "map",   "math", "null_type", "optional", "sets", "string", "strings", "type", "uint"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// `allowMultipleAllocations` since 1.34.
bool is_device_field(std::string_view name) {
  return name == "allowMultipleAllocations" || name == "attributes" || name == "capacity" || name == "driver";
}

/// A map of device.attributes or device.capacity, or a variable for one.
struct DomainMap {
  bool capacity = false;
  std::string domain;
};

class SelectorReader {
 public:
  explicit SelectorReader(const Ast& ast) : ast_(ast) {}

  DeviceSelector run() {
    for (const AstNode& node : ast_.nodes) note_variables(node);
    for (const AstNode& node : ast_.nodes) {
      if (out_.refused.empty()) check_names(node);
      if (out_.refused.empty()) check_capacity(node);
      if (out_.fails.empty()) check_literal(node);
      if (out_.fails.empty()) check_version(node);
      note_read(node);
      note_boundary(node);
    }
    for (DeviceRead& read : out_.reads) read.guarded = guarded_.contains({read.domain, read.name});
    return std::move(out_);
  }

 private:
  const AstNode& at(std::uint32_t index) const { return ast_.nodes[index]; }
  const AstNode& child(const AstNode& node, std::size_t i) const { return ast_.nodes[node.children[i]]; }
  static bool is_text(const AstNode& node) { return node.op == Op::Literal && node.literal.is(Value::Kind::String); }

  void note_variables(const AstNode& node) {
    if (node.op == Op::Ident || node.op == Op::Select || node.op == Op::OptionalSelect || node.op == Op::Call) return;
    if (!node.name.empty()) variables_.insert(node.name);
    if (!node.second.empty()) variables_.insert(node.second);
    if (node.op != Op::Bind || node.children.empty()) return;
    if (const std::optional<DomainMap> map = domain_map(child(node, 0))) bound_.emplace(node.name, *map);
  }

  bool is_device(const AstNode& node) const {
    return node.op == Op::Ident && node.name == "device" && !variables_.contains("device");
  }

  /// `device.attributes["gpu.nvidia.com"]`, or a name that cel.bind gave it.
  std::optional<DomainMap> domain_map(const AstNode& node) const {
    if (node.op == Op::Ident) {
      const auto bound = bound_.find(node.name);
      return bound == bound_.end() ? std::nullopt : std::optional(bound->second);
    }
    if ((node.op != Op::Index && node.op != Op::OptionalIndex) || node.children.size() != 2) return std::nullopt;
    const AstNode& map = child(node, 0);
    const AstNode& key = child(node, 1);
    const bool selects = (map.op == Op::Select || map.op == Op::OptionalSelect) && is_device(child(map, 0));
    if (!selects || (map.name != "attributes" && map.name != "capacity") || !is_text(key)) return std::nullopt;
    return DomainMap{map.name == "capacity", std::string(key.literal.as_text())};
  }

  /// An attribute or capacity that the node reads.
  std::optional<DeviceRead> read_of(const AstNode& node) const {
    const bool by_name = node.op == Op::Select || node.op == Op::OptionalSelect;
    const bool by_key =
        (node.op == Op::Index || node.op == Op::OptionalIndex) && node.children.size() == 2 && is_text(child(node, 1));
    if (!by_name && !by_key) return std::nullopt;
    const std::optional<DomainMap> map = domain_map(child(node, 0));
    if (!map) return std::nullopt;
    return DeviceRead{map->capacity, map->domain, by_name ? node.name : std::string(child(node, 1).literal.as_text()),
                      false};
  }

  void note_read(const AstNode& node) {
    if (node.op == Op::Has && !node.children.empty()) {
      if (const auto read = read_of(child(node, 0))) guarded_.insert({read->domain, read->name});
    }
    if (node.op == Op::In && node.children.size() == 2 && is_text(child(node, 0))) {
      if (const auto map = domain_map(child(node, 1)))
        guarded_.insert({map->domain, std::string(child(node, 0).literal.as_text())});
    }
    const std::optional<DeviceRead> read = read_of(node);
    if (!read) return;
    if (node.op == Op::OptionalSelect || node.op == Op::OptionalIndex) guarded_.insert({read->domain, read->name});
    if (std::ranges::find(out_.reads, *read) == out_.reads.end()) out_.reads.push_back(*read);
  }

  /// Names that the compiler of the API server does not know.
  void check_names(const AstNode& node) {
    if (node.op == Op::Ident && node.name != "device" && !variables_.contains(node.name) &&
        !is_selector_name(node.name)) {
      out_.refused = "undeclared reference to `" + node.name + "`";
    } else if ((node.op == Op::Select || node.op == Op::OptionalSelect) && is_device(child(node, 0)) &&
               !is_device_field(node.name)) {
      out_.refused = "`device` has no field `" + node.name + "`; it has attributes, capacity, driver";
    }
  }

  /// Capacities are quantities, which have no operators.
  void check_capacity(const AstNode& node) {
    const bool same = node.op == Op::Equal || node.op == Op::NotEqual;
    if ((!same && !is_order(node.op)) || node.children.size() != 2) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::optional<DeviceRead> read = read_of(child(node, i));
      const bool firm = child(node, i).op == Op::Select || child(node, i).op == Op::Index;
      if (!read || !read->capacity || !firm) continue;
      const AstNode& other = child(node, 1 - i);
      if (same && (other.op != Op::Literal || other.literal.is(Value::Kind::Null))) continue;
      out_.refused = "no matching overload: a capacity is a quantity, which has no `" + mark_of(node.op) +
                     "`; write `.compareTo(quantity(\"40Gi\")) >= 0`";
    }
  }

  static std::string mark_of(Op op) {
    if (op == Op::Less) return "<";
    if (op == Op::LessEqual) return "<=";
    if (op == Op::Greater) return ">";
    if (op == Op::GreaterEqual) return ">=";
    return op == Op::Equal ? "== with a literal" : "!= with a literal";
  }

  /// `quantity("40GB")` and `semver("12.4")` are errors whenever they are reached.
  void check_literal(const AstNode& node) {
    if (node.op != Op::Call || node.receiver || node.children.size() != 1 || !is_text(child(node, 0))) return;
    const std::string_view text = child(node, 0).literal.as_text();
    if (node.name == "quantity" && !Quantity::parse(text))
      out_.fails = "`" + std::string(text) + "` is no quantity: its units are Ki, Mi, Gi and k, M, G";
    if (node.name == "semver" && !parse_semver(text))
      out_.fails = "`" + std::string(text) +
                   "` is no semantic version of three numbers without leading zeros; `semver(\"" + std::string(text) +
                   "\", true)` takes it";
  }

  /// Attributes that are versions, compared with a text or number.
  void check_version(const AstNode& node) {
    if (!is_order(node.op) || node.children.size() != 2) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::optional<DeviceRead> read = read_of(child(node, i));
      if (!read || read->capacity || child(node, 1 - i).op != Op::Literal) continue;
      const std::optional<PublishedAs> known = published(false, read->domain, read->name, "");
      if (!known || !known->version) continue;
      out_.fails = "`" + read->name + "` is a version, which has no `" + mark_of(node.op) +
                   "`; write `.compareTo(semver(\"1.2.3\")) >= 0`";
    }
  }

  void note_boundary(const AstNode& node) {
    if (node.op != Op::Call || !node.receiver || node.name != "isGreaterThan" || node.children.size() != 2) return;
    const std::optional<DeviceRead> read = read_of(child(node, 0));
    const AstNode& amount = child(node, 1);
    if (!read || !read->capacity || read->name != "memory" || amount.op != Op::Call || amount.name != "quantity" ||
        amount.children.size() != 1 || !is_text(child(amount, 0)))
      return;
    out_.above.emplace_back(child(amount, 0).literal.as_text());
  }

  const Ast& ast_;
  DeviceSelector out_;
  std::set<std::string, std::less<>> variables_;
  std::map<std::string, DomainMap, std::less<>> bound_;
  std::set<std::pair<std::string, std::string>> guarded_;
};

}  // namespace

std::optional<DeviceSelector> read_device_selector(std::string_view text) {
  if (is_filled_in(text) || text.size() > kMaxExprSize) return std::nullopt;
  std::vector<ExprIssue> issues;
  const std::optional<Ast> ast = parse_expr(text, issues);
  if (ast) return SelectorReader(*ast).run();
  DeviceSelector out;
  out.refused = issues.empty() ? "it does not parse" : issues.front().message;
  return out;
}

}  // namespace muster
