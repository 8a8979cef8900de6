#include "pipeline/early_files.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/strings.h"
#include "kubernetes/described_kind.h"
#include "kustomize/files.h"

namespace muster {
namespace {

/// Whether it is what others are judged by: a kustomization that patches them, the definition of their kind.
bool speaks_of_others(const InputFile& input, const SourceFile& file) {
  return kustomize::is_kustomization(input.context.path) || contains(file.text(), "CustomResourceDefinition");
}

bool stands_alone(const ParsedFile& file) {
  return file.definitions.empty() && std::ranges::all_of(file.artifacts, [](const Artifact& artifact) {
           const DescribedKind* described = artifact.kind->described;
           return artifact.kind->format == Format::Manifest && (described == nullptr || !described->head().used);
         });
}

}  // namespace

bool keeps_files(const Options& options, const Config& config) {
  return options.keeps_trees || !config.baseline.empty();
}

void drop_trees(ParsedFile& file) {
  if (!stands_alone(file)) return;
  for (Artifact& artifact : file.artifacts) {
    artifact.object = artifact.wrapper = Node{};
    artifact.api_version = {};
  }
  file.artifacts.shrink_to_fit();
  for (CustomObject& object : file.custom) object.node = Node{};
  file.evidence = std::vector<Evidence>();
  file.documents.clear();
  file.documents.shrink_to_fit();
}

void drop_manifests(Model& model, std::vector<ParsedFile>& parsed) {
  model.manifests.clear();
  for (ParsedFile& file : parsed) file.values = ValueBlock();
}

EarlyFiles::EarlyFiles(const Inputs& inputs, const LinkOptions& options)
    : normalisation(inputs, options),
      normalised(inputs.files.size()),
      strangers(inputs.files.size()),
      allowances(inputs.files.size()),
      inputs_(inputs) {
  for (std::size_t i = 0; i < inputs.files.size() && possible_; ++i)
    possible_ = !speaks_of_others(inputs.files[i], inputs.sources.file(static_cast<FileId>(i)));
}

void EarlyFiles::take(ParsedFile& file) {
  // What a template or a file of Slurm's is, others may say.
  if (!possible_ || file.documents.empty() || file.template_kind || file.candidate || file.script ||
      !file.lines.empty() || !file.within.empty() || !stands_alone(file))
    return;
  std::optional<NormalisedFile>& out = normalised[static_cast<std::size_t>(file.file)];
  out = normalisation.alone(file);
  if (!out) return;
  note(file);
  std::vector<Finding> said;
  for (CustomObject& object : file.custom) std::ranges::move(object.findings, std::back_inserter(said));
  file.custom.resize(std::min<std::size_t>(1, file.custom.size()));  // there is some
  file.custom.shrink_to_fit();
  if (!file.custom.empty()) file.custom.front().findings = std::move(said);
  drop_trees(file);
}

void EarlyFiles::note_rest(const std::vector<ParsedFile>& parsed, unsigned threads) {
  in_parallel(parsed.size(), threads, [&](std::size_t i) {
    if (!normalised[i]) note(parsed[i]);
  });
}

void EarlyFiles::note(const ParsedFile& file) {
  const auto i = static_cast<std::size_t>(file.file);
  strangers[i] = strangers_in(file, inputs_.sources.file(file.file));
  allowances[i] = allowances_in(file, inputs_.sources);
}

}  // namespace muster
