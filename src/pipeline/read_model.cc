#include "pipeline/read_model.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>

#include "base/check.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "base/version.h"
#include "input/kind.h"
#include "input/object_index.h"
#include "kinds/custom_kinds.h"
#include "kinds/language.h"
#include "kinds/recognise.h"
#include "kubernetes/described_kind.h"
#include "kubernetes/fit_claims.h"
#include "kubernetes/stated_release.h"
#include "pipeline/application_values.h"
#include "pipeline/batch_files.h"
#include "pipeline/conf_roles.h"
#include "pipeline/early_files.h"
#include "pipeline/find_in_texts.h"
#include "pipeline/kept_input.h"
#include "pipeline/named_elsewhere.h"
#include "pipeline/playbook_values.h"
#include "pipeline/queue_children.h"
#include "pipeline/sliced_servers.h"
#include "pipeline/spoken_texts.h"
#include "pipeline/submit_calls.h"
#include "pipeline/terraform_pools.h"
#include "pipeline/trial_sites.h"
#include "pipeline/unlisted_files.h"
#include "slurm/site.h"
#include "slurm/spank.h"
#include "slurm/stated_release.h"
#include "slurm/written_files.h"

namespace muster {
namespace {

void report_invalid_utf8(const InputFile& file, FileId id, std::vector<Finding>& findings) {
  if (!file.invalid_utf8) return;
  findings.push_back(problem("invalid-utf8", {id, *file.invalid_utf8, *file.invalid_utf8 + 1},
                             "the file is not UTF-8: the first wrong byte stands here"));
}

/// What readers found before anybody knew where their file stands.
template <class List, class T>
void take_over(List found, const FileContext& context, std::vector<T>& out) {
  for (T& object : found) {
    object.file = context.path;
    object.bundle = context.bundle;
    out.push_back(std::move(object));
  }
}

template <class T>
void take_over(Boxed<T>&& found, const FileContext& context, Boxed<T>& out) {
  const SharedText file = context.path;
  const SharedText bundle = context.bundle;
  for (T& object : found) {
    object.file = file;
    object.bundle = bundle;
  }
  out.take(std::move(found));
}

/// Its objects meet each other, wherever their files stand.
void normalise_bundle(const RenderedBundle& bundle, const Inputs& inputs, const LinkOptions& options, Model& model,
                      std::vector<Finding>& findings) {
  std::deque<FileContext> contexts;
  ObjectIndex objects;
  for (const ParsedFile& file : bundle.files) {
    contexts.push_back(inputs.files[static_cast<std::size_t>(file.file)].context);
    contexts.back().bundle = inputs.files[static_cast<std::size_t>(bundle.made_by)].context.bundle;
    add_referred(file, contexts.back(), objects);
  }
  for (std::size_t i = 0; i < bundle.files.size(); ++i) {
    const ParsedFile& file = bundle.files[i];
    const FileContext& context = contexts[i];
    const NormaliseContext normalise{inputs.sources, context, model, findings, options.schedulers, &objects};
    for (const Artifact& artifact : file.artifacts) {
      if (artifact.kind->normalise != nullptr) artifact.kind->normalise(artifact, normalise);
    }
    take_over(file.removed, context, model.removed_objects);
    take_over(Boxed<Container>(file.containers), context, model.containers);
    take_over(Boxed<Manifest>(file.manifests), context, model.manifests);
    take_over(file.named_keys, context, model.named_keys);
    take_over(file.key_uses, context, model.key_uses);
  }
}

constexpr std::size_t kFilesAtOnce = 512;

void take_over(NormalisedFile from, Model& model, std::vector<Finding>& findings) {
  model.gangs.take(std::move(from.gangs));
  std::ranges::move(from.settings, std::back_inserter(model.operator_settings));
  std::ranges::move(from.findings, std::back_inserter(findings));
}

/// So many files from that one on; what became early is taken over.
std::vector<NormalisedFile> described(const std::vector<ParsedFile>& parsed, std::size_t first,
                                      const Normalisation& normalisation, const ReadAhead& ahead, unsigned threads) {
  std::vector<NormalisedFile> out(std::min(kFilesAtOnce, parsed.size() - first));
  in_parallel(out.size(), threads, [&](std::size_t k) {
    const ParsedFile& file = parsed[first + k];
    if (ahead.early != nullptr && ahead.early->took(file.file)) {
      out[k] = std::move(*ahead.early->normalised[first + k]);
    } else {
      out[k] = ahead.kept != nullptr ? ahead.kept->normalised(file, normalisation) : normalisation.described(file);
    }
  });
  return out;
}

/// The fields of an object are gone through, and again read one by one for the model.
void drop_types_said_twice(const SourceMap& sources, std::vector<Finding>& findings) {
  std::set<std::pair<FileId, std::uint32_t>> said;
  std::map<std::pair<FileId, std::string_view>, std::set<std::uint32_t>> ends;  // of what was said in these words
  for (const Finding& finding : findings) {
    if (finding.rule == "field-type") ends[{finding.where.file, finding.message}].insert(finding.where.end);
  }
  const auto of_key = [&](const Finding& finding) {
    const std::set<std::uint32_t>& there = ends[{finding.where.file, finding.message}];
    const auto end = there.upper_bound(finding.where.begin);
    if (end == there.begin()) return false;
    const std::string_view text = sources.file(finding.where.file).text();
    const std::uint32_t from = *std::prev(end);
    return text.substr(from, finding.where.begin - from).find_first_not_of(": \r\n") == text.npos;
  };
  std::vector<std::size_t> twice;
  for (std::size_t i = 0; !ends.empty() && i < findings.size(); ++i) {
    if (findings[i].rule != "field-type") continue;
    if (of_key(findings[i]) || !said.emplace(findings[i].where.file, findings[i].where.begin).second)
      twice.push_back(i);
  }
  std::size_t i = 0;
  std::size_t next = 0;
  std::erase_if(findings, [&](const Finding&) {
    const bool drop = next < twice.size() && twice[next] == i;
    next += drop ? 1 : 0;
    ++i;
    return drop;
  });
}

/// What scripts and playbooks do to the files of Slurm before a daemon reads them.
void note_written_files(const std::vector<ParsedFile>& parsed, const Inputs& inputs, Model& model) {
  for (const std::vector<std::string>* unread : {&inputs.foreign, &inputs.too_large, &inputs.ignored, &inputs.excluded})
    model.makes_topology = model.makes_topology || std::ranges::any_of(*unread, [](const std::string& path) {
                             return contains(path, "topology.conf") || contains(path, "topology.yaml");
                           });
  const SpokenTexts spoken(inputs);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const SourceFile& file = inputs.sources.file(static_cast<FileId>(i));
    const std::string_view text = spoken.text(i);
    for (const std::string_view name : {"topology.conf", "topology.yaml"}) {
      const bool its_template = contains(file.path(), name) && !file.path().ends_with(name);
      model.makes_topology = model.makes_topology || its_template;
    }
    if (!parsed[i].lines.empty() || language_of(file.path()) == Language::Prose) continue;
    model.makes_topology =
        model.makes_topology || names_file(text, "topology.conf") || names_file(text, "topology.yaml");
    model.makes_gres_conf = model.makes_gres_conf || names_file(text, "gres.conf");
    model.nixos_slurm =
        model.nixos_slurm || (file.path().ends_with(".nix") && names_file(file.text(), "services.slurm"));
    find_edited_keys(file.text(), model.edited_keys);
  }
}

}  // namespace

std::vector<ParsedFile> parse_all(const Inputs& inputs, unsigned threads, std::vector<Finding>& findings,
                                  const KindTable& kinds, EarlyFiles* early) {
  std::vector<ParsedFile> parsed(inputs.files.size());
  in_parallel(parsed.size(), threads, [&](std::size_t i) {
    parse_file(static_cast<FileId>(i), inputs.sources, parsed[i], kinds);
    parsed[i].values.close();
    if (early != nullptr) early->take(parsed[i]);
  });
  settle_parsed(parsed, inputs, findings);
  return parsed;
}

void settle_parsed(std::vector<ParsedFile>& parsed, const Inputs& inputs, std::vector<Finding>& findings) {
  settle_conf_roles(parsed, inputs);
  fill_from_playbooks(parsed, inputs);
  CustomKinds custom(parsed, paths_in(inputs));
  for (ParsedFile& file : parsed) custom.settle(file);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    if (!parsed[i].artifacts.empty()) report_invalid_utf8(inputs.files[i], static_cast<FileId>(i), findings);
    findings.insert(findings.end(), parsed[i].findings.begin(), parsed[i].findings.end());
  }
}

std::vector<Stranger> ReadAhead::strangers(const ParsedFile& file, const SourceFile& source) const {
  return kept != nullptr ? kept->strangers(file, source) : strangers_in(file, source);
}

Model normalise_all(std::vector<ParsedFile>& parsed, const Inputs& inputs, const LinkOptions& options,
                    std::vector<Finding>& findings, const std::deque<RenderedBundle>& bundles, unsigned threads,
                    const ReadAhead& ahead) {
  Model model;
  std::optional<Normalisation> own;
  Normalisation& all = ahead.early != nullptr ? ahead.early->normalisation : own.emplace(inputs, options);
  all.refer_to(parsed);
  std::vector<NormalisedFile> some;
  std::vector<SlurmFile> slurm_files;
  std::deque<FileContext> within;  // of files that stand within others
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const std::size_t turn = i % kFilesAtOnce;
    if (turn == 0) some = described(parsed, i, all, ahead, threads);
    const FileContext& context = inputs.files[i].context;
    const NormaliseContext normalise = all.context(parsed[i], model, findings);
    if (some[turn].all) take_over(std::move(some[turn]), model, findings);
    for (const Artifact& artifact : parsed[i].artifacts) {
      if (some[turn].all && artifact.within == nullptr) continue;  // a rendering adds what stands within
      if (is_normalised(parsed[i], artifact)) {
        artifact.kind->normalise(artifact, normalise);
      } else if (artifact.kind->normalise == nullptr &&
                 (artifact.lines != nullptr || artifact.kind->id == "topology-yaml")) {
        slurm_files.push_back({&artifact, &context});
        if (artifact.within == nullptr) continue;
        within.push_back({artifact.within->path, std::string(folder_of(artifact.within->path)), context.bundle});
        slurm_files.back().context = &within.back();
      }
    }
    if (model.spank_plugin.empty() && is_plugstack(context.path))
      model.spank_plugin = unknown_spank_plugin(inputs.sources.file(parsed[i].file).text());
    take_over(parsed[i].removed, context, model.removed_objects);
    take_over(std::move(parsed[i].containers), context, model.containers);
    take_over(std::move(parsed[i].manifests), context, model.manifests);
    take_over(std::move(parsed[i].named_keys), context, model.named_keys);
    take_over(std::move(parsed[i].key_uses), context, model.key_uses);
    if (ahead.early != nullptr) drop_trees(parsed[i]);
  }
  for (const RenderedBundle& bundle : bundles) normalise_bundle(bundle, inputs, options, model, findings);
  drop_types_said_twice(inputs.sources, findings);
  if (!slurm_files.empty()) note_written_files(parsed, inputs, model);
  assemble_slurm_sites(slurm_files, model, findings);
  note_mounted_states(inputs, model);
  note_trial_sites(inputs, model);
  note_sliced_accelerators(inputs, model);
  note_application_values(inputs, model);
  note_unlisted_files(parsed, inputs, model);
  note_terraform_pools(inputs, model);
  find_submit_calls(inputs, model, findings);
  find_batch_files(inputs, model, findings);
  find_in_texts(inputs, model, findings);
  link(model, options);
  fit_claims(model);
  find_queue_children(model, findings);
  find_servers_on_slices(inputs, model, findings);
  return model;
}

namespace {

/// What the texts of an input state of the release of Slurm.
struct StatedReleases {
  std::vector<Located<std::string>> all;
  std::map<std::string_view, std::vector<Located<std::string>>> by_folder;
  std::map<std::string_view, std::vector<Located<std::string>>> by_role;
  std::vector<std::string_view> copies;  ///< lines with folders of Debian's packages
};

/// `roles/slurm` of `roles/slurm/templates`: a role of Ansible states its release among its defaults. Empty: no role.
std::string_view folder_of_role(std::string_view folder) {
  constexpr std::string_view kRoles = "roles/";
  std::size_t at = folder.find(kRoles);
  while (at != folder.npos && at > 0 && folder[at - 1] != '/') at = folder.find(kRoles, at + 1);
  return at == folder.npos ? std::string_view{} : folder.substr(0, folder.find('/', at + kRoles.size()));
}

std::vector<std::string_view> lines_with(std::string_view text, std::string_view word) {
  constexpr std::size_t kMost = 200;
  std::vector<std::string_view> out;
  for (std::size_t at = text.find(word); at != text.npos && out.size() < kMost; at = text.find(word, at)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(begin, std::min<std::size_t>(end - begin, 500)));
    at = end;
  }
  return out;
}

StatedReleases read_stated_releases(const Inputs& inputs, const Model& model) {
  StatedReleases out;
  std::vector<Located<std::string>> of_prose;
  MachinePackages machines;
  std::set<std::string_view> confs;
  for (const SlurmSite& site : model.slurm_sites) confs.insert(site.file);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const SourceFile& file = inputs.sources.file(static_cast<FileId>(i));
    const FileContext& context = inputs.files[i].context;
    if (language_of(file.path()) == Language::Prose) {
      for (Located<std::string>& one : slurm_releases_installed_in(static_cast<FileId>(i), file.text()))
        of_prose.push_back(std::move(one));
      continue;
    }
    const bool conf = confs.contains(context.path);
    const std::string_view role = folder_of_role(context.folder);
    machines.look_at(static_cast<FileId>(i), file.path(), file.text());
    for (Located<std::string>& one : slurm_releases_stated_in(static_cast<FileId>(i), file.text())) {
      out.by_folder[context.folder].push_back(one);
      if (!role.empty()) out.by_role[role].push_back(one);
      if (!conf) out.all.push_back(std::move(one));
    }
    if (conf) continue;
    for (const std::string_view line : lines_with(file.text(), "slurm-llnl")) out.copies.push_back(line);
  }
  if (Located<std::string> release = machines.release(); release.is_set()) out.all.push_back(std::move(release));
  if (!out.all.empty()) return out;
  if (Located<std::string> release = common_release(of_prose); release.is_set()) {
    release.field = FieldName(kOfProse);
    out.all.push_back(std::move(release));
  }
  return out;
}

/// What the files beside a site state, else those of its role.
Located<std::string> release_near(const StatedReleases& stated, std::string_view folder) {
  const auto beside = stated.by_folder.find(folder);
  if (beside != stated.by_folder.end()) return common_release(beside->second);
  const auto of_role = stated.by_role.find(folder_of_role(folder));
  return of_role == stated.by_role.end() ? Located<std::string>{} : common_release(of_role->second);
}

/// `cp config/slurm.conf /etc/slurm-llnl`, of a site in the folder `config`.
bool copies_site(std::string_view line, const SlurmSite& site) {
  const std::string folder = site.folder.substr(site.folder.rfind('/') + 1);  // npos + 1 is 0
  if (folder.empty()) return false;
  for (const char* name : {"/slurm.conf", "/cgroup.conf", "/*"}) {
    const std::size_t at = line.find(folder + name);
    if (at != line.npos && (at == 0 || std::string_view(" \t/\"'=[").find(line[at - 1]) != std::string_view::npos))
      return true;
  }
  return false;
}

}  // namespace

Located<std::string> installed_slurm_release(const Inputs& inputs, Model& model) {
  if (model.slurm_sites.empty()) return {};
  const StatedReleases stated = read_stated_releases(inputs, model);
  Located<std::string> common = common_release(stated.all);
  for (SlurmSite& site : model.slurm_sites) {
    if (site.release) continue;
    const SourceFile& file = inputs.sources.file(site.where.file);
    Located<std::string> own = slurm_release_of_folders(site.where.file, file.path(), file.text());
    if (!own.is_set()) {
      own = release_near(stated, site.folder);
      if (common.is_set() && own.field != common.field) own = {};
    }
    const bool copied =
        std::ranges::any_of(stated.copies, [&](std::string_view one) { return copies_site(one, site); });
    if (!own.is_set() && copied) own = set_to(std::string(kLastLlnl), site.where, FieldName(kOfPaths));
    // What folders tell is up to kLastLlnl: an older release that something states is told more exactly.
    const bool told = own.field == kOfPaths && common.is_set() && common.field != kOfPaths &&
                      common.value.substr(0, kLastLlnl.size()) <= kLastLlnl;
    if (own.is_set() && own.value != common.value && !told) site.release = Version::parse(own.value);
  }
  return common;
}

Located<std::string> installed_kubernetes_release(const Inputs& inputs, const Model& model) {
  std::vector<Located<std::string>> stated;
  const ManifestDef& installs = manifest_def("installed_clusters");
  for (const Manifest& one : model.manifests) {
    if (one.def != &installs) continue;
    const WrittenValue& written = one.part("version");
    // `1.30` without quotes is a number, and still the text that somebody wrote.
    if (written.state == State::Set && !written.text().empty())
      stated.push_back(set_to(std::string(written.text()), written.where, "version"));
  }
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const SourceFile& file = inputs.sources.file(static_cast<FileId>(i));
    if (!holds_playbook_variables(file.path())) continue;
    for (Located<std::string>& one : kubernetes_releases_stated_in(static_cast<FileId>(i), file.text()))
      stated.push_back(std::move(one));
  }
  Located<std::string> out;
  std::vector<std::int64_t> found;
  for (const Located<std::string>& one : stated) {
    const std::optional<Version> version = Version::parse(one.value);
    if (!version || version->parts().size() < 2) continue;
    const std::vector<std::int64_t>& parts = version->parts();
    if (out.is_set() && (parts[0] != found[0] || parts[1] != found[1])) return {};
    if (out.is_set() && parts.size() <= found.size()) continue;
    found = parts;
    out = set_to(version->text(), one.where, one.field);
  }
  return out;
}

std::vector<Located<std::string>> dumped_slurm_versions(const std::vector<ParsedFile>& parsed) {
  std::vector<Located<std::string>> found;
  for (const ParsedFile& file : parsed) {
    if (file.slurm_version) found.push_back(set_to(*file.slurm_version, Span{file.file, 0, 0}, "SLURM_VERSION"));
  }
  return found;
}

}  // namespace muster
