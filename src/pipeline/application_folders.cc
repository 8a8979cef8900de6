#include "pipeline/application_folders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/argo_objects.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// What a folder may have that nothing is made of.
bool is_no_manifest(std::string_view path) {
  return path.ends_with(".md") || path.ends_with("/.gitkeep") || path.ends_with("/.gitignore");
}

bool is_some_manifest(std::string_view path, std::string_view text) {
  return (path.ends_with(".yaml") || path.ends_with(".yml")) && contains(text, "apiVersion:") &&
         contains(text, "kind:");
}

/// `https://github.com/your-org/deploy`: whoever copies the repository writes his own name there.
bool has_owner_to_fill_in(std::string_view repository) {
  constexpr std::array<std::string_view, 16> kOwners{
      "acme", "example", "example-org", "exampleorg", "my-org",   "my-user",   "myorg",   "myuser",
      "org",  "owner",   "user",        "username",   "your-org", "your-user", "yourorg", "yourusername"};
  if (is_placeholder(repository)) return true;
  const std::vector<std::string_view> parts = split(repository, '/');
  if (parts.size() < 2) return false;
  std::string_view owner = parts[parts.size() - 2];
  owner.remove_prefix(owner.rfind(':') + 1);  // git@host:owner/name; npos + 1 is 0
  const std::string name = to_lower(owner);
  return std::ranges::find(kOwners, name) != kOwners.end() || name.starts_with("your-") || name.starts_with("<");
}

constexpr std::size_t kMostPaths = 2000;  // that are looked for

std::string_view folder_named(const Manifest& application) {
  return folder_of_application(application.part("path").text());
}

class BareFolders {
 public:
  explicit BareFolders(const Inputs& inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      for (std::string_view at = folder_of(path); !at.empty(); at = folder_of(at)) folders_.insert(at);
      if (!is_no_manifest(path)) filled_.insert(folder_of(path));
      if (!is_some_manifest(path, inputs.sources.file(static_cast<FileId>(i)).text())) continue;
      for (std::string_view at = folder_of(folder_of(path)); !at.empty(); at = folder_of(at)) above_.insert(at);
    }
    for (const auto* list : {&inputs.foreign, &inputs.too_large, &inputs.ignored, &inputs.excluded}) {
      for (const std::string& path : *list) {
        if (!is_no_manifest(path)) filled_.insert(folder_of(path));
      }
    }
  }

  /// The path from the top of a repository is one folder of the input, with manifests below it alone.
  bool is_bare(std::string_view path) const {
    const auto fits = [&](std::string_view folder) { return ends_in_folder(folder, path); };
    const auto folder = std::ranges::find_if(folders_, fits);
    if (folder == folders_.end() || std::ranges::count_if(folders_, fits) > 1) return false;
    return !filled_.contains(*folder) && above_.contains(*folder);
  }

  /// Whether its repository is the one of the input: another Application takes a folder of it that has manifests, or
  /// its owner is to be filled in.
  bool is_of_input(const Manifest& application) const {
    const std::string_view repository = application.part("repository").text();
    return own_.contains(repository) || has_owner_to_fill_in(repository);
  }
  void learn(const Manifest& application, std::string_view folder) {
    const std::string_view repository = application.part("repository").text();
    const auto is_filled = [&](std::string_view one) { return ends_in_folder(one, folder) && filled_.contains(one); };
    if (repository.empty() || own_.contains(repository) || (looks_ += folders_.size()) > kMostLooksAtFolders) return;
    if (std::ranges::any_of(folders_, is_filled)) own_.insert(repository);
  }

  /// Whether the file that says so speaks of what else may make manifests.
  bool goes_further(FileId file) const {
    const std::string_view text = inputs_.sources.file(file).text();
    return contains(text, "recurse") || contains(text, "plugin:");
  }

 private:
  static constexpr std::uint64_t kMostLooksAtFolders = 5'000'000;

  const Inputs& inputs_;
  std::set<std::string_view> own_;  ///< repositories that the input is, as far as that can be told
  std::uint64_t looks_ = 0;
  std::set<std::string_view> folders_;
  std::set<std::string_view> filled_;  ///< with a file of their own
  std::set<std::string_view> above_;   ///< with manifests in the folders below
};

}  // namespace

void find_bare_folders(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* releases = &manifest_def("helm_releases");
  const auto of_folder = [&](const Manifest& one) {
    return one.def == releases && one.kind == "Application" && one.part("path").is_text() &&
           one.part("chart").text().empty();
  };
  if (std::ranges::none_of(model.manifests, of_folder)) return;
  BareFolders folders(inputs);
  for (const Manifest& one : model.manifests) {
    if (of_folder(one) && !folder_named(one).empty()) folders.learn(one, folder_named(one));
  }
  std::set<Span> said;
  std::map<std::string, bool, std::less<>> bare;  // by path
  std::map<FileId, bool> further;
  for (const Manifest& one : model.manifests) {
    if (!of_folder(one)) continue;
    const WrittenValue& path = one.part("path");
    const std::string_view folder = folder_named(one);
    if (folder.empty() || !path.where.placed()) continue;
    const auto [known, fresh] = bare.try_emplace(std::string(folder));
    if (fresh) known->second = bare.size() <= kMostPaths && folders.is_bare(folder);
    if (!known->second) continue;
    const auto [speaks, first] = further.try_emplace(path.where.file);
    if (first) speaks->second = folders.goes_further(path.where.file);
    if (speaks->second || !folders.is_of_input(one) || !said.insert(path.where).second) continue;
    findings.push_back(problem("application-folder-without-manifests", path.where,
                               "`" + std::string(folder) + "` has no manifest of its own, and Application `" +
                                   one.name.value + "` does not look into the folders below"));
  }
}

}  // namespace muster
