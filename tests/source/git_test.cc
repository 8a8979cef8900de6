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

TEST_CASE("a submodule is as the disk has it", "[git]") {
  if (!test::has_git()) return;
  const Repository inner;
  inner.write("i.yaml", "i: 1\n");
  inner.commit();
  const Repository repository;
  repository.write("a.yaml", "a: 1\n");
  REQUIRE(repository.git("submodule add -q 'file://" + inner.path() + "' inner"));
  repository.commit();
  const auto files = files_of(repository, "HEAD");
  CHECK(files->kind(repository.path() + "/inner") == FileSystem::Kind::Folder);
  CHECK(text_of(*files, repository.path() + "/inner/i.yaml") == "i: 1\n");
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
