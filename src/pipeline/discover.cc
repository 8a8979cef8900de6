#include "pipeline/discover.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "source/encoding.h"

namespace muster {
namespace {

constexpr std::string_view kBundleMarks[] = {"kustomization.yaml", "kustomization.yml", "Chart.yaml", "muster.yaml", ".git"};
constexpr int kMaxFolderDepth = 200;

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == path.npos ? std::string_view{} : path.substr(0, slash));
}

std::string child(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.ends_with('/') ? folder + name : folder + "/" + name;
}

struct Found {
  std::string path;    ///< to read it by
  std::string shown;
  std::string bundle;
  std::string absolute;
  std::string rooted;      ///< what globs are about
  std::string unreadable;  ///< a folder that could not be listed: why
};

class Finder {
 public:
  Finder(const DiscoverOptions& options, const FileSystem& disk)
      : options_(options), disk_(disk), working_folder_(disk.absolute(".")) {}

  std::optional<Error> add(const std::string& argument) {
    const FileSystem::Kind kind = disk_.kind(argument);
    if (kind == FileSystem::Kind::Other) return Error{Error::Code::Io, "cannot read `" + argument + "`: it is neither a file nor a folder; a pipe is read as `-`"};
    if (kind == FileSystem::Kind::Missing) return Error{Error::Code::Io, "cannot read `" + argument + "`: no such file or folder"};
    if (kind == FileSystem::Kind::Other) return Error{Error::Code::Io, "cannot read `" + argument + "`: neither a file nor a folder; `-` reads standard input"};
    if (kind == FileSystem::Kind::File && disk_.size(argument) > kMaxFileSize) return Error{Error::Code::Io, "cannot read `" + argument + "`: larger than 32 MiB"};
    root_ = disk_.absolute(argument);
    if (kind == FileSystem::Kind::Folder) {
      root_shown_ = shown_path(root_, "");
      return walk(argument, root_, root_shown_, bundle_above(root_), 0);
    }
    const std::string name = root_.substr(root_.rfind('/') + 1);
    take(argument, root_, shown_path(root_, name), bundle_above(folder_of(root_)));
    return std::nullopt;
  }

  /// What was added last belongs to no bundle but to all of them, even where a path has it, too.
  void speak_for_all() {
    const auto last = std::ranges::find(found_, root_, &Found::absolute);
    if (last != found_.end()) last->bundle.clear();
  }

  std::size_t excluded() const { return excluded_; }

  std::vector<Found> finish() {
    std::ranges::sort(found_, [](const Found& a, const Found& b) { return std::tie(a.shown, a.absolute) < std::tie(b.shown, b.absolute); });
    return std::move(found_);
  }

 private:
  /// Below the working folder: from there. Elsewhere: `otherwise`, which is relative to the PATH argument.
  std::string shown_path(const std::string& absolute, std::string otherwise) const {
    if (absolute == working_folder_) return "";
    const std::string prefix = working_folder_.ends_with('/') ? working_folder_ : working_folder_ + "/";
    return absolute.starts_with(prefix) ? absolute.substr(prefix.size()) : otherwise;
  }

  bool has_bundle_mark(const std::string& folder) const {
    return std::ranges::any_of(kBundleMarks, [&](std::string_view mark) {
      return disk_.kind(child(folder, std::string(mark))) != FileSystem::Kind::Missing;
    });
  }

  /// The nearest folder at or above with a mark, else the folder itself.
  std::string bundle_above(const std::string& folder) const {
    for (std::string at = folder; !at.empty(); at = folder_of(at)) {
      if (has_bundle_mark(at)) return at;
    }
    return folder;
  }

  std::optional<Error> walk(const std::string& path, const std::string& absolute, const std::string& shown,
                            const std::string& bundle, int depth) {
    Result<std::vector<FileSystem::Entry>> entries = disk_.list(path);
    if (!entries) {
      if (depth == 0) return entries.error();
      found_.push_back({path, shown, bundle, absolute, rooted(absolute, shown), entries.error().message});
      return std::nullopt;
    }
    const bool marked = std::ranges::any_of(*entries, [](const FileSystem::Entry& entry) {
      return std::ranges::find(kBundleMarks, entry.name) != std::end(kBundleMarks);
    });
    const std::string here = marked ? absolute : bundle;
    for (const FileSystem::Entry& entry : *entries) {
      const std::string below = child(path, entry.name);
      const std::string below_absolute = child(absolute, entry.name);
      const std::string below_shown = child(shown, entry.name);
      const bool folder = entry.kind == FileSystem::Kind::Folder && entry.name != ".git" && depth < kMaxFolderDepth;
      const bool file = entry.kind == FileSystem::Kind::File && (!entry.link || leads_to_other_folder(below, absolute));
      if (!folder && !file) continue;
      if (excludes(rooted(below_absolute, below_shown))) {
        ++excluded_;
      } else if (folder) {
        walk(below, below_absolute, below_shown, here, depth + 1);
      } else {
        take(below, below_absolute, below_shown, here);
      }
    }
    return std::nullopt;
  }

  bool leads_to_other_folder(const std::string& link, const std::string& folder) const {
    const std::string target = disk_.absolute(link);
    return target.starts_with(root_.ends_with('/') ? root_ : root_ + "/") && folder_of(target) != folder;
  }

  std::string rooted(const std::string& absolute, const std::string& shown) const {
    const std::string prefix = options_.root + "/";
    return absolute.starts_with(prefix) ? absolute.substr(prefix.size()) : shown;
  }

  bool excludes(const std::string& path) const {
    return std::ranges::any_of(options_.excludes, [&](const std::string& glob) { return glob_matches(glob, path) || glob_matches(glob, path + "/"); });
  }

  void take(const std::string& path, const std::string& absolute, std::string shown, const std::string& bundle) {
    if (!seen_.insert(absolute).second) return;
    std::string about = rooted(absolute, shown);
    found_.push_back({path, std::move(shown), bundle, absolute, std::move(about), ""});
  }

  const DiscoverOptions& options_;
  const FileSystem& disk_;
  std::string working_folder_;
  std::string root_;
  std::string root_shown_;
  std::vector<Found> found_;
  std::set<std::string> seen_;
  std::size_t excluded_ = 0;
};

/// A file without text keeps a place for the finding that it could not be read.
void add_unreadable(const Found& found, std::string why, Inputs& inputs, std::vector<Finding>& findings) {
  const FileId id = inputs.sources.add(found.shown, "");
  inputs.files.push_back({{found.shown, folder_of(found.shown), found.bundle}, found.rooted, std::nullopt});
  // The path as it was opened may be absolute.
  findings.push_back(problem("unreadable-file", {id, 0, 0}, replace_all(std::move(why), "`" + found.path + "`", "`" + found.shown + "`")));
}

void add_text(std::string bytes, const Found& found, Inputs& inputs) {
  DecodedText decoded = decode_text(std::move(bytes));
  if (decoded.verdict == DecodedText::Verdict::Binary) {
    ++inputs.skipped;
    return;
  }
  inputs.sources.add(found.shown, std::move(decoded.text));
  InputFile file;
  file.context = {found.shown, folder_of(found.shown), found.bundle};
  file.rooted = found.rooted;
  if (decoded.verdict == DecodedText::Verdict::InvalidUtf8) file.invalid_utf8 = static_cast<std::uint32_t>(decoded.bad_offset);
  inputs.files.push_back(std::move(file));
}

}  // namespace

Result<Inputs> discover(const DiscoverOptions& options, const FileSystem& disk, std::vector<Finding>& findings) {
  Inputs inputs;
  Finder finder(options, disk);
  bool standard_input = false;
  for (const std::string& path : options.paths) {
    if (path == "-") {
      standard_input = true;
    } else if (std::optional<Error> error = finder.add(path)) {
      return *error;
    }
  }
  for (const std::string& path : options.own_files) {
    if (std::optional<Error> error = finder.add(path)) return *error;
    finder.speak_for_all();
  }
  if (standard_input) {
    Result<std::string> text = disk.read_standard_input(kMaxFileSize);
    if (!text) return text.error();
    add_text(std::move(*text), {"-", "stdin", "stdin", "", "stdin", ""}, inputs);
  }
  const std::vector<Found> found = finder.finish();
  for (const Found& file : found) {
    if (!file.unreadable.empty()) {
      add_unreadable(file, file.unreadable, inputs, findings);
      continue;
    }
    const std::uint64_t size = disk.size(file.path);
    // An empty topology says something, too: slurmctld opens it by its name.
    const bool speaks_empty = file.path.ends_with("topology.conf") || file.path.ends_with("topology.yaml");
    if ((size == 0 && !speaks_empty) || size > kMaxFileSize) {
      ++inputs.skipped;
      continue;
    }
    Result<std::string> bytes = disk.read(file.path);
    if (!bytes) {
      const bool named = std::ranges::find(options.paths, file.path) != options.paths.end();
      const bool own = std::ranges::find(options.own_files, file.path) != options.own_files.end();
      if (named || own) return bytes.error();
      add_unreadable(file, bytes.error().message, inputs, findings);
      continue;
    }
    add_text(std::move(*bytes), file, inputs);
  }
  if (found.empty() && !standard_input) {
    const std::string aside = finder.excluded() > 0 ? " that muster.yaml does not exclude" : "";
    return Error{Error::Code::Io, "there is not one file in `" + join(options.paths, "`, `") + "`" + aside};
  }
  return inputs;
}

}  // namespace muster
