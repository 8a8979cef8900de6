#include "lsp/folder_findings.h"

#include <filesystem>

namespace muster {
namespace {

class Placer {
 public:
  Placer(const SourceMap& sources, const std::string& folder, PositionEncoding encoding)
      : sources_(sources), folder_(folder), encoding_(encoding) {}

  const std::string& path(FileId file) { return of(file).path; }

  TextRange range(const Span& where) {
    const LineIndex& lines = of(where.file).lines;
    return {lines.position(where.begin, encoding_), lines.position(where.end, encoding_)};
  }

  PlacedText text(const Span& where, const std::string& words) { return {path(where.file), range(where), words}; }

 private:
  struct File {
    std::string path;
    LineIndex lines;
  };

  File& of(FileId id) {
    const auto found = files_.find(id);
    if (found != files_.end()) return found->second;
    const SourceFile& file = sources_.file(id);
    std::string path = (std::filesystem::path(folder_) / file.path()).lexically_normal().generic_string();
    return files_.emplace(id, File{std::move(path), LineIndex(file.text())}).first->second;
  }

  const SourceMap& sources_;
  const std::string& folder_;
  PositionEncoding encoding_;
  std::map<FileId, File> files_;
};

}  // namespace

FolderFindings place_findings(const Report& report, const std::string& folder, PositionEncoding encoding) {
  FolderFindings out;
  Placer placer(*report.sources, folder, encoding);
  for (const RuleInfo& rule : report.rules) out.rules[rule.id] = rule;
  for (const Finding& finding : report.findings) {
    PlacedFinding& placed = out.files[placer.path(finding.where.file)].emplace_back();
    placed.rule = finding.rule;
    placed.severity = finding.severity;
    placed.effect = finding.effect;
    placed.where = placer.range(finding.where);
    placed.message = finding.message;
    placed.follows = finding.follows;
    placed.help = finding.help;
    for (const RelatedPlace& related : finding.related) {
      if (related.where.placed()) placed.related.push_back(placer.text(related.where, related.message));
    }
    for (const TextEdit& edit : edits_of(finding.fix, *report.sources))
      placed.edits.push_back(placer.text(edit.where, edit.text));
    if (!placed.edits.empty()) placed.safety = finding.fix->safety;
  }
  return out;
}

}  // namespace muster
