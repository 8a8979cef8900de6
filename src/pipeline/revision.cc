#include "pipeline/revision.h"

#include "base/strings.h"
#include "source/revision_files.h"

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
                                                        const FileSystem& disk) {
  Result<GitRepository> repository = repository_of(options, disk);
  if (!repository) return repository.error();
  Result<std::string> commit = repository->commit_of(revision);
  if (!commit) return commit.error();
  std::vector<std::string> flags = options.rule_folders;
  for (const std::string& flag : {options.config, options.fleet, options.workloads}) {
    if (!flag.empty()) flags.push_back(flag);
  }
  Result<std::unique_ptr<RevisionFiles>> files = RevisionFiles::open(*repository, *commit, disk, flags);
  if (!files) return files.error();
  auto out = std::make_unique<CheckedRevision>();
  out->commit = *commit;
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

}  // namespace muster
