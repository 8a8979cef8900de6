#include "lsp/schema_words.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace muster {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keys are offered as the schema has them

constexpr int kMaxDepth = 20;  // a schema may refer to itself

/// The schemas that a value may follow, references followed.
class Schemas {
 public:
  explicit Schemas(const OrderedJson& root) : root_(root) { add(root, 0, now_); }

  void step(const std::string& key) {
    std::vector<const OrderedJson*> next;
    for (const OrderedJson* schema : now_) {
      if (key == "-") {
        if (schema->contains("items")) add((*schema)["items"], 0, next);
        continue;
      }
      if (schema->contains("properties") && (*schema)["properties"].contains(key)) {
        add((*schema)["properties"][key], 0, next);
      } else if (schema->contains("additionalProperties") && (*schema)["additionalProperties"].is_object()) {
        add((*schema)["additionalProperties"], 0, next);
      }
    }
    now_ = std::move(next);
  }

  SchemaWords words() const {
    SchemaWords out;
    for (const OrderedJson* schema : now_) {
      if (schema->contains("properties")) {
        for (const auto& [name, inner] : (*schema)["properties"].items()) add_key(name, inner, *schema, out.keys);
      }
      add_values(*schema, out.values);
    }
    return out;
  }

 private:
  void add(const OrderedJson& schema, int depth, std::vector<const OrderedJson*>& out) const {
    if (depth > kMaxDepth || !schema.is_object()) return;
    out.push_back(&schema);
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"].get<std::string>();
      const OrderedJson::json_pointer where(ref.substr(ref.find('#') + 1));
      if (root_.contains(where)) add(root_[where], depth + 1, out);
    }
    for (const char* choice : {"anyOf", "oneOf", "allOf"}) {
      if (!schema.contains(choice)) continue;
      for (const OrderedJson& one : schema[choice]) add(one, depth + 1, out);
    }
  }

  static void add_once(Word word, std::vector<Word>& out) {
    if (std::ranges::find(out, word.name, &Word::name) == out.end()) out.push_back(std::move(word));
  }

  void add_key(const std::string& name, const OrderedJson& schema, const OrderedJson& parent,
               std::vector<Word>& out) const {
    std::vector<const OrderedJson*> all;
    add(schema, 0, all);
    Word word{name, "", "", false};
    std::vector<std::string> types;
    for (const OrderedJson* one : all) {
      if (word.doc.empty() && one->contains("description")) word.doc = (*one)["description"].get<std::string>();
      if (one->contains("type")) {
        for (const OrderedJson& type :
             (*one)["type"].is_array() ? (*one)["type"] : OrderedJson::array({(*one)["type"]})) {
          const std::string text = type.get<std::string>();
          if (text != "null" && std::ranges::find(types, text) == types.end()) types.push_back(text);
          word.holds_more = word.holds_more || text == "object" || text == "array";
        }
      }
    }
    word.detail = join(types, " or ");
    if (parent.contains("required") &&
        std::ranges::find(parent["required"], OrderedJson(name)) != parent["required"].end())
      word.detail += word.detail.empty() ? "required" : ", required";
    add_once(std::move(word), out);
  }

  static void add_values(const OrderedJson& schema, std::vector<Word>& out) {
    const auto add_value = [&](const OrderedJson& value) {
      if (value.is_string()) add_once({value.get<std::string>(), "", "", false}, out);
      if (value.is_boolean()) add_once({value.get<bool>() ? "true" : "false", "", "", false}, out);
    };
    if (schema.contains("const")) add_value(schema["const"]);
    if (schema.contains("enum")) std::ranges::for_each(schema["enum"], add_value);
    const bool plain = !schema.contains("const") && !schema.contains("enum") && schema.contains("type");
    if (plain && schema["type"] == "boolean") std::ranges::for_each(OrderedJson{true, false}, add_value);
    if (plain && schema["type"] == OrderedJson{"boolean", "null"})
      std::ranges::for_each(OrderedJson{true, false}, add_value);
  }

  const OrderedJson& root_;
  std::vector<const OrderedJson*> now_;
};

}  // namespace

SchemaWords schema_words(std::string_view text, std::span<const std::string> path) {
  const OrderedJson root = OrderedJson::parse(text, nullptr, false);
  if (!root.is_object()) return {};
  Schemas schemas(root);
  for (const std::string& key : path) schemas.step(key);
  return schemas.words();
}

}  // namespace muster
