#include "gang/manifest.h"

#include <array>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

Located<std::string> read_mark(const Node& marks, FieldName key, std::vector<Finding>& findings) {
  const Node node = marks[key];
  if (!node.exists()) {
    Located<std::string> absent;
    absent.where = marks.key_where();
    absent.field = key;
    return absent;
  }
  return read_text(node, key, findings);
}

/// What orders API versions: 1, alpha before beta before neither, its number.
std::optional<std::array<std::int64_t, 3>> age_of(std::string_view api_version) {
  std::string_view text = api_version.substr(api_version.rfind('/') + 1);
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  std::array<std::int64_t, 3> age{0, 2, 0};
  for (const auto& [word, rank] : {std::pair<std::string_view, std::int64_t>{"alpha", 0}, {"beta", 1}}) {
    const std::size_t at = text.find(word);
    if (at == text.npos) continue;
    const auto number = parse_int(text.substr(at + word.size()));
    if (!number) return std::nullopt;
    age = {0, rank, *number};
    text = text.substr(0, at);
    break;
  }
  const auto major = parse_int(text);
  if (!major) return std::nullopt;
  age[0] = *major;
  return age;
}

}  // namespace

Object read_object(const Artifact& artifact, const NormaliseContext& context) {
  const Node metadata = artifact.object["metadata"];
  Object object;
  const Object first;
  const Object& beside = context.model.gangs.empty() ? first : static_cast<const Object&>(context.model.gangs.back());
  object.group = SharedText::like(beside.group, artifact.kind->group);
  object.kind = SharedText::like(beside.kind, artifact.kind->object_kind);
  object.space = SharedText::like(beside.space, metadata["namespace"].text());
  // A name with a placeholder still names its object in reports.
  const Node name_node = metadata["name"];
  const Node prefix = metadata["generateName"];
  if (name_node.is_scalar()) {
    object.name = set_to(std::string(name_node.text()), name_node.where(), "metadata.name");
  } else if (prefix.is_scalar()) {
    object.name = set_to(std::string(prefix.text()) + "*", prefix.where(), "metadata.generateName");
  } else {
    object.name = defaulted_to<std::string>("(unnamed)", artifact.object["kind"].where(), "metadata.name");
  }
  object.where = object.name.is_set() ? object.name.where : artifact.object["kind"].where();
  object.id = object_id(artifact.api_version, object.kind, object.space, object.name.value);
  object.file = SharedText::like(beside.file, context.file.path);
  object.bundle = SharedText::like(beside.bundle, context.file.bundle);
  check_marks(metadata, context.findings);
  return object;
}

void check_marks(const Node& metadata, std::vector<Finding>& findings) {
  for (const FieldName marks : {FieldName("labels"), FieldName("annotations")}) {
    const Node list = metadata[marks];
    for (std::size_t i = 0; list.is_mapping() && i < list.size(); ++i) require_text(list.value(i), marks, findings);
  }
}

void identify(const Node& object, std::string_view api_version, std::string_view kind, Object& out) {
  const Node metadata = object["metadata"];
  out.group = SharedText::like(out.group, api_group(api_version));
  out.kind = SharedText::like(out.kind, kind);
  out.space = SharedText::like(out.space, metadata["namespace"].text());
  out.where = metadata["name"].exists() ? metadata["name"].where() : object.where();
  out.name = set_to(std::string(metadata["name"].text()), out.where, "name");
  out.id = SharedText::like(out.id, object_id(api_version, kind, out.space, out.name.value));
}

std::string object_id(std::string_view api_version, std::string_view kind, std::string_view space,
                      std::string_view name) {
  std::string out;
  out.reserve(api_version.size() + kind.size() + space.size() + name.size() + 3);
  out.append(api_version).append("/").append(kind).append("/");
  if (!space.empty()) out.append(space).append("/");
  return std::move(out.append(name));
}

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view{} : api_version.substr(0, slash);
}

bool is_older_api(std::string_view api_version, std::string_view other) {
  const auto before = age_of(api_version);
  const auto after = age_of(other);
  return before && after && *before < *after;
}

Node spec_of(const Artifact& artifact) { return artifact.object["spec"]; }

Located<std::string> read_label(const Node& metadata, FieldName key, std::vector<Finding>& findings) {
  return read_mark(metadata["labels"], key, findings);
}

Located<std::string> read_annotation(const Node& metadata, FieldName key, std::vector<Finding>& findings) {
  return read_mark(metadata["annotations"], key, findings);
}

Located<std::int64_t> read_count_annotation(const Node& metadata, FieldName key, std::vector<Finding>& findings) {
  Located<std::int64_t> count = read_int(metadata["annotations"][key], key, findings, IntStyle::QuotesToo);
  count.field = key;
  return count;
}

}  // namespace muster
