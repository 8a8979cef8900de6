#include "support/cases.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/strings.h"
#include "pipeline/check.h"
#include "support/catch.h"
#include "support/files.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(const Case& test_case) {
  if (!is_folder(test_case.path)) return {test_case.path};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(test_case.path)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::string shown(const Case& test_case, const std::string& file) {
  return is_folder(test_case.path) ? fs::relative(file, test_case.path).generic_string()
                                   : fs::path(file).filename().string();
}

/// Adds the ids of `# finding: a, b` marks in a line.
void read_marks(const std::string& line, const std::string& place, const std::string& next_place,
                std::multiset<std::string>& out) {
  for (const std::string kind : {"finding", "unknown"}) {
    const std::string mark = "# " + kind + ": ";
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const bool alone = line.find_first_not_of(" \t") == at;
    std::istringstream ids(line.substr(at + mark.size()));
    for (std::string id; std::getline(ids, id, ',');) {
      id.erase(0, id.find_first_not_of(' '));
      id.erase(id.find_last_not_of(" \r") + 1);
      out.insert((kind == "unknown" ? "unknown " : "") + (alone ? next_place : place) + " " + id);
    }
  }
}

}  // namespace

std::vector<Case> cases_in(const std::string& folder) {
  std::vector<Case> cases;
  const std::string root = source_dir() + "/tests/cases/" + folder;
  for (const std::string& group : entries(root)) {
    for (const std::string& name : entries(root + "/" + group)) {
      if (name.ends_with(".txt")) continue;  // goldens and expectations beside their case
      cases.push_back({root + "/" + group + "/" + name, folder + "/" + group + "/" + name});
    }
  }
  return cases;
}

std::multiset<std::string> expectations(const Case& test_case) {
  std::multiset<std::string> out;
  for (const std::string& file : files_of(test_case)) {
    std::istringstream text(read_file(file));
    const std::string name = shown(test_case, file);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      if (name == "expect.txt") {
        if (!line.empty()) out.insert(line);
        continue;
      }
      read_marks(line, name + ":" + std::to_string(number), name + ":" + std::to_string(number + 1), out);
    }
  }
  return out;
}

std::multiset<std::string> outcomes(const Case& test_case) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {test_case.path};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  INFO(test_case.name << ": " << (report ? "" : report.error().message));
  REQUIRE(report);
  std::multiset<std::string> out;
  const auto place = [&](const Span& where) {
    const SourceFile& file = workspace.inputs.sources.file(where.file);
    const std::string absolute = fs::absolute(file.path()).lexically_normal().string();
    return shown(test_case, absolute) + ":" + std::to_string(file.position(where.begin).line);
  };
  // A stretch that begins with a blank is one beside what is wrong.
  const auto begins_blank = [&](const Span& where) {
    const std::string_view text = workspace.inputs.sources.file(where.file).text();
    return where.begin < where.end && where.begin < text.size() && is_white(text[where.begin]);
  };
  for (const Finding& finding : report->findings)
    out.insert((begins_blank(finding.where) ? "blank " : "") + place(finding.where) + " " + finding.rule);
  for (const Undecided& open : report->undecided) out.insert("unknown " + place(open.where) + " " + open.rule);
  return out;
}

}  // namespace muster::test
