#include "pipeline/rendered.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "kinds/custom_kinds.h"
#include "kinds/recognise.h"
#include "kustomize/render.h"

namespace muster {
namespace {

/// What check_fields says of an object: it is said of the rendered one.
constexpr std::string_view kAboutFields[] = {
    "field-unknown",        "custom-field-unknown",      "field-type", "field-value", "field-missing",
    "custom-field-missing", "custom-api-version-unknown"};

KustomizeInput input_of(const std::vector<ParsedFile>& parsed, const Inputs& inputs) {
  KustomizeInput out{inputs.sources, {}, {}, {}};
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (inputs.files[i].reading != Reading::Whole) continue;
    out.by_path.emplace(inputs.files[i].context.path, static_cast<FileId>(i));
    if (parsed[i].template_kind) out.templates.insert(static_cast<FileId>(i));
  }
  out.empty.insert(inputs.foreign.begin(), inputs.foreign.end());
  return out;
}

/// Each object where its file's others are.
void add_objects(std::deque<Document>& objects, const Inputs& inputs, const KindTable& kinds, RenderedBundle& bundle) {
  std::map<FileId, ParsedFile*> by_file;
  for (Document& object : objects) {
    ParsedFile*& file = by_file[object.file()];
    if (file == nullptr) {
      bundle.files.emplace_back();
      file = &bundle.files.back();
      file->file = object.file();
      file->rendered = true;
    }
    file->documents.push_back(std::move(object));
    recognise_made(inputs.sources, *file, kinds);
  }
}

/// Places at which a rule has spoken.
class Said {
 public:
  explicit Said(const Rendered& rendered) : rendered_(rendered) {}

  bool again(const std::string& rule, const Span& where, const std::string& message) {
    const auto uses = rendered_.uses.find(where.file);
    if (uses == rendered_.uses.end()) return false;
    const std::string words = uses->second > 1 ? std::string() : message;
    return !said_.emplace(rule, where, words).second;
  }

 private:
  const Rendered& rendered_;
  std::set<std::tuple<std::string, Span, std::string>> said_;
};

}  // namespace

Rendered render_all(std::vector<ParsedFile>& parsed, const Inputs& inputs, std::vector<Finding>& findings,
                    const KindTable& kinds) {
  Rendered out;
  Renderings renderings = render_kustomizations(input_of(parsed, inputs));
  for (const FileId file : renderings.patches) parsed[static_cast<std::size_t>(file)].patch = true;
  for (Rendering& rendering : renderings.all) {
    if (!rendering.trouble.empty()) {
      out.not_rendered.push_back({rendering.kustomization, std::move(rendering.trouble)});
      continue;
    }
    out.bundles.emplace_back();
    RenderedBundle& bundle = out.bundles.back();
    bundle.kustomization = rendering.kustomization;
    bundle.objects = rendering.objects.size();
    bundle.missing = std::move(rendering.missing);
    for (const FileId file : rendering.parts) ++out.uses[file];
    add_objects(rendering.objects, inputs, kinds, bundle);
  }
  if (out.bundles.empty()) return out;
  for (const auto& [file, uses] : out.uses) {
    ParsedFile& part = parsed[static_cast<std::size_t>(file)];
    part.rendered = true;
    part.containers.clear();
    part.manifests.clear();
    part.removed.clear();
    part.evidence.push_back({100, "it is part of what a kustomization builds, and judged there"});
  }
  std::erase_if(findings, [&](const Finding& finding) {
    return out.uses.contains(finding.where.file) &&
           std::ranges::find(kAboutFields, finding.rule) != std::end(kAboutFields);
  });
  CustomKinds custom(parsed);
  for (RenderedBundle& bundle : out.bundles) {
    for (ParsedFile& file : bundle.files) {
      custom.settle(file);
      findings.insert(findings.end(), file.findings.begin(), file.findings.end());
    }
  }
  return out;
}

void drop_said_twice(const Rendered& rendered, LintResult& linted) {
  if (rendered.bundles.empty()) return;
  Said said(rendered);
  std::erase_if(linted.findings,
                [&](const Finding& finding) { return said.again(finding.rule, finding.where, finding.message); });
  std::erase_if(linted.covered, [&](const CoveredFinding& covered) {
    return said.again(covered.finding.rule, covered.finding.where, covered.finding.message);
  });
  Said open(rendered);
  std::erase_if(linted.undecided, [&](const Undecided& one) { return open.again(one.rule, one.where, one.object); });
}

}  // namespace muster
