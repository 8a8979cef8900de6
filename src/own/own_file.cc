#include "own/own_file.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {

void report_unknown_keys(const Node& mapping, std::span<const std::string_view> known, std::string_view what,
                         std::vector<Finding>& findings) {
  for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i) {
    const Node key = mapping.key(i);
    if (std::ranges::find(known, key.text()) != known.end() || key.text() == "<<") continue;
    findings.push_back(problem(
        "own-file-key", key.where(),
        "`" + std::string(key.text()) + "` is not a key of " + std::string(what) + did_you_mean(key.text(), known)));
    findings.back().field = key.text();
    findings.back().fix = spell_as_one_of(known, key.where(), key.text());
  }
}

namespace {

/// `serving.min_replicas` below a workload: workload["serving"]["min_replicas"].
Node find_dotted(const Node& node, std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == name.npos ? node[name] : find_dotted(node[name.substr(0, dot)], name.substr(dot + 1));
}

Located<FactValue> convert(auto read) {
  Located<FactValue> out;
  static_cast<Origin&>(out) = read;
  if (read.known()) out.value = std::move(read.value);
  return out;
}

Located<FactValue> read_fact(const Node& node, const FactDef& fact, std::vector<Finding>& findings) {
  Located<FactValue> value;
  switch (fact.type) {
    case FactType::Bool: value = convert(read_bool(node, FieldName(fact.name), findings)); break;
    case FactType::Int: value = convert(read_int(node, FieldName(fact.name), findings, IntStyle::Signed)); break;
    case FactType::Double: value = convert(read_double(node, FieldName(fact.name), findings)); break;
    case FactType::String: value = convert(read_text(node, FieldName(fact.name), findings)); break;
  }
  if (!value.is_set()) return value;
  const std::string wrong = objection(fact, value.value);
  if (wrong.empty()) return value;
  findings.push_back(problem("own-file-value", node.where(), "`" + std::string(fact.name) + "` " + wrong));
  return unknown_until<FactValue>("a value for `" + std::string(fact.name) + "`", node.where(), FieldName(fact.name));
}

}  // namespace

std::vector<Located<FactValue>> read_facts(const Node& node, std::span<const FactDef> facts,
                                           std::vector<Finding>& findings) {
  std::vector<Located<FactValue>> out;
  out.reserve(facts.size());
  for (const FactDef& fact : facts) out.push_back(read_fact(find_dotted(node, fact.name), fact, findings));
  return out;
}

void report_unknown_fact_keys(const Node& node, std::span<const FactDef> facts,
                              std::span<const std::string_view> others, std::string_view what,
                              std::vector<Finding>& findings) {
  std::map<std::string, std::vector<std::string_view>> known;  // keys by the dotted path of their mapping
  const auto add = [&](std::string_view name) {
    std::string path;
    for (const std::string_view key : split(name, '.')) {
      std::vector<std::string_view>& keys = known[path];
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
      path += (path.empty() ? "" : ".") + std::string(key);
    }
  };
  for (const std::string_view name : others) add(name);
  for (const FactDef& fact : facts) add(fact.name);
  for (const auto& [path, keys] : known) {
    const Node mapping = path.empty() ? node : find_dotted(node, path);
    if (!path.empty() && mapping.exists() && !mapping.is_mapping() && !mapping.is_null()) {
      findings.push_back(
          problem("own-file-value", mapping.where(), "`" + path + "`: expected a mapping, got " + describe(mapping)));
    }
    report_unknown_keys(mapping, keys, path.empty() ? std::string(what) : "`" + path + "`", findings);
  }
}

Object own_object(std::string_view kind, const Node& name, const NormaliseContext& context) {
  Object object;
  object.kind = kind;
  object.name = read_text(name, "name", context.findings);
  object.where = object.name.where;
  object.id = std::string(kind) + "/" + object.name.value;
  object.file = context.file.path;
  object.bundle = context.file.bundle;
  return object;
}

}  // namespace muster
