#include "pipeline/discover.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "pipeline/git_tree.h"
#include "pipeline/own_output.h"
#include "slurm/keys.h"
#include "source/encoding.h"
#include "source/gzip.h"

namespace muster {
namespace {

constexpr std::string_view kBundleMarks[] = {"kustomization.yaml", "kustomization.yml", "Chart.yaml", "muster.yaml",
                                             ".git"};
constexpr int kMaxFolderDepth = 200;

std::string child(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.ends_with('/') ? folder + name : folder + "/" + name;
}

struct Found {
  std::string path;  ///< to read it by
  std::string shown;
  std::string name;  ///< of fingerprints and globs: from the working folder, else from the PATH argument
  std::string bundle;
  std::string absolute;
  std::string rooted;      ///< what globs are about
  std::string unreadable;  ///< a folder that could not be listed: why
  Reading reading = Reading::Whole;
  bool named = false;               ///< as InputFile::named
  std::optional<std::string> text;  ///< of standard input
};

/// A folder on the way: how it is called, and what counts in it.
struct Step {
  std::string path;
  std::string absolute;
  std::string shown;
  std::string name;
  std::string bundle;
  int depth = 0;
  const IgnoreFrame* frames = nullptr;
  const GitTree* tree = nullptr;
  bool tracked_only = false;  ///< git ignores the folder and tracks something in it
};

class Finder {
 public:
  Finder(const DiscoverOptions& options, const FileSystem& disk, Inputs& inputs)
      : options_(options), disk_(disk), inputs_(inputs), working_folder_(disk.absolute(".")) {}

  std::optional<Error> add(const std::string& argument) {
    const FileSystem::Kind kind = disk_.kind(argument);
    if (kind == FileSystem::Kind::Other)
      return Error{Error::Code::Io,
                   "cannot read `" + argument + "`: it is neither a file nor a folder; a pipe is read as `-`"};
    if (kind == FileSystem::Kind::Missing)
      return Error{Error::Code::Io, "cannot read `" + argument + "`: no such file or folder"};
    if (kind == FileSystem::Kind::File && disk_.size(argument) > kMaxFileSize)
      return Error{Error::Code::Io, "cannot read `" + argument + "`: larger than 32 MiB"};
    root_ = disk_.absolute(argument);
    const bool folder = kind == FileSystem::Kind::Folder;
    Step step{argument, root_, shown_root(argument), "", bundle_above(folder ? root_ : std::string(folder_of(root_)))};
    step.name = below(working_folder_, root_) ? step.shown : folder ? "" : root_.substr(root_.rfind('/') + 1);
    const std::string& from = options_.among.named_from;
    if (!from.empty() && below(from, root_) && !below(working_folder_, root_)) step.name = path_from(from, root_);
    if (!folder) {
      take(step);
      return std::nullopt;
    }
    inputs_.folders.push_back(step.shown);
    if (options_.ignored == DiscoverOptions::Ignored::Read) return walk(std::move(step));
    return walk_in_tree(std::move(step));
  }

  /// Standard input, in place of the file of that name if there is one: what an editor has not written yet.
  void add_standard_input(std::string text, const std::string& name) {
    Found found{"-", "stdin", "stdin", "stdin", "", "stdin", "", Reading::Whole, false, std::move(text)};
    if (!name.empty()) {
      found.absolute = disk_.absolute(name);
      found.named = true;
      found.bundle = bundle_above(std::string(folder_of(found.absolute)));
      const bool here = below(working_folder_, found.absolute);
      found.shown = here ? path_from(working_folder_, found.absolute) : found.absolute;
      found.name = here ? found.shown : found.absolute.substr(found.absolute.rfind('/') + 1);
      Step step;
      step.absolute = found.absolute;
      step.name = found.name;
      found.rooted = rooted(step);
      std::erase_if(found_, [&](const Found& other) { return other.absolute == found.absolute; });
    }
    found_.push_back(std::move(found));
  }

  /// What was added last belongs to no bundle but to all of them, even where a path has it, too.
  void speak_for_all() {
    const auto last = std::ranges::find(found_, root_, &Found::absolute);
    if (last != found_.end()) last->bundle.clear();
  }

  std::vector<Found> finish() {
    std::ranges::sort(found_, [](const Found& a, const Found& b) {
      return std::tie(a.shown, a.absolute) < std::tie(b.shown, b.absolute);
    });
    return std::move(found_);
  }

 private:
  static bool below(const std::string& folder, const std::string& absolute) {
    return absolute == folder || absolute.starts_with(folder.ends_with('/') ? folder : folder + "/");
  }

  std::string shown_root(const std::string& argument) const {
    if (root_ == working_folder_) return "";
    const bool elsewhere = argument.starts_with('/') && !below(working_folder_, root_);
    return elsewhere ? root_ : path_from(working_folder_, root_);
  }

  bool has_bundle_mark(const std::string& folder) const {
    return std::ranges::any_of(kBundleMarks, [&](std::string_view mark) {
      return disk_.kind(child(folder, std::string(mark))) != FileSystem::Kind::Missing;
    });
  }

  /// The nearest folder at or above with a mark, else the folder itself.
  std::string bundle_above(const std::string& folder) const {
    for (std::string at = folder; !at.empty(); at = std::string(folder_of(at))) {
      if (has_bundle_mark(at)) return at;
    }
    return folder;
  }

  /// With the ignore files between the root of the work tree and the folder, unless they ignore the folder itself: it
  /// was named.
  std::optional<Error> walk_in_tree(Step step) {
    std::string top = step.absolute;
    while (!top.empty() && disk_.kind(child(top, ".git")) == FileSystem::Kind::Missing)
      top = std::string(folder_of(top));
    if (top.empty()) return walk(std::move(step));
    const GitTree tree(top, disk_);
    step.tree = &tree;
    if (top == step.absolute) return walk(std::move(step));
    std::deque<IgnoreFrame> frames{{nullptr, top, tree.excludes()}};
    step.frames = &frames.back();
    for (std::size_t end = top.size();; end = step.absolute.find('/', end + 1)) {
      const std::string folder = step.absolute.substr(0, end);
      if (folder.size() > top.size() && is_ignored(step.frames, folder, FileSystem::Kind::Folder)) {
        step.frames = nullptr;
        break;
      }
      if (folder == step.absolute) break;  // its own file is read on the way
      frames.push_back({step.frames, folder, read_patterns(child(folder, ".gitignore"))});
      step.frames = &frames.back();
    }
    return walk(std::move(step));
  }

  IgnorePatterns read_patterns(const std::string& path) const {
    if (disk_.kind(path) != FileSystem::Kind::File || disk_.size(path) > IgnorePatterns::kMaxText) return {};
    const Result<std::string> text = disk_.read(path);
    return text ? IgnorePatterns(*text) : IgnorePatterns();
  }

  std::optional<Error> walk(Step step) {
    Result<std::vector<FileSystem::Entry>> entries = disk_.list(step.path);
    if (!entries) {
      if (step.depth == 0) return entries.error();
      give_up(step, entries.error().message, Reading::Unreadable);
      return std::nullopt;
    }
    const auto has = [&](std::string_view name) {
      return std::ranges::find(*entries, name, &FileSystem::Entry::name) != entries->end();
    };
    if (std::ranges::any_of(kBundleMarks, has)) step.bundle = step.absolute;
    std::optional<GitTree> tree;
    IgnoreFrame outermost;
    IgnoreFrame frame;
    const bool asks_git = options_.ignored == DiscoverOptions::Ignored::LeaveOut;
    if (asks_git && has(".git")) {
      step.tree = &tree.emplace(step.absolute, disk_);
      outermost = {nullptr, step.absolute, tree->excludes()};
      step.frames = &outermost;
      step.tracked_only = false;
    }
    if (asks_git && step.tree != nullptr && has(".gitignore")) {
      frame = {step.frames, step.absolute, read_patterns(child(step.path, ".gitignore"))};
      step.frames = &frame;
    }
    for (const FileSystem::Entry& entry : *entries) visit(entry, step);
    return std::nullopt;
  }

  void visit(const FileSystem::Entry& entry, const Step& from) {
    if (entry.name == ".git") return;
    Step step = from;
    step.path = child(from.path, entry.name);
    step.absolute = child(from.absolute, entry.name);
    step.shown = child(from.shown, entry.name);
    step.name = child(from.name, entry.name);
    ++step.depth;
    if (step.absolute == working_folder_) step.shown.clear();
    const bool folder = entry.kind == FileSystem::Kind::Folder;
    if (folder && options_.among.apart.contains(step.absolute)) return;
    if (excludes(rooted(step))) return inputs_.excluded.push_back(step.shown + (folder ? "/" : ""));
    if (leaves_out(entry, step)) return inputs_.ignored.push_back(step.shown + (folder ? "/" : ""));
    if (entry.link && entry.kind == FileSystem::Kind::File) {
      const std::string target = disk_.absolute(step.path);
      if (folder_of(target) == from.absolute) return inputs_.ignored.push_back(step.shown);  // a second name
      if (!below(root_, target)) return inputs_.ignored.push_back(step.shown);
    }
    if (entry.kind == FileSystem::Kind::File) return take(step);
    if (!folder) return inputs_.ignored.push_back(step.shown);  // links to folders, dangling ones, pipes
    if (step.depth <= kMaxFolderDepth) {
      walk(std::move(step));
    } else {
      give_up(
          step,
          "cannot read `" + step.path + "`: more than " + std::to_string(kMaxFolderDepth) + " folders lie around it",
          Reading::TooLarge);
    }
  }

  /// Whether a person takes an entry for no part of the repository. Sets `tracked_only` where git disagrees about a
  /// part of it.
  bool leaves_out(const FileSystem::Entry& entry, Step& step) const {
    if (options_.ignored == DiscoverOptions::Ignored::Read) return false;
    const bool folder = entry.kind == FileSystem::Kind::Folder;
    if (!folder && entry.name.ends_with('~')) return true;  // an editor's backup
    const bool borrowed = folder && (entry.name == "vendor" || entry.name == "node_modules") &&
                          !contains(step.absolute, "/templates/");  // of a chart, they are its own
    if (!step.tracked_only && !borrowed && !is_ignored(step.frames, step.absolute, entry.kind)) return false;
    if (step.tree == nullptr) return true;
    step.tracked_only = true;
    return folder ? !step.tree->tracks_below(step.absolute) : !step.tree->tracks(step.absolute);
  }

  std::string rooted(const Step& step) const {
    const std::string prefix = options_.root + "/";
    return step.absolute.starts_with(prefix) ? step.absolute.substr(prefix.size()) : step.name;
  }

  bool excludes(const std::string& path) const {
    return std::ranges::any_of(options_.excludes, [&](const std::string& glob) {
      return glob_matches(glob, path) || glob_matches(glob, path + "/");
    });
  }

  void take(const Step& step) {
    if (seen_.insert(step.absolute).second)
      found_.push_back({step.path, step.shown, step.name, step.bundle, step.absolute, rooted(step), "", Reading::Whole,
                        step.absolute == root_});
  }

  void give_up(const Step& step, std::string why, Reading reading) {
    if (seen_.insert(step.absolute).second)
      found_.push_back(
          {step.path, step.shown, step.name, step.bundle, step.absolute, rooted(step), std::move(why), reading});
  }

  const DiscoverOptions& options_;
  const FileSystem& disk_;
  Inputs& inputs_;
  std::string working_folder_;
  std::string root_;
  std::vector<Found> found_;
  std::set<std::string> seen_;
};

/// A file without text keeps a place for the finding that it could not be read.
void add_unreadable(const Found& found, std::string why, Reading reading, Inputs& inputs,
                    std::vector<Finding>& findings) {
  const FileId id = inputs.sources.add(found.shown, "", found.name);
  inputs.files.push_back(
      {{found.shown, std::string(folder_of(found.shown)), found.bundle}, reading, found.rooted, std::nullopt});
  findings.push_back(problem("unreadable-file", {id, 0, 0},
                             replace_all(std::move(why), "`" + found.path + "`", "`" + found.shown + "`")));
}

constexpr std::size_t kBeginning = 1 << 16;

/// A file that is not read whole, and that its name or its beginning makes one of ours; others, such as data and
/// models, are just counted.
bool seems_ours(std::string_view path, std::string beginning) {
  const DecodedText decoded = decode_text(std::move(beginning));
  if (decoded.verdict == DecodedText::Verdict::Binary) return false;
  for (const std::string_view ending : {".yaml", ".yml", ".conf"}) {
    if (path.ends_with(ending)) return true;
  }
  const std::string_view text = decoded.text;
  return (contains(text, "apiVersion") && contains(text, "kind")) || contains(text, "#SBATCH") ||
         mentions_slurm_key(text);
}

void add_text(std::string bytes, const Found& found, Inputs& inputs) {
  DecodedText decoded = decode_text(std::move(bytes));
  if (decoded.verdict == DecodedText::Verdict::Binary || is_own_output(decoded.text)) {
    ++inputs.skipped;
    inputs.foreign.push_back(found.shown);
    return;
  }
  inputs.sources.add(found.shown, std::move(decoded.text), found.name);
  InputFile file;
  file.context = {found.shown, std::string(folder_of(found.shown)), found.bundle};
  file.rooted = found.rooted;
  file.named = found.named;
  if (decoded.verdict == DecodedText::Verdict::InvalidUtf8)
    file.invalid_utf8 = static_cast<std::uint32_t>(decoded.bad_offset);
  inputs.files.push_back(std::move(file));
}

/// Whether a file above the limit is ours.
bool large_seems_ours(const Found& found, const FileSystem& disk) {
  Result<std::string> bytes = disk.read_start(found.path, kBeginning);
  if (!bytes) return true;
  if (is_gzip_name(found.path)) bytes = unpack_gzip(*bytes, kBeginning).text;
  return seems_ours(without_gzip_ending(found.path), std::move(*bytes));
}

/// Why packed data is not read; `left`: how much all of an input may still unpack to.
std::string unpacking_trouble(Unpacked::Verdict verdict, std::uint64_t left) {
  if (verdict != Unpacked::Verdict::TooLarge) return words_of(verdict);
  return left >= kMaxFileSize ? "it unpacks to more than 32 MiB"
                              : "all packed files together unpack to more than 256 MiB";
}

bool is_named(const Found& file, const DiscoverOptions& options) {
  return std::ranges::find(options.paths, file.path) != options.paths.end() ||
         std::ranges::find(options.own_files, file.path) != options.own_files.end();
}

/// The text of a packed file takes its place, under its name. Of one that cannot be unpacked whole nothing is read:
/// what is missing would look as if nobody wrote it. The error is that of a path that was named.
std::optional<Error> add_packed(const std::string& bytes, const Found& file, const DiscoverOptions& options,
                                Inputs& inputs, std::vector<Finding>& findings) {
  const auto is_none_of_ours = [&] {
    ++inputs.skipped;
    inputs.foreign.push_back(file.shown);
    return std::nullopt;
  };
  Unpacked unpacked = unpack_gzip(bytes, kBeginning);
  if (decode_text(unpacked.text).verdict == DecodedText::Verdict::Binary) return is_none_of_ours();
  const std::uint64_t left = kMaxUnpacked - inputs.unpacked;
  if (unpacked.verdict == Unpacked::Verdict::TooLarge || unpacked.text.size() > left)
    unpacked = unpack_gzip(bytes, std::min(kMaxFileSize, left));
  if (unpacked.verdict == Unpacked::Verdict::Whole) {
    if (unpacked.text.empty()) return is_none_of_ours();
    inputs.unpacked += unpacked.text.size();
    add_text(std::move(unpacked.text), file, inputs);
    return std::nullopt;
  }
  const std::string why = "cannot read `" + file.path + "`: " + unpacking_trouble(unpacked.verdict, left);
  if (is_named(file, options)) return Error{Error::Code::Io, why};
  const bool large = unpacked.verdict == Unpacked::Verdict::TooLarge;
  unpacked.text.resize(std::min(unpacked.text.size(), kBeginning));
  if (large) inputs.too_large.push_back(file.shown);
  if (!seems_ours(without_gzip_ending(file.path), std::move(unpacked.text))) {
    if (!large) return is_none_of_ours();
    ++inputs.skipped;
    return std::nullopt;
  }
  add_unreadable(file, why, large ? Reading::TooLarge : Reading::Unreadable, inputs, findings);
  return std::nullopt;
}

/// Reads one file; the error is that of a path that was named.
std::optional<Error> read_found(const Found& file, const DiscoverOptions& options, const FileSystem& disk,
                                Inputs& inputs, std::vector<Finding>& findings) {
  if (!file.unreadable.empty()) {
    if (file.reading == Reading::TooLarge) inputs.too_large.push_back(file.shown + "/");
    add_unreadable(file, file.unreadable, file.reading, inputs, findings);
    return std::nullopt;
  }
  const std::uint64_t size = disk.size(file.path);
  if (size > kMaxFileSize) {
    inputs.too_large.push_back(file.shown);
    if (large_seems_ours(file, disk)) {
      add_unreadable(file, "cannot read `" + file.path + "`: larger than 32 MiB", Reading::TooLarge, inputs, findings);
    } else {
      ++inputs.skipped;
    }
    return std::nullopt;
  }
  // An empty topology says something, too: slurmctld opens it by its name. So does a manifest that nobody wrote.
  const bool speaks_empty =
      file.path.ends_with("topology.conf") || file.path.ends_with(".yaml") || file.path.ends_with(".yml");
  if (size == 0 && !speaks_empty) {
    ++inputs.skipped;
    inputs.foreign.push_back(file.shown);
    return std::nullopt;
  }
  Result<std::string> bytes = disk.read(file.path);
  if (bytes && is_gzip_name(file.path)) return add_packed(*bytes, file, options, inputs, findings);
  if (bytes) {
    add_text(std::move(*bytes), file, inputs);
    return std::nullopt;
  }
  if (is_named(file, options)) return bytes.error();
  add_unreadable(file, bytes.error().message, Reading::Unreadable, inputs, findings);
  return std::nullopt;
}

/// Why there is not one file.
Error nothing_there(const DiscoverOptions& options, const Inputs& inputs) {
  std::string aside = inputs.excluded.empty() ? "" : " that no glob excludes";
  if (!inputs.ignored.empty())
    aside += (aside.empty() ? " that" : " and") + std::string(" git does not ignore; --no-ignore reads all");
  return {Error::Code::Io, "there is not one file in `" + join(options.paths, "`, `") + "`" + aside};
}

}  // namespace

std::function<std::string_view(FileId)> paths_in(const Inputs& inputs) {
  return [&inputs](FileId file) -> std::string_view {
    const auto i = static_cast<std::size_t>(file);
    return i < inputs.files.size() ? std::string_view(inputs.files[i].context.path) : std::string_view();
  };
}

std::string path_from(const std::string& folder, const std::string& absolute) {
  const auto pieces_of = [](std::string_view path) {
    std::vector<std::string_view> pieces;
    for (const std::string_view piece : split(path, '/')) {
      if (!piece.empty()) pieces.push_back(piece);
    }
    return pieces;
  };
  const std::vector<std::string_view> from = pieces_of(folder);
  const std::vector<std::string_view> to = pieces_of(absolute);
  const auto [from_rest, to_rest] = std::ranges::mismatch(from, to);
  std::vector<std::string_view> out(static_cast<std::size_t>(from.end() - from_rest), "..");
  out.insert(out.end(), to_rest, to.end());
  return join(out, "/");
}

Result<Inputs> discover(const DiscoverOptions& options, const FileSystem& disk, std::vector<Finding>& findings) {
  Inputs inputs;
  Finder finder(options, disk, inputs);
  // How a file is called must not depend on which of two paths that hold it came first.
  std::vector<std::string> paths = options.paths;
  std::ranges::sort(paths);
  bool standard_input = false;
  for (const std::string& path : paths) {
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
    finder.add_standard_input(std::move(*text), options.stdin_name);
  }
  std::vector<Found> found = finder.finish();
  for (Found& file : found) {
    std::optional<Error> error;
    if (!file.text) {
      error = read_found(file, options, disk, inputs, findings);
    } else if (is_gzip_name(file.shown) || file.text->starts_with("\x1f\x8b")) {
      error = add_packed(*file.text, file, options, inputs, findings);
    } else {
      add_text(std::move(*file.text), file, inputs);
    }
    if (error) return *error;
  }
  for (std::vector<std::string>* list : {&inputs.ignored, &inputs.excluded, &inputs.too_large, &inputs.foreign}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  // One of many may be empty.
  if (found.empty() && options.among.named_from.empty()) return nothing_there(options, inputs);
  return inputs;
}

}  // namespace muster
