// The hash behind the names of generated objects.
// Source: sigs.k8s.io/kustomize/api v0.21.1, hasher/hasher.go.
#include <algorithm>
#include <array>
#include <cstdint>

#include "base/sha256.h"
#include "kustomize/generate.h"

namespace muster::kustomize {
namespace {

/// As Go's encoding/json writes a text.
void add_json_text(std::string_view text, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view separator = text.substr(i, 3);  // U+2028 and U+2029
    if (separator == "\xE2\x80\xA8" || separator == "\xE2\x80\xA9") {
      out += separator == "\xE2\x80\xA8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\b') {
      out += "\\b";
    } else if (c == '\f') {
      out += "\\f";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void add_json_pairs(const Tree* pairs, std::string& out) {
  if (pairs == nullptr || !pairs->is_mapping()) {
    out += "\"\"";
    return;
  }
  std::vector<const Member*> sorted;
  for (const Member& member : pairs->members) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, &Member::key);
  out += '{';
  for (const Member* member : sorted) {
    if (out.back() != '{') out += ',';
    add_json_text(member->key, out);
    out += ':';
    add_json_text(member->value.text, out);
  }
  out += '}';
}

}  // namespace

std::string hash_of(const Tree& object) {
  const bool secret = text_at(object, "kind") == "Secret";
  const std::string_view extra = secret ? "stringData" : "binaryData";
  const Tree* more = object.find(extra);
  std::string json = "{";
  const auto add_more = [&] {
    json += "\"" + std::string(extra) + "\":";
    add_json_pairs(more, json);
  };
  if (!secret && more != nullptr) {
    add_more();
    json += ',';
  }
  json += "\"data\":";
  add_json_pairs(object.find("data"), json);
  json += ",\"kind\":\"" + std::string(secret ? "Secret" : "ConfigMap") +
          "\",\"name\":\"\"";  // it looks for the name where none is
  if (secret && more != nullptr) {
    json += ',';
    add_more();
  }
  if (secret) {
    json += ",\"type\":";
    add_json_text(text_at(object, "type"), json);
  }
  std::string out = sha256(json + "}").substr(0, 10);
  for (char& c : out) {  // no digit that makes a word
    const std::size_t at = std::string_view("013ae").find(c);
    if (at != std::string_view::npos) c = "ghkmt"[at];
  }
  return out;
}

}  // namespace muster::kustomize
