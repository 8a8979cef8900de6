#include "pipeline/rendered_confs.h"

#include <utility>

#include "base/strings.h"
#include "helm/read_rendered.h"
#include "kinds/recognise_conf.h"

namespace muster {

void RenderedConfs::add(const helm::RenderedChart& made, const SourceMap& sources, const std::string& folder) {
  std::vector<std::string_view> names;
  for (const helm::RenderedTemplate& one : made.templates) {
    if (one.file == FileId::None || !contains(one.written.text, ".conf")) continue;
    for (const std::string_view name : conf_names_within(one.written.text)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  if (names.empty()) return;
  names.push_back("topology.conf");
  for (const helm::RenderedTemplate& one : made.templates) {
    if (one.file == FileId::None) continue;
    const auto place = [&](Span& span) {
      if (span.placed()) span = helm::place_of_written(one, sources, span);
    };
    for (WrittenConf& conf : written_confs(one.written.text, one.file, folder, names, kinds_)) {
      for (ConfLine& line : conf.lines.lines) {
        place(line.where);
        place(line.rest_where);
        for (ConfPair& pair : line.pairs) {
          place(pair.key_where);
          place(pair.value_where);
        }
      }
      found_.push_back({one.file, conf.kind, std::move(conf.lines)});
    }
  }
}

void RenderedConfs::give(std::vector<ParsedFile>& parsed) {
  for (OfTemplate& one : found_) {
    ParsedFile& file = parsed[static_cast<std::size_t>(one.file)];
    const ConfWithin& lines = file.within.emplace_back(std::move(one.lines));
    Artifact artifact;
    artifact.kind = one.kind;
    artifact.file = one.file;
    artifact.lines = &lines.lines;
    artifact.within = &lines;
    file.artifacts.push_back(artifact);
  }
}

}  // namespace muster
