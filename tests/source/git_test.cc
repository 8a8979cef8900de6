// Reading revisions: what git has, what a repository may say, and that nothing of it is run.
#include "source/git.h"

#include <filesystem>

#include "base/strings.h"
#include "source/revision_files.h"
#include "support/catch.h"
#include "support/git.h"

using namespace muster;
using muster::test::Repository;
namespace fs = std::filesystem;

namespace {

const DiskFileSystem kDisk;

std::unique_ptr<RevisionFiles> files_of(const Repository& repository, const std::string& revision,
                                        const std::vector<std::string>& flags = {}) {
  const Result<GitRepository> opened = GitRepository::open(repository.path(), kDisk);
  REQUIRE(opened);
  const Result<std::string> commit = opened->commit_of(revision);
  INFO((commit ? "" : commit.error().message));
  REQUIRE(commit);
  Result<std::unique_ptr<RevisionFiles>> files = RevisionFiles::open(*opened, *commit, kDisk, flags);
  INFO((files ? "" : files.error().message));
  REQUIRE(files);
  return std::move(*files);
}

/// Why a revision cannot be read.
std::string refusal(const std::string& folder, const std::string& revision) {
  const Result<GitRepository> opened = GitRepository::open(folder, kDisk);
  if (!opened) return opened.error().message;
  const Result<std::string> commit = opened->commit_of(revision);
  return commit ? "" : replace_all(commit.error().message, kDisk.absolute(folder), "DIR");
}

std::string text_of(const FileSystem& files, const std::string& path) {
  const Result<std::string> text = files.read(path);
  return text ? *text : "!";
}

/// Names, with a mark of their kind.
std::string listed(const FileSystem& files, const std::string& path) {
  const Result<std::vector<FileSystem::Entry>> entries = files.list(path);
  REQUIRE(entries);
  std::string out;
  for (const FileSystem::Entry& entry : *entries) {
    const char mark = entry.kind == FileSystem::Kind::File     ? 'f'
                      : entry.kind == FileSystem::Kind::Folder ? 'd'
                      : entry.kind == FileSystem::Kind::Other  ? 'o'
                                                               : 'm';
    out += std::string(1, mark) + (entry.link ? "l:" : ":") + entry.name + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("a revision is read as it was, whatever the work tree has", "[git]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", "a: 1\n");
  repository.write("deep/er/b.yaml", "b: 1\n");
  repository.write("deep-er.yaml", "c: 1\n");
  repository.write("name with\ttab\nand line end.yaml", "d: 1\n");
  repository.write("empty.yaml", "");
  repository.commit();
  repository.write("a.yaml", "a: 2\n");
  repository.write("deep/new.yaml", "n: 1\n");
  fs::remove(repository.path() + "/deep-er.yaml");
  const auto files = files_of(repository, "HEAD");
  const std::string root = repository.path();
  CHECK(text_of(*files, root + "/a.yaml") == "a: 1\n");
  CHECK(files->size(root + "/a.yaml") == 5);
  CHECK(text_of(*files, root + "/deep/../deep//er/b.yaml") == "b: 1\n");
  CHECK(text_of(*files, root + "/deep-er.yaml") == "c: 1\n");
  CHECK(text_of(*files, root + "/name with\ttab\nand line end.yaml") == "d: 1\n");
  CHECK(text_of(*files, root + "/empty.yaml").empty());
  CHECK(text_of(*files, root + "/deep/new.yaml") == "!");
  CHECK(text_of(*files, root + "/deep") == "!");
  CHECK(files->kind(root + "/deep/new.yaml") == FileSystem::Kind::Missing);
  CHECK(files->kind(root + "/deep") == FileSystem::Kind::Folder);
  CHECK(listed(*files, root) ==
        "d:.git f:a.yaml d:deep f:deep-er.yaml f:empty.yaml f:name with\ttab\nand line end.yaml ");
  CHECK(listed(*files, root + "/deep") == "d:er ");
  CHECK(files->absolute(root + "/deep/./x") == kDisk.absolute(root) + "/deep/x");
  // Elsewhere stands what the disk has.
  const test::TemporaryFolder outside;
  test::write_file(outside.path() + "/o.yaml", "o: 1\n");
  CHECK(text_of(*files, outside.path() + "/o.yaml") == "o: 1\n");
}

TEST_CASE("what a command line names is taken from the disk where the revision lacks it", "[git]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", "a: 1\n");
  repository.write("rules/r.yaml", "old");
  repository.commit();
  repository.write("muster.yaml", "muster: config/v1\n");
  repository.write("rules/r.yaml", "new");
  const auto files = files_of(repository, "HEAD", {repository.path() + "/muster.yaml", repository.path() + "/rules"});
  CHECK(text_of(*files, repository.path() + "/muster.yaml") == "muster: config/v1\n");
  CHECK(text_of(*files, repository.path() + "/rules/r.yaml") == "old");
}

TEST_CASE("links of a revision are followed within its tree", "[git]") {
  if (!test::has_git()) return;
  const Repository repository;
  const std::string root = repository.path();
  repository.write("base/a.yaml", "a: 1\n");
  repository.write("sub/x", "x");
  fs::create_symlink("../base/a.yaml", root + "/sub/link.yaml");
  fs::create_symlink("link.yaml", root + "/sub/twice.yaml");
  fs::create_symlink("../base", root + "/sub/folder");
  fs::create_symlink("loop", root + "/sub/loop");
  fs::create_symlink("nowhere", root + "/sub/dangling");
  fs::create_symlink("/etc/hostname", root + "/sub/outside");
  fs::create_symlink("../../../../../../../../etc", root + "/sub/away");
  repository.commit();
  fs::remove_all(root + "/base");
  fs::remove_all(root + "/sub");
  const auto files = files_of(repository, "HEAD");
  CHECK(text_of(*files, root + "/sub/twice.yaml") == "a: 1\n");
  CHECK(text_of(*files, root + "/sub/folder/a.yaml") == "a: 1\n");
  CHECK(text_of(*files, root + "/sub/loop") == "!");
  CHECK(files->absolute(root + "/sub/twice.yaml") == kDisk.absolute(root) + "/base/a.yaml");
  CHECK(listed(*files, root + "/sub") ==
        "ol:away ml:dangling ol:folder fl:link.yaml ol:loop fl:outside fl:twice.yaml f:x ");
  CHECK(files->absolute(root + "/sub/outside") == kDisk.absolute("/etc/hostname"));
}

TEST_CASE("a revision that cannot be had is explained", "[git]") {
  if (!test::has_git()) return;
  const test::TemporaryFolder nothing;
  CHECK(contains(refusal(nothing.path(), "HEAD"), "is in no git repository"));
  const Repository repository;
  CHECK(contains(refusal(repository.path(), "HEAD"), "`HEAD` is no commit of `DIR`"));
  repository.write("a.yaml", "a: 1\n");
  repository.commit("one");
  repository.write("a.yaml", "a: 2\n");
  repository.commit("two");
  CHECK(refusal(repository.path(), "nowhere") == "`nowhere` is no commit of `DIR`; fetch it first, or name another");
  CHECK(contains(refusal(repository.path(), "HEAD:a.yaml"), "is no commit of"));
  CHECK(contains(refusal(repository.path(), "--all"), "is no revision"));
  CHECK(contains(refusal(repository.path(), ""), "is no revision"));
  const Repository shallow;
  REQUIRE(shallow.git("fetch -q --depth 1 'file://" + repository.path() + "' main:here"));
  CHECK(refusal(shallow.path(), "here").empty());
  CHECK(contains(refusal(shallow.path(), "here~1"), "which is a shallow clone; fetch it first"));
}

TEST_CASE("a repository of SHA-256 and a linked work tree are read", "[git]") {
  if (!test::has_git()) return;
  const Repository repository("--object-format=sha256");
  repository.write("a.yaml", "a: 1\n");
  repository.commit();
  repository.write("a.yaml", "a: 2\n");
  CHECK(text_of(*files_of(repository, "main"), repository.path() + "/a.yaml") == "a: 1\n");
  const Repository other;
  other.write("a.yaml", "a: 1\n");
  other.commit();
  REQUIRE(other.git("worktree add -q linked"));
  const Result<GitRepository> linked = GitRepository::open(other.path() + "/linked", kDisk);
  REQUIRE(linked);
  CHECK(linked->root() == kDisk.absolute(other.path() + "/linked"));
  CHECK(linked->commit_of("HEAD"));
}

namespace {

/// Whether each submodule that a commit has is read.
std::string submodules_of(const RevisionFiles& files, const Repository& repository) {
  std::string out;
  for (const SubmoduleState& one : files.submodules())
    out +=
        replace_all(one.path, fs::canonical(repository.path()).string(), "DIR") + (one.read ? ": read " : ": unread ");
  return out;
}

}  // namespace

TEST_CASE("a submodule is read at the commit that a revision names", "[git]") {
  if (!test::has_git()) return;
  const Repository inner;
  inner.write("i.yaml", "i: 1\n");
  inner.write("down/d.yaml", "d: 1\n");
  inner.commit();
  const Repository repository;
  const std::string root = repository.path();
  repository.write("a.yaml", "a: 1\n");
  REQUIRE(repository.git("submodule add -q --name kept 'file://" + inner.path() + "' sub/inner"));
  repository.commit();
  inner.write("i.yaml", "i: 2\n");
  inner.commit();
  REQUIRE(repository.git("-C sub/inner pull -q"));
  repository.commit("two");
  repository.write("sub/inner/i.yaml", "i: 3\n");

  const auto now = files_of(repository, "HEAD");
  CHECK(submodules_of(*now, repository) == "DIR/sub/inner: read ");
  CHECK(now->kind(root + "/sub/inner") == FileSystem::Kind::Folder);
  CHECK(text_of(*now, root + "/sub/inner/i.yaml") == "i: 2\n");
  const auto then = files_of(repository, "HEAD~1");
  CHECK(text_of(*then, root + "/sub/inner/i.yaml") == "i: 1\n");
  CHECK(text_of(*then, root + "/sub/../sub/inner/down/d.yaml") == "d: 1\n");
  CHECK(listed(*then, root + "/sub/inner") == "d:.git d:down f:i.yaml ");
  CHECK(listed(*then, root + "/sub") == "d:inner ");
  CHECK(then->kind(root + "/sub/inner/down") == FileSystem::Kind::Folder);
  CHECK(then->size(root + "/sub/inner/i.yaml") == 5);

  // Not checked out any more: what .git/modules keeps of it.
  REQUIRE(repository.git("submodule deinit -q -f sub/inner"));
  const auto kept = files_of(repository, "HEAD~1");
  CHECK(submodules_of(*kept, repository) == "DIR/sub/inner: read ");
  CHECK(text_of(*kept, root + "/sub/inner/i.yaml") == "i: 1\n");

  fs::remove_all(root + "/.git/modules");
  const auto gone = files_of(repository, "HEAD~1");
  CHECK(submodules_of(*gone, repository) == "DIR/sub/inner: unread ");
  CHECK(text_of(*gone, root + "/sub/inner/i.yaml") == "!");
}

TEST_CASE("a submodule of a submodule is read, too, and what lacks the commit is not", "[git]") {
  if (!test::has_git()) return;
  const Repository deep;
  deep.write("d.yaml", "d: 1\n");
  deep.commit();
  const Repository inner;
  REQUIRE(inner.git("submodule add -q 'file://" + deep.path() + "' deep"));
  inner.commit();
  const Repository repository;
  REQUIRE(repository.git("submodule add -q 'file://" + inner.path() + "' inner"));
  REQUIRE(repository.git("submodule update -q --init --recursive"));
  repository.commit();
  const auto files = files_of(repository, "HEAD");
  CHECK(submodules_of(*files, repository) == "DIR/inner: read DIR/inner/deep: read ");
  CHECK(text_of(*files, repository.path() + "/inner/deep/d.yaml") == "d: 1\n");

  REQUIRE(repository.git("update-index --cacheinfo 160000,1234567890123456789012345678901234567890,inner"));
  REQUIRE(repository.git("commit -q -m lost"));
  const auto lost = files_of(repository, "HEAD");
  CHECK(submodules_of(*lost, repository) == "DIR/inner: unread ");
  CHECK(text_of(*lost, repository.path() + "/inner/deep/d.yaml") == "d: 1\n");  // as the disk has it
}

TEST_CASE("names of submodules by their paths", "[git]") {
  const auto names = submodule_names(
      "[core]\n\tpath = x\n[submodule \"a b\"]\n\tpath = libs/a\n\turl = u\n[submodule \"../../evil\"]\n  "
      "path=\"libs/e\"\n");
  CHECK(names == std::map<std::string, std::string>{{"libs/a", "a b"}, {"libs/e", "../../evil"}});
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", "a: 1\n");
  repository.commit();
  const Result<GitRepository> opened = GitRepository::open(repository.path(), kDisk);
  REQUIRE(opened);
  // A name leads nowhere but below .git/modules.
  CHECK_FALSE(opened->submodule("libs/e", "../../evil", *opened->commit_of("HEAD"), kDisk));
}

TEST_CASE("nothing that a repository configures is run", "[git]") {
  if (!test::has_git()) return;
  const test::TemporaryFolder canary;
  const std::string touch = "touch " + canary.path() + "/";
  const Repository repository;
  repository.write("a.yaml", "a: 1\n");
  repository.write(".gitattributes", "*.yaml filter=evil diff=evil merge=evil ident\n");
  repository.commit();
  repository.write("lost.yaml", "lost: 1\n");
  repository.commit("two");
  for (const std::string setting :
       {"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
        "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean", "filter.evil.process",
        "diff.external", "pager.rev-parse", "pager.ls-tree", "pager.cat-file", "gpg.program", "credential.helper",
        "remote.evil.uploadpack", "core.alternateRefsCommand"})
    REQUIRE(repository.git("config " + setting + " '" + touch + setting + "; true'"));
  REQUIRE(repository.git("config alias.cat-file '!" + touch + "alias'"));
  REQUIRE(repository.git("config alias.ls-tree '!" + touch + "alias'"));
  // A partial clone that lacks a file, and whose remote says how it is fetched.
  REQUIRE(repository.git("config core.repositoryFormatVersion 1"));
  REQUIRE(repository.git("config extensions.partialClone evil"));
  REQUIRE(repository.git("config remote.evil.promisor true"));
  REQUIRE(repository.git("config remote.evil.url '" + repository.path() + "'"));
  for (const std::string hook : {"post-checkout", "pre-commit", "post-index-change", "reference-transaction"}) {
    test::write_file(repository.path() + "/.git/hooks/" + hook, "#!/bin/sh\n" + touch + hook + "\n");
    fs::permissions(repository.path() + "/.git/hooks/" + hook, fs::perms::owner_all);
  }
  std::string lost;
  {
    const Result<GitRepository> opened = GitRepository::open(repository.path(), kDisk);
    REQUIRE(opened);
    const Result<std::vector<GitEntry>> tree = opened->tree_of(*opened->commit_of("HEAD"));
    REQUIRE(tree);
    for (const GitEntry& entry : *tree) {
      if (entry.path == "lost.yaml") lost = entry.id;
    }
  }
  REQUIRE_FALSE(lost.empty());
  const auto files = files_of(repository, "HEAD");
  CHECK(text_of(*files, repository.path() + "/a.yaml") == "a: 1\n");
  fs::remove(repository.path() + "/.git/objects/" + lost.substr(0, 2) + "/" + lost.substr(2));
  CHECK(text_of(*files, repository.path() + "/lost.yaml") == "!");
  CHECK(files->lacking() == 1);
  CHECK(text_of(*files, repository.path() + "/a.yaml") == "a: 1\n");  // the next answer is that of the next question
  const Result<GitRepository> opened = GitRepository::open(repository.path(), kDisk);
  const Result<std::vector<GitEntry>> tree = opened->tree_of(*opened->commit_of("HEAD"));
  CHECK_FALSE(tree);
  CHECK(test::entries(canary.path()).empty());
}

TEST_CASE("a program named git in the input is not run", "[git]") {
  if (!test::has_git()) return;
  const std::string path = std::getenv("PATH");
  const test::TemporaryFolder canary;
  test::write_file(canary.path() + "/git", "#!/bin/sh\ntouch " + canary.path() + "/ran\n");
  fs::permissions(canary.path() + "/git", fs::perms::owner_all);
  const fs::path before = fs::current_path();
  fs::current_path(canary.path());
  setenv("PATH", (".:" + path).c_str(), 1);
  const std::optional<std::string> found = find_program("git");
  setenv("PATH", path.c_str(), 1);
  fs::current_path(before);
  REQUIRE(found);
  CHECK(found->starts_with("/"));
  CHECK_FALSE(found->starts_with(canary.path()));
}

TEST_CASE("a program that ends early is no end of this one", "[git]") {
  Result<RunningProgram> program = RunningProgram::start({"/bin/true", {}, {}});
  REQUIRE(program);
  const std::string much(1 << 20, 'x');
  CHECK_FALSE(program->write(much));
  CHECK(program->wait() == 0);
  CHECK_FALSE(RunningProgram::start({"/nowhere/at/all", {}, {}}));
  Result<RunningProgram> loud = RunningProgram::start({"/bin/sh", {"-c", "echo out; echo no >&2; exit 3"}, {}});
  REQUIRE(loud);
  CHECK(loud->read_all(100) == "out\n");
  CHECK(loud->wait() == 3);
  CHECK(loud->complaints() == "no\n");
}
