#include "pipeline/rendered.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "base/strings.h"
#include "kinds/recognise.h"
#include "kustomize/files.h"
#include "kustomize/render.h"
#include "pipeline/object_parts.h"
#include "pipeline/reach.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

bool is_about_whole(const Finding& finding) { return finding.about == About::Whole; }

/// What a binding of the whole cluster lacks until somebody sets the namespace of all.
bool is_about_namespace(const Finding& finding) {
  return finding.rule == "field-missing" && finding.field == "namespace";
}

bool is_about_name(const Finding& finding) { return finding.rule == "field-type" && finding.field == "name"; }

/// `deploy/v1beta1/crd.yaml`, beside others for today's clusters.
bool is_kept_for_old_clusters(const std::string& path, const std::string& api_version) {
  return ("/" + path).find("/" + api_version.substr(api_version.find('/') + 1) + "/") != path.npos;
}

/// Files beside or just below a kustomization: what somebody may add to, unless it is built.
class BesideKustomizations {
 public:
  explicit BesideKustomizations(const Inputs& inputs) : inputs_(inputs) {
    for (const InputFile& file : inputs.files) {
      if (kustomize::is_kustomization(file.context.path)) folders_.insert(file.context.folder);
    }
  }

  bool contain(FileId file) const {
    const std::string& folder = inputs_.files[static_cast<std::size_t>(file)].context.folder;
    const std::size_t slash = folder.rfind('/');
    return folders_.contains(folder) || folders_.contains(slash == folder.npos ? "" : folder.substr(0, slash));
  }

 private:
  const Inputs& inputs_;
  std::set<std::string> folders_;
};

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

/// Whether no object says a namespace: whoever applies the bundle sets it first, `kustomize edit set namespace`, or
/// another kustomization does.
bool waits_for_namespace(const RenderedBundle& bundle) {
  for (const ParsedFile& file : bundle.files) {
    for (const Document& document : file.documents) {
      if (document.root()["metadata"]["namespace"].exists()) return false;
    }
  }
  return true;
}

/// A part of an object lacks on purpose what the rest has, and its name and version only select. To what lies beside a
/// kustomization that is not built somebody may add.
void drop_what_needs_wholes(std::vector<ParsedFile>& parsed, const Inputs& inputs, const std::vector<Wholeness>& parts,
                            const Rendered& rendered, std::vector<Finding>& findings) {
  const BesideKustomizations beside(inputs);
  std::erase_if(findings, [&](const Finding& finding) {
    const FileId file = finding.where.file;
    const Wholeness part = parts[static_cast<std::size_t>(file)];
    if (part == Wholeness::Scene && finding.about != About::Text) return true;
    if (!is_about_whole(finding) && !is_about_name(finding)) return false;
    if (part == Wholeness::Part || part == Wholeness::Scene) return true;
    if (!is_about_whole(finding)) return false;
    return part == Wholeness::Draft || (!rendered.uses.contains(file) && beside.contain(file));
  });
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (parts[i] == Wholeness::Part || parts[i] == Wholeness::Scene) {
      parsed[i].removed.clear();
      parsed[i].key_uses.clear();
    }
    std::erase_if(parsed[i].removed, [&](const RemovedObject& object) {
      return is_kept_for_old_clusters(inputs.files[i].context.path, object.api_version);
    });
  }
}

/// Whether kustomize, too, would stop there, in whatever release; much else that is not built here it builds.
bool is_mistake(std::string_view trouble) {
  if (trouble.find("${") != trouble.npos) return false;
  for (const std::string_view begin :
       {"a JSON patch speaks of `", "a generator has the key `", "a patch is for ", "an entry of `components` is no",
        "an object has no kind", "an object has no metadata.name", "the apiVersion of a ", "there are two objects ",
        "a kustomization is empty"}) {
    if (trouble.starts_with(begin)) return true;
  }
  return false;
}

void report_mistake(const Rendering& rendering, const Inputs& inputs, std::vector<Finding>& findings) {
  if (!rendering.whole || !is_mistake(rendering.trouble)) return;
  const std::string_view text = inputs.sources.file(rendering.kustomization).text();
  const auto end = static_cast<std::uint32_t>(std::min(text.find('\n'), text.size()));
  findings.push_back(problem("kustomization-not-built", {rendering.kustomization, 0, end},
                             "kustomize builds nothing of this: " + rendering.trouble));
}

/// values.yaml of values.yml, and the other way round.
std::string with_other_ending(std::string_view name) {
  constexpr std::string_view kLong = ".yaml";
  constexpr std::string_view kShort = ".yml";
  if (name.ends_with(kLong)) return std::string(name.substr(0, name.size() - kLong.size())).append(kShort);
  if (name.ends_with(kShort)) return std::string(name.substr(0, name.size() - kShort.size())).append(kLong);
  return {};
}

/// Whether somebody makes the file before it is built: a secret, one that is rendered or decrypted, what a tool writes.
bool is_made_later(std::string_view path, const Reach& reach) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash == path.npos ? 0 : slash + 1);
  for (const std::string_view word :
       {"secret", "sops", "credential", "password", "token", "gotk-", "generated", ".clusterserviceversion."}) {
    if (contains_ignoring_case(path, word)) return true;
  }
  const std::string_view folder = path.substr(0, slash == path.npos ? 0 : slash);
  // `flavor` beside flavor.yaml lacks its ending, and `flavor.yml` has another one.
  if (!contains(name, ".") && reach.has_beginning(folder, std::string(name) + ".yaml")) return false;
  const std::string other = with_other_ending(name);
  if (!other.empty() && reach.has_beginning(folder, other) && !reach.has_beginning(folder, other + ".")) return false;
  const std::string_view stem = name.substr(0, name.find('.', 1));
  return name.starts_with('.') || reach.has_beginning(folder, std::string(stem) + ".");
}

/// A ConfigMap's file that builds often make: variables, certificates, and what has no ending.
bool is_made_often(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view ending = name.substr(std::min(name.rfind('.'), name.size()));
  constexpr std::array<std::string_view, 6> kKept{".yaml", ".yml", ".json", ".toml", ".conf", ".sh"};
  return std::ranges::find(kKept, ending) == kKept.end();
}

void report_missing(const std::vector<LackingEntry>& lacking, const Reach& reach, std::vector<Finding>& findings) {
  for (const LackingEntry& one : lacking) {
    if (is_placeholder(one.path) || !reach.holds(one.path) || !reach.has_top_of(one.path) ||
        is_made_later(one.path, reach))
      continue;
    findings.push_back(problem("kustomization-file-missing", one.where,
                               "`" + one.path + "` is neither a file nor a folder with a kustomization"));
  }
}

/// Files that kustomize takes from nowhere but its own folder, unless it is told otherwise. Flux and whoever passes the
/// option do: fluxcd/pkg:kustomize/kustomize_generator.go, LoadRestrictionsNone.
void report_outside(const Renderings& renderings, const Inputs& inputs, std::vector<Finding>& findings) {
  if (renderings.outside.empty()) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    for (const std::string_view word : {"LoadRestrictionsNone", "load-restrictor", "load_restrictor", "fluxcd.io"}) {
      if (contains(text, word)) return;
    }
  }
  for (const Span& where : renderings.outside)
    findings.push_back(problem(
        "kustomize-file-outside", where,
        "`" + std::string(inputs.sources.text_of(where)) + "` is a file outside of the kustomization's folder"));
}

/// A patch may be for what some builds have: it counts where none has it.
void report_targets(const Renderings& renderings, const Inputs& inputs, std::vector<Finding>& findings) {
  std::map<Span, bool> met;
  for (const Rendering& rendering : renderings.all) {
    if (!rendering.trouble.empty()) return;
    for (const auto& [where, here] : rendering.targets) {
      bool& known = met[where];
      known = known || here || rendering.objects.empty();  // of nothing: for what a chart comes to elsewhere
    }
  }
  for (const auto& [where, here] : met) {
    if (here || !where.placed()) continue;
    findings.push_back(problem("kustomize-patch-without-object", where,
                               "a patch is for `" + std::string(inputs.sources.text_of(where)) +
                                   "`, and its `target` selects no object of the kustomization"));
  }
}

/// Of kinds that kustomize does not know, a list of a patch takes the place of the whole list.
void report_lost_images(const Renderings& renderings, std::vector<Finding>& findings) {
  std::set<Span> lost;
  for (const Rendering& rendering : renderings.all) {
    if (rendering.trouble.empty()) lost.insert(rendering.lost_images.begin(), rendering.lost_images.end());
  }
  for (const Span& where : lost) {
    if (!where.placed()) continue;
    findings.push_back(problem("kustomize-patch-replaces-containers", where,
                               "the patch has a container without its `image`, and takes the place of the whole list"));
  }
}

/// Resources are read strictly, patches and what generators take are not, nor is a text within a resource: its keys do
/// not know where they stand.
void name_refused_keys(const Renderings& renderings, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.rule == "duplicate-key" && !finding.related.empty() && finding.field != "metadata.annotations" &&
        renderings.resources.contains(finding.where.file))
      finding.rule = "kustomization-key-twice";
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
    file->values.close();
  }
}

std::size_t RenderedBundle::made_artifacts() const {
  std::size_t count = 0;
  for (const ParsedFile& file : files) count += chart ? file.artifacts.size() : 0;
  return count;
}

void put_aside(ParsedFile& part, std::string_view why) {
  part.rendered = true;
  part.containers.clear();
  part.manifests.erase_if([](const Manifest& one) { return one.kind != "Kustomization"; });
  part.named_keys.clear();
  part.key_uses.clear();
  part.removed.clear();
  part.evidence.push_back({100, std::string(why)});
}

void report_bundle(RenderedBundle& bundle, CustomKinds& custom, const std::function<bool(FileId)>& in_part,
                   std::vector<Finding>& findings) {
  const bool waits = waits_for_namespace(bundle);
  for (ParsedFile& file : bundle.files) {
    custom.settle(file);
    if (waits) std::erase_if(file.findings, is_about_namespace);
    if (!bundle.whole || in_part(file.file)) std::erase_if(file.findings, is_about_whole);
    findings.insert(findings.end(), file.findings.begin(), file.findings.end());
  }
}

Rendered render_all(std::vector<ParsedFile>& parsed, const Inputs& inputs, std::vector<Finding>& findings,
                    const KindTable& kinds) {
  Rendered out;
  Renderings renderings = render_kustomizations(input_of(parsed, inputs));
  name_refused_keys(renderings, findings);
  report_targets(renderings, inputs, findings);
  report_lost_images(renderings, findings);
  report_outside(renderings, inputs, findings);
  const Reach reach(inputs);
  report_missing(renderings.lacking, reach, findings);
  std::set<Span> unread;  // a base is built with each that uses it
  for (Rendering& rendering : renderings.all) {
    if (!rendering.trouble.empty()) {
      report_mistake(rendering, inputs, findings);
      report_missing(rendering.lacking, reach, findings);
      out.not_rendered.push_back({rendering.kustomization, std::move(rendering.trouble)});
      continue;
    }
    std::erase_if(rendering.lacking,
                  [&](const LackingEntry& one) { return is_made_often(one.path) || !unread.insert(one.where).second; });
    report_missing(rendering.lacking, reach, findings);
    out.bundles.emplace_back();
    RenderedBundle& bundle = out.bundles.back();
    bundle.made_by = rendering.kustomization;
    bundle.whole = rendering.whole;
    bundle.objects = rendering.objects.size();
    bundle.missing = std::move(rendering.missing);
    for (const FileId file : rendering.parts) ++out.uses[file];
    add_objects(rendering.objects, inputs, kinds, bundle);
  }
  const std::vector<Wholeness> parts = find_object_parts(inputs, renderings);
  drop_what_needs_wholes(parsed, inputs, parts, out, findings);
  if (out.bundles.empty()) return out;
  for (const auto& [file, uses] : out.uses) {
    put_aside(parsed[static_cast<std::size_t>(file)], "it is part of what a kustomization builds, and judged there");
  }
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.about != About::Text && out.uses.contains(finding.where.file);
  });
  CustomKinds custom(parsed, paths_in(inputs));
  const auto in_part = [&](FileId file) { return parts[static_cast<std::size_t>(file)] == Wholeness::Part; };
  for (RenderedBundle& bundle : out.bundles) report_bundle(bundle, custom, in_part, findings);
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
