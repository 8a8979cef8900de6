#include "source/revision_files.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGit = ".git";
constexpr std::uint64_t kMaxTarget = 4096;
constexpr int kMaxLinks = 40;  // as Linux does
constexpr std::uint64_t kMaxModules = 1u << 20;
constexpr std::size_t kMostSubmodules = 100;  // each is a program that runs

std::string normal(const fs::path& path) {
  std::string text = path.lexically_normal().generic_string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool is_git(std::string_view within) { return within == kGit || within.starts_with(".git/"); }

std::string child(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

}  // namespace

Result<std::unique_ptr<RevisionFiles>> RevisionFiles::open(const GitRepository& repository, const std::string& commit,
                                                           const FileSystem& disk,
                                                           const std::vector<std::string>& flags,
                                                           const std::set<std::string>& on_disk) {
  Result<std::unique_ptr<RevisionFiles>> out = open_alone(repository, commit, disk, flags);
  std::size_t left = kMostSubmodules;
  if (out) (*out)->open_submodules(repository, flags, on_disk, left);
  return out;
}

Result<std::unique_ptr<RevisionFiles>> RevisionFiles::open_alone(const GitRepository& repository,
                                                                 const std::string& commit, const FileSystem& disk,
                                                                 const std::vector<std::string>& flags) {
  Result<std::vector<GitEntry>> entries = repository.tree_of(commit);
  if (!entries) return entries.error();
  Result<RunningProgram> reader = repository.start_reading();
  if (!reader) return reader.error();
  std::unique_ptr<RevisionFiles> out(
      new RevisionFiles(repository.root(), std::move(*entries), std::move(*reader), disk));
  for (const std::string& flag : flags) out->flags_.push_back(disk.absolute(flag));
  return out;
}

void RevisionFiles::open_submodules(const GitRepository& repository, const std::vector<std::string>& flags,
                                    const std::set<std::string>& on_disk, std::size_t& left) {
  std::map<std::string, std::string> names;
  const GitEntry* gitmodules = entry_at(".gitmodules");
  if (gitmodules != nullptr && gitmodules->kind == GitEntry::Kind::File && gitmodules->size <= kMaxModules) {
    if (Result<std::string> text = blobs_.read(*gitmodules)) names = submodule_names(*text);
  }
  for (const GitEntry& entry : entries_) {
    if (entry.kind != GitEntry::Kind::Submodule) continue;
    Inner& inner = inner_.emplace_back();
    inner.state = {(root_ == "/" ? "" : root_) + "/" + entry.path, entry.id};
    if (left == 0 || on_disk.contains(inner.state.path)) continue;
    const auto name = names.find(entry.path);
    const std::optional<GitRepository> there =
        repository.submodule(entry.path, name == names.end() ? entry.path : name->second, entry.id, disk_);
    if (!there) continue;
    --left;
    Result<std::unique_ptr<RevisionFiles>> files = open_alone(*there, entry.id, disk_, flags);
    if (!files) continue;
    inner.state.read = true;
    inner.files = std::move(*files);
    inner.files->open_submodules(*there, flags, on_disk, left);
  }
}

std::size_t RevisionFiles::lacking() const {
  std::size_t out = lacking_;
  for (const Inner& inner : inner_) out += inner.files != nullptr ? inner.files->lacking() : 0;
  return out;
}

std::vector<SubmoduleState> RevisionFiles::submodules() const {
  std::vector<SubmoduleState> out;
  for (const Inner& inner : inner_) {
    out.push_back(inner.state);
    if (inner.files == nullptr) continue;
    for (SubmoduleState& below : inner.files->submodules()) out.push_back(std::move(below));
  }
  return out;
}

const FileSystem& RevisionFiles::submodule_at(std::string_view within) const {
  const std::string path = (root_ == "/" ? "" : root_) + "/" + std::string(within);
  const auto found = std::ranges::find(inner_, path, [](const Inner& inner) { return inner.state.path; });
  if (found == inner_.end() || found->files == nullptr) return disk_;
  return *found->files;
}

std::optional<std::string> RevisionFiles::below_root(std::string_view absolute) const {
  if (absolute == root_) return "";
  if (root_ == "/") return std::string(absolute.substr(1));
  if (!absolute.starts_with(root_) || absolute[root_.size()] != '/') return std::nullopt;
  return std::string(absolute.substr(root_.size() + 1));
}

const GitEntry* RevisionFiles::entry_at(std::string_view within) const {
  const auto found = std::ranges::lower_bound(entries_, within, std::less<>(),
                                              [](const GitEntry& entry) { return std::string_view(entry.path); });
  return found != entries_.end() && found->path == within ? &*found : nullptr;
}

FileSystem::Kind RevisionFiles::kind_within(const std::string& within) const {
  if (within.empty() || within == kGit) return Kind::Folder;
  if (const GitEntry* entry = entry_at(within)) return entry->kind == GitEntry::Kind::File ? Kind::File : Kind::Other;
  const std::string prefix = within + "/";
  const auto below = std::ranges::lower_bound(entries_, prefix, {}, &GitEntry::path);
  return below != entries_.end() && below->path.starts_with(prefix) ? Kind::Folder : Kind::Missing;
}

std::string RevisionFiles::target_of(const GitEntry& link) const {
  const auto [known, fresh] = targets_.try_emplace(link.path);
  if (fresh && link.size <= kMaxTarget) {
    if (Result<std::string> text = blobs_.read(link)) known->second = std::move(*text);
  }
  return known->second;
}

/// Follows the links of a path from the root, and leaves the tree where one of them or a submodule does.
RevisionFiles::Place RevisionFiles::resolved(std::string within) const {
  int links = 0;
  for (std::size_t end = within.find('/');; end = within.find('/', end + 1)) {
    const GitEntry* entry = entry_at(std::string_view(within).substr(0, end));
    if (entry != nullptr && entry->kind == GitEntry::Kind::Submodule)
      return {&submodule_at(entry->path), root_ + "/" + within};
    if (entry != nullptr && entry->kind == GitEntry::Kind::Link) {
      const std::string target = target_of(*entry);
      if (target.empty() || ++links > kMaxLinks) return {nullptr, within};
      const std::string rest = end == std::string::npos ? "" : within.substr(end);
      // Of an absolute target the folder before it does not count.
      const std::string leads = normal(fs::path(root_) / std::string(folder_of(entry->path)) / target) + rest;
      const std::optional<std::string> inside = below_root(normal(leads));
      if (!inside) return {&disk_, leads};
      within = *inside;
      end = static_cast<std::size_t>(-1);  // from its beginning
      if (within.empty()) return {nullptr, within};
      continue;
    }
    if (end == std::string::npos) return {nullptr, within};
  }
}

RevisionFiles::Place RevisionFiles::place_of(const std::string& path) const {
  const std::string written = normal(path.starts_with('/') ? fs::path(path) : fs::path(disk_.absolute(".")) / path);
  std::optional<std::string> within = below_root(written);
  // The way to the repository may lead over links of the disk.
  if (!within) within = below_root(disk_.absolute(path));
  if (!within) return {&disk_, path};
  if (is_git(*within)) return {nullptr, *within};
  Place out = resolved(std::move(*within));
  if (!out.in_tree() || kind_within(out.path) != Kind::Missing) return out;
  const std::string absolute = root_ + "/" + out.path;
  const bool named = std::ranges::any_of(
      flags_, [&](const std::string& flag) { return absolute == flag || absolute.starts_with(flag + "/"); });
  return named ? Place{&disk_, absolute} : out;
}

FileSystem::Kind RevisionFiles::kind(const std::string& path) const {
  const Place place = place_of(path);
  return place.in_tree() ? kind_within(place.path) : place.outside->kind(place.path);
}

std::uint64_t RevisionFiles::size(const std::string& path) const {
  const Place place = place_of(path);
  if (!place.in_tree()) return place.outside->size(place.path);
  const GitEntry* entry = entry_at(place.path);
  return entry == nullptr ? 0 : entry->size;
}

Result<std::string> RevisionFiles::read(const std::string& path) const {
  const Place place = place_of(path);
  if (!place.in_tree()) return place.outside->read(place.path);
  const GitEntry* entry = entry_at(place.path);
  if (entry == nullptr || entry->kind != GitEntry::Kind::File)
    return Error{Error::Code::Io, "cannot read `" + path + "`: no such file"};
  Result<std::string> text = blobs_.read(*entry);
  if (!text) ++lacking_;
  return text;
}

FileSystem::Entry RevisionFiles::listed(const std::string& within, std::string name) const {
  Entry out;
  out.name = std::move(name);
  const GitEntry* entry = entry_at(within);
  out.link = entry != nullptr && entry->kind == GitEntry::Kind::Link;
  const Place place = resolved(within);
  out.kind = place.in_tree() ? kind_within(place.path) : place.outside->kind(place.path);
  if (out.link && out.kind == Kind::Folder) out.kind = Kind::Other;
  return out;
}

Result<std::vector<FileSystem::Entry>> RevisionFiles::list(const std::string& path) const {
  const Place place = place_of(path);
  if (!place.in_tree()) return place.outside->list(place.path);
  std::vector<Entry> out;
  if (is_git(place.path)) return out;
  const std::string prefix = place.path.empty() ? "" : place.path + "/";
  for (auto it = std::ranges::lower_bound(entries_, prefix, {}, &GitEntry::path);
       it != entries_.end() && it->path.starts_with(prefix);) {
    const std::string name = it->path.substr(prefix.size(), it->path.find('/', prefix.size()) - prefix.size());
    out.push_back(listed(child(place.path, name), name));
    // Past everything below it: `0` follows `/`.
    const bool folder = it->path.size() > prefix.size() + name.size();
    it = folder ? std::ranges::lower_bound(entries_, prefix + name + "0", {}, &GitEntry::path) : std::next(it);
  }
  if (place.path.empty()) out.push_back({std::string(kGit), Kind::Folder, false});
  std::ranges::sort(out, {}, &Entry::name);
  return out;
}

std::string RevisionFiles::absolute(const std::string& path) const {
  const Place place = place_of(path);
  if (!place.in_tree()) return place.outside->absolute(place.path);
  if (place.path.empty()) return root_;
  return (root_ == "/" ? "" : root_) + "/" + place.path;
}

Result<std::string> RevisionFiles::read_standard_input(std::uint64_t limit) const {
  return disk_.read_standard_input(limit);
}

}  // namespace muster
