// Same input, same bytes: whatever the number of threads, the order of the arguments or of the files on disk.
#include <algorithm>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "report/report.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/share.h"

namespace {

namespace fs = std::filesystem;
using muster::test::run_command;

/// What a command prints in each of these formats, one behind the other.
std::string in_formats(std::vector<std::string> words, const std::vector<std::string>& formats) {
  const muster::test::TemporaryFolder folder;
  for (const std::string& format : formats)
    words.insert(words.end(), {"--format", format + "=" + folder.path() + "/" + format});
  const muster::test::Ran ran = run_command(words);
  std::string out = std::to_string(ran.code) + "\n" + ran.out + ran.err;
  for (const std::string& format : formats) out += muster::test::read_file(folder.path() + "/" + format);
  return out;
}

std::string review_of(const std::string& path, const std::string& threads) {
  return in_formats({"review", path, "-j", threads}, {"html", "json", "markdown"});
}

/// Every format of a check, and the model.
std::string all_of(const std::vector<std::string>& paths, const std::string& threads) {
  std::vector<std::string> check{"check", "--show-suppressed", "-j", threads};
  check.insert(check.end(), paths.begin(), paths.end());
  std::vector<std::string> formats;
  for (const muster::ReportFormat& format : muster::report_formats()) formats.emplace_back(format.name);
  std::vector<std::string> dump{"dump", "model", "-j", threads};
  dump.insert(dump.end(), paths.begin(), paths.end());
  return in_formats(std::move(check), formats) + in_formats(std::move(dump), {});
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

/// Files of the cases. Sanitised every third: what differs there differs without sanitizers, too.
std::vector<std::string> some_cases(const std::string& folder) {
  const std::vector<std::string> all = files_below(folder);
  std::vector<std::string> some;
  for (std::size_t i = 0; i < all.size(); i += muster::test::kSanitised ? 3 : 1) some.push_back(all[i]);
  return some;
}

}  // namespace

TEST_CASE("one thread and four write the same bytes in every format", "[pipeline]") {
  for (const std::vector<std::string>& paths : {std::vector<std::string>{"examples"}, some_cases("tests/cases")}) {
    INFO(paths.front());
    const std::string one = all_of(paths, "1");
    CHECK(one.size() > 10000);
    CHECK(difference(one, all_of(paths, "4")).empty());
  }
  CHECK(difference(review_of("examples/kubernetes", "1"), review_of("examples/kubernetes", "4")).empty());
}

TEST_CASE("the order of the arguments does not reach the output", "[pipeline]") {
  std::vector<std::string> paths = some_cases("tests/cases/rules");
  // Else the configuration is the one nearest to the first of them.
  paths.insert(paths.end(), {"--config", "examples/training-repo/muster.yaml"});
  const std::string sorted = all_of(paths, "2");
  std::mt19937 random(7);
  std::shuffle(paths.begin(), paths.end() - 2, random);
  CHECK(difference(sorted, all_of(paths, "2")).empty());
}

TEST_CASE("the order in which files were made does not reach the output", "[pipeline]") {
  std::vector<std::string> files = files_below("examples");
  std::string first;
  std::mt19937 random(7);
  for (int i = 0; i < 2; ++i) {
    const muster::test::TemporaryFolder folder;
    for (const std::string& file : files)
      muster::test::write_file(folder.path() + "/" + file, muster::test::read_file(file));
    const std::string text = muster::replace_all(all_of({folder.path()}, "2"), folder.path(), "");
    if (i == 0) first = text;
    CHECK(difference(first, text).empty());
    std::shuffle(files.begin(), files.end(), random);
  }
}
