#include "pipeline/shards.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/strings.h"
#include "pipeline/gate.h"

namespace muster {
namespace {

constexpr int kMaxDepth = 200;  // as for what is read

bool lies_in(const std::string& folder, const std::string& absolute) {
  return absolute.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

class RepositoryFinder {
 public:
  explicit RepositoryFinder(const FileSystem& disk) : disk_(disk) {}

  void add(const std::string& path) {
    const std::string absolute = disk_.absolute(path);
    named_from_ = disk_.kind(path) == FileSystem::Kind::Folder ? absolute : std::string(folder_of(absolute));
    if (named_from_.empty()) named_from_ = "/";
    if (disk_.kind(path) != FileSystem::Kind::Folder || is_within_one(absolute)) return take(path, absolute, whole_);
    if (go_through(path, absolute, 0)) take(path, absolute, outside_);
  }

  std::vector<Repository> finish() {
    // Who names a part of what is there already gets it once.
    std::erase_if(whole_, [&](const Repository& one) {
      return std::ranges::any_of(whole_,
                                 [&](const Repository& other) { return lies_in(other.absolute, one.absolute); });
    });
    std::erase_if(outside_, [&](const Repository& one) {
      return std::ranges::any_of(outside_,
                                 [&](const Repository& other) { return lies_in(other.absolute, one.absolute); });
    });
    for (Repository& one : outside_) {
      for (const Repository& other : whole_) {
        if (lies_in(one.absolute, other.absolute)) one.among.apart.insert(other.absolute);
      }
    }
    std::vector<Repository> out = std::move(whole_);
    out.insert(out.end(), outside_.begin(), outside_.end());
    std::ranges::sort(out, {}, &Repository::absolute);
    const auto same = [](const Repository& a, const Repository& b) { return a.absolute == b.absolute; };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    return out;
  }

 private:
  bool is_one(const std::string& folder) const {
    const std::string inside = folder.ends_with('/') ? folder : folder + "/";
    return disk_.kind(inside + ".git") != FileSystem::Kind::Missing ||
           disk_.kind(inside + "muster.yaml") != FileSystem::Kind::Missing;
  }

  bool is_within_one(const std::string& folder) const {
    for (std::string at = folder; !at.empty(); at = std::string(folder_of(at))) {
      if (is_one(at)) return true;
    }
    return false;
  }

  /// Whether there is something outside of all repositories.
  bool go_through(const std::string& path, const std::string& absolute, int depth) {
    const Result<std::vector<FileSystem::Entry>> entries = disk_.list(path);
    if (!entries || entries->empty() || depth > kMaxDepth) return true;
    bool outside = false;
    for (const FileSystem::Entry& entry : *entries) {
      if (entry.kind != FileSystem::Kind::Folder) {
        outside = true;
        continue;
      }
      const std::string below = (path.ends_with('/') ? path : path + "/") + entry.name;
      const std::string below_absolute = (absolute.ends_with('/') ? absolute : absolute + "/") + entry.name;
      if (is_one(below)) {
        take(below, below_absolute, whole_);
      } else {
        outside = go_through(below, below_absolute, depth + 1) || outside;
      }
    }
    return outside;
  }

  void take(const std::string& path, const std::string& absolute, std::vector<Repository>& into) {
    into.push_back({path, absolute, {named_from_, {}}});
  }

  const FileSystem& disk_;
  std::string named_from_;
  std::vector<Repository> whole_;
  std::vector<Repository> outside_;
};

/// Where a task stands may differ from another's, and so does not count.
std::string digest_of(const std::vector<Repository>& all) {
  std::string names;
  for (const Repository& one : all) names += one.path + "\n";
  return sha256(std::move(names));
}

}  // namespace

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  std::string_view which = text.substr(0, slash);
  const bool from_zero = which.ends_with("+1");
  if (from_zero) which.remove_suffix(2);
  std::optional<std::int64_t> number = parse_int(which);
  if (number && from_zero) *number = *number < static_cast<std::int64_t>(kMaxShards) ? *number + 1 : 0;
  const std::optional<std::int64_t> of = slash == text.npos ? std::nullopt : parse_int(text.substr(slash + 1));
  if (!number || !of || *number < 1 || *of < *number || *of > static_cast<std::int64_t>(kMaxShards))
    return Error{Error::Code::Usage, "--shard: expected a number and of how many, such as 2/8, from 1/8 to 8/8; got `" +
                                         std::string(text) + "`"};
  Shard out;
  out.number = static_cast<std::size_t>(*number);
  out.of = static_cast<std::size_t>(*of);
  return out;
}

std::vector<Repository> find_repositories(const std::vector<std::string>& paths, const FileSystem& disk) {
  RepositoryFinder finder(disk);
  for (const std::string& path : paths) finder.add(path);
  return finder.finish();
}

Result<Report> check_shard(const Options& options, Shard shard, const FileSystem& disk, SourceMap& sources) {
  for (const std::string& path : options.paths) {
    if (disk.kind(path) == FileSystem::Kind::Missing)
      return Error{Error::Code::Io, "cannot read `" + path + "`: no such file or folder"};
  }
  const std::vector<Repository> all = find_repositories(options.paths, disk);
  shard.all = all.size();
  shard.fleet = digest_of(all);
  ResultMerger merger;
  for (std::size_t i = shard.number - 1; i < all.size(); i += shard.of) {
    ++shard.repositories;
    Options one = options;
    one.paths = {all[i].path};
    one.among = all[i].among;
    one.one_run = options.one_run && shard.of >= all.size();
    if (options.progress) options.progress("repository " + all[i].path);
    Workspace workspace;
    Result<Report> report = gate(one, disk, workspace);
    if (!report) {
      shard.failed.push_back({all[i].path, report.error().message});
      continue;
    }
    report->shard = shard;  // lists what became of each file
    if (std::optional<Error> error = merger.add(all[i].path, render_json(*report, {})))
      shard.failed.push_back({all[i].path, error->message});
  }
  return merger.join_parts(sources, std::move(shard));
}

}  // namespace muster
