#include "helm/chart_files.h"

#include "base/base64.h"
#include "base/strings.h"
#include "helm/values_yaml.h"

namespace muster::helm {
namespace {

/// `.Files` with some of the files.
Value some_files(Engine& engine, ChartFileTexts texts) {
  Value out = engine.store().map();
  out.map->methods = Map::Methods::Files;
  for (const auto& [path, text] : texts) {  // for `range`
    if (engine.spend(text.size() / 16)) out.map->at(path) = Value::of(std::string(text));
  }
  engine.files[out.map] = std::move(texts);
  return out;
}

/// A mapping from the names of the files, without their folders, to what stands in them.
std::string as_mapping(Engine& engine, const ChartFileTexts& texts, bool secret) {
  const Value out = engine.store().map();
  for (const auto& [path, text] : texts) {
    if (!engine.spend(text.size() / 8)) return {};
    out.map->at(path.substr(path.rfind('/') + 1)) = Value::of(secret ? to_base64(text) : std::string(text));
  }
  return out.map->members.empty() ? std::string() : to_yaml(out, engine);
}

}  // namespace

Value file_method(Engine& engine, const Map& files, const std::string& name, const std::vector<Value>& arguments) {
  const ChartFileTexts& texts = engine.files[&files];
  if (name == "AsConfig" || name == "AsSecrets") return Value::of(as_mapping(engine, texts, name == "AsSecrets"));
  if (arguments.size() != 1 || !arguments[0].is_text()) return engine.fail("Files." + name + " takes one text");
  const std::string& asked = arguments[0].text;
  if (name == "Glob") {
    ChartFileTexts found;
    for (const auto& [path, text] : texts) {
      if (!engine.spend(10)) return {};
      if (glob_matches(asked, path)) found.emplace(path, text);
    }
    return some_files(engine, std::move(found));
  }
  const auto found = texts.find(asked);
  const std::string_view text = found == texts.end() ? std::string_view() : found->second;
  if (!engine.spend(text.size() / 16)) return {};
  if (name == "Get" || name == "GetBytes") return Value::of(std::string(text));
  if (name != "Lines") return engine.fail("can't evaluate field " + name + " in type engine.files");
  Value lines = engine.store().list();
  if (text.empty()) return lines;
  for (const std::string_view line : split(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text, '\n'))
    lines.list->items.push_back(Value::of(std::string(line)));
  return lines;
}

}  // namespace muster::helm
