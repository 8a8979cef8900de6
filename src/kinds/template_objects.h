#pragma once

#include <string_view>
#include <vector>

#include "input/artifact.h"
#include "kinds/registry.h"

namespace muster {

/// What an object of a Helm template says that it is.
struct TemplateObject {
  Span where;  ///< of the API version
  std::string_view api_version;
  std::string_view kind;
};

/// The objects of a Helm template, of which all renderings have the one API version that is written there. Those of a
/// template that asks for the cluster's version are passed over: it has others for other clusters.
std::vector<TemplateObject> objects_of_template(FileId file, std::string_view text);

/// Notes those of a stretch that no cluster or operator of today serves: in `removed` and `custom` of the file.
void note_objects_of_template(const std::vector<TemplateObject>& objects, const Span& piece, const KindTable& kinds,
                              ParsedFile& out);

}  // namespace muster
