#include "pipeline/read_model.h"

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "input/kind.h"
#include "kinds/recognise.h"
#include "slurm/site.h"

namespace muster {
namespace {

void report_invalid_utf8(const InputFile& file, FileId id, std::vector<Finding>& findings) {
  if (!file.invalid_utf8) return;
  findings.push_back(problem("invalid-utf8", {id, *file.invalid_utf8, *file.invalid_utf8 + 1},
                             "the file is not UTF-8: the first wrong byte stands here"));
}

/// Files that are topologies by their name alone, where a slurm.conf stands beside them.
void adopt_by_name(std::vector<ParsedFile>& parsed, const Inputs& inputs) {
  std::set<std::string> folders;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const bool conf = std::ranges::any_of(parsed[i].artifacts, [](const Artifact& artifact) { return artifact.kind->id == "slurm-conf"; });
    if (conf && inputs.files[i].context.path.ends_with("slurm.conf")) folders.insert(inputs.files[i].context.folder);
  }
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (!parsed[i].by_name || !folders.contains(inputs.files[i].context.folder)) continue;
    parsed[i].artifacts.push_back(*parsed[i].by_name);
    // What slurmctld makes of it depends on its release: a rule of topologies says so.
    std::erase_if(parsed[i].findings, [](const Finding& finding) { return finding.rule == "yaml-syntax"; });
  }
}

}  // namespace

std::vector<ParsedFile> parse_all(const Inputs& inputs, unsigned threads, std::vector<Finding>& findings) {
  std::vector<ParsedFile> parsed(inputs.files.size());
  in_parallel(parsed.size(), threads, [&](std::size_t i) { parse_file(static_cast<FileId>(i), inputs.sources, parsed[i]); });
  adopt_by_name(parsed, inputs);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (!parsed[i].artifacts.empty()) report_invalid_utf8(inputs.files[i], static_cast<FileId>(i), findings);
    findings.insert(findings.end(), parsed[i].findings.begin(), parsed[i].findings.end());
  }
  return parsed;
}

Model normalise_all(const std::vector<ParsedFile>& parsed, const Inputs& inputs, const LinkOptions& options,
                    std::vector<Finding>& findings) {
  Model model;
  std::vector<SlurmFile> slurm_files;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    const NormaliseContext normalise{inputs.sources, context, model, findings};
    for (const Artifact& artifact : parsed[i].artifacts) {
      if (artifact.kind->normalise != nullptr) {
        artifact.kind->normalise(artifact, normalise);
      } else {
        slurm_files.push_back({&artifact, &context});
      }
    }
  }
  assemble_slurm_sites(slurm_files, model, findings);
  link(model, options);
  return model;
}

}  // namespace muster
