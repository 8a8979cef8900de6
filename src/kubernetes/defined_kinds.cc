#include "kubernetes/defined_kinds.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/check_fields.h"
#include "kubernetes/field_table.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxDefinitions = 8;  // of one kind that are looked at
constexpr std::size_t kManyNewer = 3;       // objects: fewer may be slips

/// Whether the form of a table can hold it.
bool is_plain_word(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/';
  };
  return !word.empty() && std::ranges::all_of(word, plain);
}

/// Source: kubernetes/apiextensions-apiserver:pkg/apis/apiextensions/v1/types_jsonschema.go (1.36).
class SchemaReader {
 public:
  std::string run(const Node& definition) {
    const Node spec = definition["spec"];
    const std::string_view group = spec["group"].text();
    const std::string_view kind = spec["names"]["kind"].text();
    std::string kinds;
    std::map<std::string, std::string> types;  // by version, sorted as the table wants them
    const Node versions = spec["versions"];
    for (std::size_t i = 0; versions.is_sequence() && i < versions.size(); ++i) {
      const Node version = versions.item(i);
      if (!is_plain_word(version["name"].text()) || is_false(version["served"])) continue;
      types.try_emplace(std::string(version["name"].text()), object(version["schema"]["openAPIV3Schema"], true));
    }
    if (is_plain_word(spec["version"].text())) types.try_emplace(std::string(spec["version"].text()), "*");
    for (const auto& [version, type] : types) {
      kinds += "kind " + std::string(group) + "/" + version + " " + std::string(kind) + " " + type + "\n";
    }
    for (std::size_t i = 0; i < words_.size(); ++i) kinds += "e" + std::to_string(i) + " " + words_[i] + "\n";
    for (std::size_t i = 0; i < trees_.size(); ++i) kinds += std::to_string(i) + " " + trees_[i] + "\n";
    return kinds;
  }

 private:
  std::string type(const Node& schema) {
    if (!schema.is_mapping()) return "*";
    if (is_true(schema["x-kubernetes-int-or-string"])) return "*";
    if (is_true(schema["x-kubernetes-embedded-resource"])) return "*";
    const std::string_view name = schema["type"].text();
    if (name == "array") return "[" + type(schema["items"]);
    if (name == "object") return object(schema, false);
    if (name == "string") return schema["enum"].is_sequence() ? one_of(schema["enum"]) : "s";
    return name == "integer" ? "i" : name == "number" ? "n" : name == "boolean" ? "b" : "*";
  }

  std::string one_of(const Node& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!is_plain_word(list.item(i).text())) return "s";
      text += (i == 0 ? "" : "|") + std::string(list.item(i).text());
    }
    if (text.empty()) return "s";
    words_.push_back(std::move(text));
    return "e" + std::to_string(words_.size() - 1);
  }

  std::string object(const Node& schema, bool top) {
    const Node properties = schema["properties"];
    const Node more = schema["additionalProperties"];
    const bool open = is_true(schema["x-kubernetes-preserve-unknown-fields"]) || more.exists();
    if (!properties.is_mapping() || properties.size() == 0)
      return more.is_mapping() && more.size() > 0 ? "{" + type(more) : "*";
    std::set<std::string_view> required;
    const Node list = schema["required"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) required.insert(list.item(i).text());
    std::map<std::string_view, std::string> fields;
    if (top) fields = {{"apiVersion", "s"}, {"kind", "s"}, {"metadata", "*"}};
    bool complete = true;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const std::string_view name = properties.key(i).text();
      const Node value = properties.value(i);
      complete = complete && is_plain_word(name);
      if (!is_plain_word(name)) continue;
      const bool any = top && (name == "metadata" || name == "status");
      const bool needed = required.contains(name) && !value["default"].exists();
      fields[name] = (any ? "*" : type(value)) + (needed ? "!" : "");
    }
    std::string text;
    for (const auto& [name, type] : fields) text += (text.empty() ? "" : " ") + std::string(name) + ":" + type;
    if (open || !complete) text += " ...";
    trees_.push_back(std::move(text));
    return std::to_string(trees_.size() - 1);
  }

  std::vector<std::string> trees_;
  std::vector<std::string> words_;
};

/// Whether each version that is served is older.
bool is_older_than(const Node& definition, std::string_view api_version) {
  const Node versions = definition["spec"]["versions"];
  const std::string group = std::string(definition["spec"]["group"].text()) + "/";
  bool any = false;
  for (std::size_t i = 0; versions.is_sequence() && i < versions.size(); ++i) {
    const Node version = versions.item(i);
    if (is_false(version["served"])) continue;
    if (!is_older_api(group + std::string(version["name"].text()), api_version)) return false;
    any = true;
  }
  return any;
}

/// `tests/e2e/crds/`: copies of another release, to upgrade from or to.
bool is_of_tests(std::string_view folder) {
  return std::ranges::any_of(split(folder, '/'), [](std::string_view part) {
    return part == "test" || part == "tests" || part == "testdata" || part == "e2e" || part == "fixtures";
  });
}

/// One finding may tell of several keys of a mapping: "there is no field `a` in `spec`; nor is there `b`, `c`".
std::size_t keys_told_by(const Finding& finding) {
  const std::size_t more = finding.message.find("; nor is there");
  if (more == std::string::npos) return 1;
  const std::string_view others = std::string_view(finding.message).substr(more);
  return 1 + static_cast<std::size_t>(std::ranges::count(others, '`')) / 2;
}

}  // namespace

std::string fields_of_definition(const Node& definition) { return SchemaReader().run(definition); }

struct DefinedKinds::Definition {
  Node node;
  std::string folder;
  std::string text;
  std::optional<FieldTable> table;  ///< made when an object asks for it
};

DefinedKinds::DefinedKinds() = default;
DefinedKinds::~DefinedKinds() = default;

void DefinedKinds::add(const Node& definition, std::string_view folder) {
  const std::string_view group = definition["spec"]["group"].text();
  const std::string_view kind = definition["spec"]["names"]["kind"].text();
  if (!is_plain_word(group) || !is_plain_word(kind)) return;
  // Kubernetes 1.22 took definitions of that version away: what operators have today says more.
  if (definition["apiVersion"].text() == "apiextensions.k8s.io/v1beta1" &&
      !FieldTable::shipped().versions_of(group, kind).empty())
    return;
  auto& all = all_[{std::string(group), std::string(kind)}];
  if (all.size() == kMaxDefinitions) return;
  all.push_back(std::make_unique<Definition>());
  all.back()->node = definition;
  all.back()->folder = folder;
}

void DefinedKinds::meet(std::string_view api_version, std::string_view kind) {
  if (all_.empty()) return;
  const auto found = all_.find({std::string(api_group(api_version)), std::string(kind)});
  if (found == all_.end()) return;
  const bool newer = std::ranges::all_of(
      found->second, [&](const auto& definition) { return is_older_than(definition->node, api_version); });
  if (!newer) return;
  for (const auto& definition : found->second) ++newer_[definition->folder];
}

void DefinedKinds::drop_old() {
  if (newer_.empty()) return;
  for (auto& [key, definitions] : all_) {
    std::erase_if(definitions, [&](const auto& definition) {
      const auto newer = newer_.find(definition->folder);
      return newer != newer_.end() && newer->second >= kManyNewer;
    });
  }
  std::erase_if(all_, [](const auto& entry) { return entry.second.empty(); });
}

bool DefinedKinds::defines(std::string_view api_version, std::string_view kind) const {
  return !all_.empty() && all_.contains({std::string(api_group(api_version)), std::string(kind)});
}

std::vector<Finding> DefinedKinds::check(const Node& object, std::string_view api_version, std::string_view kind) {
  const auto& all = all_[{std::string(api_group(api_version)), std::string(kind)}];
  std::optional<std::vector<Finding>> best;
  std::size_t fewest = 0;    // of what does not fit
  bool best_serves = false;  // what does not have the version knows nothing of its fields
  const bool some_real = std::ranges::any_of(all, [](const auto& one) { return !is_of_tests(one->folder); });
  for (const auto& definition : all) {
    if (some_real && is_of_tests(definition->folder)) continue;
    if (!definition->table) {
      definition->text = fields_of_definition(definition->node);
      definition->table.emplace(definition->text);
    }
    std::vector<Finding> findings;
    check_fields(object, api_version, kind, *definition->table, findings);
    for (Finding& finding : findings)
      finding.related.push_back({definition->node["kind"].where(), "its CustomResourceDefinition"});
    const bool serves = std::ranges::none_of(
        findings, [](const Finding& finding) { return finding.rule == "custom-api-version-unknown"; });
    std::size_t misfits = 0;
    for (const Finding& finding : findings) misfits += keys_told_by(finding);
    const bool better = serves != best_serves ? serves : best && misfits < fewest;
    if (best && !better) continue;
    best = std::move(findings);
    fewest = misfits;
    best_serves = serves;
  }
  if (!best) return {};
  // The one definition of the input is what the API server will have. A newer object may be right, and the copy old.
  const auto served = all.front()->table->versions_of(api_group(api_version), kind);
  const bool sure = all.size() == 1 && !served.empty() &&
                    std::ranges::all_of(served, [&](std::string_view one) { return is_older_api(api_version, one); });
  for (Finding& finding : *best) {
    if (sure && finding.rule == "custom-api-version-unknown") finding.rule = "custom-api-version-not-served";
  }
  return std::move(*best);
}

}  // namespace muster
