#include "gang/manifest.h"

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
  Object object;
  object.group = artifact.kind->group;
  object.kind = artifact.kind->object_kind;
  object.space = metadata["namespace"].text();
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
  object.id = std::string(artifact.api_version) + "/" + object.kind + "/" +
              (object.space.empty() ? "" : object.space + "/") + object.name.value;
  object.file = context.file.path;
  object.bundle = context.file.bundle;
  check_marks(metadata, context.findings);
  return object;
}

void check_marks(const Node& metadata, std::vector<Finding>& findings) {
  for (const std::string_view marks : {"labels", "annotations"}) {
    const Node list = metadata[marks];
    for (std::size_t i = 0; list.is_mapping() && i < list.size(); ++i) require_text(list.value(i), marks, findings);
  }
}

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view{} : api_version.substr(0, slash);
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
