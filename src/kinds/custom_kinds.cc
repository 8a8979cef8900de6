#include "kinds/custom_kinds.h"

#include <algorithm>
#include <iterator>

namespace muster {

CustomKinds::CustomKinds(const std::vector<ParsedFile>& all) {
  for (const ParsedFile& file : all) {
    for (const Node& definition : file.definitions) defined_.add(definition);
  }
}

void CustomKinds::settle(ParsedFile& file) {
  for (CustomObject& object : file.custom) {
    if (defined_.defines(object.api_version, object.kind)) {
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
