// What .gitignore says, held against git itself.
#include "pipeline/git_ignore.h"

#include <cstdio>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

namespace {

using muster::FileSystem;
using muster::IgnorePatterns;

/// `i` ignored, `r` read again, `-` nothing said; for a file, or a folder where the path ends with a slash.
char said(const std::string& patterns, std::string path) {
  const bool folder = path.ends_with('/');
  if (folder) path.pop_back();
  switch (IgnorePatterns(patterns).verdict(path, folder ? FileSystem::Kind::Folder : FileSystem::Kind::File)) {
    case IgnorePatterns::Verdict::Silent: return '-';
    case IgnorePatterns::Verdict::Ignored: return 'i';
    case IgnorePatterns::Verdict::Read: return 'r';
  }
  return '?';
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char block[4096];
  for (std::size_t size = 0; (size = fread(block, 1, sizeof block, pipe)) > 0;) out.append(block, size);
  pclose(pipe);
  return out;
}

/// Patterns and names of few characters, so that they meet often.
std::string some_pattern(std::mt19937& random) {
  static const char* const kPieces[] = {"a",           "b",           "ab",    "*",    "**",   "?",     "/",
                                        "/",           "/",           "[ab]",  "[!a]", "[^b]", "[a-b]", "[]a]",
                                        "[[:alpha:]]", "[[:digit:]]", "\\a",   "\\*",  ".",    "b*",    "**/",
                                        "/**",         "[a",          "[b/a]", " ",    "\\ ",  "a\\"};
  std::string out = random() % 4 == 0 ? "!" : "";
  for (std::size_t left = 1 + random() % 5; left > 0; --left) out += kPieces[random() % std::size(kPieces)];
  if (random() % 4 == 0) out += "/";
  return out;
}

std::string some_path(std::mt19937& random) {
  static const char* const kNames[] = {"a", "b", "ab", "ba", "a.b", "*", "1", "[a", "a ", "aab"};
  std::string out;
  for (std::size_t left = 1 + random() % 4; left > 0; --left)
    out += (out.empty() ? "" : "/") + std::string(kNames[random() % std::size(kNames)]);
  return out;
}

}  // namespace

TEST_CASE("patterns of .gitignore mean what git's manual says", "[pipeline][git]") {
  CHECK(said("*.log\n!keep.log\n", "a/keep.log") == 'r');
  CHECK(said("*.log\n!keep.log\n", "a/b.log") == 'i');
  CHECK(said("!keep.log\n*.log\n", "keep.log") == 'i');
  CHECK(said("build/\n", "build") == '-');
  CHECK(said("build/\n", "a/build/") == 'i');
  CHECK(said("/build\n", "a/build/") == '-');
  CHECK(said("a/build\n", "x/a/build/") == '-');
  CHECK(said("**/a/build\n", "x/y/a/build/") == 'i');
  CHECK(said("a/**/b\n", "a/b") == 'i');
  CHECK(said("a/**/b\n", "a/x/y/b") == 'i');
  CHECK(said("a/**\n", "a/") == '-');
  CHECK(said("a/**\n", "a/x") == 'i');
  CHECK(said("# comment\n\\#x\n", "#x") == 'i');
  CHECK(said("\\!x\n", "!x") == 'i');
  CHECK(said("x  \ny\\ \n", "x") == 'i');
  CHECK(said("x  \ny\\ \n", "y ") == 'i');
  CHECK(said("x\r\n", "x") == 'i');
  CHECK(said("\xEF\xBB\xBFx\n", "x") == 'i');
  CHECK(said("[a-c]x[!0-9]\n", "bxz") == 'i');
  CHECK(said("[a-c]x[!0-9]\n", "bx1") == '-');
  CHECK(said("a[\n", "a[") == '-');
}

TEST_CASE("hostile ignore files cost little and hide nothing", "[pipeline][git]") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "*" + std::to_string(i) + "\n";
  CHECK(said(many, "x1") == '-');
  CHECK(said(std::string(2 << 20, '*'), "x") == '-');
  const std::string stars = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  CHECK(said(stars, std::string(4000, 'a')) == '-');
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "**/a/";
  std::string path = "a";
  for (int i = 0; i < 500; ++i) path += "/a";
  CHECK(said(deep + "b", path) == '-');
}

TEST_CASE("a thousand patterns and paths are judged as git judges them", "[pipeline][git]") {
  if (output_of("git --version 2>/dev/null").empty()) return muster::test::skip("git", "git is not installed");
  std::mt19937 random(20);  // NOLINT: the same ones each time
  for (int round = 0; round < 40; ++round) {
    const muster::test::TemporaryFolder folder;
    std::vector<std::string> lines;
    for (int i = 0; i < 4; ++i) lines.push_back(some_pattern(random));
    std::set<std::string> paths;
    for (int i = 0; i < 25; ++i) paths.insert(some_path(random));
    // git looks at the disk to tell folders, so nothing is there: each path is a file in folders that are not ignored.
    std::string patterns;
    for (const std::string& line : lines) patterns += line + "\n";
    muster::test::write_file(folder.path() + "/.gitignore", patterns);
    std::string asked;
    for (const std::string& path : paths) asked += path + "\n";
    muster::test::write_file(folder.path() + "/.asked", asked);
    const std::string git = "git -C '" + folder.path() + "' ";
    output_of(git + "init -q . 2>/dev/null");
    const std::string answer = output_of(git + "-c core.quotePath=false check-ignore --no-index --stdin <'" +
                                         folder.path() + "/.asked' 2>/dev/null");
    std::set<std::string> expected;
    for (const std::string_view line : muster::split(answer, '\n')) {
      if (!line.empty())
        expected.insert(
            line.starts_with('"')
                ? muster::replace_all(muster::replace_all(std::string(line.substr(1, line.size() - 2)), "\\\\", "\\"),
                                      "\\\"", "\"")
                : std::string(line));
    }
    const IgnorePatterns ours(patterns);
    for (const std::string& path : paths) {
      bool ignored = false;
      for (std::size_t slash = path.find('/'); !ignored && slash != path.npos; slash = path.find('/', slash + 1)) {
        ignored = ours.verdict(path.substr(0, slash), FileSystem::Kind::Folder) == IgnorePatterns::Verdict::Ignored;
      }
      ignored = ignored || ours.verdict(path, FileSystem::Kind::File) == IgnorePatterns::Verdict::Ignored;
      INFO(patterns << "--- " << path);
      CHECK(ignored == expected.contains(path));
    }
  }
}
