#include "pipeline/compose_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/compose_parts.h"
#include "pipeline/compose_sites.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "source/git.h"

namespace muster {
namespace {

class ComposeFiles {
 public:
  ComposeFiles(const Inputs& inputs, const std::vector<ComposeFile>& files, std::vector<Finding>& findings)
      : inputs_(inputs), files_(files), findings_(findings), reach_(inputs), names_(inputs) {
    for (const ComposeFile& file : files) own_paths_.insert(file.manifest->file);
    for (const std::size_t i : names_.called(".gitmodules")) {
      const std::string_view folder = folder_of(inputs.files[i].context.path);
      for (const auto& [path, name] : submodule_names(inputs.sources.file(static_cast<FileId>(i)).text()))
        submodules_.push_back(joined_path(folder, path));
    }
  }

  void run() {
    for (const ComposeFile& file : files_) {
      references(file);
      names_twice(file);
      paths(file);
      host_ports(file);
    }
  }

 private:
  void report(std::string_view rule, const Span& where, std::string message) {
    findings_.push_back(problem(rule, where, std::move(message)));
  }

  /// Whether a Compose file has it at the top, or may bring it: several may be put together.
  bool is_defined(const ComposeFile& file, std::string_view section, std::string_view name) {
    if (file.manifest->part("config").find("include") != nullptr) return true;
    for (const ComposeFile& other : files_) {
      const WrittenValue* there = other.manifest->part("config").find(section);
      const bool filled =
          &other == &file && there != nullptr && !is_map(there) && there->kind != WrittenValue::Kind::Null;
      if (filled ||
          (is_map(there) && (there->find(name) != nullptr || (&other == &file && there->find("<<") != nullptr))))
        return true;
    }
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
          if (list->keys()[i] != "default" && list->keys()[i] != "<<")
            lost(section, what, list->keys()[i], list->items()[i].where);
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
        if (name.empty() || contains(name, "$") || contains(name, "{") || service.find("profiles") != nullptr ||
            service.find("domainname") != nullptr)
          continue;
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

  /// A folder that git fills in from another repository.
  bool is_of_submodule(const std::string& path) const {
    return std::ranges::any_of(submodules_, [&](const std::string& one) { return path.starts_with(one + "/"); });
  }

  /// Whether the input would have a file at that path, and has none.
  bool is_missing(const std::string& path) {
    const std::string_view name = last_part(path);
    if (names_.at(path) || !reach_.holds(path) || names_.is_aside(name) || is_of_submodule(path)) return false;
    return !reach_.has_beginning(folder_of(path), std::string(name) + "/");  // a folder
  }

  /// A line other than those of Compose that names it may tell how it comes there.
  bool is_spoken_of(std::string_view name) {
    return names_.is_said_in_line(
        name, [&](std::size_t i, std::string_view) { return !own_paths_.contains(inputs_.files[i].context.path); });
  }

  /// The same path from a folder above, as where all files of Compose were one; empty: none.
  std::string from_above(const ComposeFile& file, std::string_view written) const {
    for (const std::string& folder : folders_around(file.folder)) {
      const std::string there = joined_path(folder, written);
      if (folder != file.folder && names_.at(there)) return there;
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

  /// `ports: ["13306:3306"]` beside `network_mode: host`, where nothing is between the two.
  void host_ports(const ComposeFile& file) {
    for (const WrittenValue& service : file.services->items()) {
      if (!is_map(&service) || text_at(part_of(service, "network_mode")) != "host") continue;
      each_item(part_of(service, "ports"), [&](const WrittenValue& one) {
        const std::vector<std::string_view> parts = split(text_at(&one), ':');
        const std::string_view inside = parts.back().substr(0, parts.back().find('/'));
        if (parts.size() < 2 || contains(text_at(&one), "$") || parts[parts.size() - 2] == inside) return;
        report("compose-ports-of-host", one.where,
               "with `network_mode: host` no port is mapped: the program listens at " + std::string(inside) +
                   " of the host");
      });
    }
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
    if (!there && reach_.holds(below + "Dockerfile") && !is_of_submodule(below + "Dockerfile") &&
        !is_spoken_of(last_part(*folder))) {
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

  const Inputs& inputs_;
  const std::vector<ComposeFile>& files_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::set<std::string_view> own_paths_;
  std::vector<std::string> submodules_;  ///< their folders
};

}  // namespace

void find_compose_files(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const std::vector<ComposeFile> files = compose_files_of(model);
  if (files.empty()) return;
  ComposeFiles(inputs, files, findings).run();
  find_containers_of_sites(inputs, model, files, findings);
}

}  // namespace muster
