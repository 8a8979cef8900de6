#include "pipeline/normalisation.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "kinds/language.h"
#include "kubernetes/described_kind.h"

namespace muster {

void add_referred(const ParsedFile& file, const FileContext& context, ObjectIndex& out) {
  for (const Artifact& artifact : file.artifacts) {
    const DescribedKind* described = artifact.kind->described;
    if (described != nullptr && described->head().used)
      out.add(artifact, described->head().group, described->head().kind, context);
  }
}

bool is_normalised(const ParsedFile& file, const Artifact& artifact) {
  return artifact.kind->normalise != nullptr && !(file.rendered && artifact.kind->format == Format::Manifest);
}

Normalisation::Normalisation(const Inputs& inputs, const LinkOptions& options) : inputs_(inputs), options_(options) {}

void Normalisation::read_calls() {
  if (std::exchange(calls_read_, true)) return;
  for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
    const auto id = static_cast<FileId>(i);
    scripts_.add(id, inputs_.files[i].context.path);
    const SourceFile& file = inputs_.sources.file(id);
    submits_.add(inputs_.files[i].context.path, file.text(), language_of(file.path()) == Language::Prose);
  }
}

void Normalisation::refer_to(const std::vector<ParsedFile>& parsed) {
  for (std::size_t i = 0; i < parsed.size(); ++i) add_referred(parsed[i], inputs_.files[i].context, objects_);
}

NormaliseContext Normalisation::context(const ParsedFile& file, Model& model, std::vector<Finding>& findings) {
  NormaliseContext out = without_calls(file.file, model, findings);
  if (!file.script) return out;
  read_calls();
  out.scripts = &scripts_;
  out.submits = &submits_;
  return out;
}

NormaliseContext Normalisation::without_calls(FileId file, Model& model, std::vector<Finding>& findings) const {
  const FileContext& context = inputs_.files[static_cast<std::size_t>(file)].context;
  return {inputs_.sources, context, model, findings, options_.schedulers, &objects_};
}

NormalisedFile Normalisation::described(const ParsedFile& file, const ObjectIndex& objects) const {
  NormalisedFile out;
  out.all =
      std::ranges::all_of(file.artifacts, [](const Artifact& artifact) { return artifact.kind->described != nullptr; });
  if (!out.all || file.artifacts.empty()) return out;
  Model model;
  NormaliseContext normalise = without_calls(file.file, model, out.findings);
  normalise.objects = &objects;
  for (const Artifact& artifact : file.artifacts) {
    if (is_normalised(file, artifact)) artifact.kind->normalise(artifact, normalise);
  }
  MUSTER_CHECK(model.queues.empty() && model.pod_groups.empty() && model.manifests.empty() && model.containers.empty(),
               "a described kind became more than gangs and settings");
  out.gangs = std::move(model.gangs);
  out.settings = std::move(model.operator_settings);
  return out;
}

std::optional<NormalisedFile> Normalisation::alone(const ParsedFile& file) const {
  const ObjectIndex none;
  NormalisedFile out = described(file, none);
  if (!out.all || none.was_asked()) return std::nullopt;
  return out;
}

}  // namespace muster
