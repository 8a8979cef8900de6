#include "pipeline/revision.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// The repository that all paths are in.
Result<GitRepository> repository_of(const Options& options, const FileSystem& disk) {
  Result<GitRepository> out = GitRepository::open(options.paths.front() == "-" ? "." : options.paths.front(), disk);
  if (!out) return out;
  for (const std::string& path : options.paths) {
    if (path == "-") return Error{Error::Code::Usage, "standard input has no revision; name files or folders"};
    const std::string absolute = disk.absolute(path);
    if (absolute != out->root() && !absolute.starts_with(out->root() + "/"))
      return Error{Error::Code::Usage, "`" + path + "` is not in the repository `" + out->root() + "`"};
  }
  return out;
}

/// What a revision is checked with. Whatever is in its tree is tracked, and so is read.
Options options_then(const Options& options, const FileSystem& files) {
  Options out = options;
  out.read_ignored = true;
  std::erase_if(out.paths, [&](const std::string& path) { return files.kind(path) == FileSystem::Kind::Missing; });
  return out;
}

}  // namespace

Result<std::unique_ptr<CheckedRevision>> check_revision(const std::string& revision, const Options& options,
                                                        const FileSystem& disk, const std::set<std::string>& on_disk) {
  Result<GitRepository> repository = repository_of(options, disk);
  if (!repository) return repository.error();
  Result<std::string> commit = repository->commit_of(revision);
  // Before a first commit there was nothing: a hook is there from the beginning.
  if (!commit && revision == "HEAD" && repository->is_unborn()) return std::make_unique<CheckedRevision>();
  if (!commit) return commit.error();
  std::vector<std::string> flags = options.rule_folders;
  for (const std::string& flag : {options.config, options.fleet, options.workloads}) {
    if (!flag.empty()) flags.push_back(flag);
  }
  Result<std::unique_ptr<RevisionFiles>> files = RevisionFiles::open(*repository, *commit, disk, flags, on_disk);
  if (!files) return files.error();
  auto out = std::make_unique<CheckedRevision>();
  out->commit = *commit;
  out->submodules = (*files)->submodules();
  const Options then = options_then(options, **files);
  if (then.paths.empty()) return out;
  Result<Report> report = check(then, **files, out->workspace);
  if ((*files)->lacking() > 0)
    return Error{Error::Code::Usage, "the repository lacks " + count_of((*files)->lacking(), "file") + " of `" +
                                         revision + "`: it is a partial clone; git fetch --refetch brings them"};
  if (report) {
    out->report = std::move(*report);
  } else if (report.error().code != Error::Code::Io) {  // there was no file yet
    return Error{Error::Code::Usage, "`" + revision + "` cannot be checked: " + report.error().message};
  }
  return out;
}

namespace {

constexpr std::size_t kShortId = 12;

/// A submodule on one of the sides.
struct SideOfSubmodule {
  std::string commit;  ///< empty: it is not there, or on the disk not checked out
  bool read = true;
};

/// What stands at a path of the disk; where it is not checked out, what the last commit names.
SideOfSubmodule on_disk_at(const std::string& path, const FileSystem& disk) {
  const bool checked_out = disk.kind(path + "/.git") != FileSystem::Kind::Missing;
  const Result<GitRepository> repository = GitRepository::open(checked_out ? path : std::string(folder_of(path)), disk);
  const Result<std::string> commit = repository ? repository->commit_of("HEAD") : repository.error();
  if (!commit) return {};
  if (checked_out) return {*commit, true};
  const Result<std::vector<GitEntry>> tree = repository->tree_of(*commit);
  for (std::size_t i = 0; tree && i < tree->size(); ++i) {
    const GitEntry& entry = (*tree)[i];
    if (entry.kind == GitEntry::Kind::Submodule && repository->root() + "/" + entry.path == path)
      return {entry.id, false};
  }
  return {};
}

SideOfSubmodule side_at(const std::vector<SubmoduleState>* side, const std::string& path, const FileSystem& disk) {
  if (side == nullptr) return on_disk_at(path, disk);
  const auto found = std::ranges::find(*side, path, &SubmoduleState::path);
  return found == side->end() ? SideOfSubmodule{} : SideOfSubmodule{found->commit, found->read};
}

}  // namespace

std::vector<std::string> submodules_not_compared(const std::vector<SubmoduleState>* earlier,
                                                 const std::vector<SubmoduleState>* later, const FileSystem& disk) {
  std::set<std::string> unread;
  for (const std::vector<SubmoduleState>* side : {earlier, later}) {
    for (std::size_t i = 0; side != nullptr && i < side->size(); ++i) {
      if (!(*side)[i].read) unread.insert((*side)[i].path);
    }
  }
  std::vector<std::string> out;
  for (const std::string& path : unread) {
    const SideOfSubmodule before = side_at(earlier, path, disk);
    const SideOfSubmodule after = side_at(later, path, disk);
    if (before.commit == after.commit && !before.commit.empty()) continue;
    const auto shown = [](const SideOfSubmodule& side) { return "`" + side.commit.substr(0, kShortId) + "`"; };
    std::string line = "submodule `" + path_from(disk.absolute("."), path) + "`";
    if (before.commit.empty() || after.commit.empty()) {
      line += " is at " + shown(before.commit.empty() ? after : before) + " on one side alone, which is not here";
    } else {
      line += " changed from " + shown(before) + " to " + shown(after);
      line += before.read || after.read ? ", of which " + shown(before.read ? after : before) + " is not here"
                                        : ", of which neither is here";
    }
    out.push_back(line + ": not compared; `git submodule update --init`, or `git fetch` within it, brings it");
  }
  return out;
}

}  // namespace muster
