// Reading git's index: what git itself wrote, and what nobody should have.
#include "pipeline/git_index.h"

#include <cstdio>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "pipeline/discover.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

namespace {

using muster::TrackedPaths;
using muster::test::read_file;
using muster::test::TemporaryFolder;
using muster::test::write_file;

bool run_git(const std::string& folder, const std::string& words) {
  return std::system(
             ("git -C '" + folder + "' -c user.name=x -c user.email=x@example.com " + words + " >/dev/null 2>&1")
                 .c_str()) == 0;  // NOLINT
}

bool has_git() { return std::system("git --version >/dev/null 2>&1") == 0; }  // NOLINT

/// A repository of some files, all of them tracked.
void make_repository(const std::string& folder, const std::string& how) {
  for (const std::string name :
       {"a.yaml", "deep/er/b.yaml", "deep/er/c.yaml", "vendor/d.yaml", "vendor.yaml", "gen/e.yaml", "gen/f.yaml"})
    write_file(folder + "/" + name, "a: 1\n");
  write_file(folder + "/.gitignore", "gen/\n");
  run_git(folder, "init -q " + how + " .");
  run_git(folder, "add a.yaml deep vendor vendor.yaml .gitignore");
  run_git(folder, "add -f gen/e.yaml");
}

void check_paths(const TrackedPaths& paths) {
  CHECK(paths.size() == 7);
  CHECK(paths.has("deep/er/c.yaml"));
  CHECK_FALSE(paths.has("deep/er"));
  CHECK_FALSE(paths.has("gen/f.yaml"));
  CHECK(paths.has_at_or_below("deep"));
  CHECK(paths.has_at_or_below("gen"));
  CHECK_FALSE(paths.has_at_or_below("dee"));
  CHECK_FALSE(paths.has_at_or_below("gen/f.yaml"));
}

/// What is read of a folder, by its path in it.
std::string read_of(const std::string& folder,
                    muster::DiscoverOptions::Ignored ignored = muster::DiscoverOptions::Ignored::LeaveOut) {
  muster::DiscoverOptions options{{folder}, {}, {}, folder, ignored};
  std::vector<muster::Finding> findings;
  const muster::Result<muster::Inputs> inputs = muster::discover(options, muster::DiskFileSystem(), findings);
  if (!inputs) return inputs.error().message;
  std::string out;
  for (const muster::InputFile& file : inputs->files) out += file.rooted + " ";
  return out;
}

}  // namespace

TEST_CASE("an index is read as git wrote it, in versions 2, 3 and 4", "[pipeline][git]") {
  if (!has_git()) return muster::test::skip("git", "git is not installed");
  for (const std::string version : {"2", "4"}) {
    const TemporaryFolder folder;
    make_repository(folder.path(), "");
    REQUIRE(run_git(folder.path(), "update-index --index-version " + version));
    const auto paths = TrackedPaths::read(read_file(folder.path() + "/.git/index"), TrackedPaths::HashSize::Sha1);
    REQUIRE(paths);
    check_paths(*paths);
    // An entry with extended flags makes it version 3.
    REQUIRE(run_git(folder.path(), "update-index --skip-worktree a.yaml"));
    const auto extended = TrackedPaths::read(read_file(folder.path() + "/.git/index"), TrackedPaths::HashSize::Sha1);
    REQUIRE(extended);
    check_paths(*extended);
  }
}

TEST_CASE("a broken index is refused and never read beyond its end", "[pipeline][git]") {
  CHECK_FALSE(TrackedPaths::read("", TrackedPaths::HashSize::Sha1));
  CHECK_FALSE(TrackedPaths::read("DIRC", TrackedPaths::HashSize::Sha1));
  if (!has_git()) return muster::test::skip("git", "git is not installed");
  for (const std::string version : {"2", "4"}) {
    const TemporaryFolder folder;
    make_repository(folder.path(), "");
    REQUIRE(run_git(folder.path(), "update-index --index-version " + version));
    const std::string whole = read_file(folder.path() + "/.git/index");
    for (std::size_t size = 0; size < whole.size(); ++size)
      (void)TrackedPaths::read(whole.substr(0, size), TrackedPaths::HashSize::Sha1);
    std::mt19937 random(7);  // NOLINT: the same ones each time
    for (int i = 0; i < 5000; ++i) {
      std::string bent = whole;
      for (int flips = 0; flips < 3; ++flips) bent[random() % bent.size()] = static_cast<char>(random());
      (void)TrackedPaths::read(bent, random() % 2 == 0 ? TrackedPaths::HashSize::Sha1 : TrackedPaths::HashSize::Sha256);
    }
  }
}

TEST_CASE("an extension of an index that says it has four gigabytes ends it", "[pipeline][git]") {
  const std::string none("DIRC\0\0\0\2\0\0\0\0", 12);
  for (const char last : {'\xf8', '\xf0', '\xff'}) {
    const std::string extension = std::string("TREE\xff\xff\xff", 7) + last;
    const auto paths =
        TrackedPaths::read(none + extension + extension + std::string(20, 'h'), TrackedPaths::HashSize::Sha1);
    REQUIRE(paths);
    CHECK(paths->size() == 0);
  }
}

TEST_CASE("what git ignores is left out, and what it tracks is read wherever it lies", "[pipeline][git]") {
  if (!has_git()) return muster::test::skip("git", "git is not installed");
  const TemporaryFolder folder;
  make_repository(folder.path(), "");
  write_file(folder.path() + "/node_modules/x/y.yaml", "a: 1\n");
  write_file(folder.path() + "/vendor/untracked.yaml", "a: 1\n");
  const std::string all = ".gitignore a.yaml deep/er/b.yaml deep/er/c.yaml gen/e.yaml vendor.yaml vendor/d.yaml ";
  CHECK(read_of(folder.path()) == all);
  const auto everything = read_of(folder.path(), muster::DiscoverOptions::Ignored::Read);
  CHECK(everything.find("node_modules/x/y.yaml") != std::string::npos);
  CHECK(everything.find("gen/f.yaml") != std::string::npos);
  // A folder that is named is read.
  CHECK(read_of(folder.path() + "/gen") == "e.yaml f.yaml ");
  CHECK(read_of(folder.path() + "/node_modules") == "x/y.yaml ");
  // The files of folders above count in those below.
  write_file(folder.path() + "/.gitignore", "gen/\n*.yaml\n");
  write_file(folder.path() + "/deep/new.yaml", "a: 1\n");
  write_file(folder.path() + "/deep/er/.gitignore", "!z.yaml\n");
  write_file(folder.path() + "/deep/er/z.yaml", "a: 1\n");
  CHECK(read_of(folder.path() + "/deep") == "er/.gitignore er/b.yaml er/c.yaml er/z.yaml ");
  // A broken index says nothing: then everything is read.
  write_file(folder.path() + "/.git/index", "DIRC broken");
  CHECK(read_of(folder.path()).find("gen/f.yaml") != std::string::npos);
}

TEST_CASE("linked work trees, SHA-256 and split indexes are known", "[pipeline][git]") {
  if (!has_git()) return muster::test::skip("git", "git is not installed");
  const TemporaryFolder folder;
  make_repository(folder.path() + "/main", "");
  REQUIRE(run_git(folder.path() + "/main", "commit -q -m x"));
  REQUIRE(run_git(folder.path() + "/main", "worktree add ../tree"));
  write_file(folder.path() + "/main/.git/info/exclude", "secret*\n");
  write_file(folder.path() + "/tree/gen/new.yaml", "a: 1\n");
  write_file(folder.path() + "/tree/secret.yaml", "a: 1\n");
  const std::string tracked = ".gitignore a.yaml deep/er/b.yaml deep/er/c.yaml gen/e.yaml vendor.yaml vendor/d.yaml ";
  CHECK(read_of(folder.path() + "/tree") == tracked);
  REQUIRE(run_git(folder.path() + "/tree", "update-index --split-index"));
  CHECK(read_of(folder.path() + "/tree").find("gen/new.yaml") != std::string::npos);
  if (!run_git(folder.path(), "init -q --object-format=sha256 try")) return;
  make_repository(folder.path() + "/sha", "--object-format=sha256");
  CHECK(read_of(folder.path() + "/sha") == tracked);
}

TEST_CASE("without git no .gitignore counts, and a repository within another has its own", "[pipeline][git]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/.gitignore", "*.yaml\n");
  write_file(folder.path() + "/a.yaml", "a: 1\n");
  write_file(folder.path() + "/vendor/b.yaml", "a: 1\n");
  CHECK(read_of(folder.path()) == ".gitignore a.yaml ");
  if (!has_git()) return muster::test::skip("git", "git is not installed");
  run_git(folder.path(), "init -q .");
  write_file(folder.path() + "/inner/c.yaml", "a: 1\n");
  run_git(folder.path(), "init -q inner");
  CHECK(read_of(folder.path()) == ".gitignore inner/c.yaml ");
}
