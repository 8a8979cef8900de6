#include "helm/chart.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "helm/values_yaml.h"
#include "syntax/yaml_reader.h"

namespace muster::helm {
namespace {

constexpr int kDeepestChart = 20;

/// A document of a file of the chart.
bool read_file(const ChartText& file, const SourceMap& sources, Store& store, Value& out, std::string& trouble) {
  const auto fails = [&](std::string why) { return trouble = file.path + ": " + std::move(why), false; };
  Document document;
  std::vector<Finding> findings;
  kustomize::Work work;
  kustomize::Tree tree;
  out = store.map();
  const std::vector<Span> documents = split_yaml_documents(file.file, file.text);
  if (documents.empty()) return true;
  if (!read_yaml(file.text, documents.front(), document, findings))
    return fails(findings.empty() ? "it cannot be read" : findings.front().message);
  if (document.root().is_null()) return true;
  if (!kustomize::copy_of(document.root(), sources, nullptr, work, tree)) return fails(work.trouble);
  if (!tree.is_mapping()) return fails("it is no mapping");
  out = value_of(tree, store);
  return true;
}

const ChartText* find_file(const std::vector<ChartText>& files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &ChartText::path);
  return found == files.end() ? nullptr : &*found;
}

std::string text_at(const Value& map, std::string_view key) {
  const Value* found = map.is_map() ? map.map->find(key) : nullptr;
  return found == nullptr || found->is_nil() ? std::string() : printed(*found);
}

/// `.Chart`: a struct whose fields begin with capitals.
Value metadata_of(const Value& file, bool root, Store& store) {
  const Value out = store.map();
  out.map->record = true;
  for (const std::string_view name :
       {"name", "version", "appVersion", "description", "home", "icon", "type", "kubeVersion", "condition", "tags"}) {
    std::string field(name);
    field[0] = static_cast<char>(field[0] - 32);
    const Value* value = file.map->find(name);
    out.map->at(field) = Value::of(text_at(file, name));
    if (value != nullptr) out.map->at(field).where = value->where;
  }
  out.map->at("APIVersion") = Value::of(text_at(file, "apiVersion"));
  out.map->at("Deprecated") = Value::of(text_at(file, "deprecated") == "true");
  out.map->at("IsRoot") = Value::of(root);
  for (const auto& [name, key] : {std::pair{"Sources", "sources"},
                                  {"Keywords", "keywords"},
                                  {"Maintainers", "maintainers"},
                                  {"Dependencies", "dependencies"}}) {
    const Value* found = file.map->find(key);
    out.map->at(name) = found == nullptr ? store.list() : *found;
  }
  const Value* annotations = file.map->find("annotations");
  out.map->at("Annotations") = annotations == nullptr ? store.map() : *annotations;
  return out;
}

/// The value below `a.b.c`, or null.
const Value* find_path(const Value& values, std::string_view path) {
  const Value* value = &values;
  for (const std::string_view key : split(path, '.')) {
    value = value->is_map() ? value->map->find(key) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

bool is_on(const Value& dependency, const Value& values) {
  bool on = true;
  if (const Value* tags = dependency.map->find("tags"); tags != nullptr && tags->is_list()) {
    bool any = false;
    bool off = false;
    for (const Value& tag : tags->list->items) {
      const Value* found = find_path(values, "tags." + printed(tag));
      if (found == nullptr || !found->is(Value::Kind::Bool)) continue;
      (found->boolean ? any : off) = true;
    }
    on = any || !off;
  }
  const std::string condition = text_at(dependency, "condition");
  for (const std::string_view path : split(condition, ',')) {
    const Value* found = find_path(values, trim(path));
    if (found != nullptr && found->is(Value::Kind::Bool)) return found->boolean;
  }
  return on;
}

void merge_tables(Map& into, const Map& from, bool keeps_nil, int depth) {
  if (depth > kDeepestValue) return;
  for (const auto& [key, member] : from.members) {
    const auto found = into.members.find(key);
    if (found == into.members.end()) {
      into.members.emplace(key, member);
    } else if (found->second.value.is_nil() && !keeps_nil) {
      into.members.erase(found);
    } else if (member.value.is_map() && found->second.value.is_map()) {
      merge_tables(*found->second.value.map, *member.value.map, keeps_nil, depth + 1);
    }
  }
}

/// Source: helm/helm:pkg/cli/values/options.go, mergeMaps (3.19).
void put_over(Map& into, const Map& from, int depth) {
  for (const auto& [key, member] : from.members) {
    const auto [found, fresh] = into.members.try_emplace(key, member);
    if (fresh) continue;
    const bool both = member.value.is_map() && found->second.value.is_map();
    if (both && depth < kDeepestValue)
      put_over(*found->second.value.map, *member.value.map, depth + 1);
    else
      found->second = member;
  }
}

Value copy(const Value& value, Store& store) {
  Value out;
  return deep_copy(value, store, out) ? out : store.map();
}

/// What stands under `global` goes to a part, too.
void give_globals(Map& to, const Map& from, Store& store) {
  const Value* given = from.find("global");
  Value& own = to.at("global");
  if (!own.is_map()) own = store.map();
  if (given == nullptr || !given->is_map()) return;
  for (const auto& [key, member] : given->map->members) {
    const auto found = own.map->members.find(key);
    if (!member.value.is_map()) {
      if (found == own.map->members.end() || !found->second.value.is_map()) own.map->members[key] = member;
      continue;
    }
    if (found != own.map->members.end() && !found->second.value.is_map()) continue;
    const Value above = copy(member.value, store);
    if (found != own.map->members.end()) merge_tables(*above.map, *found->second.value.map, true, 0);
    own.map->members[key] = {above, member.key};
  }
}

/// A file of values, or nothing where there is none of that path.
bool read_values(const std::vector<ChartText>& files, const std::string& path, const SourceMap& sources, Store& store,
                 Value& out, std::string& trouble) {
  out = store.map();
  const ChartText* file = find_file(files, path);
  return file == nullptr || read_file(*file, sources, store, out, trouble);
}

}  // namespace

bool load_chart(const std::vector<ChartText>& files, const std::string& folder, const SourceMap& sources, Store& store,
                Chart& out, std::string& trouble) {
  const ChartText* file = find_file(files, folder + "Chart.yaml");
  if (file == nullptr) return trouble = folder + "Chart.yaml is missing", false;
  Value metadata;
  if (!read_file(*file, sources, store, metadata, trouble)) return false;
  out.folder = folder;
  out.name = text_at(metadata, "name");
  out.library = text_at(metadata, "type") == "library";
  out.metadata = metadata_of(metadata, folder.empty(), store);
  if (!read_values(files, folder + "values.yaml", sources, store, out.values, trouble)) return false;
  if (const ChartText* old = find_file(files, folder + "requirements.yaml")) {
    Value read;
    if (!read_file(*old, sources, store, read, trouble)) return false;
    if (const Value* found = read.map->find("dependencies")) out.metadata.map->at("Dependencies") = *found;
  }
  std::set<std::string> parts;
  for (const ChartText& one : files) {
    if (!one.path.starts_with(folder)) continue;
    const std::string_view path = std::string_view(one.path).substr(folder.size());
    if (path.starts_with("charts/")) {
      const std::size_t bar = path.find('/', 7);
      if (bar != path.npos) parts.emplace(path.substr(0, bar + 1));
    } else if (path.starts_with("templates/")) {
      out.templates.push_back(&one);
    } else if (path != "Chart.yaml" && path != "values.yaml" && path != "Chart.lock" && path != "values.schema.json") {
      out.files.emplace(path, one.text);
    }
  }
  if (std::ranges::count(folder, '/') > kDeepestChart) return trouble = "charts are nested too deeply", false;
  for (const std::string& part : parts) {
    if (part.starts_with("charts/_") || part.starts_with("charts/.")) continue;
    if (find_file(files, folder + part + "Chart.yaml") == nullptr) continue;
    if (!load_chart(files, folder + part, sources, store, out.parts.emplace_back(), trouble)) return false;
  }
  return true;
}

bool read_given_values(const std::vector<ChartText>& files, const SourceMap& sources, Store& store, Value& out,
                       std::string& trouble) {
  out = store.map();
  for (const ChartText& file : files) {
    Value read;
    if (!read_file(file, sources, store, read, trouble)) return false;
    put_over(*out.map, *read.map, 0);
  }
  return true;
}

void choose_parts(Chart& chart, const Value& values, Store& store) {
  const Value* dependencies = chart.metadata.map->find("Dependencies");
  std::deque<Chart> kept;
  std::set<std::string> named;
  for (std::size_t i = 0; dependencies->is_list() && i < dependencies->list->items.size(); ++i) {
    const Value& one = dependencies->list->items[i];
    if (!one.is_map()) continue;
    const std::string name = text_at(one, "name");
    named.insert(name);
    const auto found = std::ranges::find(chart.parts, name, &Chart::name);
    if (!is_on(one, values)) continue;
    if (found == chart.parts.end()) {
      chart.missing.push_back(name);
      continue;
    }
    Chart& part = kept.emplace_back(*found);
    const std::string alias = text_at(one, "alias");
    if (alias.empty()) continue;
    part.name = alias;
    part.metadata = copy(part.metadata, store);
    part.metadata.map->at("Name") = Value::of(alias);
  }
  for (Chart& part : chart.parts) {
    if (!named.contains(part.name)) kept.push_back(std::move(part));
  }
  chart.parts = std::move(kept);
  for (Chart& part : chart.parts) {
    const Value* own = values.map->find(part.name);
    choose_parts(part, own != nullptr && own->is_map() ? *own : store.map(), store);
  }
}

void take_values_of_parts(Chart& chart, Store& store) {
  for (Chart& part : chart.parts) take_values_of_parts(part, store);
  const Value* dependencies = chart.metadata.map->find("Dependencies");
  if (!dependencies->is_list() || dependencies->list->items.empty()) return;
  const Value joined = store.map();
  coalesce(chart, *joined.map, store, true);
  chart.values = joined;
}

void coalesce(const Chart& chart, Map& into, Store& store, bool keeps_nil, int depth) {
  const Value own = copy(chart.values, store);
  for (const auto& [key, member] : own.map->members) {
    const auto found = into.members.find(key);
    if (found == into.members.end()) {
      into.members.emplace(key, member);
    } else if (found->second.value.is_nil() && !keeps_nil) {
      into.members.erase(found);
    } else if (found->second.value.is_map() && member.value.is_map()) {
      const bool part = std::ranges::find(chart.parts, key, &Chart::name) != chart.parts.end();
      merge_tables(*found->second.value.map, *member.value.map, keeps_nil || part, 0);
    }
  }
  for (const Chart& part : chart.parts) {
    Value& values = into.at(part.name);
    if (!values.is_map()) values = store.map();
    give_globals(*values.map, into, store);
    if (depth < kDeepestChart) coalesce(part, *values.map, store, keeps_nil, depth + 1);
  }
}

}  // namespace muster::helm
