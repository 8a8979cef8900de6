#include "pipeline/named_elsewhere.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "base/strings.h"
#include "kinds/language.h"
#include "kubernetes/check_sharing.h"
#include "pipeline/filled_names.h"
#include "pipeline/policies_elsewhere.h"
#include "pipeline/spoken_texts.h"
#include "syntax/setting_put_aside.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostLooked = 1'000'000'000;  // characters, of all names together

constexpr std::size_t kWholeFile = 1'000'000;  // whatever values say of what they name, they do not make it

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// `claimName: NAME` and `pvc://NAME`, also in the words of a script: it reads the claim, and does not make it. So do
/// what gives the volume its name in the pod, `- name: NAME`, what mounts it, `mountPath: /NAME`, and Kueue's label.
bool is_use(std::string_view text, std::size_t at) {
  constexpr std::size_t kNear = 80;  // characters of the line before the name
  const std::string_view near = text.substr(at - std::min(at, kNear), std::min(at, kNear));
  const std::string_view line = near.substr(near.rfind('\n') + 1);  // npos + 1 is 0
  const std::string_view key = trim(line);
  if (contains(line, "claimName") || key == "- name:" || contains(key, "mountPath:") || line.ends_with("pvc://") ||
      contains(key, "kueue.x-k8s.io/queue-name"))
    return true;
  if (key != "name:") return false;
  const std::size_t begin = at - line.size();
  const std::string_view above = begin == 0 ? std::string_view() : text.substr(0, begin - 1);
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const std::string_view below = end == text.size() ? std::string_view() : text.substr(end + 1);
  return contains(above.substr(above.rfind('\n') + 1), "mountPath") ||
         contains(below.substr(0, below.find('\n')), "mountPath");
}

/// `existingClaim: NAME` of values.
bool is_existing_claim(std::string_view text, std::size_t at) {
  constexpr std::size_t kNearKey = 80;
  const std::string_view before = text.substr(at - std::min(at, kNearKey), std::min(at, kNearKey));
  return contains(before.substr(before.rfind('\n') + 1), "existingClaim:");  // npos + 1 is 0
}

/// `- time-slicing-config.yaml` of a kustomization.
bool is_file_of_kustomization(std::string_view text, std::size_t at, std::size_t end) {
  const std::string_view before = text.substr(at - std::min<std::size_t>(at, 80), std::min<std::size_t>(at, 80));
  const std::string_view line = trim(before.substr(before.rfind('\n') + 1));  // npos + 1 is 0
  return text.substr(end).starts_with(".yaml") && (line == "-" || line == "- ./" || line == "- path:");
}

/// How often the text has it as a word, other than where a volume uses it, or as one of the files; `claimed`: or where
/// values do. `listed`: other than as a file of a kustomization.
std::size_t count_of_word(std::string_view text, std::string_view word, bool claimed = false, bool listed = false,
                          const std::set<std::string_view>& files = {}) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_letter(text[at - 1])) && (end == text.size() || !is_word_letter(text[end])) &&
        !is_use(text, at) && !(listed && is_file_of_kustomization(text, at, end)) &&
        !is_name_of_file(text, at, end, files) && !(claimed && is_existing_claim(text, at)))
      ++count;
  }
  return count;
}

/// `deployment.yaml.tpl`: what a program makes manifests of.
bool is_template_file(std::string_view path) { return !path.ends_with(bare_name(path)); }

/// Whether a line speaks of a ConfigMap or Secret of the name as kubectl does: `patch configmap NAME`, `cm/NAME`.
bool has_command(std::string_view text, std::string_view name) {
  constexpr std::string_view kWords[] = {"configmap ", "configmap/", " cm ", "cm/", "secret ", "secret/"};
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end < text.size() && is_word_letter(text[end])) continue;
    const std::string_view line = text.substr(0, at).substr(at == 0 ? 0 : text.rfind('\n', at - 1) + 1);
    const bool looked_at = contains(line, "describe ") || contains(line, " get ");
    if (looked_at && !contains(line, "create") && !contains(line, "apply") && !contains(line, "patch")) continue;
    if (std::ranges::any_of(kWords, [&](std::string_view word) { return line.find(word) != line.npos; })) return true;
  }
  return false;
}

/// Of a place that only makes the folder the words that belong to it: those of `mkdir -p FOLDER`, or of a task with
/// `state: directory`, down to blank lines. Empty: it may do more.
std::string_view making_text(std::string_view text, std::size_t at) {
  constexpr std::size_t kTask = 500;  // characters to each side
  const std::size_t place = std::min(at, kTask);
  std::string_view task = text.substr(at - place, place + kTask);
  const std::size_t begin = task.substr(0, place).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view line = trim(task.substr(begin, task.find('\n', place) - begin));
  for (const std::string_view program : {"mkdir ", "chown ", "chmod ", "install -d "}) {
    if (line.starts_with(program) || line.starts_with("sudo " + std::string(program))) return line;
  }
  task = task.substr(0, task.find("\n\n", place));
  if (const std::size_t above = task.substr(0, place).rfind("\n\n"); above != task.npos) task.remove_prefix(above + 2);
  return contains(task, "state: directory") ? task : std::string_view();
}

/// Whether the folder stands near a word of shared storage: in fstab, a mount of a playbook, an export.
bool mounts(std::string_view text, std::string_view folder) {
  constexpr std::size_t kNear = 300;
  constexpr std::string_view kWords[] = {"nfs", "mount", "gpfs", "lustre", "beegfs", "ceph", "drbd", "gluster"};
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    const std::size_t end = at + folder.size();
    if (end < text.size() && is_word_letter(text[end])) continue;
    const std::size_t begin = at - std::min(at, kNear);
    const std::string_view making = making_text(text, at);
    const std::string near = to_lower(making.empty() ? text.substr(begin, end - begin + kNear) : making);
    if (std::ranges::any_of(kWords, [&](std::string_view word) { return near.find(word) != near.npos; })) return true;
  }
  return false;
}

class Elsewhere {
 public:
  explicit Elsewhere(const Inputs& inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      letters_ += inputs.sources.file(static_cast<FileId>(i)).text().size();
    }
  }

  /// Whether the name stands in more places than `expected` says by file; also in a comment of the same file.
  bool speaks_of(std::string_view name, const std::map<std::string_view, std::size_t>& expected, bool listed) {
    // Values that name a claim tell a chart of it. Where a manifest has the name itself, they are one more user.
    const std::string claim = "claimName: " + std::string(name);
    if (!files_) note_known_files();
    const bool claimed = any([&](std::size_t i) { return contains(text(i), claim); });
    return any([&](std::size_t i) {
      const auto own = expected.find(inputs_.files[i].context.path);
      return count_of_word(text(i), name, claimed, listed, *files_) > (own == expected.end() ? 0 : own->second);
    });
  }

  /// `folder` or one above it, but none that every host has; the file at `path` is not asked.
  bool mounts_part_of(std::string_view folder, std::string_view path) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
    for (; std::ranges::count(folder, '/') > 2; folder = folder.substr(0, folder.rfind('/'))) {
      if (any([&](std::size_t i) { return inputs_.files[i].context.path != path && mounts(text(i), folder); }))
        return true;
    }
    return false;
  }

  bool makes(std::string_view name) {
    return any([&](std::size_t i) { return has_command(text(i), name); });
  }

  /// Whether a kustomization of the folder, or of one below it, makes objects of a chart.
  bool inflates_charts(std::string_view folder) {
    return any([&](std::size_t i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view own = folder_of(path);
      const bool below = folder.empty() || own == folder || (own.starts_with(folder) && own[folder.size()] == '/');
      return below && path.substr(own.size()).find("ustomization") != path.npos && contains(text(i), "helmCharts:");
    });
  }

  /// Whether a patch for kubectl leaves out the variables of Services: a part of an object, or words of a script.
  bool drops_service_variables() {
    return any([&](std::size_t i) {
      return contains(text(i), "enableServiceLinks") && !text(i).starts_with("kind:") &&
             !contains(text(i), "\nkind:") && language_of(inputs_.files[i].context.path) != Language::Prose;
    });
  }

  /// Whether a template of the folder makes an object of the kind whose name may become this one once it is filled in.
  bool fills_in_some(std::string_view kind, std::string_view folder, std::string_view name) {
    const std::string wanted = "kind: " + std::string(kind);
    return any([&](std::size_t i) {
      if (folder_of(inputs_.files[i].context.path) != folder) return false;
      const std::string_view all = text(i);
      for (std::size_t at = all.find(wanted); at != all.npos; at = all.find(wanted, at + wanted.size())) {
        if (may_become(all.substr(at, 300), name)) return true;
      }
      return false;
    });
  }

  /// Whether a template makes an object of the name.
  bool fills_in_name(std::string_view name) {
    return any([&](std::size_t i) { return fills_in(text(i), name); });
  }

  /// Whether some text makes objects of the kind, under names of marks that may become this one.
  bool makes_of_marks(std::string_view kind, std::string_view name) {
    return any([&](std::size_t i) { return makes_by_marks(text(i), kind, name); });
  }

  /// Whether Services are made of what is no manifest: by kubectl, Terraform or a chart.
  bool makes_services() {
    if (!makes_services_) makes_services_ = any([&](std::size_t i) { return makes_service(text(i)); });
    return *makes_services_;
  }

  /// Whether some script or text makes ConfigMaps by hand: what it does not make is made by nobody.
  bool makes_config_maps() {
    if (!makes_maps_)
      makes_maps_ = any([&](std::size_t i) {
        for (const std::string_view verb :
             {"kubectl create configmap ", "kubectl create cm ", "oc create configmap "}) {
          if (contains(text(i), verb)) return true;
        }
        return false;
      });
    return *makes_maps_;
  }

  /// Whether a kustomization of the folder gives names of its own.
  bool is_built(std::string_view folder) const {
    return std::ranges::any_of(inputs_.files, [&](const InputFile& file) {
      const std::string_view path = file.context.path;
      return folder_of(path) == folder && path.substr(folder.size()).find("ustomization") != path.npos;
    });
  }

  /// Whether something may put into the namespace what names none: an option, a kustomization, Argo CD, Flux.
  bool gives_namespace(const std::string& name) {
    return any([&](std::size_t i) {
      const std::string_view all = text(i);
      for (const std::string_view word : {"set-context", "kubens", "targetNamespace", "-n $", "-n \"$", "-n {{", "-n <",
                                          "--namespace $", "--namespace \"$", "--namespace=$", "--namespace=\"$"}) {
        if (contains(all, word)) return true;
      }
      for (const std::string_view word :
           {"-n ", "-n=", "--namespace ", "--namespace=", "namespace=\"", "namespace='", "NAMESPACE=", "namespace="}) {
        if (contains(all, std::string(word) + name)) return true;
      }
      const bool places = contains(all, "destination:") || contains(inputs_.files[i].context.path, "ustomization");
      return places && contains(all, "namespace: ");
    });
  }

  /// Whether some file sets a variable of that name.
  bool sets_variable(std::string_view name) {
    return any([&](std::size_t i) {
      const std::string_view all = text(i);
      for (std::size_t at = all.find(name); at != all.npos;) {
        const bool begins = at == 0 || (!is_word_char(all[at - 1]) && all[at - 1] != '-');
        const bool sets = begins && all.substr(at + name.size(), 1) == "=";
        if (sets && !is_aside(i, at, name)) return true;
        // The rest of a comment has been looked at.
        at = all.find(name, sets ? std::min(all.find('\n', at), all.size()) : at + name.size());
      }
      return false;
    });
  }

  /// Whether a template speaks of it.
  bool stands_in_template(std::string_view name) {
    return any([&](std::size_t i) {
      return is_template_file(inputs_.files[i].context.path) && count_of_word(text(i), name) > 0;
    });
  }

 private:
  std::string_view text(std::size_t i) const { return spoken_->text(i); }

  /// Files of which it is known what they make: those without marks that make what is asked for. Of several that are
  /// called so each has to be one.
  void note_known_files() {
    std::set<std::string_view> unclear;
    files_.emplace();
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view all = inputs_.sources.file(static_cast<FileId>(i)).text();
      const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
      const bool known = inputs_.files[i].reading == Reading::Whole && makes_what_is_asked(all);
      (known ? *files_ : unclear).insert(name);
    }
    for (const std::string_view name : unclear) files_->erase(name);
  }

  /// Whether the setting at that place is a comment of a script.
  bool is_aside(std::size_t i, std::size_t at, std::string_view name) const {
    if (language_of(inputs_.files[i].context.path) == Language::Prose) return false;
    const std::size_t begin = at == 0 ? 0 : text(i).rfind('\n', at - 1) + 1;  // npos + 1 is 0
    return setting_put_aside(text(i).substr(begin, text(i).find('\n', at) - begin)) == name;
  }

  /// Of some file; as if it were so where too much has been looked at.
  bool any(const auto& holds) {
    if (!spoken_) spoken_.emplace(inputs_);
    looked_ += letters_;
    if (looked_ > kMostLooked) return true;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (holds(i)) return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::optional<SpokenTexts> spoken_;                ///< once somebody asks
  std::optional<std::set<std::string_view>> files_;  ///< their names without folders, of those that are known
  std::optional<bool> makes_maps_;
  std::optional<bool> makes_services_;
  std::uint64_t letters_ = 0;
  std::uint64_t looked_ = 0;
};

/// Autoscalers of what a template makes, and pods with claims of which it makes one; monitors beside a chart.
void forgive_dangling(Elsewhere& elsewhere, Model& model) {
  const ManifestDef* scalers = &manifest_def("autoscalers");
  const ManifestDef* scaled = &manifest_def("scaled_objects");
  std::map<std::string, bool, std::less<>> made;  // by name
  const ManifestDef* monitors = &manifest_def("service_monitors");
  for (Manifest& one : model.manifests) {
    const bool asks = one.def == monitors && one.remarks->no_pods.is_set();
    if (asks && (elsewhere.inflates_charts(folder_of(one.file)) ||
                 (one.remarks->no_pods->field == "pod_labels" && elsewhere.makes_services())))
      one.remarks.own().no_pods = {};
    if (!one.remarks->dangling.is_set()) continue;
    std::string_view name =
        one.remarks->dangling->field == "claimName" ? std::string_view(one.remarks->dangling->value) : "";
    const WrittenValue* target = one.def == scalers || one.def == scaled ? one.part("target").find("name") : nullptr;
    if (target != nullptr) name = target->text();
    if (name.empty()) continue;
    const auto [known, fresh] = made.try_emplace(std::string(name));
    if (fresh) known->second = elsewhere.stands_in_template(name) || elsewhere.fills_in_name(name);
    if (known->second) one.remarks.own().dangling = {};
  }
}

void forgive_service_variables(Elsewhere& elsewhere, Model& model) {
  const auto takes = [](const Container& container) { return container.remarks->service_env.is_set(); };
  if (std::ranges::none_of(model.containers, takes) || !elsewhere.drops_service_variables()) return;
  for (Container& container : model.containers) {
    if (takes(container)) container.remarks.own().service_env = {};
  }
}

/// Variables that whoever submits a job may have set.
void forgive_unset(Elsewhere& elsewhere, Model& model) {
  std::map<std::string, bool, std::less<>> set;  // by name
  for (SbatchJob& job : model.sbatch_jobs) {
    for (BatchRead& read : job.script.reads) {
      if (!read.unset) continue;
      const auto [known, fresh] = set.try_emplace(read.name);
      if (fresh) known->second = elsewhere.sets_variable(read.name);
      read.unset = !known->second;
    }
  }
}

/// Whoever installs a chart says its namespace.
void forgive_namespaces(Elsewhere& elsewhere, Model& model) {
  std::map<std::string, bool, std::less<>> given;  // by namespace
  for (Gang& gang : model.gangs) {
    if (!gang.remarks->queue_home.is_set()) continue;
    const auto [known, fresh] = given.try_emplace(gang.remarks->queue_home->value);
    if (fresh) known->second = elsewhere.gives_namespace(known->first);
    const std::string_view folder = folder_of(gang.file);
    const bool chart = folder.starts_with("templates") || contains(folder, "/templates");
    if (known->second || chart) gang.remarks.own().queue_home = {};
  }
}

/// What Rook's operator makes for each of its clusters: rook-ceph-mon-endpoints, rook-ceph-config.
/// Source: rook/rook:pkg/operator/ceph/cluster/mon/mon.go, EndpointConfigMapName (1.17).
bool is_of_rook(std::string_view name) { return name.starts_with("rook-ceph-"); }

void forgive_all(Elsewhere& elsewhere, Model& model) {
  forgive_namespaces(elsewhere, model);
  forgive_dangling(elsewhere, model);
  forgive_unset(elsewhere, model);
  forgive_service_variables(elsewhere, model);
  std::map<std::string_view, std::map<std::string_view, std::size_t>> lost;  // by name and file
  std::map<std::string_view, bool> made;                                     // of objects that lack a key
  for (KeyUse& use : model.key_uses) {
    if (use.lost && use.alone) use.lost = elsewhere.makes_config_maps() && !elsewhere.is_built(folder_of(use.file));
    if (use.lost && use.by_operator && elsewhere.makes(use.target.value)) use.lost = false;
    if (use.lost) lost[use.target.value][use.file] += use.by_operator ? kWholeFile : 1;
    if (use.missing && use.of != "Service") made.emplace(use.target.value, false);
  }
  for (const ClaimUse& use : model.claim_uses) {
    if (use.lost) ++lost[use.target.value][use.file];
  }
  if (lost.empty() && made.empty()) return;
  std::set<std::string_view> known;
  for (const auto& [name, by_file] : lost) {
    const bool of_operator = std::ranges::all_of(by_file, [](const auto& one) { return one.second >= kWholeFile; });
    if (elsewhere.speaks_of(name, by_file, of_operator) || elsewhere.fills_in_name(name)) known.insert(name);
  }
  for (auto& [name, is_made] : made) is_made = elsewhere.makes(name);
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> said;  // by file, object and name
  for (ClaimUse& use : model.claim_uses) {
    use.lost = use.lost && !known.contains(use.target.value);
    use.lost = use.lost && said.emplace(use.file, use.id, use.target.value).second;
  }
  for (KeyUse& use : model.key_uses) {
    use.lost = use.lost && !known.contains(use.target.value) && !is_of_rook(use.target.value);
    const std::string_view folder = folder_of(use.file);
    if (use.lost && (folder == "templates" || folder.ends_with("/templates")))
      use.lost = !elsewhere.fills_in_some(use.of, folder, use.target.value);
    if (use.lost && (use.of == "LocalQueue" || use.of == "ClusterQueue"))
      use.lost = !elsewhere.makes_of_marks(use.of, use.target.value);
    use.lost = use.lost && said.emplace(use.file, use.id, use.target.value).second;
    if (use.missing && use.of != "Service") use.missing = !made.at(use.target.value);
  }
}

}  // namespace

void forgive_named_elsewhere(const Inputs& inputs, Model& model) {
  Model* const one = &model;
  forgive_named_elsewhere(inputs, std::span(&one, 1));
}

void forgive_named_elsewhere(const Inputs& inputs, std::span<Model* const> models) {
  Elsewhere elsewhere(inputs);
  for (Model* model : models) {
    forgive_all(elsewhere, *model);
    forgive_other_policies(inputs, *model);
    forgive_native_proxies(inputs, *model);
    forgive_other_budgets(inputs, *model);
  }
}

void note_mounted_states(const Inputs& inputs, Model& model) {
  if (model.slurm_sites.empty()) return;
  Elsewhere elsewhere(inputs);
  for (SlurmSite& site : model.slurm_sites) {
    const SlurmSetting* state = site.setting("statesavelocation");
    if (state != nullptr) site.state_mounted = elsewhere.mounts_part_of(state->value.value, site.file);
  }
}

void note_sliced_accelerators(const Inputs& inputs, Model& model) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i)
    model.sliced_accelerators.merge(shared_accelerators(inputs.sources.file(static_cast<FileId>(i)).text()));
}

}  // namespace muster
