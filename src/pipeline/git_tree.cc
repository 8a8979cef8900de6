#include "pipeline/git_tree.h"

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::uint64_t kMaxIndex = 256u << 20;
constexpr std::uint64_t kMaxSmallFile = 1u << 20;

/// The text of a small file of git's own; empty where there is none.
std::string small_file(const std::string& path, const FileSystem& disk) {
  if (disk.kind(path) != FileSystem::Kind::File || disk.size(path) > kMaxSmallFile) return "";
  Result<std::string> text = disk.read(path);
  return text ? std::move(*text) : "";
}

std::string from_folder(const std::string& folder, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : folder + "/" + std::string(path);
}

}  // namespace

std::string GitTree::git_folder() const {
  const std::string git = root_ + "/.git";
  if (disk_.kind(git) != FileSystem::Kind::File) return git;
  // Of a linked work tree or a submodule: `gitdir: PATH`.
  const std::string text = small_file(git, disk_);
  constexpr std::string_view kWord = "gitdir:";
  if (!text.starts_with(kWord)) return git;
  return from_folder(root_, trim(std::string_view(text).substr(kWord.size())));
}

/// What the work trees of a repository share.
std::string GitTree::shared_folder() const {
  const std::string git = git_folder();
  const std::string shared = small_file(git + "/commondir", disk_);
  return shared.empty() ? git : from_folder(git, trim(shared));
}

IgnorePatterns GitTree::excludes() const {
  return IgnorePatterns(small_file(shared_folder() + "/info/exclude", disk_));
}

const std::optional<TrackedPaths>& GitTree::index() const {
  if (read_) return index_;
  read_ = true;
  const std::string path = git_folder() + "/index";
  const FileSystem::Kind kind = disk_.kind(path);
  if (kind == FileSystem::Kind::Missing) index_.emplace();  // nothing was added yet
  if (kind != FileSystem::Kind::File || disk_.size(path) > kMaxIndex) return index_;
  const Result<std::string> bytes = disk_.read(path);
  const bool sha256 = contains(small_file(shared_folder() + "/config", disk_), "sha256");
  if (!bytes) return index_;
  Result<TrackedPaths> read =
      TrackedPaths::read(*bytes, sha256 ? TrackedPaths::HashSize::Sha256 : TrackedPaths::HashSize::Sha1);
  if (read) index_ = std::move(*read);
  return index_;
}

std::string_view GitTree::within(std::string_view absolute) const {
  return absolute.substr(root_.size() + (root_.ends_with('/') ? 0 : 1));
}

bool GitTree::tracks(std::string_view absolute) const { return !index() || index()->has(within(absolute)); }

bool GitTree::tracks_below(std::string_view absolute) const {
  return !index() || index()->has_at_or_below(within(absolute));
}

bool is_ignored(const IgnoreFrame* frames, std::string_view absolute, FileSystem::Kind kind) {
  for (const IgnoreFrame* frame = frames; frame != nullptr; frame = frame->above) {
    const std::string_view path = absolute.substr(frame->folder.size() + (frame->folder.ends_with('/') ? 0 : 1));
    const IgnorePatterns::Verdict verdict = frame->patterns.verdict(path, kind);
    if (verdict != IgnorePatterns::Verdict::Silent) return verdict == IgnorePatterns::Verdict::Ignored;
  }
  return false;
}

}  // namespace muster
