// Functions that encode, digest, and take paths and addresses apart. Sources: helm/helm:pkg/engine/funcs.go (3.19);
// Masterminds/sprig:crypto.go, url.go (3.3); golang/go:src/path (1.25).
#include <algorithm>

#include "base/base64.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "helm/call.h"
#include "helm/semver.h"
#include "helm/values_yaml.h"

namespace muster::helm {
namespace {

/// As Go says that a value is none of what is wanted. Sources: golang/go:src/encoding/json/decode.go (1.25),
/// UnmarshalTypeError; kubernetes-sigs/yaml:yaml.go (1.6).
std::string unfit(const Call& call, const Value& value, bool wants_list) {
  const std::string_view kind = value.is_map()                ? "object"
                                : value.is_list()             ? "array"
                                : value.is_number()           ? "number"
                                : value.is(Value::Kind::Bool) ? "bool"
                                                              : "string";
  return std::string(call.name.starts_with("fromYaml") ? "error unmarshaling JSON: while decoding JSON: " : "") +
         "json: cannot unmarshal " + std::string(kind) + " into Go value of type " +
         (wants_list ? "[]interface {}" : "map[string]interface {}");
}

/// What was read, or a map that says why not where a map is wanted, as Helm does.
Value read(Call& call, bool wants_list) {
  Value out;
  std::string trouble;
  const bool good = read_value(call.text(0), call.engine, out, trouble);
  if (call.engine.failed()) return {};
  Store& store = call.engine.store();
  if (wants_list)
    return good && out.is_list()
               ? out
               : store.list(good && out.is_nil()
                                ? std::vector<Value>{}
                                : std::vector<Value>{text_value(good ? unfit(call, out, true) : "error: " + trouble)});
  if (good && out.is_map()) return out;
  // `true` is no map, either: `if (include "has" . | fromYaml)` holds.
  const Value map = store.map();
  if (!good || !out.is_nil()) map.map->at("Error") = text_value(good ? unfit(call, out, false) : trouble);
  return map;
}

Value read_json(Call& call) {
  Value out;
  std::string trouble;
  if (!read_value(call.text(0), call.engine, out, trouble) && call.name.starts_with("must")) return call.fail(trouble);
  return out;
}

Value sha256_of(Call& call) {
  return call.engine.spend(call.text(0).size() / 8) ? text_value(sha256(call.text(0))) : Value();
}

/// RFC 1950, section 8.2.
Value adler32(Call& call) {
  constexpr std::uint32_t kModulus = 65521;
  if (!call.engine.spend(call.text(0).size() / 8)) return {};
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : call.text(0)) {
    a = (a + static_cast<unsigned char>(c)) % kModulus;
    b = (b + a) % kModulus;
  }
  return text_value(std::to_string((b << 16) | a));
}

std::string base_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.empty()) return ".";
  if (path == "/") return path;
  return path.substr(path.rfind('/') + 1);
}

/// Without `.`, `..` and doubled bars, as path.Clean.
std::string clean(std::string_view path) {
  const bool rooted = path.starts_with('/');
  std::vector<std::string_view> kept;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..")
      kept.pop_back();
    else if (part != ".." || !rooted)
      kept.push_back(part);
  }
  const std::string out = (rooted ? "/" : "") + join(std::span<const std::string_view>(kept), "/");
  return out.empty() ? "." : out;
}

std::string folder(std::string_view path) {
  const std::size_t bar = path.rfind('/');
  return clean(bar == path.npos ? std::string_view() : path.substr(0, bar + 1));
}

std::string extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t point = name.rfind('.');
  return point == name.npos ? std::string() : std::string(name.substr(point));
}

Value parse_address(Call& call) {
  std::string_view rest = call.text(0);
  const Value out = call.engine.store().map();
  const auto part = [&](std::string_view mark, const char* name, bool behind) {
    const std::size_t at = rest.find(mark);
    std::string_view value;
    if (at != rest.npos && behind)
      value = rest.substr(at + mark.size()), rest = rest.substr(0, at);
    else if (at != rest.npos)
      value = rest.substr(0, at), rest.remove_prefix(at + mark.size());
    out.map->at(name) = text_value(std::string(value));
    return at != rest.npos;
  };
  part("#", "fragment", true);
  part("?", "query", true);
  const bool has_host = contains(rest, "://");
  part("://", "scheme", false);
  const std::size_t bar = has_host ? rest.find('/') : 0;
  std::string_view host = rest.substr(0, has_host ? bar : 0);
  const std::size_t at = host.rfind('@');
  out.map->at("userinfo") = text_value(std::string(at == host.npos ? std::string_view() : host.substr(0, at)));
  if (at != host.npos) host.remove_prefix(at + 1);
  out.map->at("host") = text_value(std::string(host));
  out.map->at("hostname") = text_value(std::string(host.substr(0, host.rfind(':'))));
  out.map->at("path") = text_value(bar == rest.npos ? "" : std::string(rest.substr(bar)));
  out.map->at("opaque") = text_value("");
  return out;
}

Value join_address(Call& call) {
  const auto of = [&](const char* key) {
    const Value* found = call.at(0).map->find(key);
    return found == nullptr ? std::string() : text_of(*found);
  };
  std::string out = of("scheme").empty() ? "" : of("scheme") + "://";
  if (!of("userinfo").empty()) out += of("userinfo") + "@";
  out += of("host") + of("path");
  if (!of("query").empty()) out += "?" + of("query");
  if (!of("fragment").empty()) out += "#" + of("fragment");
  return text_value(std::move(out));
}

Value compare_versions(Call& call) {
  const std::optional<bool> fits = version_fits(call.text(0), call.text(1));
  return fits ? Value::of(*fits) : call.fail("improper constraint or invalid semantic version");
}

Value version(Call& call) {
  const std::optional<SemanticVersion> read = SemanticVersion::parse(call.text(0));
  if (!read) return call.fail("invalid semantic version");
  const Value out = call.engine.store().map();
  out.map->record = true;
  out.map->printed = read->text();
  out.map->at("Major") = Value::of(read->numbers[0]);
  out.map->at("Minor") = Value::of(read->numbers[1]);
  out.map->at("Patch") = Value::of(read->numbers[2]);
  out.map->at("Prerelease") = text_value(read->prerelease);
  out.map->at("Metadata") = text_value(read->metadata);
  out.map->at("Original") = text_value(call.text(0));
  return out;
}

Value json(Call& call, bool pretty, bool raw) { return text_value(to_json(call.at(0), call.engine, pretty, raw)); }

}  // namespace

const std::vector<Function> kEncodingFunctions = {
    {"adler32sum", "s", adler32},
    {"b64dec", "s",
     [](Call& c) {
       const std::optional<std::string> bytes = from_base64(c.text(0));
       return text_value(bytes ? *bytes : "illegal base64 data");
     }},
    {"b64enc", "s",
     [](Call& c) { return c.engine.spend(c.text(0).size() / 8) ? text_value(to_base64(c.text(0))) : Value(); }},
    {"base", "s", [](Call& c) { return text_value(base_of(c.text(0))); }},
    {"clean", "s", [](Call& c) { return text_value(clean(c.text(0))); }},
    {"dir", "s", [](Call& c) { return text_value(folder(c.text(0))); }},
    {"ext", "s", [](Call& c) { return text_value(extension(c.text(0))); }},
    {"fromJson", "s", [](Call& c) { return read(c, false); }},
    {"fromJsonArray", "s", [](Call& c) { return read(c, true); }},
    {"fromYaml", "s", [](Call& c) { return read(c, false); }},
    {"fromYamlArray", "s", [](Call& c) { return read(c, true); }},
    {"isAbs", "s", [](Call& c) { return Value::of(c.text(0).starts_with('/')); }},
    {"mustFromJson", "s", read_json},
    {"mustToJson", "a", [](Call& c) { return json(c, false, false); }},
    {"mustToPrettyJson", "a", [](Call& c) { return json(c, true, false); }},
    {"mustToRawJson", "a", [](Call& c) { return json(c, false, true); }},
    {"mustToYaml", "a", [](Call& c) { return text_value(to_yaml(c.at(0), c.engine)); }},
    {"osBase", "s", [](Call& c) { return text_value(base_of(c.text(0))); }},
    {"osClean", "s", [](Call& c) { return text_value(clean(c.text(0))); }},
    {"osDir", "s", [](Call& c) { return text_value(folder(c.text(0))); }},
    {"osExt", "s", [](Call& c) { return text_value(extension(c.text(0))); }},
    {"osIsAbs", "s", [](Call& c) { return Value::of(c.text(0).starts_with('/')); }},
    {"semver", "s", version},
    {"semverCompare", "ss", compare_versions},
    {"sha256sum", "s", sha256_of},
    {"toJson", "a", [](Call& c) { return json(c, false, false); }},
    {"toPrettyJson", "a", [](Call& c) { return json(c, true, false); }},
    {"toRawJson", "a", [](Call& c) { return json(c, false, true); }},
    {"toYaml", "a", [](Call& c) { return text_value(to_yaml(c.at(0), c.engine)); }},
    {"toYamlPretty", "a", [](Call& c) { return text_value(to_yaml(c.at(0), c.engine)); }},
    {"urlJoin", "m", join_address},
    {"urlParse", "s", parse_address},
};

}  // namespace muster::helm
