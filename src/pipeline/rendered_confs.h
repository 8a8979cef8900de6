#pragma once

#include <deque>
#include <string>
#include <vector>

#include "helm/render_chart.h"
#include "input/artifact.h"
#include "kinds/registry.h"
#include "source/source_map.h"

namespace muster {

/// Slurm files that ConfigMaps of rendered charts hold: one folder for each rendering, whatever their templates are.
class RenderedConfs {
 public:
  explicit RenderedConfs(const KindTable& kinds) : kinds_(kinds) {}

  /// `folder`: by which the rendering's files are known.
  void add(const helm::RenderedChart& made, const SourceMap& sources, const std::string& folder);
  /// Hands them over as artifacts of the templates that wrote them.
  void give(std::vector<ParsedFile>& parsed);

 private:
  struct OfTemplate {
    FileId file = FileId::None;
    const Kind* kind = nullptr;
    ConfWithin lines;
  };

  const KindTable& kinds_;
  std::deque<OfTemplate> found_;
};

}  // namespace muster
