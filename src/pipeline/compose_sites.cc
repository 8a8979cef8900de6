#include "pipeline/compose_sites.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/paths.h"
#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/compose_limits.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostNodes = 5000;  // of one line

/// Devices of a file of the host: `/dev/nvidia0:/dev/nvidia0`, `/dev/kfd`, of CDI `nvidia.com/gpu=all`.
bool is_gpu_device(const WrittenValue& value) {
  const std::string_view text = is_map(&value) ? value.text_of("source") : text_at(&value);
  return contains(text, "nvidia") || contains(text, "/dev/kfd") || contains(text, "/dev/dri");
}

/// Whether a service is given a GPU by one of the ways there are.
bool has_gpus(const WrittenValue& service) {
  if (part_of(service, "gpus") != nullptr || text_at(part_of(service, "runtime")) == "nvidia") return true;
  bool found = false;
  each_item(part_of(service, "devices"), [&](const WrittenValue& one) { found = found || is_gpu_device(one); });
  const WrittenValue* at = part_of(service, "deploy");
  for (const char* key : {"resources", "reservations", "devices"}) at = is_map(at) ? at->find(key) : nullptr;
  return found || at != nullptr;
}

/// Whether it may see them without: by what it extends, by variables, or because it may do anything.
bool may_have_gpus(const WrittenValue& service) {
  const WrittenValue* privileged = part_of(service, "privileged");
  return has_gpus(service) || part_of(service, "extends") != nullptr || part_of(service, "devices") != nullptr ||
         (privileged != nullptr && !(privileged->kind == WrittenValue::Kind::Bool && !privileged->flag));
}

/// GPUs that a service reserves, where that is the one way in which it is given any: the sum of `count` and of the
/// lists of `device_ids`. Nothing where it is all of them, or not said in numbers.
std::optional<std::int64_t> reserved_gpus(const WrittenValue& service) {
  for (const char* key : {"gpus", "runtime", "devices", "extends", "privileged"}) {
    if (part_of(service, key) != nullptr) return std::nullopt;
  }
  const WrittenValue* at = part_of(service, "deploy");
  for (const char* key : {"resources", "reservations", "devices"}) at = is_map(at) ? at->find(key) : nullptr;
  if (at == nullptr || at->kind != WrittenValue::Kind::List || at->items().empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const WrittenValue& one : at->items()) {
    const WrittenValue* count = is_map(&one) ? one.find("count") : nullptr;
    const WrittenValue* ids = is_map(&one) ? one.find("device_ids") : nullptr;
    const std::optional<std::int64_t> number =
        count != nullptr && ids == nullptr && count->state == State::Set ? parse_int(count->text()) : std::nullopt;
    if (number && *number > 0 && *number < 1000) {
      sum += *number;
    } else if (count == nullptr && ids != nullptr && ids->kind == WrittenValue::Kind::List &&
               std::ranges::all_of(
                   ids->items(), [](const WrittenValue& id) { return id.is_text() && is_digit(id.text().front()); })) {
      for (const WrittenValue& id : ids->items()) sum += 1 + std::ranges::count(id.text(), ',');  // also `'0,1'`
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

/// Numbers of the GPUs that a service reserves by `device_ids`, also as `'0,1'`. Empty: none are named so.
std::vector<std::string_view> named_gpus(const WrittenValue& service) {
  const WrittenValue* at = part_of(service, "deploy");
  for (const char* key : {"resources", "reservations", "devices"}) at = is_map(at) ? at->find(key) : nullptr;
  std::vector<std::string_view> out;
  each_item(at, [&](const WrittenValue& one) {
    each_item(is_map(&one) ? one.find("device_ids") : nullptr, [&](const WrittenValue& ids) {
      for (const std::string_view id : split(text_at(&ids), ',')) {
        const std::string_view number = trim(id);
        if (!number.empty() && std::ranges::all_of(number, is_digit)) out.push_back(number);
      }
    });
  });
  return out;
}

class ComposeSites {
 public:
  ComposeSites(const Inputs& inputs, const Model& model, const std::vector<ComposeFile>& files,
               std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), files_(files), findings_(findings) {}

  void run() { sites(); }

 private:
  /// Each image may have a copy of slurm.conf: what is said of one holds for all.
  void say(std::string_view rule, const Span& where, std::string message) {
    if (said_.insert(std::string(rule) + message).second) findings_.push_back(problem(rule, where, std::move(message)));
  }

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
      }
    }
    for (const ComposeFile& file : files_) {
      for (std::size_t s = 0; s < file.services->items().size(); ++s) {
        const WrittenValue& service = file.services->items()[s];
        if (is_map(&service)) note_environment(service, {&file, &service, file.services->keys()[s]}, out.by_name);
      }
    }
    return true;
  }

  /// `SLURM_NODENAME: c1` of a service whose slurmd has another name than its host.
  static void note_environment(const WrittenValue& service, const Container& container,
                               std::map<std::string, Container, std::less<>>& out) {
    const auto is_name = [](std::string_view key) { return contains(key, "NODE") && contains(key, "NAME"); };
    const WrittenValue* environment = part_of(service, "environment");
    each_item(environment, [&](const WrittenValue& one) {
      const std::string_view word = text_at(&one);
      const std::size_t sign = word.find('=');
      if (sign != word.npos && is_name(word.substr(0, sign)))
        out.try_emplace(std::string(word.substr(sign + 1)), container);
    });
    if (!is_map(environment)) return;
    for (std::size_t i = 0; i < environment->items().size(); ++i) {
      const WrittenValue& one = environment->items()[i];
      if (one.is_text() && !one.text().empty() && is_name(environment->keys()[i]))
        out.try_emplace(std::string(one.text()), container);
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
    note_mounted();
    for (const SlurmSite& site : model_.slurm_sites) {
      if (is_left_aside(site)) continue;
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
      if (!by_name) fewer_gpus(site, containers);
      gpus_twice(site, containers);
      if (!by_name) below_node(site, containers);
      if (head == containers.end()) continue;
      state_inside(site, head->second);
      if (!site.is_template) called_otherwise(site, head->second);
    }
  }

  /// What containers are given of the input by path.
  void note_mounted() {
    for (const ComposeFile& file : files_) {
      for (const WrittenValue& service : file.services->items()) {
        if (!is_map(&service)) continue;
        const WrittenValue* build = part_of(service, "build");
        const std::string_view context = is_map(build) ? build->text_of("context") : text_at(build);
        if (build != nullptr && !context.starts_with('/'))
          built_.insert(normal_path(joined_path(file.folder, context)));
        each_item(part_of(service, "volumes"), [&](const WrittenValue& one) {
          const std::optional<Mount> mount = mount_of(one);
          if (mount && !mount->named && !mount->source.starts_with('/'))
            mounted_.insert(normal_path(joined_path(file.folder, mount->source)));
        });
      }
    }
  }

  bool is_mounted(std::string_view path) const {
    return std::ranges::any_of(mounted_, [&](const std::string& one) { return is_below(path, one); });
  }

  /// A slurm.conf beside the one that containers are given, in no folder that is built.
  bool is_left_aside(const SlurmSite& site) const {
    const auto has_own = [&](const SlurmSite& one) { return !one.file.empty() && is_mounted(one.file); };
    const auto is_built = [&](const std::string& folder) { return is_below(site.file, folder); };
    return !site.file.empty() && !has_own(site) && std::ranges::none_of(built_, is_built) &&
           std::ranges::any_of(model_.slurm_sites, has_own);
  }

  void lost_nodes(const SlurmSite& site, const Containers& containers, std::size_t there) {
    const bool called_otherwise = std::ranges::any_of(site.record_pairs, [](const SlurmSetting& pair) {
      return pair.lower_key == "nodehostname" || pair.lower_key == "nodeaddr";
    });
    std::vector<std::string> lost;
    Span where;
    for (const SlurmNodes& nodes : site.nodes) {
      if (called_otherwise || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        if (containers.may_have(name)) return;
        if (lost.empty()) where = nodes.names.where;
        lost.push_back(name);
      });
    }
    if (lost.empty()) return;
    const std::string files = files_.size() == 1 ? "`" + std::string(files_.front().manifest->file) + "`"
                                                 : std::to_string(files_.size()) + " files of Compose";
    say("slurm-node-without-container", where,
        "no container of " + files + " is `" + compress_hostlist(lost) + "`" +
            (there == 0 ? ", though the controller is one" : ""));
  }

  /// Where some containers of nodes have GPUs, each node with GPUs needs them.
  void without_gpus(const SlurmSite& site, const std::map<std::string, Container, std::less<>>& containers) {
    const Container* without = nullptr;
    std::string node;
    std::size_t more = 0;
    bool some = false;
    for (const SlurmNodes& nodes : site.nodes) {
      if (nodes.gpus_each == 0 || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        const auto found = containers.find(name);
        if (found == containers.end()) return;
        some = some || has_gpus(*found->second.service);
        if (may_have_gpus(*found->second.service)) return;
        more += without != nullptr ? 1 : 0;
        if (without == nullptr) node = name;
        if (without == nullptr) without = &found->second;
      });
    }
    if (!some || without == nullptr) return;
    say("slurm-container-without-gpus", without->service->where,
        "node `" + node + "` has GPUs in slurm.conf, and its service `" + std::string(without->name) +
            "` is given none, as others are" + (more > 0 ? "; nor are those of " + count_of(more, "more node") : ""));
  }

  /// A node with more GPUs than its one service reserves.
  void fewer_gpus(const SlurmSite& site, const std::map<std::string, Container, std::less<>>& containers) {
    for (const SlurmNodes& nodes : site.nodes) {
      if (nodes.gpus_each < 2 || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        const auto found = containers.find(name);
        const std::optional<std::int64_t> reserved =
            found == containers.end() ? std::nullopt : reserved_gpus(*found->second.service);
        if (!reserved || *reserved >= nodes.gpus_each) return;
        say("slurm-container-fewer-gpus", found->second.service->where,
            "service `" + std::string(found->second.name) + "` reserves " +
                count_of(static_cast<std::size_t>(*reserved), "GPU") + ", and node `" + name + "` has " +
                std::to_string(nodes.gpus_each) + " in slurm.conf");
      });
    }
  }

  /// A container that may use less than Slurm gives out on its node. Once a site.
  void below_node(const SlurmSite& site, const std::map<std::string, Container, std::less<>>& containers) {
    bool said = false;
    for (const SlurmNodes& nodes : site.nodes) {
      if (said || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        const auto found = said ? containers.end() : containers.find(name);
        if (found == containers.end()) return;
        const ContainerLimits limits = container_limits(*found->second.service);
        const bool cpus = limits.cpus && static_cast<double>(nodes.cpus_each) > *limits.cpus + 0.999;
        const bool memory =
            limits.megabytes && nodes.real_memory.known() && nodes.real_memory.value > *limits.megabytes;
        if (!cpus && !memory) return;
        said = true;
        say("slurm-container-below-node", nodes.where,
            "service `" + std::string(found->second.name) + "` may use " +
                (cpus ? "fewer CPUs than the " + std::to_string(nodes.cpus_each)
                      : std::to_string(*limits.megabytes) + " MiB, less than the " +
                            std::to_string(nodes.real_memory.value)) +
                " of node `" + name + "`");
        findings_.back().related.push_back({found->second.service->where, "the service"});
      });
    }
  }

  /// A GPU that two nodes have: their containers are of one host.
  void gpus_twice(const SlurmSite& site, const std::map<std::string, Container, std::less<>>& containers) {
    std::map<std::string_view, std::string> nodes_of;  // by the number of the GPU
    const ComposeFile* file = nullptr;
    for (const SlurmNodes& nodes : site.nodes) {
      if (nodes.gpus_each == 0 || !nodes.hosts || nodes.hosts->size() > kMostNodes || is_for_later(nodes)) continue;
      nodes.hosts->each([&](const std::string& name) {
        const auto found = containers.find(name);
        if (found == containers.end() || (file != nullptr && found->second.file != file)) return;
        if (part_of(*found->second.service, "profiles") != nullptr) return;  // they may never run together
        file = found->second.file;
        for (const std::string_view gpu : named_gpus(*found->second.service)) {
          const auto [first, added] = nodes_of.try_emplace(gpu, name);
          if (added || first->second == name) continue;
          say("slurm-gpu-in-two-containers", found->second.service->where,
              "GPU " + std::string(gpu) + " is given to the services of node `" + first->second + "` and node `" +
                  name + "`");
          return;
        }
      });
    }
  }

  void state_inside(const SlurmSite& site, const Container& controller) {
    const SlurmSetting* place = setting(site, "statesavelocation");
    // What is in /tmp is said to be there.
    if (place == nullptr || !place->value.value.starts_with('/') || place->value.value.starts_with("/tmp") ||
        part_of(*controller.service, "extends") != nullptr || part_of(*controller.service, "volumes_from") != nullptr)
      return;
    const std::string folder = place->value.value + "/";
    bool kept = false;
    each_item(part_of(*controller.service, "volumes"), [&](const WrittenValue& one) {
      const std::optional<std::string_view> target = mount_target_of(one);
      kept = kept || !target || folder.starts_with(std::string(*target) + (target->ends_with('/') ? "" : "/"));
    });
    if (kept) return;
    say("slurm-state-in-container", place->where,
        "StateSaveLocation is in the container of service `" + std::string(controller.name) + "`, on no volume");
  }

  /// What slurmctld compares its host name with: SlurmctldHost, of any site of the input.
  std::set<std::string_view> controller_names() const {
    std::set<std::string_view> out;
    for (const SlurmSite& site : model_.slurm_sites) {
      for (const SlurmSetting& one : site.settings) {
        constexpr std::array<std::string_view, 3> kKeys{"backupcontroller", "controlmachine", "slurmctldhost"};
        if (std::ranges::find(kKeys, one.lower_key) == kKeys.end()) continue;
        for (const std::string_view name : split(one.value.value, ','))
          out.insert(trim(name.substr(0, name.find('('))));
      }
    }
    return out;
  }

  /// Some program of the input may write the host's name into slurm.conf before slurmctld reads it.
  bool fills_controller_in() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (language_of(path) == Language::Prose || contains(path, ".conf")) continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (contains(text, "SlurmctldHost") || contains(text, "ControlMachine")) return true;
    }
    return false;
  }

  static bool runs_slurmctld(const Container& container) {
    bool runs = false;
    bool told = false;
    for (const char* key : {"command", "entrypoint"}) {
      const WrittenValue* words = part_of(*container.service, key);
      told = told || words != nullptr;
      runs = runs || contains(text_at(words), "slurmctld");
      each_item(words, [&](const WrittenValue& word) { runs = runs || contains(text_at(&word), "slurmctld"); });
    }
    return runs || (!told && container.name == "slurmctld");
  }

  /// The service has the name of SlurmctldHost, and its host has another.
  void called_otherwise(const SlurmSite& site, const Container& controller) {
    const WrittenValue* host = part_of(*controller.service, "hostname");
    const std::string_view name = text_at(host);
    if (name.empty() || contains(name, "$") || part_of(*controller.service, "uts") != nullptr ||
        !runs_slurmctld(controller))
      return;
    const std::set<std::string_view> names = controller_names();
    bool fits = names.contains(name) || names.contains(name.substr(0, name.find('.')));
    for (const ComposeFile& file : files_) {
      for (std::size_t s = 0; s < file.services->items().size(); ++s) {
        const WrittenValue& service = file.services->items()[s];
        const std::string_view key = file.services->keys()[s];
        const std::string_view other = is_map(&service) ? text_at(part_of(service, "hostname")) : std::string_view();
        if (&service == controller.service || !names.contains(other.substr(0, other.find('.')))) continue;
        // A file that is laid over another says again what it changes.
        fits = fits || key == controller.name || runs_slurmctld({&file, &service, key});
      }
    }
    if (fits || fills_controller_in()) return;
    const SlurmSetting* key = setting(site, "slurmctldhost");
    if (key == nullptr) key = setting(site, "controlmachine");
    say("slurm-controller-called-otherwise", host->where,
        "the host of service `" + std::string(controller.name) + "` is `" + std::string(name) + "`, and " + key->key +
            " is " + key->value.value);
  }

  const Inputs& inputs_;
  const Model& model_;
  const std::vector<ComposeFile>& files_;
  std::vector<Finding>& findings_;
  std::set<std::string> said_;
  std::set<std::string> mounted_;  ///< paths of the input that containers are given
  std::set<std::string> built_;    ///< folders that images are built of
};

}  // namespace

void find_containers_of_sites(const Inputs& inputs, const Model& model, const std::vector<ComposeFile>& files,
                              std::vector<Finding>& findings) {
  if (!model.slurm_sites.empty()) ComposeSites(inputs, model, files, findings).run();
}

}  // namespace muster
