#include "source/git.h"

#include <algorithm>
#include <cstdlib>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

/// Names of a million files.
constexpr std::size_t kMaxListing = 256u << 20;
constexpr std::size_t kMaxLine = 4096;

Error git_error(std::string message) { return {Error::Code::Usage, std::move(message)}; }

/// What git said, without its `fatal: `.
std::string said_by(const RunningProgram& program) {
  std::string text = std::string(trim(program.complaints()));
  for (const std::string_view mark : {"fatal: ", "error: "}) {
    if (text.starts_with(mark)) text.erase(0, mark.size());
  }
  return text;
}

bool is_hex(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

/// Whether a path stays within the tree. git refuses to make others; a tree can be made by hand.
bool is_within(std::string_view path) {
  return std::ranges::none_of(split(path, '/'), [](std::string_view name) {
    return name.empty() || name == "." || name == ".." || equals_ignoring_case(name, ".git");
  });
}

/// `100644 blob 3f6c...    1234<tab>jobs/train.yaml`
std::optional<GitEntry> read_entry(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos) return std::nullopt;
  const std::vector<std::string_view> words = split_blanks(line.substr(0, tab));
  if (words.size() != 4 || !is_hex(words[2])) return std::nullopt;
  GitEntry out;
  out.path = line.substr(tab + 1);
  out.id = words[2];
  if (words[1] == "commit") out.kind = GitEntry::Kind::Submodule;
  if (words[0] == "120000") out.kind = GitEntry::Kind::Link;
  const std::optional<std::int64_t> size = words[3] == "-" ? 0 : parse_int(words[3]);
  if (!size || *size < 0) return std::nullopt;
  out.size = static_cast<std::uint64_t>(*size);
  return out;
}

}  // namespace

Result<GitRepository> GitRepository::open(const std::string& folder, const FileSystem& disk) {
  std::string root = disk.absolute(folder);
  while (!root.empty() && disk.kind(root + "/.git") == FileSystem::Kind::Missing) root = std::string(folder_of(root));
  if (root.empty()) return git_error("`" + folder + "` is in no git repository");
  const std::optional<std::string> git = find_program("git");
  if (!git) return git_error("there is no program `git` in PATH, which reads revisions");
  return GitRepository(std::move(root), *git);
}

ProgramCall GitRepository::call(std::vector<std::string> arguments) const {
  ProgramCall out{git_, {"-C", folder_, "--no-pager", "--no-replace-objects", "--no-optional-locks"}, {}};
  // Before 2.45 git takes a folder of .git/modules for a bare repository that lies about.
  const std::string_view bare = in_modules_ ? "safe.bareRepository=all" : "safe.bareRepository=explicit";
  for (const std::string_view setting :
       {std::string_view("core.fsmonitor=false"), std::string_view("core.hooksPath=/dev/null"), bare,
        std::string_view("protocol.allow=never")}) {
    out.arguments.emplace_back("-c");
    out.arguments.emplace_back(setting);
  }
  out.arguments.insert(out.arguments.end(), arguments.begin(), arguments.end());
  out.environment = {"LC_ALL=C", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
                     "GIT_ATTR_NOSYSTEM=1"};
  // Where the user's own configuration stands, and the helpers of git.
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "PATH", "SUDO_UID"}) {
    if (const char* value = std::getenv(name)) out.environment.push_back(std::string(name) + "=" + value);
  }
  return out;
}

/// A line; empty where git has none.
std::string GitRepository::answer(std::vector<std::string> arguments) const {
  Result<RunningProgram> program = RunningProgram::start(call(std::move(arguments)));
  return program ? std::string(trim(program->read_all(kMaxLine).value_or(""))) : "";
}

bool GitRepository::is_unborn() const {
  return answer({"rev-parse", "--is-inside-work-tree"}) == "true" &&
         answer({"rev-parse", "--verify", "--quiet", "HEAD"}).empty();
}

bool GitRepository::is_shallow() const { return answer({"rev-parse", "--is-shallow-repository"}) == "true"; }

std::optional<GitRepository> GitRepository::submodule(const std::string& path, const std::string& name,
                                                      const std::string& commit, const FileSystem& disk) const {
  if (!is_within(path) || !is_within(name)) return std::nullopt;
  std::vector<std::string> folders;
  const std::string tree = root_ + "/" + path;
  if (disk.kind(tree + "/.git") != FileSystem::Kind::Missing) folders.push_back(tree);
  const std::size_t trees = folders.size();
  for (const std::string_view which : {"--git-dir", "--git-common-dir"}) {  // they differ in a linked work tree
    const std::string git = answer({"rev-parse", "--path-format=absolute", std::string(which)});
    const std::string kept = git + "/modules/" + name;
    const bool known = git.empty() || std::ranges::find(folders, kept) != folders.end();
    if (!known && disk.kind(kept) == FileSystem::Kind::Folder) folders.push_back(kept);
  }
  for (std::size_t i = 0; i < folders.size(); ++i) {
    GitRepository out(tree, git_);
    out.folder_ = folders[i];
    out.in_modules_ = i >= trees;
    if (out.commit_of(commit)) return out;
  }
  return std::nullopt;
}

std::map<std::string, std::string> submodule_names(std::string_view gitmodules) {
  constexpr std::string_view kSection = "[submodule \"";
  std::map<std::string, std::string> out;
  std::string name;
  for (const std::string_view raw : split(gitmodules, '\n')) {
    const std::string_view line = trim(raw);
    if (line.starts_with('[')) name.clear();
    if (line.starts_with(kSection) && line.ends_with("\"]"))
      name = replace_all(std::string(line.substr(kSection.size(), line.size() - kSection.size() - 2)), "\\", "");
    const std::size_t equals = line.find('=');
    if (name.empty() || equals == line.npos || trim(line.substr(0, equals)) != "path") continue;
    std::string_view path = trim(line.substr(equals + 1));
    if (path.size() > 1 && path.starts_with('"') && path.ends_with('"')) path = path.substr(1, path.size() - 2);
    out.emplace(path, name);
  }
  return out;
}

Result<std::string> GitRepository::commit_of(const std::string& revision) const {
  if (revision.empty() || revision.starts_with('-') || contains(revision, "\n"))
    return git_error("`" + revision + "` is no revision; name a branch, a tag or a commit");
  Result<RunningProgram> program =
      RunningProgram::start(call({"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"}));
  if (!program) return program.error();
  const std::string id = std::string(trim(program->read_all(kMaxLine).value_or("")));
  if (program->wait() == 0 && is_hex(id)) return id;
  const std::string said = said_by(*program);
  if (contains(said, "dubious ownership"))
    return git_error("git does not open `" + root_ +
                     "`, which belongs to another user; say that it is to be trusted: git config --global --add "
                     "safe.directory '" +
                     root_ + "'");
  if (!contains(said, "single revision") && !contains(said, "unknown revision") && !contains(said, "valid object") &&
      !contains(said, "expected commit"))
    return git_error("git cannot read `" + root_ + "`: " + said);
  return git_error("`" + revision + "` is no commit of `" + root_ + "`" +
                   (is_shallow() ? ", which is a shallow clone; fetch it first: git fetch --unshallow, or fetch-depth: "
                                   "0 of actions/checkout"
                                 : "; fetch it first, or name another"));
}

Result<std::vector<GitEntry>> GitRepository::tree_of(const std::string& commit) const {
  Result<RunningProgram> program =
      RunningProgram::start(call({"ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit}));
  if (!program) return program.error();
  program->close_input();
  const std::optional<std::string> listing = program->read_all(kMaxListing);
  if (!listing) return git_error("the tree of " + commit + " is too large: more than 256 MiB of names");
  if (program->wait() != 0)
    return git_error("git cannot read the tree of " + commit + ": " + said_by(*program) +
                     "; a partial clone has to fetch it first");
  std::vector<GitEntry> out;
  for (const std::string_view line : split(*listing, '\0')) {
    if (line.empty()) continue;
    std::optional<GitEntry> entry = read_entry(line);
    if (!entry) return git_error("git lists a tree in a way that muster does not know: " + printable(line));
    if (is_within(entry->path)) out.push_back(std::move(*entry));
  }
  std::ranges::sort(out, {}, &GitEntry::path);
  return out;
}

Result<RunningProgram> GitRepository::start_reading() const {
  return RunningProgram::start(call({"cat-file", "--batch"}));
}

Result<std::string> GitBlobs::read(const GitEntry& entry) {
  const Error gone{Error::Code::Io, "cannot read `" + entry.path + "`: git does not have its object " + entry.id};
  if (!reader_.write(entry.id + "\n")) return gone;
  const std::optional<std::string> head = reader_.read_until('\n', kMaxLine);  // ID blob SIZE
  if (!head) return gone;
  const std::vector<std::string_view> words = split_blanks(*head);
  const std::optional<std::int64_t> size = words.size() == 3 ? parse_int(words[2]) : std::nullopt;
  if (!size || *size < 0) return gone;
  std::optional<std::string> text = reader_.read_bytes(static_cast<std::size_t>(*size) + 1);  // and a line end
  if (!text || words[1] != "blob") return gone;
  text->pop_back();
  return std::move(*text);
}

}  // namespace muster
