#include "kustomize/build.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/paths.h"
#include "base/strings.h"
#include "kustomize/generate.h"
#include "kustomize/patches.h"
#include "kustomize/replacements.h"

namespace muster::kustomize {
namespace {

constexpr std::size_t kDeepestBase = 50;   // kustomizations within kustomizations
constexpr std::size_t kMaxVisits = 2'000;  // of kustomizations, for one result
constexpr std::size_t kStepsOfVisit = 1'000;

// Source: kubernetes-sigs/kustomize:api/types/kustomization.go, EnforceFields (5.8); executed with kustomize 5.8.1.
constexpr std::string_view kKustomizationVersion = "kustomize.config.k8s.io/v1beta1";
constexpr std::string_view kComponentVersion = "kustomize.config.k8s.io/v1alpha1";
constexpr std::array<std::string_view, 25> kReadFields{"apiVersion",
                                                       "bases",
                                                       "buildMetadata",
                                                       "commonAnnotations",
                                                       "commonLabels",
                                                       "components",
                                                       "configMapGenerator",
                                                       "configurations",
                                                       "generatorOptions",
                                                       "imageTags",
                                                       "images",
                                                       "kind",
                                                       "labels",
                                                       "metadata",
                                                       "namePrefix",
                                                       "nameSuffix",
                                                       "namespace",
                                                       "patches",
                                                       "patchesJson6902",
                                                       "patchesStrategicMerge",
                                                       "replacements",
                                                       "replicas",
                                                       "resources",
                                                       "secretGenerator",
                                                       "sortOptions"};

/// Fields that need other programs or schemas, or that nobody should use any more.
constexpr std::string_view kOtherFields[] = {"crds",         "generators",  "helmChartInflationGenerator",
                                             "helmCharts",   "helmGlobals", "openapi",
                                             "transformers", "validators",  "vars"};

bool says_something(const Tree& field) {
  return field.is_scalar() ? !field.text.empty() : !field.items.empty() || !field.members.empty();
}

/// What has come together on the way.
struct Gathered {
  Resources objects;
  std::optional<FieldConfig> extended;  ///< where some `configurations` say more

  const FieldConfig& config() const { return extended ? *extended : FieldConfig::shipped(); }
  FieldConfig& own_config() { return extended ? *extended : extended.emplace(FieldConfig::shipped()); }
};

class Build {
 public:
  Build(Files& files, Work& work, Built& out) : files_(files), work_(work), out_(out) {}

  bool run(const std::string& folder) {
    Gathered all;
    if (!gather(folder, false, all)) return false;
    for (Resource& resource : all.objects) {
      if (!resource.needs_hash || resource.object.is_null()) continue;
      resource.remember_id();
      Tree& name = resource.object.at("metadata", {}).at("name", {});
      name.text += "-" + hash_of(resource.object);
    }
    if (!update_references(all.objects, all.config().references, work_)) return false;
    for (Resource& resource : all.objects) {
      drop_empty_annotations(resource);
      quote_annotations(resource);
      quote_old_booleans(resource.object);
    }
    std::erase_if(all.objects,
                  [](const Resource& resource) { return resource.object.is_null() || is_local(resource); });
    out_.objects = std::move(all.objects);
    return true;
  }

 private:
  /// kustomize keeps its books there, and leaves none behind.
  static void drop_empty_annotations(Resource& resource) {
    Tree* metadata = resource.object.find("metadata");
    const Tree* annotations = metadata == nullptr || resource.past.empty() ? nullptr : metadata->find("annotations");
    if (annotations != nullptr && annotations->members.empty()) metadata->erase("annotations");
  }

  /// kustomize writes the annotations of each object anew, as texts: `true` becomes `"true"`. Labels stay what they
  /// are. Executed with kustomize 5.5.0.
  static void quote_annotations(Resource& resource) {
    Tree* metadata = resource.object.find("metadata");
    Tree* annotations = metadata == nullptr ? nullptr : metadata->find("annotations");
    if (annotations == nullptr) return;
    for (Member& one : annotations->members) {
      if (one.value.is_scalar() && !one.value.is_text()) one.value.style = ScalarStyle::Quoted;
    }
  }

  /// `off`, `yes`: no booleans in YAML 1.2, by which kustomize reads, and in quotes where it writes them, lest others
  /// take them for some. Executed with kubectl's kustomize 5.5.0.
  static void quote_old_booleans(Tree& tree) {
    if (tree.is_old_boolean()) tree.style = ScalarStyle::Quoted;
    for (Tree& item : tree.items) quote_old_booleans(item);
    for (Member& one : tree.members) quote_old_booleans(one.value);
  }

  static bool is_local(const Resource& resource) {
    const Tree* metadata = resource.object.find("metadata");
    const Tree* annotations = metadata == nullptr ? nullptr : metadata->find("annotations");
    const Tree* local = annotations == nullptr ? nullptr : annotations->find("config.kubernetes.io/local-config");
    return local != nullptr && local->text != "false";
  }

  /// The kustomization of a folder added to what is there; a component changes that, too.
  bool gather(const std::string& folder, bool component, Gathered& into) {
    const FileId* file = files_.kustomization_in(folder);
    if (file == nullptr) return work_.fail("there is not one kustomization in `" + folder + "`");
    if (std::ranges::find(way_, folder) != way_.end())
      return work_.fail("`" + folder + "` is built of itself: a cycle");
    if (way_.size() >= kDeepestBase) return work_.fail("kustomizations stand in each other more than 50 deep");
    if (++visits_ > kMaxVisits) return work_.fail("it is made of more than 2,000 kustomizations");
    const std::vector<Tree>* documents = nullptr;
    if (!work_.spend(kStepsOfVisit) || !files_.documents_of(*file, work_, documents)) return false;
    if (documents->size() != 1 || !documents->front().is_mapping())
      return work_.fail("`" + files_.sources().file(*file).path() + "` is not one mapping");
    out_.parts.insert(*file);
    way_.push_back(folder);
    const bool good = add(documents->front(), folder, component, into);
    way_.pop_back();
    return good;
  }

  bool add(const Tree& root, const std::string& folder, bool component, Gathered& into) {
    if (!check(root, component)) return false;
    return add_resources(root, folder, into) && configure(root, folder, into) && generate(root, folder, into) &&
           add_components(root, folder, into) && transform(root, folder, into);
  }

  bool check(const Tree& root, bool component) {
    const std::string_view kind = text_at(root, "kind");
    if (component != (kind == "Component"))
      return work_.fail(component ? "an entry of `components` is no Component" : "a Component is no resource");
    if (!kind.empty() && kind != "Kustomization" && kind != "Component")
      return work_.fail("a kustomization is of kind `" + std::string(kind) + "`");
    const std::string_view version = text_at(root, "apiVersion");
    const std::string_view takes = kind == "Component" ? kComponentVersion : kKustomizationVersion;
    if (!version.empty() && version != takes)
      return work_.fail("the apiVersion of a " + std::string(kind.empty() ? "Kustomization" : kind) + " is `" +
                        std::string(takes) + "`, not `" + std::string(version) + "`");
    for (const Member& member : root.members) {
      if (std::ranges::find(kReadFields, member.key) != kReadFields.end()) continue;
      if (std::ranges::find(kOtherFields, member.key) == std::end(kOtherFields))
        return work_.fail("there is no field `" + member.key + "` in a kustomization");
      if (says_something(member.value)) return work_.fail("muster does not build `" + member.key + "`");
    }
    const auto says_nothing = [](const Member& member) {
      return member.key == "apiVersion" || member.key == "kind" || member.value.is_null();
    };
    if (std::ranges::all_of(root.members, says_nothing)) return work_.fail("a kustomization is empty");
    for (const std::string_view field : {"namespace", "namePrefix", "nameSuffix"}) {
      const Tree* value = root.find(field);
      if (value != nullptr && !value->is_null() && !value->is_text())
        return work_.fail("`" + std::string(field) + "` of a kustomization is no text: it needs quotes");
    }
    return true;
  }

  template <class Visit>
  bool each(const Tree& root, std::string_view field, Visit visit) {
    const Tree* list = root.find(field);
    if (list == nullptr || list->is_null()) return true;
    if (!list->is_sequence()) return work_.fail("`" + std::string(field) + "` of a kustomization is no list");
    return std::ranges::all_of(list->items, visit);
  }

  // --- what it is made of ---

  bool add_resources(const Tree& root, const std::string& folder, Gathered& into) {
    const auto add_one = [&](const Tree& entry) { return add_resource(entry, folder, into); };
    return each(root, "resources", add_one) && each(root, "bases", add_one) && are_distinct(into.objects, work_);
  }

  bool add_resource(const Tree& entry, const std::string& folder, Gathered& into) {
    const std::string path = joined_path(folder, entry.text);
    if (!entry.is_scalar() || entry.text.empty()) return work_.fail("an entry of `resources` is no path");
    if (const FileId* file = files_.find(path)) {
      const std::vector<Tree>* documents = nullptr;
      if (!files_.documents_of(*file, work_, documents)) return false;
      out_.parts.insert(*file);
      Resources found;
      for (const Tree& document : *documents) {
        if (!add_objects(document, work_, found)) return false;
      }
      return append(std::move(found), into.objects);
    }
    if (files_.is_empty(path)) return true;
    if (files_.kustomization_in(path) == nullptr) return missing(entry, folder);
    Gathered below;
    if (!gather(path, false, below)) return false;
    if (below.extended) into.own_config().merge(*below.extended);
    return append(std::move(below.objects), into.objects);
  }

  bool missing(const Tree& entry, const std::string& folder) {
    return fail_missing(work_, "", entry.text, folder, entry.where);
  }

  static bool append(Resources from, Resources& into) {
    for (Resource& resource : from) {
      if (!resource.object.is_null()) into.push_back(std::move(resource));
    }
    return true;
  }

  bool add_components(const Tree& root, const std::string& folder, Gathered& into) {
    return each(root, "components", [&](const Tree& entry) {
      const std::string path = joined_path(folder, entry.text);
      if (files_.kustomization_in(path) == nullptr) return missing(entry, folder);
      return gather(path, true, into);
    });
  }

  bool configure(const Tree& root, const std::string& folder, Gathered& into) {
    return each(root, "configurations", [&](const Tree& entry) {
      const FileId* file = files_.find(joined_path(folder, entry.text));
      if (file == nullptr) return missing(entry, folder);
      const std::vector<Tree>* documents = nullptr;
      if (!files_.documents_of(*file, work_, documents)) return false;
      return std::ranges::all_of(*documents, [&](const Tree& one) { return into.own_config().add_file(one, work_); });
    });
  }

  bool generate(const Tree& root, const std::string& folder, Gathered& into) {
    bool secret = false;
    const ReadFile read = [&](std::string_view path, Span& where) -> std::optional<std::string_view> {
      const std::string whole = joined_path(folder, path);
      const FileId* file = files_.find(whole);
      if (file == nullptr && !secret && !is_remote(path)) out_.unread.emplace_back(whole, where);
      if (file == nullptr) return std::nullopt;
      const std::string_view text = files_.sources().file(*file).text();
      where = {*file, 0, static_cast<std::uint32_t>(text.size())};
      return text;
    };
    const Tree* options = root.find("generatorOptions");
    for (const auto& [field, kind] : {std::pair("configMapGenerator", "ConfigMap"), {"secretGenerator", "Secret"}}) {
      secret = kind == std::string_view("Secret");
      const bool good = each(root, field, [&, kind = kind](const Tree& entry) {
        Resource made;
        return generate_object(kind, entry, options, read, work_, made, out_.missing) &&
               absorb(into.objects, std::move(made), work_);
      });
      if (!good) return false;
    }
    return true;
  }

  // --- what changes it ---

  bool transform(const Tree& root, const std::string& folder, Gathered& into) {
    const PatchPlace place{files_, folder, out_.parts};
    Resources& objects = into.objects;
    const FieldConfig& config = into.config();
    if (!each(root, "patchesStrategicMerge",
              [&](const Tree& entry) { return apply_merge_entry(objects, entry, place, work_); }) ||
        !each(root, "patches", [&](const Tree& entry) { return apply_patch_entry(objects, entry, place, work_); }))
      return false;
    if (const Tree* space = said(root, "namespace");
        space != nullptr && !set_namespace(objects, space->text, space->where, config.name_space, work_))
      return false;
    if (const Tree* prefix = said(root, "namePrefix");
        prefix != nullptr && !add_prefix(objects, prefix->text, config.name_prefix, work_))
      return false;
    if (const Tree* suffix = said(root, "nameSuffix");
        suffix != nullptr && !add_suffix(objects, suffix->text, config.name_suffix, work_))
      return false;
    if (!add_labels(root, into) || !add_annotations(root, into)) return false;
    return each(root, "patchesJson6902",
                [&](const Tree& entry) { return apply_patch_entry(objects, entry, place, work_); }) &&
           each(root, "replicas",
                [&](const Tree& entry) { return set_replicas(objects, entry, config.replicas, work_); }) &&
           each(root, "images", [&](const Tree& entry) { return set_image(objects, entry, config.images, work_); }) &&
           each(root, "imageTags",
                [&](const Tree& entry) { return set_image(objects, entry, config.images, work_); }) &&
           each(root, "replacements", [&](const Tree& entry) { return replace_values(objects, entry, place, work_); });
  }

  static const Tree* said(const Tree& root, std::string_view field) {
    const Tree* value = root.find(field);
    return value == nullptr || !value->is_scalar() || value->text.empty() ? nullptr : value;
  }

  /// Labels and annotations, which have to be texts.
  bool are_texts(const Tree* pairs) {
    if (pairs == nullptr || pairs->is_null()) return true;
    if (!pairs->is_mapping()) return work_.fail("labels or annotations of a kustomization are no mapping");
    for (const Member& pair : pairs->members) {
      if (!pair.value.is_text() && !pair.value.is_null())
        return work_.fail("`" + pair.key + ": " + pair.value.text + "` is no text: it needs quotes");
    }
    return true;
  }

  bool add_labels(const Tree& root, Gathered& into) {
    const bool good = each(root, "labels", [&](const Tree& entry) {
      const Tree* pairs = entry.find("pairs");
      if (!are_texts(pairs)) return false;
      FieldConfig own;
      Tree fields = empty_mapping(entry.where);
      if (const Tree* more = entry.find("fields")) fields.at("labels", entry.where) = *more;
      if (!own.add_file(fields, work_)) return false;
      FieldConfig add;
      add.labels = into.config().labels;
      if (text_at(entry, "includeSelectors") == "true") {
        add.labels.insert(add.labels.end(), into.config().common_labels.begin(), into.config().common_labels.end());
      } else {
        if (text_at(entry, "includeTemplates") == "true") add.labels = into.config().template_labels;
        add.labels.push_back({{}, "metadata/labels", true});
      }
      own.merge(add);
      return pairs == nullptr || add_pairs(into.objects, pairs->members, own.labels, work_);
    });
    const Tree* common = root.find("commonLabels");
    return good && are_texts(common) &&
           (common == nullptr || add_pairs(into.objects, common->members, into.config().common_labels, work_));
  }

  bool add_annotations(const Tree& root, Gathered& into) {
    const Tree* common = root.find("commonAnnotations");
    return are_texts(common) &&
           (common == nullptr || add_pairs(into.objects, common->members, into.config().common_annotations, work_));
  }

  Files& files_;
  Work& work_;
  Built& out_;
  std::vector<std::string> way_;
  std::size_t visits_ = 0;
};

}  // namespace

bool build(Files& files, const std::string& folder, Work& work, Built& out) {
  return Build(files, work, out).run(folder);
}

Mentioned mentioned_by(Files& files, const std::string& folder) {
  Mentioned out;
  Work work;
  const std::vector<Tree>* documents = nullptr;
  const FileId* file = files.kustomization_in(folder);
  if (file == nullptr || !files.documents_of(*file, work, documents)) return out;
  const auto each = [](const Tree& root, std::string_view field, auto visit) {
    const Tree* list = root.find(field);
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) visit(list->items[i]);
  };
  const auto is_outside = [&](std::string_view path) { return !folder.empty() && !path.starts_with(folder + "/"); };
  for (const Tree& root : *documents) {
    for (const std::string_view field : {"resources", "bases", "components"}) {
      each(root, field, [&](const Tree& entry) {
        const std::string path = joined_path(folder, entry.text);
        if (files.kustomization_in(path) != nullptr) out.folders.insert(path);
        if (const FileId* resource = files.find(path)) {
          out.resources.insert(*resource);
          if (is_outside(path)) out.outside.push_back(entry.where);
        } else if (entry.is_scalar() && !entry.text.empty() && !is_remote(entry.text) && !files.is_empty(path) &&
                   files.kustomization_in(path) == nullptr) {
          out.absent.emplace_back(path, entry.where);
        }
      });
    }
    for (const std::string_view field : {"patchesStrategicMerge", "patches", "patchesJson6902"}) {
      each(root, field, [&](const Tree& entry) {
        const std::string_view path = entry.is_scalar() ? std::string_view(entry.text) : text_at(entry, "path");
        if (const FileId* patch = path.empty() ? nullptr : files.find(joined_path(folder, path)))
          out.patches.insert(*patch);
        const Tree* named = entry.is_scalar() ? &entry : entry.find("path");
        if (!path.empty() && files.find(joined_path(folder, path)) != nullptr && is_outside(joined_path(folder, path)))
          out.outside.push_back(named->where);
      });
    }
  }
  return out;
}

}  // namespace muster::kustomize
