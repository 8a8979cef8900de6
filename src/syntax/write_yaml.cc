#include "syntax/write_yaml.h"

#include <yaml-cpp/emitter.h>

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"

namespace muster {
namespace {

/// Whether every reader takes the plain text for itself. Words of YAML 1.1 count, whatever their case.
bool is_plain(std::string_view text) {
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto plain = [&](char c) { return letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_'; };
  const bool word = !text.empty() && letter(text.front()) && std::ranges::all_of(text, plain);
  return word && std::ranges::find(kWords, to_lower(text)) == std::end(kWords);
}

/// Line ends of YAML 1.1, which its readers fold, and a character that they refuse: with these, all that is not ASCII
/// is escaped.
bool has_odd_characters(std::string_view text) {
  return contains(text, "\u2028") || contains(text, "\u2029") || contains(text, "\x7f");
}

}  // namespace

struct YamlWriter::Emitter {
  YAML::Emitter out;
};

YamlWriter::YamlWriter() : emitter_(std::make_unique<Emitter>()) {
  emitter_->out.SetIndent(2);
  emitter_->out.SetOutputCharset(YAML::EmitNonAscii);
}
YamlWriter::~YamlWriter() = default;

YamlWriter& YamlWriter::begin_mapping(Layout layout) {
  emitter_->out << (layout == Layout::Flow ? YAML::Flow : YAML::Block) << YAML::BeginMap;
  return *this;
}
YamlWriter& YamlWriter::end_mapping() {
  emitter_->out << YAML::EndMap;
  return *this;
}
YamlWriter& YamlWriter::begin_sequence(Layout layout) {
  emitter_->out << (layout == Layout::Flow ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
  return *this;
}
YamlWriter& YamlWriter::end_sequence() {
  emitter_->out << YAML::EndSeq;
  return *this;
}
YamlWriter& YamlWriter::key(std::string_view name) {
  emitter_->out << YAML::Key;
  text(name);
  emitter_->out << YAML::Value;
  return *this;
}
YamlWriter& YamlWriter::quoted_key(std::string_view name) {
  emitter_->out << YAML::Key;
  quoted(name);
  emitter_->out << YAML::Value;
  return *this;
}
YamlWriter& YamlWriter::text(std::string_view value) { return is_plain(value) ? word(value) : quoted(value); }
YamlWriter& YamlWriter::quoted(std::string_view value) {
  emitter_->out << YAML::DoubleQuoted << (has_odd_characters(value) ? YAML::EscapeNonAscii : YAML::EmitNonAscii)
                << std::string(value);
  return *this;
}
YamlWriter& YamlWriter::word(std::string_view value) {
  emitter_->out << std::string(value);
  return *this;
}
YamlWriter& YamlWriter::number(std::int64_t value) { return word(std::to_string(value)); }

YamlWriter& YamlWriter::null() {
  emitter_->out << YAML::Null;
  return *this;
}

std::string YamlWriter::finish() const {
  MUSTER_CHECK(emitter_->out.good(), "what was written is no YAML document");
  return std::string(emitter_->out.c_str(), emitter_->out.size()) + "\n";
}

std::string yaml_text(std::string_view value) { return is_plain(value) ? std::string(value) : quoted_yaml_text(value); }

std::string quoted_yaml_text(std::string_view value) {
  YamlWriter writer;
  std::string out = writer.quoted(value).finish();
  out.pop_back();
  return out;
}

}  // namespace muster
