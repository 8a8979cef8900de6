#include "kubernetes/check_fields.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/api_versions.h"
#include "kubernetes/check_type.h"
#include "kubernetes/field_table.h"
#include "kubernetes/near_field.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxTreesAsked = 300;  // for the place where a key belongs
constexpr std::size_t kMaxFindings = 50;     // of one object: the rest says nothing new
constexpr std::size_t kShownKeys = 5;        // of many that are no fields of one mapping

bool is_in_capitals(std::string_view text) {
  return !text.empty() && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

/// `{name}`: what Python's format fills in, for YAML a mapping of the name to nothing. One in braces: a key whose value
/// was forgotten begins where its mapping does.
bool is_in_braces(const Node& node) {
  return node.value(0).is_null() && node.value(0).text().empty() && node.key(0).where().begin > node.where().begin;
}

/// `{{ x }}` without quotes is a mapping of a mapping, `{x}` one of x to nothing, and `[X]` a list of X.
bool is_to_be_filled_in(const Node& node) {
  if (node.is_mapping()) {
    return node.size() == 1 && (node.key(0).is_mapping() || is_in_braces(node) ||
                                (node.value(0).is_null() && is_in_capitals(node.key(0).text())));
  }
  if (node.is_sequence()) return node.size() == 1 && node.item(0).is_scalar() && is_in_capitals(node.item(0).text());
  return node.is_scalar() && (is_placeholder(node.text()) || is_screaming(node.text()));
}

/// A key for somebody to fill in. No field of any kind has a `|`: it is a mark of some template language.
bool is_mark(const Node& key) { return is_to_be_filled_in(key) || contains(key.text(), "|"); }

/// `0.5`, not `1.0`, of which YAML makes the same as of `1`.
bool is_fraction(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != text.npos && text.find_first_not_of("+-.0123456789") == text.npos &&
         text.find('.', dot + 1) == text.npos && text.find_first_of("123456789", dot) != text.npos;
}

class FieldCheck {
 public:
  FieldCheck(const FieldTable& table, std::string_view kind, bool built_in, bool rewritten,
             std::vector<Finding>& findings)
      : table_(table), kind_(kind), built_in_(built_in), rewritten_(rewritten), findings_(findings) {}

  void value(const Node& node, std::string_view type, std::string_view name) {
    if (!node.exists() || node.is_null() || type == "*" || is_to_be_filled_in(node)) return;
    if (found_ >= kMaxFindings) return cut();
    switch (type.front()) {
      case '[': return list(node, type, name);
      case '{': return map(node, type, name);
      case 's': return text(node, name);
      case 'i': return count_new([&] { read_int(node, FieldName(name), findings_, IntStyle::Signed); });
      case 'n': return count_new([&] { read_double(node, FieldName(name), findings_); });
      case 'b': return count_new([&] { read_bool(node, FieldName(name), findings_); });
      case 'q': return quantity(node, name);
      case 'x': return int_or_text(node, name);
      case 'e': return word(node, type, name);
      default: return tree(node, *table_.tree(type), name);
    }
  }

  /// Says of an object with too many findings that they are not all.
  void finish() {
    if (is_cut_) findings_.back().message += "; more of this object is not looked at";
  }

 private:
  void cut() { is_cut_ = true; }

  /// A tree on the way to where we are, and the key that led there.
  struct Step {
    const FieldTable::Tree* tree;
    std::string_view name;
    Node node;
  };

  void report(std::string_view rule, const Node& at, std::string message) {
    findings_.push_back(problem(rule, at.is_scalar() ? at.where() : at.key_where(), std::move(message)));
    ++found_;
  }

  template <class Read>
  void count_new(Read read) {
    const std::size_t before = findings_.size();
    read();
    found_ += findings_.size() - before;
  }

  void wrong_type(const Node& node, std::string_view name, std::string_view expected) {
    report("field-type", node,
           "`" + std::string(name) + "`: expected " + std::string(expected) + ", got " + describe(node));
    findings_.back().field = name;
  }

  void list(const Node& node, std::string_view type, std::string_view name) {
    if (!node.is_sequence()) return wrong_type(node, name, "a list");
    for (std::size_t i = 0; i < node.size(); ++i) value(node.item(i), type.substr(1), name);
  }

  void map(const Node& node, std::string_view type, std::string_view name) {
    if (!node.is_mapping()) return wrong_type(node, name, "a mapping");
    if (is_object(node)) return object_within(node, name);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string_view key = node.key(i).text();
      if (key == "<<" || key.starts_with('$')) continue;
      const bool is_tree = table_.tree(type.substr(1)) != nullptr;
      value(node.value(i), type.substr(1), is_tree ? std::string(name) + "." + std::string(key) : std::string(key));
    }
  }

  void text(const Node& node, std::string_view name) {
    if (!node.is_scalar()) return wrong_type(node, name, "a text");
    count_new([&] { require_text(node, FieldName(name), findings_); });
  }

  /// A CustomResourceDefinition takes integers and texts; kinds of Kubernetes itself take 0.5, too.
  void quantity(const Node& node, std::string_view name) {
    if (!built_in_ && !rewritten_ && node.is_scalar() && node.style() == ScalarStyle::Plain &&
        is_fraction(node.text())) {
      report("field-type", node,
             "`" + std::string(name) + "`: expected an integer or a text, got the number `" + std::string(node.text()) +
                 "`; put it in quotes");
      findings_.back().field = name;
      return;
    }
    if (!is_formula(node.text())) return count_new([&] { read_quantity(node, FieldName(name), findings_); });
    if (std::exchange(said_formula_, true)) return;
    wrong_type(node, name, "a quantity such as 8 or 512Gi");
    findings_.back().message += "; nothing works that out";
    findings_.back().about = About::Whole;
  }

  void int_or_text(const Node& node, std::string_view name) {
    if (!node.is_scalar()) wrong_type(node, name, "a number or a text");
  }

  void word(const Node& node, std::string_view type, std::string_view name) {
    if (!node.is_scalar()) return wrong_type(node, name, "a text");
    const std::span<const std::string_view> words = table_.words(type);
    // An empty text is what a field is that nobody set.
    if (node.text().empty() || std::ranges::find(words, node.text()) != words.end()) return;
    report("field-value", node,
           "`" + std::string(name) + "` does not take `" + std::string(node.text()) + "`" +
               did_you_mean(node.text(), words) + "; it takes " + join({words.begin(), words.end()}, ", "));
    findings_.back().field = name;
    findings_.back().fix = spell_as_one_of(words, node.where(), node.text());
  }

  /// A whole object, which somebody put a few columns too far to the right.
  static bool is_object(const Node& node) {
    const bool named = node["metadata"].is_mapping() || node["spec"].is_mapping();
    return named && !node["apiVersion"].text().empty() && !node["kind"].text().empty();
  }

  void object_within(const Node& node, std::string_view name) {
    const Node kind = node["kind"];
    report(built_in_ ? "field-unknown" : "custom-field-unknown", kind,
           "a whole object, `" + std::string(kind.text()) + "`, stands in `" + std::string(name) + "` of " +
               std::string(kind_) + "; it begins further left, behind a line `---`");
    findings_.back().field = name;
  }

  void tree(const Node& node, const FieldTable::Tree& tree, std::string_view name) {
    if (!node.is_mapping()) return wrong_type(node, name, "a mapping");
    if (!way_.empty() && tree.find("kind") == nullptr && !tree.open && is_object(node))
      return object_within(node, name);
    way_.push_back({&tree, name, node});
    members(node, tree, 0);
    missing(node, tree);
    way_.pop_back();
  }

  /// Required fields that are not there, or empty, which is the same to the API server.
  void missing(const Node& node, const FieldTable::Tree& tree) {
    std::vector<std::string> names;
    for (const FieldTable::Field& field : tree.fields) {
      if (!field.required) continue;
      const Node value = node[field.name];
      if ((value.is_null() && is_form()) || is_set_by_webhook(field.name)) continue;
      if ((!value.exists() || value.is_null()) && !is_misspelt(field.name, node, tree))
        names.push_back("`" + std::string(field.name) + "`");
    }
    const bool whole = way_.size() == 1;
    // A `name` of the object itself is one that stands too far left.
    if (whole && tree.find("metadata") != nullptr && !has_name(node) && !node["name"].exists())
      names.push_back("`metadata.name`");
    if (names.empty() || is_filled_in_later(node) || only_marks(node) || is_of_policy(node) || is_of_another_version())
      return;
    if (found_ >= kMaxFindings) return cut();
    report(built_in_ ? "field-missing" : "custom-field-missing", whole && node["kind"].exists() ? node["kind"] : node,
           place() + " lacks " + join(names, ", "));
    findings_.back().field = names.front().substr(1, names.front().size() - 2);
    findings_.back().about = About::Whole;
  }

  /// KServe names the first container before the object is held against its definition; others need names.
  /// Source: kserve/kserve:pkg/apis/serving/v1beta1/predictor_custom.go, Default (0.15).
  bool is_set_by_webhook(std::string_view field) const {
    if (kind_ != "InferenceService" || field != "name" || way_.size() < 2) return false;
    const Node all = way_[way_.size() - 2].node["containers"];
    return way_.back().name == "containers" && all.is_sequence() && all.size() > 0 &&
           way_.back().node.where() == all.item(0).where();
  }

  /// Written for another version of its definition, which may want other fields, too.
  bool is_of_another_version() const {
    std::size_t unknown = 0;
    for (const Step& step : way_) unknown += unknown_keys(step.node, *step.tree);
    return !built_in_ && unknown > 1;
  }

  /// Whether several fields of the object stand there with nothing behind them: a form that a program fills in.
  bool is_form() {
    if (!is_form_) is_form_ = blanks(way_.front().node, 0) > 1;
    return *is_form_;
  }

  static std::size_t blanks(const Node& node, std::size_t level) {
    constexpr std::size_t kMaxLevelOfBlanks = 20, kMaxWidth = 1000;
    std::size_t count = 0;
    for (std::size_t i = 0; level < kMaxLevelOfBlanks && i < std::min(node.size(), kMaxWidth) && count < 2; ++i) {
      const Node below = node.is_mapping() ? node.value(i) : node.item(i);
      count += below.is_null() ? 1 : blanks(below, level + 1);
    }
    return count;
  }

  /// Whether a key that is no field was led to this one.
  static bool is_misspelt(std::string_view field, const Node& node, const FieldTable::Tree& tree) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (const std::string_view key = node.key(i).text(); tree.find(key) == nullptr)
        if (nearest_field(key, tree, node) == field) return true;
    }
    return false;
  }

  bool has_name(const Node& object) const {
    if (kind_.ends_with("Review") || kind_ == "Binding" || kind_ == "Eviction") return true;
    const Node metadata = object["metadata"];
    if (!metadata.exists()) return true;  // a part, or a program names it, as clusterloader does
    if (!metadata.is_mapping()) return !metadata.is_null();
    return metadata["name"].exists() || metadata["generateName"].exists();
  }

  /// A StorageClass of name and annotations alone is applied over one that is there, to make it the default or not.
  bool only_marks(const Node& node) const {
    if (kind_ != "StorageClass") return false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string_view key = node.key(i).text();
      if (key != "apiVersion" && key != "kind" && key != "metadata") return false;
    }
    return node["metadata"]["annotations"].is_mapping();
  }

  /// A ClusterPolicy with a part or two is applied over the one that the chart of the GPU Operator made.
  bool is_of_policy(const Node& node) const {
    return kind_ == "ClusterPolicy" && way_.size() == 2 && way_.back().name == "spec" && node.size() < 3;
  }

  void members(const Node& node, const FieldTable::Tree& tree, int merges) {
    constexpr int kMaxMerges = 20;
    std::vector<Node> odd;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node key = node.key(i);
      const std::string_view name = key.text();
      if (name == "<<") {
        if (merges < kMaxMerges) merged(node.value(i), tree, merges + 1);
      } else if (const FieldTable::Field* field = tree.find(name)) {
        value(node.value(i), field->type, name);
      } else if (key.is_scalar() && !tree.open && !name.starts_with('$') && !name.starts_with('(') && !is_mark(key) &&
                 !node.value(i).is_null()) {  // nothing is what a patch makes of what it deletes
        odd.push_back(key);
      }
    }
    odd_keys(odd, tree);
  }

  /// Several in one mapping have one cause, such as lines that stand too far left; the same key in each item of a list
  /// is one mistake.
  void odd_keys(const std::vector<Node>& keys, const FieldTable::Tree& tree) {
    constexpr std::size_t kFew = 2;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0 && keys.size() > kFew) break;
      const auto [said, fresh] = said_.try_emplace(path_to(way_.size()) + "." + std::string(keys[i].text()));
      if (!fresh && said->second) findings_[*said->second].related.push_back({keys[i].where(), "and here"});
      if (!fresh) continue;
      const std::size_t before = findings_.size();
      unknown(keys[i], tree);
      if (findings_.size() > before) said->second = before;
    }
    if (keys.size() <= kFew || findings_.empty()) return;
    const auto said = said_.find(path_to(way_.size()) + "." + std::string(keys.front().text()));
    if (said == said_.end() || !said->second || findings_[*said->second].where.begin != keys.front().where().begin)
      return;
    Finding& first = findings_[*said->second];
    first.message += "; nor is there";
    for (std::size_t i = 1; i < keys.size() && i <= kShownKeys; ++i)
      first.message += (i == 1 ? " `" : ", `") + std::string(keys[i].text()) + "`";
    if (keys.size() > kShownKeys + 1) first.message += " and " + std::to_string(keys.size() - 1 - kShownKeys) + " more";
  }

  void merged(const Node& node, const FieldTable::Tree& tree, int merges) {
    if (node.is_mapping()) return members(node, tree, merges);
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) {
      if (node.item(i).is_mapping()) members(node.item(i), tree, merges);
    }
  }

  void unknown(const Node& key, const FieldTable::Tree& tree) {
    if (found_ >= kMaxFindings) return cut();
    const std::optional<std::string_view> meant = nearest_field(key.text(), tree, way_.back().node);
    std::string hint = meant ? "; did you mean `" + std::string(*meant) + "`?" : "";
    std::string belongs = hint.empty() ? above(key.text()) : "";
    if (hint.empty() && belongs.empty()) belongs = below(key.text(), tree, path_to(way_.size()));
    if (!belongs.empty()) hint = "; " + belongs + " has one";
    report(built_in_ ? "field-unknown" : "custom-field-unknown", key,
           "there is no field `" + std::string(key.text()) + "` in " + place() + hint);
    findings_.back().field = key.text();
    findings_.back().fix = spell_as_one_of(absent_fields(tree, way_.back().node), key.where(), key.text());
  }

  /// `spec.template` of Deployment.
  std::string place() const {
    std::string path = path_to(way_.size());
    return path.empty() ? std::string(kind_) : "`" + path + "` of " + std::string(kind_);
  }

  std::string path_to(std::size_t steps) const {
    std::string path;
    for (std::size_t i = 1; i < steps; ++i) path.append(path.empty() ? "" : ".").append(way_[i].name);
    return path;
  }

  /// The tree on the way here that has such a field, the nearest first.
  std::string above(std::string_view name) const {
    for (std::size_t i = way_.size() - 1; i-- > 0;) {
      if (way_[i].tree->find(name) == nullptr || way_[i].node[name].exists()) continue;
      const std::string path = path_to(i + 1);
      return path.empty() ? "the object itself" : "`" + path + "`";
    }
    return {};
  }

  /// The nearest tree below that has such a field, first those that are there: `port` beside an empty `httpGet`.
  std::string below(std::string_view name, const FieldTable::Tree& from, const std::string& here) const {
    for (const FieldTable::Field& field : from.fields) {
      const FieldTable::Tree* next = table_.tree(field.type.substr(field.type.find_first_not_of("[{")));
      if (next == nullptr || next->find(name) == nullptr || !way_.back().node[field.name].exists()) continue;
      return "`" + here + (here.empty() ? "" : ".") + std::string(field.name) + "`";
    }
    std::deque<std::pair<const FieldTable::Tree*, std::string>> open{{&from, here}};
    std::vector<const FieldTable::Tree*> seen{&from};
    while (!open.empty() && seen.size() < kMaxTreesAsked) {
      const auto [tree, path] = std::move(open.front());
      open.pop_front();
      if (tree != &from && tree->find(name) != nullptr) return "`" + path + "`";
      for (const FieldTable::Field& field : tree->fields) {
        const FieldTable::Tree* next = table_.tree(field.type.substr(field.type.find_first_not_of("[{")));
        if (next == nullptr || std::ranges::find(seen, next) != seen.end()) continue;
        seen.push_back(next);
        open.emplace_back(next, path + (path.empty() ? "" : ".") + std::string(field.name));
      }
    }
    return {};
  }

  const FieldTable& table_;
  std::string_view kind_;
  bool built_in_;
  bool rewritten_;
  std::vector<Finding>& findings_;
  std::vector<Step> way_;
  std::size_t found_ = 0;
  bool is_cut_ = false;
  bool said_formula_ = false;
  std::optional<bool> is_form_;                             ///< once it was asked
  std::map<std::string, std::optional<std::size_t>> said_;  ///< keys that are no fields, and in which finding
};

/// The type of what a Deployment has as `spec.template.spec`; empty: the table lacks it.
std::string_view pod_spec_type(const FieldTable& table) {
  const FieldTable::ObjectKind* known = table.find("apps/v1", "Deployment");
  std::string_view type = known == nullptr ? std::string_view() : known->type;
  for (const std::string_view step : {"spec", "template", "spec"}) {
    const FieldTable::Tree* tree = type.empty() ? nullptr : table.tree(type);
    const FieldTable::Field* field = tree == nullptr ? nullptr : tree->find(step);
    type = field == nullptr ? std::string_view() : field->type;
  }
  return type;
}

/// Calls visit with whatever is a pod template by its name and shape.
template <class Visit>
void each_pod_template(const Node& node, int level, Visit visit) {
  constexpr int kMaxTemplateLevels = 12;
  if (level > kMaxTemplateLevels) return;
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) each_pod_template(node.item(i), level + 1, visit);
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
    const Node value = node.value(i);
    const Node containers = value["spec"]["containers"];
    if (node.key(i).text() == "template" && (containers.is_sequence() || containers.is_mapping())) {
      visit(value);
    } else {
      each_pod_template(value, level + 1, visit);
    }
  }
}

void note_deprecated(const Node& object, const FieldTable::ObjectKind& known, const FieldTable& table,
                     std::vector<Finding>& findings) {
  std::vector<std::string_view> others = table.versions_of(api_group(known.api_version), known.kind);
  std::erase_if(others, [&](std::string_view version) {
    const FieldTable::ObjectKind* other = table.find(version, known.kind);
    return other == nullptr || other->deprecated;
  });
  if (others.empty()) return;
  findings.push_back(problem("custom-api-version-deprecated", object["apiVersion"].where(),
                             "`" + std::string(known.kind) + "` of `" + std::string(known.api_version) +
                                 "` is deprecated: its operator serves " + join(others, ", ")));
  findings.back().field = "apiVersion";
}

/// A field that some release may have; a misspelt one is of none.
bool is_of_another_release(const Finding& finding) {
  return finding.rule == "custom-field-unknown" && !contains(finding.message, "did you mean");
}

/// Source: helm.sh/docs/chart_best_practices/labels, `helm.sh/chart` is name and version of the chart.
bool is_of_chart(const Node& object) {
  const Node chart = object["metadata"]["labels"]["helm.sh/chart"];
  return chart.is_scalar() && !is_placeholder(chart.text());
}

}  // namespace

bool is_filled_in_later(const Node& mapping) {
  for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i) {
    if (mapping.key(i).text().starts_with('$') || is_mark(mapping.key(i))) return true;
  }
  return false;
}

void check_fields(const Node& object, std::string_view api_version, std::string_view kind, const FieldTable& table,
                  std::vector<Finding>& findings) {
  const FieldTable::ObjectKind* known = table.find(api_version, kind);
  if (known == nullptr) {
    // Those of Kubernetes itself that are gone stand in the table.
    if (is_built_in_group(api_group(api_version))) return;
    std::vector<std::string> versions;
    for (const std::string_view one : table.versions_of(api_group(api_version), kind)) versions.emplace_back(one);
    return check_version(object, api_version, kind, versions, findings);
  }
  if (known->deprecated && object["apiVersion"].exists()) note_deprecated(object, *known, table, findings);
  // SOPS adds a key `sops` to what it encrypts, and whoever decrypts it takes that out: getsops.io/docs.
  if (object["sops"].is_mapping()) return;
  const bool built_in = is_built_in_group(api_group(api_version));
  const auto before = static_cast<std::ptrdiff_t>(findings.size());
  FieldCheck check(table, kind, built_in, is_rewritten_first(object, kind), findings);
  check.value(object, known->type, kind);
  check.finish();
  // What `helm template` printed has the fields of that chart's release of the operator; the shipped table those of
  // one.
  if (built_in || &table != &FieldTable::shipped() || !is_of_chart(object)) return;
  findings.erase(std::remove_if(findings.begin() + before, findings.end(), is_of_another_release), findings.end());
}

void check_version(const Node& object, std::string_view api_version, std::string_view kind,
                   const std::vector<std::string>& versions, std::vector<Finding>& findings) {
  if (versions.empty() || is_placeholder(api_version)) return;
  const Node at = object["apiVersion"].exists() ? object["apiVersion"] : object["kind"];
  report_version(at.where(), api_version, kind, versions, findings);
  const FieldTable& table = FieldTable::shipped();
  const std::string_view type = pod_spec_type(table);
  const std::string what = "a pod template of " + std::string(kind);
  if (type.empty()) return;
  each_pod_template(object, 0, [&](const Node& pod_template) {
    FieldCheck check(table, what, false, is_rewritten_first(object, kind), findings);
    check.value(pod_template["spec"], type, "spec");
    check.finish();
  });
}

}  // namespace muster
