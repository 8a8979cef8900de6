#include "kinds/custom_kinds.h"

#include <algorithm>
#include <iterator>

namespace muster {

CustomKinds::CustomKinds(const std::vector<ParsedFile>& all, const std::function<std::string_view(FileId)>& path_of) {
  for (const ParsedFile& file : all) {
    const std::string_view path = file.definitions.empty() ? std::string_view() : path_of(file.file);
    for (const Node& definition : file.definitions) defined_.add(definition, path.substr(0, path.rfind('/') + 1));
  }
  for (const ParsedFile& file : all) {
    for (const CustomObject& object : file.custom) defined_.meet(object.api_version, object.kind);
  }
  defined_.drop_old();
}

void CustomKinds::settle(ParsedFile& file) {
  for (CustomObject& object : file.custom) {
    if (defined_.defines(object.api_version, object.kind)) {
      const Node version = object.node.exists() ? object.node["apiVersion"] : Node();
      std::erase_if(file.findings, [&](const Finding& finding) {
        return finding.rule == "api-version-of-other-kinds" && version.exists() && finding.where == version.where();
      });
      object.findings = object.node.exists() ? defined_.check(object.node, object.api_version, object.kind)
                                             : std::vector<Finding>();  // of a template
    }
    say_of_objects(object.findings);
    std::ranges::move(object.findings, std::back_inserter(file.findings));
    object.findings.clear();
  }
  for (Manifest& one : file.manifests) one.defined = defined_.defines(one.api_version, one.kind);
}

}  // namespace muster
