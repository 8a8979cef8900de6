#include "slurm/site.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/strings.h"
#include "slurm/conf_evidence.h"
#include "slurm/default_memory.h"
#include "slurm/memory_limits.h"
#include "slurm/node_sets.h"
#include "slurm/own_gres_conf.h"
#include "slurm/power_saving.h"
#include "slurm/records.h"
#include "slurm/site_paths.h"
#include "slurm/stated_release.h"
#include "slurm/topology.h"

namespace muster {
namespace {

constexpr int kMaxIncludeDepth = 16;
constexpr std::size_t kMaxLinesAgain = 100'000;  // of parts that are read more than once

bool is_main(const SlurmFile& file) {
  return std::ranges::any_of(*file.artifact->lines, [](const ConfLine& line) {
    return !line.pairs.empty() && (equals_ignoring_case(line.pairs.front().key, "clustername") ||
                                   equals_ignoring_case(line.pairs.front().key, "slurmctldhost") ||
                                   equals_ignoring_case(line.pairs.front().key, "controlmachine"));
  });
}

class Assembler {
 public:
  Assembler(const std::vector<SlurmFile>& files, Model& model, std::vector<Finding>& findings)
      : model_(model), findings_(findings) {
    std::set<std::string_view> paths;
    for (const SlurmFile& file : files) paths.insert(file.context->path);
    for (const SlurmFile& file : files) {
      if (is_spare_copy(file.context->path, paths)) continue;
      (file.artifact->in_part ? templates_ : by_path_)[file.context->path] = &file;
    }
  }

  void run() {
    // The file that includes is the site, whatever its parts hold. Maps keep the order of paths, whatever found them.
    find_parts();
    for (const bool main : {true, false}) {
      for (const auto& [path, file] : by_path_) {
        const bool open = file->artifact->kind->id == "slurm-conf" && !taken_.contains(path);
        if (open && !parts_.contains(path) && is_root(*file) == main) add_site(*file, !main);
      }
    }
    // Files that include each other in a circle.
    for (const auto& [path, file] : by_path_) {
      if (file->artifact->kind->id == "slurm-conf" && !taken_.contains(path)) add_site(*file, !is_main(*file));
    }
    for (const auto& [path, file] : by_path_) {
      if (file->artifact->kind->id == "topology-conf") find_topology_includes(*file);
    }
    for (const auto& [path, file] : templates_) {
      if (file->artifact->kind->id == "slurm-conf") add_template(*file);
    }
    for (const auto& [path, file] : by_path_) {
      const std::string_view kind = file->artifact->kind->id;
      if (kind == "gres-conf") read_gres_lines(*file->artifact, site_beside(*file), findings_);
      if (kind == "cgroup-conf") read_cgroup_lines(*file->artifact, site_beside(*file), findings_);
      if (kind == "slurmdbd-conf") read_database_lines(*file->artifact, site_beside(*file), findings_);
      if (kind == "topology-conf" && !taken_.contains(path)) {
        SlurmSite& site = site_beside(*file);
        TopologyConfLines conf{path, file->artifact->file, {}, {}};
        gather_topology(*file, site, conf, 0);
        read_topology_conf(conf, site);
      }
      if (kind == "topology-yaml") read_topology_yaml(*file->artifact, path, site_beside(*file));
    }
    for (const auto& [path, file] : templates_) read_template(*file);
    for (std::size_t i = 0; i < model_.slurm_sites.size(); ++i) finish(model_.slurm_sites[i], i);
    note_own_gres_confs(model_.slurm_sites);
  }

 private:
  static std::optional<Version> release_of(const SlurmFile& file) {
    return Version::parse(release_in_path(file.context->path));
  }

  /// Of what a template renders to nobody knows the rest: its lines stand for themselves.
  void read_template(const SlurmFile& file) {
    const std::string_view kind = file.artifact->kind->id;
    const bool filled = file.artifact->filled != nullptr;
    if (kind == "gres-conf") {
      SlurmSite& fragment = add_fragment(file);
      read_gres_lines(*file.artifact, fragment, findings_);
      if (filled) keep_filled_pairs(*file.artifact, "gres.conf", fragment);
    }
    if (kind == "slurmdbd-conf") {
      // Others are parts that a slurmdbd.conf includes.
      const bool whole = filled && contains("/" + file.context->path, "/slurmdbd.conf");
      SlurmSite* beside = whole ? site_of_database(file) : nullptr;
      SlurmSite& site = beside != nullptr ? *beside : add_fragment(file);
      read_database_lines(*file.artifact, site, findings_);
      if (filled) keep_filled_pairs(*file.artifact, "slurmdbd.conf", site);
      if (whole) read_filled_database(*file.artifact, site);
    }
    if (kind != "cgroup-conf") return;
    SlurmSite* beside = filled && fills_constraints(*file.artifact) ? nullptr : template_beside(file);
    SlurmSite& site = beside != nullptr ? *beside : add_fragment(file);
    read_cgroup_lines(*file.artifact, site, findings_);
    if (filled) keep_filled_pairs(*file.artifact, "cgroup.conf", site);
  }

  void add_template(const SlurmFile& file) {
    add_site(file, true);
    SlurmSite& site = model_.slurm_sites.back();
    // `slurm.conf.j2`
    site.named_slurm_conf = site.file.starts_with(conf_path(site.folder, "slurm.conf"));
    if (file.artifact->filled != nullptr) read_filled_lines(*file.artifact, site, findings_);
  }

  /// Whether what a template is filled in with decides about some Constrain...
  static bool fills_constraints(const Artifact& artifact) {
    return std::ranges::any_of(*artifact.filled, [&](const ConfLine& line) {
      const bool literal = std::ranges::any_of(
          *artifact.lines, [&](const ConfLine& one) { return one.where.begin == line.where.begin; });
      if (literal) return false;
      const std::string_view key = line.pairs.empty() ? std::string_view() : std::string_view(line.pairs.front().key);
      return key.empty() || contains(key, "{") || starts_with_ignoring_case(key, "constrain");
    });
  }

  /// The one site that fits of those beside a file, or in the other folder of its role; null: none or several.
  template <typename Fits>
  SlurmSite* only_beside(const SlurmFile& file, Fits fits) {
    const std::string other = other_role_folder(file.context->folder);
    SlurmSite* found = nullptr;
    for (SlurmSite& site : model_.slurm_sites) {
      if (site.folder != file.context->folder && site.folder != other) continue;
      if (!fits(site) || site.bundle != file.context->bundle || site.release != release_of(file)) continue;
      if (found != nullptr) return nullptr;
      found = &site;
    }
    return found;
  }

  /// The slurm.conf, or template of it, that a slurmdbd.conf goes with.
  SlurmSite* site_of_database(const SlurmFile& file) {
    SlurmSite* found = only_beside(file, [](const SlurmSite& site) {
      const bool named = site.named_slurm_conf || site.file == conf_path(site.folder, "slurm.conf.j2");
      return named && (!site.fragment || site.is_template);
    });
    return found != nullptr && found->database.empty() && !found->database_known ? found : nullptr;
  }

  /// The template of a slurm.conf that a cgroup.conf goes with.
  SlurmSite* template_beside(const SlurmFile& file) {
    SlurmSite* found = only_beside(file, [](const SlurmSite& site) { return site.is_template && !site.file.empty(); });
    return found != nullptr && !found->has_cgroup_conf ? found : nullptr;
  }

  void add_site(const SlurmFile& file, bool fragment) {
    SlurmSite site;
    site.folder = file.context->folder;
    site.file = file.context->path;
    site.bundle = file.context->bundle;
    site.release = release_of(file);
    const std::vector<ConfLine>& lines = *file.artifact->lines;
    site.where = lines.empty() ? Span{file.artifact->file, 0, 0} : lines.front().where;
    site.fragment = fragment;
    site.nodes_known = site.complete = !fragment && !model_.nixos_slurm;
    site.within = file.artifact->within != nullptr;
    site.named_slurm_conf = site.file == conf_path(site.folder, "slurm.conf");
    RecordReader reader(site, findings_, &model_.edited_keys);
    include(file, site, reader, 0);
    reader.finish();
    model_.slurm_sites.push_back(std::move(site));
  }

  /// Which files others include.
  void find_parts() {
    for (const auto& [path, file] : by_path_) {
      if (file->artifact->kind->id != "slurm-conf") continue;
      SlurmSite site;  // as far as finding files needs it
      site.folder = file->context->folder;
      for (const ConfLine& line : *file->artifact->lines) {
        if (!line.include) {
          const bool names = !line.pairs.empty() && equals_ignoring_case(line.pairs.front().key, "clustername");
          if (names) site.name = set_to(line.pairs.front().value, line.where);
          continue;
        }
        const SlurmFile* other = find_included(line.rest, *file, site);
        if (other != nullptr && other != file) parts_.insert(other->context->path);
      }
    }
  }

  /// It says that it is a whole site, or what it includes does.
  bool is_root(const SlurmFile& file) {
    SlurmSite site;
    site.folder = file.context->folder;
    std::set<std::string> seen;
    std::vector<const SlurmFile*> open{&file};
    while (!open.empty()) {
      const SlurmFile& one = *open.back();
      open.pop_back();
      if (!seen.insert(one.context->path).second) continue;
      if (!walked_.insert(&one).second && !take_lines(one, walk_again_)) return false;
      if (is_main(one)) return true;
      for (const ConfLine& line : *one.artifact->lines) {
        const SlurmFile* other = line.include ? find_included(line.rest, one, site) : nullptr;
        if (other != nullptr) open.push_back(other);
      }
    }
    return false;
  }

  /// A part that two sites include is read in each; what is wrong with its lines is said once.
  void include(const SlurmFile& file, SlurmSite& site, RecordReader& reader, int depth) {
    const bool again = !taken_.insert(file.context->path).second;
    const std::size_t said = findings_.size();
    read_lines(file, site, reader, depth);
    if (again) findings_.resize(said);
  }

  void read_lines(const SlurmFile& file, SlurmSite& site, RecordReader& reader, int depth) {
    open_.push_back(&file);
    for (const ConfLine& line : *file.artifact->lines) {
      if (!line.include) {
        reader.read(line);
        continue;
      }
      const Span where = line.rest_where.placed() ? line.rest_where : line.where;
      const bool names_file = check_include_path(line, where);
      const SlurmFile* other = find_included(line.rest, file, site);
      // A file that is elsewhere may define anything.
      const bool circle = other != nullptr && std::ranges::find(open_, other) != open_.end();
      if (other == nullptr || circle || depth == kMaxIncludeDepth || !affords(*other)) {
        site.nodes_known = site.nodes_known && other != nullptr;
        site.complete = site.complete && other != nullptr;
        if (other == nullptr && names_file) site.unfollowed.push_back(set_to(line.rest, where, "Include"));
        continue;
      }
      include(*other, site, reader, depth + 1);
    }
    open_.pop_back();
  }

  /// Parts that include parts twice over may not make more of it than files of a usual length would.
  bool affords(const SlurmFile& file) { return !taken_.contains(file.context->path) || take_lines(file, again_); }
  static bool take_lines(const SlurmFile& file, std::size_t& left) {
    const std::size_t lines = file.artifact->lines->size() + 1;
    if (lines > left) return false;
    left -= lines;
    return true;
  }

  /// What a topology.conf includes is no topology of its own.
  void find_topology_includes(const SlurmFile& file) {
    for (const ConfLine& line : *file.artifact->lines) {
      const SlurmFile* other = line.include ? find_beside(line.rest, file, file.context->folder) : nullptr;
      if (other != nullptr && other != &file) taken_.insert(other->context->path);
    }
  }

  /// The lines of a topology.conf; those of an included file stand where the Include stands.
  /// Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5: as in slurm.conf, but %c is not known here.
  void gather_topology(const SlurmFile& file, const SlurmSite& site, TopologyConfLines& out, int depth) {
    for (const ConfLine& line : *file.artifact->lines) {
      if (!line.include) {
        out.lines.push_back(&line);
        continue;
      }
      const Span where = line.rest_where.placed() ? line.rest_where : line.where;
      const bool names_cluster = contains(line.rest, "%c");
      check_include_path(line, where);
      if (names_cluster)
        findings_.push_back(
            problem("slurm-include-unreadable", where, "`%c` stands for the name of the cluster in slurm.conf alone"));
      const SlurmFile* other = names_cluster ? nullptr : find_beside(line.rest, file, site.folder);
      const bool itself =
          other != nullptr && (other == &file || other->context->path == out.path || depth == kMaxIncludeDepth);
      if (itself)
        findings_.push_back(problem("slurm-include-unreadable", where,
                                    "this file includes itself: Slurm opens it until it can open no more"));
      if (other == nullptr) out.missing_include = line.rest;
      if (other != nullptr && !itself) gather_topology(*other, site, out, depth + 1);
    }
  }

  /// Whether the line names one file; reports it otherwise.
  bool check_include_path(const ConfLine& line, Span where) {
    if (line.rest.find_first_of("*? \t") == line.rest.npos && !line.rest.starts_with('"')) return true;
    findings_.push_back(
        problem("slurm-include-unreadable", where,
                "Slurm takes `" + line.rest + "` for the name of one file: it knows neither patterns nor quotes here"));
    return false;
  }

  /// A file of lines, whatever its kind, by the path of an Include in `from`.
  const SlurmFile* find_beside(const std::string& path, const SlurmFile& from, const std::string& folder) const {
    const std::string base = path.substr(path.rfind('/') + 1);
    for (const std::string& candidate :
         {conf_path(folder, path), conf_path(from.context->folder, path), conf_path(folder, base)}) {
      const auto found = by_path_.find(candidate);
      if (found != by_path_.end() && found->second->artifact->lines != nullptr) return found->second;
    }
    return nullptr;
  }

  /// Relative to the folder of slurm.conf; absolute paths are looked for beside it, where a repository keeps them.
  const SlurmFile* find_included(std::string_view path, const SlurmFile& from, const SlurmSite& site) const {
    const SlurmFile* found =
        find_beside(replace_all(std::string(path), "%c", to_lower(site.name.value)), from, site.folder);
    return found != nullptr && found->artifact->kind->id == "slurm-conf" ? found : nullptr;
  }

  /// `gres.conf.dgx` beside a gres.conf: Slurm opens that one, and what this one is for nobody says. `cgroup.conf.off`
  /// is what somebody put aside.
  bool is_variant(const SlurmFile& file) const {
    for (const std::string_view name : {"gres.conf", "cgroup.conf", "slurmdbd.conf"}) {
      if (file.artifact->kind->id != kind_opened_as(name)) continue;
      const std::string opened = conf_path(file.context->folder, name);
      const std::string_view path = file.context->path;
      if (without_spare_ending(path) == opened) return true;
      return path != opened && by_path_.contains(opened);
    }
    return false;
  }

  /// The one site of the file's folder (of several, the one whose file is called slurm.conf), else a new fragment.
  SlurmSite& site_beside(const SlurmFile& file) {
    SlurmSite* found = nullptr;
    int mains = 0;
    for (SlurmSite& site : model_.slurm_sites) {
      if (site.folder != file.context->folder || site.fragment) continue;
      ++mains;
      const bool named = site.file == conf_path(site.folder, "slurm.conf");
      if (found == nullptr || named) found = &site;
      if (named) mains = 1;
      if (named) break;
    }
    if (mains == 1 && !is_variant(file)) return *found;
    if (file.artifact->kind->id == "slurmdbd-conf" && !is_variant(file)) {
      if (SlurmSite* site = site_of_database(file)) return *site;
    }
    const std::optional<Version> release = release_of(file);
    for (SlurmSite& site : model_.slurm_sites) {
      const bool here = site.folder == file.context->folder && site.fragment && site.file.empty();
      if (here && site.release == release) return site;
    }
    if (file.artifact->kind->id == "cgroup-conf" && !is_variant(file)) {
      if (SlurmSite* site = template_beside(file)) return *site;
      if (SlurmSite* site = only_site()) return *site;
    }
    return add_fragment(file);
  }

  /// Of an input with one slurm.conf and one cgroup.conf: roles keep them apart that are installed side by side.
  SlurmSite* only_site() {
    const auto is_cgroup_conf = [](const auto& one) { return one.second->artifact->kind->id == "cgroup-conf"; };
    if (std::ranges::count_if(by_path_, is_cgroup_conf) + std::ranges::count_if(templates_, is_cgroup_conf) != 1)
      return nullptr;
    SlurmSite* found = nullptr;
    for (SlurmSite& site : model_.slurm_sites) {
      if (site.file.empty()) continue;
      if (found != nullptr) return nullptr;
      found = &site;
    }
    return found;
  }

  /// A site of a file that has no slurm.conf.
  SlurmSite& add_fragment(const SlurmFile& file) {
    SlurmSite site;
    site.folder = file.context->folder;
    site.bundle = file.context->bundle;
    site.release = release_of(file);
    site.fragment = true;
    site.complete = false;
    const std::vector<ConfLine>* lines = file.artifact->lines;
    site.where = Span{file.artifact->file, 0, 0};
    if (lines != nullptr && !lines->empty()) site.where = lines->front().where;
    if (lines == nullptr && file.artifact->object.exists()) site.where = file.artifact->object.where();
    model_.slurm_sites.push_back(std::move(site));
    return model_.slurm_sites.back();
  }

  void finish(SlurmSite& site, std::size_t index) {
    for (SlurmSetting& setting : site.settings) setting.site = index;
    for (SlurmSetting& setting : site.record_pairs) setting.site = index;
    for (SlurmSetting& setting : site.cgroup) setting.site = index;
    for (SlurmSetting& setting : site.database) setting.site = index;
    for (SlurmNodeSet& set : site.node_sets) set.site = index;
    for (SlurmDownNodes& down : site.down_nodes) down.site = index;
    for (GresLine& line : site.gres_lines) line.site = index;
    for (UselessDefault& line : site.useless_defaults) line.site = index;
    for (SlurmPartition& partition : site.partitions) {
      partition.site = index;
      for (SlurmSetting& setting : partition.settings) setting.site = index;
    }
    std::uint64_t total = 0;
    for (SlurmNodes& nodes : site.nodes) {
      nodes.site = index;
      site.has_gpus = site.has_gpus || nodes.gpus_each > 0;
      if (!nodes.hosts || !nodes.hosts->functions().empty()) {
        site.nodes_known = false;
        continue;
      }
      total += nodes.hosts->size();
      site.node_total = static_cast<std::int64_t>(total);
      if (total > Hostlist::kMaxExpanded) site.nodes_known = false;
    }
    // Dynamic nodes may join later under any name (MaxNodeCount makes room for them).
    const bool dynamic = site.setting("maxnodecount") != nullptr;
    if (site.nodes.empty() || dynamic) site.nodes_known = false;
    const SlurmSetting* types = site.setting("grestypes");
    if (dynamic && site.nodes.empty() && types != nullptr && site.has_gres_type("gpu") == true)
      site.gpus_filled = types->value;
    relate_records(site);
    if (site.nodes_known) name_nodes(site);
    finish_topologies(site, index);
    site.table = resolve_site(site);
    find_unset_memory(site);
    check_memory_limits(site, findings_);
    check_default_memory(site, findings_);
    check_power_saving(site, findings_);
    find_lost_features(site);
    for (SiteNodes& group : site.table.groups) group.site = index;
    for (SiteDevices& devices : site.table.devices) devices.site = index;
  }

  static void name_nodes(SlurmSite& site) {
    for (const SlurmNodes& nodes : site.nodes) {
      nodes.hosts->each([&](std::string name) { site.node_names.push_back(std::move(name)); });
    }
    std::ranges::sort(site.node_names);
    site.node_names.erase(std::unique(site.node_names.begin(), site.node_names.end()), site.node_names.end());
  }

  static bool is_sound(const SlurmSite& site, std::size_t t) {
    const bool broken_line = std::ranges::any_of(site.topology_marks, [&](const TopologyMark& mark) {
      using What = TopologyMark::What;
      return mark.topology == t &&
             (mark.what == What::Syntax || mark.what == What::UnknownKey || mark.what == What::Hostlist ||
              mark.what == What::OpenBracket || mark.what == What::FieldType || mark.what == What::UnknownField);
    });
    return !broken_line && !site.topologies[t].has_cycle &&
           std::ranges::none_of(site.topologies[t].switches, [](const Switch& one) {
             const bool both = one.nodes_text.state != State::Absent && one.children_text.state != State::Absent;
             return both || one.duplicate_of || !std::ranges::all_of(one.children, &SwitchChild::defined);
           });
  }

  void finish_topologies(SlurmSite& site, std::size_t index) {
    const bool has_yaml = std::ranges::any_of(site.topologies, &Topology::yaml);
    for (std::size_t t = 0; t < site.topologies.size(); ++t) {
      Topology& topology = site.topologies[t];
      topology.site = index;
      topology.shadowed = has_yaml && !topology.yaml;
      const auto place = [&](auto& unit) {
        unit.site = index;
        unit.topology = t;
      };
      std::ranges::for_each(topology.blocks, place);
      for (Switch& tree_switch : topology.switches) {
        place(tree_switch);
        std::ranges::for_each(tree_switch.children, place);
      }
      const std::size_t first = site.topology_marks.size();
      analyse_topology(topology, site.nodes_known ? &site.node_names : nullptr, site.topology_marks);
      for (std::size_t m = first; m < site.topology_marks.size(); ++m) site.topology_marks[m].topology = t;
      // Of a file that cannot be read whole nobody can tell what hangs together.
      if (!is_sound(site, t) || !topology.missing_include.empty()) topology.root_count = 0;
    }
    check_topology_settings(site, model_.makes_topology);
    for (TopologyMark& mark : site.topology_marks) mark.site = index;
  }

  Model& model_;
  std::vector<Finding>& findings_;
  std::map<std::string, const SlurmFile*> by_path_;
  std::map<std::string, const SlurmFile*> templates_;
  std::set<std::string> taken_;
  std::set<std::string> parts_;         ///< paths that others include
  std::vector<const SlurmFile*> open_;  ///< those that are being read, the including one first
  std::set<const SlurmFile*> walked_;   ///< in search of a root
  std::size_t again_ = kMaxLinesAgain;
  std::size_t walk_again_ = kMaxLinesAgain;
};

}  // namespace

void assemble_slurm_sites(const std::vector<SlurmFile>& files, Model& model, std::vector<Finding>& findings) {
  Assembler(files, model, findings).run();
}

}  // namespace muster
