#include "pipeline/compose_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostNodes = 5000;  // of a site of containers
constexpr std::size_t kMostNamed = 4;       // nodes in one message

struct ComposeFile {
  const Manifest* manifest = nullptr;
  std::string folder;
  const WrittenValue* services = nullptr;
};

using Visit = const std::function<void(const WrittenValue& value)>&;

void each_item(const WrittenValue* list, Visit visit) {
  if (list == nullptr || list->kind != WrittenValue::Kind::List) return;
  for (const WrittenValue& one : list->items()) visit(one);
}

std::string_view text_at(const WrittenValue* value) {
  return value != nullptr && value->is_text() ? value->text() : "";
}

bool is_map(const WrittenValue* value) { return value != nullptr && value->kind == WrittenValue::Kind::Map; }

/// What a service has, its own or by `<<`.
const WrittenValue* part_of(const WrittenValue& service, std::string_view key, int depth = 0) {
  if (const WrittenValue* own = service.find(key)) return own;
  const WrittenValue* merged = depth < 3 ? service.find("<<") : nullptr;
  if (is_map(merged)) return part_of(*merged, key, depth + 1);
  const WrittenValue* found = nullptr;
  each_item(merged, [&](const WrittenValue& one) {
    if (found == nullptr && is_map(&one)) found = part_of(one, key, depth + 1);
  });
  return found;
}

/// `name:/path`, `./folder:/path:ro`.
struct Mount {
  std::string_view source;
  std::string_view target;
  bool named = false;  ///< the source is a volume
};

std::optional<Mount> mount_of(const WrittenValue& value) {
  Mount out;
  if (is_map(&value)) {
    out.source = value.text_of("source");
    out.target = value.text_of("target");
    out.named = value.text_of("type") == "volume";
    if (value.text_of("type") != "bind" && !out.named) return std::nullopt;
    return out;
  }
  if (!value.is_text() || contains(value.text(), "$")) return std::nullopt;
  const std::vector<std::string_view> parts = split(value.text(), ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty()) return std::nullopt;
  out.source = parts[0];
  out.target = parts[1];
  out.named = out.source.find_first_of("/\\~.") != 0 && !contains(out.source, "/");
  return out;
}

/// Whether a service is given a GPU by any of the ways there are.
bool has_gpus(const WrittenValue& service) {
  for (const char* key : {"gpus", "devices", "privileged", "extends"}) {
    if (part_of(service, key) != nullptr) return true;
  }
  if (text_at(part_of(service, "runtime")) == "nvidia") return true;
  const WrittenValue* at = part_of(service, "deploy");
  for (const char* key : {"resources", "reservations", "devices"}) at = is_map(at) ? at->find(key) : nullptr;
  return at != nullptr;
}

class ComposeFiles {
 public:
  ComposeFiles(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), findings_(findings), reach_(inputs), names_(inputs) {
    const ManifestDef* def = &manifest_def("compose_files");
    for (const Manifest& one : model.manifests) {
      if (one.def != def) continue;
      const WrittenValue* services = one.part("config").find("services");
      if (is_map(services)) files_.push_back({&one, std::string(folder_of(one.file)), services});
    }
  }

  void run() {
    for (const ComposeFile& file : files_) {
      references(file);
      names_twice(file);
      paths(file);
    }
    if (model_.slurm_sites.size() > 0 && !files_.empty()) sites();
  }

 private:
  void report(std::string_view rule, const Span& where, std::string message) {
    findings_.push_back(problem(rule, where, std::move(message)));
  }

  /// Each image may have a copy of slurm.conf: what is said of one holds for all.
  void report_once(std::string_view rule, const Span& where, std::string message) {
    if (said_.insert(std::string(rule) + message).second) report(rule, where, std::move(message));
  }

  /// Whether a Compose file has it at the top, or may bring it: several may be put together.
  bool is_defined(const ComposeFile& file, std::string_view section, std::string_view name) {
    const WrittenValue& config = file.manifest->part("config");
    const WrittenValue* there = config.find(section);
    if (config.find("include") != nullptr || (is_map(there) && there->find(name) != nullptr)) return true;
    return names_.is_said_in_line(name, [&](std::size_t i, std::string_view line) {
      const std::string& path = inputs_.files[i].context.path;
      const bool key = trim(line).starts_with(name) && trim(line).substr(name.size()).starts_with(':');
      return key && path != file.manifest->file && contains_ignoring_case(path, "compose");
    });
  }

  void references(const ComposeFile& file) {
    // Of an override, or of a file beside others that are not read, the other half may stand elsewhere.
    const std::string_view name = last_part(file.manifest->file.view());
    if (std::ranges::count(name, '.') > 1 || contains(name, "override")) return;
    for (std::size_t s = 0; s < file.services->items().size(); ++s) {
      const WrittenValue& service = file.services->items()[s];
      if (!is_map(&service) || part_of(service, "extends") != nullptr) continue;
      const auto lost = [&](std::string_view section, std::string_view what, std::string_view word, const Span& where) {
        if (word.empty() || contains(word, "$") || is_defined(file, section, word)) return;
        report("compose-reference-undefined", where,
               "service `" + std::string(file.services->keys()[s]) + "` names the " + std::string(what) + " `" +
                   std::string(word) + "`, and no `" + std::string(section) + "` of the file has it");
      };
      each_item(part_of(service, "volumes"), [&](const WrittenValue& one) {
        const std::optional<Mount> mount = mount_of(one);
        if (mount && mount->named) lost("volumes", "volume", mount->source, one.where);
      });
      const auto each_name = [&](const char* key, std::string_view section, std::string_view what) {
        const WrittenValue* list = part_of(service, key);
        each_item(list, [&](const WrittenValue& one) {
          if (text_at(&one) != "default") lost(section, what, text_at(&one), one.where);
        });
        if (!is_map(list)) return;
        for (std::size_t i = 0; i < list->items().size(); ++i) {
          if (list->keys()[i] != "default") lost(section, what, list->keys()[i], list->items()[i].where);
        }
      };
      each_name("networks", "networks", "network");
      each_name("depends_on", "services", "service");
      each_item(part_of(service, "secrets"), [&](const WrittenValue& one) {
        lost("secrets", "secret", is_map(&one) ? one.text_of("source") : text_at(&one), one.where);
      });
    }
  }

  /// Services of a profile may never run together.
  void names_twice(const ComposeFile& file) {
    for (const char* key : {"container_name", "hostname"}) {
      std::map<std::string_view, std::string_view> owners;
      for (std::size_t s = 0; s < file.services->items().size(); ++s) {
        const WrittenValue& service = file.services->items()[s];
        const WrittenValue* own = is_map(&service) ? service.find(key) : nullptr;
        const std::string_view name = text_at(own);
        if (name.empty() || contains(name, "$") || contains(name, "{") || service.find("profiles") != nullptr) continue;
        const auto [at, fresh] = owners.emplace(name, file.services->keys()[s]);
        if (!fresh)
          report("compose-name-twice", own->where,
                 "`" + std::string(name) + "` is the " + key + " of service `" + std::string(at->second) + "`, too");
      }
    }
  }

  /// A path of the file as the input has it; nothing for one that is absolute, of another machine or filled in.
  static std::optional<std::string> path_in(const ComposeFile& file, std::string_view path) {
    if (path.empty() || path.find_first_of("$~:{") != path.npos || path.starts_with('/')) return std::nullopt;
    std::string out = joined_path(file.folder, path);
    if (out.starts_with("..")) return std::nullopt;
    return out;
  }

  /// Whether the input would have a file at that path, and has none.
  bool is_missing(const std::string& path) {
    const std::string_view name = last_part(path);
    if (names_.at(path) || !reach_.holds(path) || names_.is_aside(name)) return false;
    return !reach_.has_beginning(folder_of(path), std::string(name) + "/");  // a folder
  }

  /// A line other than those of Compose that names it may tell how it comes there.
  bool is_spoken_of(std::string_view name) {
    return names_.is_said_in_line(name, [&](std::size_t i, std::string_view) {
      return std::ranges::none_of(
          files_, [&](const ComposeFile& file) { return file.manifest->file == inputs_.files[i].context.path; });
    });
  }

  /// The same path from a folder above, as where all files of Compose were one; empty: none.
  std::string from_above(const ComposeFile& file, std::string_view written) const {
    for (std::string_view folder = file.folder; !folder.empty();) {
      folder = folder_of(folder);
      const std::string there = joined_path(folder, written);
      if (names_.at(there)) return there;
    }
    return {};
  }

  /// Paths of the second file of a command are looked for from the folder of the first.
  bool may_be_second(const ComposeFile& file) {
    const std::string_view name = last_part(file.manifest->file.view());
    return names_.is_said_in_line(name, [&](std::size_t, std::string_view line) {
      if (contains(line, "--project-directory")) return true;
      std::optional<std::string_view> first;
      const std::vector<std::string_view> words = split_blanks(line);
      for (std::size_t w = 1; w < words.size(); ++w) {
        if (words[w - 1] != "-f" && words[w - 1] != "--file") continue;
        if (!first) first = folder_of(words[w]);
        if (last_part(words[w]) == name && folder_of(words[w]) != *first) return true;
      }
      return false;
    });
  }

  void paths(const ComposeFile& file) {
    std::vector<std::pair<Span, std::string>> missing;
    for (const WrittenValue& service : file.services->items()) {
      if (!is_map(&service)) continue;
      built_from(file, service, missing);
      mounted(file, service, missing);
    }
    if (missing.empty() || may_be_second(file)) return;
    const std::size_t more = missing.size() - 1;
    report("compose-file-missing", missing.front().first,
           missing.front().second + (more > 0 ? "; nor are " + std::to_string(more) + " more" : ""));
  }

  void built_from(const ComposeFile& file, const WrittenValue& service,
                  std::vector<std::pair<Span, std::string>>& missing) {
    const WrittenValue* build = part_of(service, "build");
    const std::string_view context = is_map(build) ? build->text_of("context") : text_at(build);
    const std::string_view written = is_map(build) ? build->text_of("dockerfile") : "";
    const bool inline_text = is_map(build) && build->find("dockerfile_inline") != nullptr;
    const auto folder = path_in(file, context);
    if (!folder || inline_text) return;
    const std::string below = *folder == "." || folder->empty() ? "" : *folder + "/";
    const bool there = below.empty() || reach_.has_beginning("", below);
    const std::string docker = normal_path(below + std::string(written.empty() ? "Dockerfile" : written));
    if (!there && reach_.holds(below + "Dockerfile") && !is_spoken_of(last_part(*folder))) {
      missing.emplace_back(build->where, "the folder `" + *folder + "`, which is to be built, is not in the input");
    } else if (there && !written.starts_with('/') && !contains(written, "$") && !docker.starts_with("..") &&
               is_missing(docker)) {
      missing.emplace_back(build->where, "`" + docker + "`, which is to be built, is not in the input");
    }
  }

  void mounted(const ComposeFile& file, const WrittenValue& service,
               std::vector<std::pair<Span, std::string>>& missing) {
    each_item(part_of(service, "volumes"), [&](const WrittenValue& one) {
      constexpr std::array<std::string_view, 11> kFiles{".conf", ".cfg",  ".ini", ".yaml", ".yml", ".json",
                                                        ".sh",   ".toml", ".sql", ".py",   ".cnf"};
      const std::optional<Mount> mount = mount_of(one);
      if (!mount || mount->named) return;
      const std::optional<std::string> path = path_in(file, mount->source);
      const auto ends = [&](std::string_view ending) {
        return mount->source.ends_with(ending) && mount->target.ends_with(ending);
      };
      if (!path || std::ranges::none_of(kFiles, ends) || !is_missing(*path)) return;
      const std::string above = from_above(file, mount->source);
      if (above.empty() && is_spoken_of(last_part(*path))) return;
      missing.emplace_back(one.where, "`" + *path + "`, which is mounted, is not in the input" +
                                          (above.empty() ? "" : ", and `" + above + "` is"));
    });
  }

  // --- against sites of Slurm ---

  struct Container {
    const ComposeFile* file = nullptr;
    const WrittenValue* service = nullptr;
    std::string_view name;
  };

  struct Containers {
    std::map<std::string, Container, std::less<>> by_name;  ///< each that Slurm may know them by
    std::vector<std::string> several;                       ///< how the names of some begin of which a run has many

    bool may_have(std::string_view name) const {
      return by_name.contains(name) ||
             std::ranges::any_of(several, [&](const std::string& begin) { return name.starts_with(begin); });
    }
  };

  /// False: what they are called, only the run knows.
  bool note_containers(Containers& out) const {
    for (const ComposeFile& file : files_) {
      for (std::size_t s = 0; s < file.services->items().size(); ++s) {
        const WrittenValue& service = file.services->items()[s];
        if (!is_map(&service)) continue;
        const std::string_view key = file.services->keys()[s];
        const WrittenValue* deploy = part_of(service, "deploy");
        if (part_of(service, "scale") != nullptr || (is_map(deploy) && deploy->find("replicas") != nullptr))
          out.several.emplace_back(key);
        const WrittenValue* host = part_of(service, "hostname");
        if (host != nullptr && (!host->is_text() || host->text().find_first_of("${") != host->text().npos)) {
          const std::string_view begin = text_at(host).substr(0, text_at(host).find_first_of("${"));
          if (begin.empty()) return false;
          out.several.emplace_back(begin);
        }
        const Container container{&file, &service, key};
        for (const std::string_view name : {key, text_at(host), text_at(part_of(service, "container_name"))}) {
          if (!name.empty()) out.by_name.try_emplace(std::string(name.substr(0, name.find('.'))), container);
        }
        note_environment(service, container, out.by_name);
      }
    }
    return true;
  }

  /// `SLURM_NODENAME: c1` of a service whose slurmd has another name than its host.
  static void note_environment(const WrittenValue& service, const Container& container,
                               std::map<std::string, Container, std::less<>>& out) {
    const WrittenValue* environment = part_of(service, "environment");
    each_item(environment, [&](const WrittenValue& one) {
      const std::string_view word = text_at(&one);
      if (contains(word, "=")) out.try_emplace(std::string(word.substr(word.find('=') + 1)), container);
    });
    if (!is_map(environment)) return;
    for (const WrittenValue& one : environment->items()) {
      if (one.is_text() && !one.text().empty()) out.try_emplace(std::string(one.text()), container);
    }
  }

  /// `slurmd -N NAME`: several may run in one container, or under another name than that of the host.
  bool starts_by_name() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (!contains(text, "slurmd")) continue;
      const bool found = some_line_with(text, "slurmd", [](std::string_view line) {
        const std::size_t at = line.find(" -N");
        if (at == line.npos || at < line.find("slurmd")) return false;
        const std::string_view name = trim(line.substr(at + 3));
        return !name.empty() && !name.starts_with("$(hostname") && !name.starts_with("$HOSTNAME") &&
               !name.starts_with("$SLURM_NODENAME") && !name.starts_with("${SLURM_NODENAME");
      });
      if (found) return true;
    }
    return false;
  }

  static bool is_for_later(const SlurmNodes& nodes) {
    return std::ranges::any_of(std::array{"future", "cloud", "down"},
                               [&](const char* state) { return starts_with_ignoring_case(nodes.state.value, state); });
  }

  static const SlurmSetting* setting(const SlurmSite& site, std::string_view key) {
    const SlurmSetting* found = site.setting(key);
    return found != nullptr && found->value.is_set() ? found : nullptr;
  }

  void sites() {
    Containers known;
    if (!note_containers(known)) return;
    const auto& containers = known.by_name;
    const bool by_name = starts_by_name();
    for (const SlurmSite& site : model_.slurm_sites) {
      const SlurmSetting* host = setting(site, "slurmctldhost");
      if (host == nullptr) host = setting(site, "controlmachine");
      const auto head = host == nullptr ? containers.end()
                                        : containers.find(host->value.value.substr(0, host->value.value.find('(')));
      std::size_t there = 0;
      for (const SlurmNodes& nodes : site.nodes) {
        if (nodes.hosts && nodes.hosts->size() <= kMostNodes)
          nodes.hosts->each([&](const std::string& name) { there += containers.contains(name) ? 1 : 0; });
      }
      if (there == 0 && head == containers.end()) continue;
      const bool local =
          std::ranges::any_of(site.nodes, [](const SlurmNodes& nodes) { return nodes.names.value == "localhost"; });
      if (!by_name && !site.is_template && !local) lost_nodes(site, known, there);
      if (there > 1) without_gpus(site, containers);
      if (head != containers.end()) state_inside(site, head->second);
    }
  }

  void lost_nodes(const SlurmSite& site, const Containers& containers, std::size_t there) {
    std::vector<std::string> lost;
    Span where;
    for (const SlurmNodes& nodes : site.nodes) {
      if (!nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        if (containers.may_have(name)) return;
        if (lost.empty()) where = nodes.names.where;
        lost.push_back(name);
      });
    }
    if (lost.empty()) return;
    const std::string files = files_.size() == 1 ? "`" + std::string(files_.front().manifest->file) + "`"
                                                 : std::to_string(files_.size()) + " files of Compose";
    report_once("slurm-node-without-container", where,
                "no container of " + files + " is `" + compress_hostlist(lost) + "`" +
                    (there == 0 ? ", though the controller is one" : ""));
  }

  /// Where some containers of nodes have GPUs, each node with GPUs needs them.
  void without_gpus(const SlurmSite& site, const std::map<std::string, Container, std::less<>>& containers) {
    std::vector<const Container*> without;
    std::string node;
    bool some = false;
    for (const SlurmNodes& nodes : site.nodes) {
      if (nodes.gpus_each == 0 || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        const auto found = containers.find(name);
        if (found == containers.end()) return;
        const bool given = has_gpus(*found->second.service);
        some = some || given;
        if (!given && without.size() < kMostNamed) without.push_back(&found->second);
        if (!given && node.empty()) node = name;
      });
    }
    if (!some || without.empty()) return;
    report_once("slurm-container-without-gpus", without.front()->service->where,
                "node `" + node + "` has GPUs in slurm.conf, and its service `" + std::string(without.front()->name) +
                    "` is given none, as others are");
  }

  void state_inside(const SlurmSite& site, const Container& controller) {
    const SlurmSetting* place = setting(site, "statesavelocation");
    // What is in /tmp is said to be there.
    if (place == nullptr || !place->value.value.starts_with('/') || place->value.value.starts_with("/tmp") ||
        part_of(*controller.service, "extends") != nullptr)
      return;
    const std::string folder = place->value.value + "/";
    bool kept = false;
    each_item(part_of(*controller.service, "volumes"), [&](const WrittenValue& one) {
      const std::optional<Mount> mount = mount_of(one);
      kept =
          kept || !mount || folder.starts_with(std::string(mount->target) + (mount->target.ends_with('/') ? "" : "/"));
    });
    if (kept) return;
    report_once(
        "slurm-state-in-container", place->where,
        "StateSaveLocation is in the container of service `" + std::string(controller.name) + "`, on no volume");
  }

  const Inputs& inputs_;
  const Model& model_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::vector<ComposeFile> files_;
  std::set<std::string> said_;
};

}  // namespace

void find_compose_files(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* def = &manifest_def("compose_files");
  if (std::ranges::any_of(model.manifests, [&](const Manifest& one) { return one.def == def; }))
    ComposeFiles(inputs, model, findings).run();
}

}  // namespace muster
