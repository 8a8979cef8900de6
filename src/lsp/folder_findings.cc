#include "lsp/folder_findings.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace muster {

/// Looks places up in the texts of one check.
class FindingPlacer::Texts {
 public:
  Texts(const SourceMap& sources, const std::string& folder, PositionEncoding encoding)
      : sources_(sources), folder_(folder), encoding_(encoding) {}

  const std::string& path(FileId file) { return of(file).path; }

  TextRange range(const Span& where) {
    const LineIndex& lines = of(where.file).lines;
    return {lines.position(where.begin, encoding_), lines.position(where.end, encoding_)};
  }

  PlacedText text(const Span& where, const std::string& words) { return {path(where.file), range(where), words}; }

  PlacedFinding placed(const Finding& finding) {
    PlacedFinding out;
    out.rule = finding.rule;
    out.severity = finding.severity;
    out.effect = finding.effect;
    out.where = range(finding.where);
    out.message = finding.message;
    out.follows = finding.follows;
    out.help = finding.help;
    for (const RelatedPlace& related : finding.related) {
      if (related.where.placed()) out.related.push_back(text(related.where, related.message));
    }
    for (const TextEdit& edit : edits_of(finding.fix, sources_)) out.edits.push_back(text(edit.where, edit.text));
    if (!out.edits.empty()) out.safety = finding.fix->safety;
    return out;
  }

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

namespace {

/// Whether all is the same that a placed finding is made of.
bool says_the_same(const Finding& a, const Finding& b) {
  return a.where == b.where && a.rule == b.rule && a.severity == b.severity && a.effect == b.effect &&
         a.message == b.message && a.follows == b.follows && a.help == b.help && a.related == b.related &&
         a.fix == b.fix;
}

/// What begins a list and is of one file: muster.yaml is one for itself and one of the input.
std::span<const Finding> of_one_file(std::span<const Finding> findings, const SourceMap& sources) {
  const FileId file = findings[0].where.file;
  const auto is_other = [&](const Finding& finding) {
    return finding.where.file != file && sources.file(finding.where.file).path() != sources.file(file).path();
  };
  return findings.first(static_cast<std::size_t>(std::ranges::find_if(findings, is_other) - findings.begin()));
}

}  // namespace

bool FindingPlacer::is_same(const Known& known, std::span<const Finding> findings, const ReadBy& read_by) {
  const auto stands = [&](const auto& text) { return text.second && text.second == read_by(text.first); };
  return std::ranges::equal(known.findings, findings, says_the_same) && std::ranges::all_of(known.texts, stands);
}

FindingPlacer::Known FindingPlacer::known(std::span<const Finding> findings, Texts& texts, const ReadBy& read_by) {
  Known out;
  out.findings.assign(findings.begin(), findings.end());
  out.path = texts.path(findings[0].where.file);
  const auto note = [&](const Span& where) {
    if (where.placed()) out.texts[where.file] = read_by(where.file);
  };
  for (const Finding& finding : findings) {
    note(finding.where);
    for (const RelatedPlace& related : finding.related) note(related.where);
    if (finding.fix) note(finding.fix->where);
  }
  return out;
}

FolderFindings FindingPlacer::place(const Report& report, const ReadBy& read_by) {
  ++calls_;
  FolderFindings out;
  const SourceMap& sources = *report.sources;
  Texts texts(sources, folder_, encoding_);
  for (const RuleInfo& rule : report.rules) out.rules[rule.id] = rule;
  std::span<const Finding> rest = report.findings;
  while (!rest.empty()) {
    const std::span<const Finding> findings = of_one_file(rest, sources);
    rest = rest.subspan(findings.size());
    const auto [at, fresh] = known_.try_emplace(sources.file(findings[0].where.file).path());
    if (fresh || !is_same(at->second, findings, read_by)) {
      at->second = known(findings, texts, read_by);
      std::vector<PlacedFinding>& placed = out.files[at->second.path];
      for (const Finding& finding : findings) {
        if (finding.rule != "manifest-empty") placed.push_back(texts.placed(finding));  // somebody begins to type
      }
    }
    at->second.seen = calls_;
  }
  std::erase_if(known_, [&](const auto& one) {
    const bool gone = one.second.seen != calls_;
    if (gone) out.files[one.second.path];
    return gone;
  });
  return out;
}

}  // namespace muster
