#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>

#include "source/source_map.h"
#include "syntax/document.h"

namespace muster {

/// What a chart became. Values stand in the line of the template that wrote them, as well as that can be told
/// (lines_that_wrote).
struct ChartObjects {
  std::deque<Document> objects;  ///< one each, in the order Helm prints them
  std::set<FileId> templates;    ///< that wrote one of them
  std::size_t elsewhere = 0;     ///< objects whose template is not in the input: of packed charts
  std::string trouble;           ///< why something of it could not be read; else empty
  Span broken;                   ///< what wrote a text that is no YAML; as far as it is known
};

/// `templates`: files by what Helm calls them, `NAME/templates/job.yaml`.
ChartObjects read_helm_output(std::string output, const std::map<std::string, FileId, std::less<>>& templates,
                              const SourceMap& sources);

}  // namespace muster
