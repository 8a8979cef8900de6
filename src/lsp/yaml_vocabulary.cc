#include <algorithm>

#include "base/strings.h"
#include "embed/assets.h"
#include "kubernetes/field_table.h"
#include "lsp/schema_words.h"
#include "lsp/shipped_book.h"
#include "lsp/vocabulary.h"
#include "lsp/yaml_outline.h"
#include "report/schema.h"

namespace muster {
namespace {

struct Words {
  std::vector<Word> keys;
  std::vector<Word> values;
  std::string of;
};

std::string text_of_path(const std::vector<std::string>& path) {
  std::string out;
  for (const std::string& key : path) {
    if (key == "-") {
      out += "[]";
    } else {
      out += (out.empty() ? "" : ".") + key;
    }
  }
  return out;
}

/// The schema of a file of ours, by what stands behind `muster:`; empty: none.
std::string schema_of(std::string_view path, const YamlOutline& outline) {
  const auto said = outline.top.find("muster");
  std::string name = said == outline.top.end() ? "" : said->second.substr(0, said->second.find('/'));
  if (path.substr(path.rfind('/') + 1) == "muster.yaml") name = "config";
  if (name == "fleet") return fleet_schema();
  if (name == "workloads") return workloads_schema();
  for (const std::string_view known : {"config", "world"}) {
    if (name == known) return std::string(find_asset("schemas/" + name + ".schema.json")->text);
  }
  return "";
}

bool ends_with(const std::vector<std::string>& path, std::vector<std::string> tail) {
  return path.size() >= tail.size() && std::equal(tail.rbegin(), tail.rend(), path.rbegin());
}

std::vector<Word> rule_words() {
  std::vector<Word> out;
  for (const Rule& rule : shipped_book().rules())
    out.push_back({rule.info.id, std::string(name_of(rule.info.severity)), rule.info.why, false});
  return out;
}

Words own_words(const std::string& schema, const YamlOutline& outline) {
  std::vector<std::string> path = outline.path;
  if (outline.is_value) path.push_back(outline.key);
  SchemaWords found = schema_words(schema, path);
  Words out{std::move(found.keys), std::move(found.values), "the file"};
  if (ends_with(path, {"rules", "severity"}) || ends_with(path, {"rules", "params"})) out.keys = rule_words();
  if (ends_with(path, {"suppress", "-", "rule"})) out.values = rule_words();
  return out;
}

std::string words_of_type(const FieldTable& table, std::string_view type) {
  if (type == "s") return "text";
  if (type == "i") return "integer";
  if (type == "n") return "number";
  if (type == "b") return "true or false";
  if (type == "q") return "quantity";
  if (type == "x") return "integer or text";
  if (type.starts_with('[')) return "list of " + words_of_type(table, type.substr(1));
  if (type.starts_with('{')) return "map of " + words_of_type(table, type.substr(1));
  if (type.starts_with('e')) return "one of " + join(table.words(type), ", ");
  return type == "*" ? "anything" : "object";
}

bool holds_more(std::string_view type) { return type.starts_with('[') || type.starts_with('{') || is_digit(type[0]); }

/// The type behind a path; empty: none that is known.
std::string_view type_at(const FieldTable& table, std::string_view type, const std::vector<std::string>& path) {
  for (const std::string& key : path) {
    if (type.empty()) return {};
    if (const FieldTable::Tree* tree = table.tree(type)) {
      const FieldTable::Field* field = tree->find(key);
      type = field == nullptr ? std::string_view{} : field->type;
    } else if ((type.starts_with('[') && key == "-") || (type.starts_with('{') && key != "-")) {
      type.remove_prefix(1);
    } else {
      return {};
    }
  }
  return type;
}

Words object_words(const FieldTable& table, const FieldTable::ObjectKind& kind, const YamlOutline& outline) {
  Words out;
  std::vector<std::string> path = outline.path;
  if (outline.is_value) path.push_back(outline.key);
  const std::string_view type = type_at(table, kind.type, path);
  if (type.empty()) return out;
  out.of = std::string(kind.api_version) + " " + std::string(kind.kind);
  if (const FieldTable::Tree* tree = table.tree(type)) {
    for (const FieldTable::Field& field : tree->fields) {
      out.keys.push_back({std::string(field.name),
                          words_of_type(table, field.type) + (field.required ? ", required" : ""), "",
                          holds_more(field.type)});
    }
  }
  if (type.starts_with('e')) {
    for (const std::string_view word : table.words(type)) out.values.push_back({std::string(word), "", "", false});
  }
  if (type == "b") out.values = {{"true", "", "", false}, {"false", "", "", false}};
  return out;
}

std::optional<Words> words_at(std::string_view path, const YamlOutline& outline) {
  if (const std::string schema = schema_of(path, outline); !schema.empty()) return own_words(schema, outline);
  const auto api = outline.top.find("apiVersion");
  const auto kind = outline.top.find("kind");
  if (api == outline.top.end() || kind == outline.top.end()) return std::nullopt;
  const FieldTable& table = FieldTable::shipped();
  const FieldTable::ObjectKind* found = table.find(api->second, kind->second);
  if (found == nullptr) return std::nullopt;
  return object_words(table, *found, outline);
}

}  // namespace

std::optional<Vocabulary> yaml_vocabulary_at(std::string_view path, std::string_view text, std::size_t offset) {
  if (!path.ends_with(".yaml") && !path.ends_with(".yml")) return std::nullopt;
  const std::size_t before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const std::size_t start = before == text.npos ? 0 : before + 1;
  const std::string_view typed = text.substr(start, offset - start);
  if (trim(typed).starts_with('#') || contains(typed, " #")) return std::nullopt;  // a comment
  const YamlOutline outline = yaml_outline_at(text, offset);
  std::optional<Words> words = words_at(path, outline);
  if (!words) return std::nullopt;
  Vocabulary out;
  out.part = outline.is_value ? Vocabulary::Part::Value : Vocabulary::Part::Key;
  out.begin = outline.begin;
  out.end = outline.end;
  const std::string above = text_of_path(outline.path);
  out.of = above.empty() ? words->of : above + " of " + words->of;
  out.behind_key = ": ";
  out.words = outline.is_value ? std::move(words->values) : std::move(words->keys);
  out.taken = outline.beside;
  return out;
}

std::optional<Vocabulary> vocabulary_at(std::string_view path, std::string_view text, std::size_t offset) {
  std::optional<Vocabulary> out = slurm_vocabulary_at(path, text, offset);
  if (!out) out = yaml_vocabulary_at(path, text, offset);
  return out && out->begin <= offset && offset <= out->end ? out : std::nullopt;
}

}  // namespace muster
