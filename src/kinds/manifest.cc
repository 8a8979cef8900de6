#include "kinds/manifest.h"

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

Located<std::string> read_mark(const Node& marks, std::string_view key, std::vector<Finding>& findings) {
  const Node node = marks[key];
  if (!node.exists()) {
    Located<std::string> absent;
    absent.where = marks.key_where();
    absent.field = key;
    return absent;
  }
  return read_text(node, key, findings);
}

}  // namespace

Object read_object(const Artifact& artifact, const NormaliseContext& context) {
  const Node metadata = artifact.object["metadata"];
  const std::string_view api_version = artifact.object["apiVersion"].text();
  Object object;
  object.group = artifact.kind->group;
  object.kind = artifact.kind->object_kind;
  object.space = metadata["namespace"].text();
  object.name = read_text(metadata["name"], "metadata.name", context.findings);
  if (object.name.state == State::Absent && metadata["generateName"].is_scalar()) {
    object.name = set_to(std::string(metadata["generateName"].text()) + "*", metadata["generateName"].where(),
                         "metadata.generateName");
  }
  object.where = object.name.is_set() ? object.name.where : artifact.object["kind"].where();
  const std::string name = object.name.is_set() ? object.name.value : "(unnamed)";
  object.id = std::string(api_version) + "/" + object.kind + "/" + (object.space.empty() ? "" : object.space + "/") + name;
  object.file = context.file.path;
  object.bundle = context.file.bundle;
  return object;
}

Node spec_of(const Artifact& artifact) { return artifact.object["spec"]; }

Located<std::string> read_label(const Node& metadata, std::string_view key, std::vector<Finding>& findings) {
  return read_mark(metadata["labels"], key, findings);
}

Located<std::string> read_annotation(const Node& metadata, std::string_view key, std::vector<Finding>& findings) {
  return read_mark(metadata["annotations"], key, findings);
}

Located<std::int64_t> read_count_annotation(const Node& metadata, std::string_view key,
                                            std::vector<Finding>& findings) {
  Located<std::int64_t> count = read_int(metadata["annotations"][key], key, findings, IntStyle::QuotesToo);
  count.field = key;
  return count;
}

}  // namespace muster
