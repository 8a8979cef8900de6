#include "kinds/custom_kinds.h"

#include <algorithm>
#include <iterator>

#include "kubernetes/defined_kinds.h"

namespace muster {

void settle_custom_kinds(std::vector<ParsedFile>& parsed) {
  DefinedKinds defined;
  for (const ParsedFile& file : parsed) {
    for (const Node& definition : file.definitions) defined.add(definition);
  }
  for (ParsedFile& file : parsed) {
    for (CustomObject& object : file.custom) {
      if (defined.defines(object.api_version, object.kind))
        object.findings = defined.check(object.node, object.api_version, object.kind);
      std::ranges::move(object.findings, std::back_inserter(file.findings));
      object.findings.clear();
    }
  }
}

}  // namespace muster
