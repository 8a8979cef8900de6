// Same input, same bytes: whatever the number of threads, the order of the arguments or of the files on disk.
#include <algorithm>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "report/report.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

namespace {

namespace fs = std::filesystem;
using muster::test::run_command;

/// Every format of a check, and the decisions, one behind the other.
std::string all_of(const std::vector<std::string>& paths, const std::string& threads) {
  std::string out;
  const auto add = [&](std::vector<std::string> words) {
    words.insert(words.end(), paths.begin(), paths.end());
    words.insert(words.end(), {"-j", threads});
    const muster::test::Ran ran = run_command(words);
    out += std::to_string(ran.code) + "\n" + ran.out + ran.err;
  };
  for (const muster::ReportFormat& format : muster::report_formats())
    add({"check", "--show-suppressed", "--format", std::string(format.name)});
  add({"dump", "model"});
  for (const char* format : {"html", "json", "markdown"}) add({"review", "--format", format});
  return out;
}

/// The first line in which two texts differ.
std::string difference(const std::string& a, const std::string& b) {
  const std::vector<std::string_view> left = muster::split(a, '\n');
  const std::vector<std::string_view> right = muster::split(b, '\n');
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string_view l = i < left.size() ? left[i] : "(end)";
    const std::string_view r = i < right.size() ? right[i] : "(end)";
    if (l != r) return std::to_string(i + 1) + ": " + std::string(l) + " | " + std::string(r);
  }
  return "";
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.file_size() > 0) files.push_back(entry.path().generic_string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("one thread and four write the same bytes in every format", "[pipeline]") {
  for (const std::string path : {"examples", "tests/cases"}) {
    INFO(path);
    const std::string one = all_of({path}, "1");
    CHECK(one.size() > 10000);
    CHECK(difference(one, all_of({path}, "4")).empty());
  }
}

TEST_CASE("the order of the arguments does not reach the output", "[pipeline]") {
  std::vector<std::string> paths = files_below("tests/cases/rules");
  // Else the configuration is the one nearest to the first of them.
  paths.insert(paths.end(), {"--config", "examples/training-repo/muster.yaml"});
  const std::string sorted = all_of(paths, "2");
  std::mt19937 random(7);
  for (int i = 0; i < 2; ++i) {
    std::shuffle(paths.begin(), paths.end() - 2, random);
    CHECK(difference(sorted, all_of(paths, "2")).empty());
  }
}

TEST_CASE("the order in which files were made does not reach the output", "[pipeline]") {
  std::vector<std::string> files = files_below("examples");
  std::string first;
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) {
    const muster::test::TemporaryFolder folder;
    for (const std::string& file : files)
      muster::test::write_file(folder.path() + "/" + file, muster::test::read_file(file));
    const std::string text = muster::replace_all(all_of({folder.path()}, "2"), folder.path(), "");
    if (i == 0) first = text;
    CHECK(difference(first, text).empty());
    std::shuffle(files.begin(), files.end(), random);
  }
}
