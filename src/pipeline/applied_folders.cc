#include "pipeline/applied_folders.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "source/span.h"

namespace muster {
namespace {

constexpr std::size_t kMostCommands = 2000;  // of one input
constexpr std::size_t kMostOfLine = 300;     // bytes before a name
constexpr std::size_t kMostAsked = 100;      // Namespaces of which every text is asked

bool is_manifest_file(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

/// The folder that a command for kubectl names as its file; empty: none, or one that only the run knows.
std::string_view applied_folder(std::string_view command) {
  const std::vector<std::string_view> words = split_blanks(command);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "-f" && words[i] != "--filename") continue;
    std::string_view path = words[i + 1].substr(0, words[i + 1].find_first_of("`'\")"));
    while (path.starts_with("./")) path.remove_prefix(2);
    while (path.ends_with('/')) path.remove_suffix(1);
    const bool plain = !path.empty() && path.find_first_of("$<{*:~") == path.npos && !path.starts_with("..") &&
                       path != "-" && !is_manifest_file(path);
    return plain ? path : std::string_view();
  }
  return {};
}

/// Whether a line forbids the command at that place of the text: `Do not run kubectl apply -f k8s/`.
bool is_forbidden(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 5> kWords{"not", "don't", "never", "instead", "avoid"};
  std::string_view before = text.substr(at - std::min(at, kMostOfLine), std::min(at, kMostOfLine));
  before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const std::string lower = to_lower(before);
  const std::vector<std::string_view> words = split_blanks(lower);
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return std::ranges::find(kWords, word) != kWords.end(); });
}

/// Folders that texts of the input give to kubectl as they are, and where the first of them says so.
std::map<std::string, Span, std::less<>> applied_folders(const Inputs& inputs) {
  constexpr std::string_view kApply = "kubectl apply ";
  std::map<std::string, Span, std::less<>> out;
  std::size_t commands = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    for (std::size_t at = text.find(kApply); at != text.npos && commands < kMostCommands;
         at = text.find(kApply, at + 1), ++commands) {
      const std::string_view line = text.substr(at, std::min(text.find('\n', at) - at, kMostOfLine));
      const std::string_view folder = applied_folder(line);
      if (folder.empty() || is_forbidden(text, at)) continue;
      const Span where{static_cast<FileId>(i), static_cast<std::uint32_t>(at),
                       static_cast<std::uint32_t>(at + std::min(line.size(), kApply.size() + 3 + folder.size()))};
      const std::string above(folder_of(inputs.files[i].context.path));
      out.try_emplace(folder == "."   ? above
                      : above.empty() ? std::string(folder)
                                      : above + "/" + std::string(folder),
                      where);
    }
  }
  return out;
}

/// Whether somebody makes the namespace by itself.
bool is_made_before(const Inputs& inputs, const Manifest& space) {
  const std::string name = space.name.value;
  const std::string file(last_part(space.file));
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (contains(text, "create namespace " + name) || contains(text, "create ns " + name)) return true;
    for (std::size_t at = text.find(file); at != text.npos; at = text.find(file, at + 1)) {
      const std::size_t from = at - std::min(at, kMostOfLine);
      const std::string_view before = text.substr(from, at - from);
      if (contains(before.substr(before.rfind('\n') + 1), "kubectl")) return true;  // npos + 1 is 0
    }
  }
  return false;
}

/// Whether some text makes namespaces that only the run names, or with a chart.
bool makes_some(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (contains(text, "--create-namespace")) return true;
    for (const std::string_view verb : {"create namespace ", "create ns "}) {
      for (std::size_t at = text.find(verb); at != text.npos; at = text.find(verb, at + 1)) {
        const std::string_view name = text.substr(at + verb.size(), 2);
        if (name.find_first_of("$<{%") != name.npos) return true;
      }
    }
  }
  return false;
}

/// Folders with a kustomization, which is what is built of them.
std::set<std::string_view> built_folders(const Inputs& inputs) {
  std::set<std::string_view> out;
  for (const InputFile& file : inputs.files) {
    if (last_part(file.context.path).starts_with("kustomization")) out.insert(file.context.folder);
  }
  return out;
}

bool is_same(const WrittenValue& a, const WrittenValue& b) {
  if (a.state != b.state || a.kind != b.kind || a.flag != b.flag || !std::ranges::equal(a.keys(), b.keys()))
    return false;
  if (a.kind == WrittenValue::Kind::List || a.kind == WrittenValue::Kind::Map)
    return std::ranges::equal(a.items(), b.items(), is_same);
  return a.text() == b.text();
}

/// The part in which two objects of one name differ; empty: in none that is read.
std::string_view differing_part(const Manifest& a, const Manifest& b) {
  for (std::size_t row = 0; row < a.def->parts.size(); ++row) {
    const WrittenValue* one = a.written(row);
    const WrittenValue* other = b.written(row);
    const bool both = one != nullptr && other != nullptr;
    if ((one == nullptr) != (other == nullptr) || (both && !is_same(*one, *other))) return a.def->parts[row].name;
  }
  return {};
}

/// Where a line of the text gives the file to kubectl or oc; npos: none.
std::size_t place_of_apply(std::string_view text, std::string_view file) {
  std::size_t at = text.npos;
  if (!contains(text, " apply ")) return at;
  some_line_with(text, last_part(file), [&](std::string_view line) {
    if (!contains(line, " apply ")) return false;
    at = static_cast<std::size_t>(line.data() - text.data());
    return true;
  });
  return at;
}

/// Whether one text of the input gives both files to kubectl or oc, not as alternatives.
bool applies_both(const Inputs& inputs, std::string_view a, std::string_view b) {
  constexpr std::array<std::string_view, 5> kEither{"alternativ", "either", "instead", " option ", " or "};
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const std::size_t one = place_of_apply(text, a);
    const std::size_t other = one == text.npos ? text.npos : place_of_apply(text, b);
    if (other == text.npos) continue;
    const std::size_t from = std::min(one, other) - std::min(std::min(one, other), kMostOfLine);
    const std::size_t end = std::min(text.find('\n', std::max(one, other)), text.size());
    const std::string between = to_lower(text.substr(from, end - from));
    if (std::ranges::none_of(kEither, [&](std::string_view word) { return contains(between, word); })) return true;
  }
  return false;
}

/// Files that some text gives to kubectl or oc by themselves; of very many each is taken for one.
class AppliedFiles {
 public:
  explicit AppliedFiles(const Inputs& inputs) : inputs_(inputs) {}

  bool contains(std::string_view file) {
    const auto [at, fresh] = known_.try_emplace(last_part(file), true);
    if (!fresh || known_.size() > kMostAsked) return at->second;
    at->second = false;
    for (std::size_t i = 0; i < inputs_.files.size() && !at->second; ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      at->second = place_of_apply(text, file) != text.npos;
    }
    return at->second;
  }

 private:
  const Inputs& inputs_;
  std::map<std::string_view, bool> known_;  // by their names without folders
};

/// Whether some text deletes one of the files, their folder, LocalQueues or the whole cluster.
bool is_deleted(const Inputs& inputs, std::string_view a, std::string_view b) {
  const std::string_view folder = last_part(folder_of(a));
  const auto deletes = [&](std::string_view line) {
    return contains(line, last_part(a)) || contains(line, last_part(b)) || contains(line, "delete cluster") ||
           contains_ignoring_case(line, "localqueue") ||
           (contains(line, " -f ") && (folder.empty() || contains(line, folder)));
  };
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (some_line_with(inputs.sources.file(static_cast<FileId>(i)).text(), "delete", deletes)) return true;
  }
  return false;
}

/// `03-local-queue.yaml`: a step of those of its folder.
bool is_step(std::string_view path) {
  const std::string_view name = last_part(path);
  return name.size() > 3 && is_digit(name[0]) && is_digit(name[1]) && (name[2] == '-' || name[2] == '_');
}

/// Folder, collection, namespace and name of an object.
using Name = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

/// Names are many and long, so that most are told apart by their hash.
struct NameHash {
  std::size_t operator()(const Name& name) const {
    const std::hash<std::string_view> of;
    return ((of(std::get<0>(name)) * 31 + of(std::get<1>(name))) * 31 + of(std::get<2>(name))) * 31 +
           of(std::get<3>(name));
  }
};

}  // namespace

void find_objects_applied_again(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  std::unordered_map<Name, const Manifest*, NameHash> objects(model.manifests.size());
  std::map<Name, const Queue*> queues;
  std::vector<std::pair<const Manifest*, const Manifest*>> pairs;
  std::vector<std::pair<const Queue*, const Queue*>> moved;
  for (const Manifest& one : model.manifests) {
    if (!one.name.known() || one.name.value.empty() || one.kind == "Namespace") continue;
    if (!is_manifest_file(one.file)) continue;  // kubectl reads no others of a folder
    const Name name{folder_of(one.file), one.def->collection, one.space, one.name.value};
    const auto [at, fresh] = objects.try_emplace(name, &one);
    if (!fresh && at->second->file != one.file && at->second->kind == one.kind && pairs.size() < kMostCommands)
      pairs.emplace_back(at->second, &one);
  }
  for (const Queue& one : model.queues) {
    if (!one.local || !one.cluster_queue.is_set() || !one.name.is_set() || !is_manifest_file(one.file)) continue;
    const auto [at, fresh] = queues.try_emplace({folder_of(one.file), "", one.space, one.name.value}, &one);
    if (!fresh && at->second->cluster_queue.value != one.cluster_queue.value && moved.size() < kMostAsked)
      moved.emplace_back(at->second, &one);
  }
  if (pairs.empty() && moved.empty()) return;
  const std::map<std::string, Span, std::less<>> applied = applied_folders(inputs);
  const std::set<std::string_view> built = built_folders(inputs);
  const auto command_of = [&](std::string_view file) {
    const auto found = applied.find(folder_of(file));
    return found == applied.end() || built.contains(found->first) ? nullptr : &found->second;
  };
  std::set<std::pair<std::string_view, std::string_view>> cluster_queues;  // by file and name
  for (const Queue& one : model.queues) {
    if (!moved.empty() && !one.local && one.name.is_set()) cluster_queues.emplace(one.file, one.name.value);
  }
  for (const auto& [one, other] : moved) {
    // One that brings the ClusterQueue of its own is an example by itself.
    const bool steps = is_step(one->file) && is_step(other->file) && !built.contains(folder_of(one->file)) &&
                       !cluster_queues.contains({other->file, other->cluster_queue.value});
    if (one->file != other->file && !steps && command_of(one->file) == nullptr &&
        !applies_both(inputs, one->file, other->file))
      continue;
    if (one->file != other->file && is_deleted(inputs, one->file, other->file)) continue;
    findings.push_back(problem("local-queue-moved", other->cluster_queue.where,
                               "LocalQueue `" + other->name.value + "` leads to `" + other->cluster_queue.value +
                                   "` here, and to `" + one->cluster_queue.value + "` in " +
                                   std::string(last_part(one->file))));
    findings.back().related.push_back({one->cluster_queue.where, "the other one"});
  }
  AppliedFiles by_themselves(inputs);
  std::set<std::pair<std::string_view, std::string_view>> said;  // by file and id
  for (const auto& [one, other] : pairs) {
    const Span* command = command_of(one->file);
    if (command == nullptr || !said.emplace(other->file, other->id).second) continue;
    const std::string_view part = differing_part(*one, *other);
    // Of those that are applied each by itself one is chosen.
    if (part.empty() || (by_themselves.contains(one->file) && by_themselves.contains(other->file))) continue;
    findings.push_back(problem("object-given-twice", other->name.where,
                               std::string(other->kind) + " `" + other->name.value + "` stands in " +
                                   std::string(last_part(one->file)) + ", too, and differs in its " +
                                   std::string(part)));
    findings.back().related.push_back({one->name.where, "the other one"});
    findings.back().related.push_back({*command, "who applies the folder"});
  }
}

void find_late_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  const bool any = std::ranges::any_of(model.manifests, [&](const Manifest& one) { return one.def == spaces; });
  if (!any) return;
  const std::map<std::string, Span, std::less<>> applied = applied_folders(inputs);
  if (applied.empty()) return;
  // The first file of a folder with something in a namespace.
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> first;
  for (const Manifest& one : model.manifests) {
    if (one.def == spaces || std::string_view(one.space).empty()) continue;
    const auto [at, fresh] = first.try_emplace({folder_of(one.file), one.space}, &one);
    if (!fresh && std::string_view(one.file) < std::string_view(at->second->file)) at->second = &one;
  }
  if (makes_some(inputs)) return;
  const std::set<std::string_view> built = built_folders(inputs);
  std::size_t asked = 0;
  for (const Manifest& space : model.manifests) {
    if (space.def != spaces || !space.name.known()) continue;
    const std::string_view folder = folder_of(space.file);
    const auto command = applied.find(folder);
    const auto guest = first.find({folder, space.name.value});
    if (command == applied.end() || guest == first.end()) continue;
    if (std::string_view(guest->second->file) >= std::string_view(space.file)) continue;
    if (built.contains(folder) || ++asked > kMostAsked || is_made_before(inputs, space)) continue;
    const std::string file(last_part(guest->second->file));
    findings.push_back(problem("namespace-applied-late", space.name.where,
                               "`kubectl apply -f " + std::string(last_part(folder)) + "/` comes to `" + file +
                                   "` before the Namespace `" + space.name.value + "` that it is in"));
    findings.back().related.push_back({command->second, "who applies the folder"});
    findings.back().related.push_back({guest->second->where, "the first of what is in it"});
  }
}

}  // namespace muster
