#include "pipeline/rule_cases.h"

#include <algorithm>

#include "base/strings.h"
#include "source/encoding.h"

namespace muster {
namespace {

using Marks = std::multiset<std::string>;

/// Adds the ids of `# finding: a, b` in a line; alone on its line it speaks of the next one.
void read_marks(std::string_view line, const std::string& file, std::size_t number, Marks& out) {
  for (const std::string_view kind : {"finding", "unknown"}) {
    const std::string mark = "# " + std::string(kind) + ": ";
    const std::size_t at = line.find(mark);
    if (at == line.npos) continue;
    const bool alone = trim(line.substr(0, at)).empty();
    const std::string place = file + ":" + std::to_string(alone ? number + 1 : number);
    for (const std::string_view id : split(line.substr(at + mark.size()), ',')) {
      out.insert((kind == "unknown" ? "unknown " : "") + place + " " + std::string(trim(id)));
    }
  }
}

std::optional<Error> read_expectations(const std::string& path, const std::string& name, const FileSystem& disk,
                                       Marks& out) {
  if (disk.kind(path) == FileSystem::Kind::Folder) {
    Result<std::vector<FileSystem::Entry>> entries = disk.list(path);
    if (!entries) return entries.error();
    for (const FileSystem::Entry& entry : *entries) {
      if (std::optional<Error> error = read_expectations(
              path + "/" + entry.name, name.empty() ? entry.name : name + "/" + entry.name, disk, out))
        return error;
    }
    return std::nullopt;
  }
  Result<std::string> bytes = disk.read(path);
  if (!bytes) return bytes.error();
  const std::string text = decode_text(std::move(*bytes)).text;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (name == "expect.txt") {
      if (!trim(line).empty()) out.emplace(trim(line));
    } else {
      read_marks(line, name, number, out);
    }
  }
  return std::nullopt;
}

/// The path of a file of the case as the marks name it.
std::string name_in(const std::string& case_path, const std::string& file, const FileSystem& disk) {
  const std::string absolute = disk.absolute(file);
  const std::string root = disk.absolute(case_path);
  return absolute.starts_with(root + "/") ? absolute.substr(root.size() + 1) : absolute.substr(absolute.rfind('/') + 1);
}

Result<RuleCase> run_case(const std::string& path, const Options& options, const FileSystem& disk) {
  RuleCase out{path, {}, {}};
  const bool folder = disk.kind(path) == FileSystem::Kind::Folder;
  Marks expected;
  if (std::optional<Error> error =
          read_expectations(path, folder ? "" : path.substr(path.rfind('/') + 1), disk, expected))
    return *error;
  Options own = options;
  own.paths = {path};
  Workspace workspace;
  Result<Report> report = check(own, disk, workspace);
  if (!report) return report.error();
  const SourceMap& sources = workspace.inputs.sources;
  const auto place = [&](const Span& where) {
    return name_in(path, sources.file(where.file).path(), disk) + ":" + std::to_string(sources.begin_of(where).line);
  };
  Marks found;
  for (const Finding& finding : report->findings) found.insert(place(finding.where) + " " + finding.rule);
  for (const Undecided& open : report->undecided) found.insert("unknown " + place(open.where) + " " + open.rule);
  std::ranges::set_difference(expected, found, std::inserter(out.missing, out.missing.end()));
  std::ranges::set_difference(found, expected, std::inserter(out.surplus, out.surplus.end()));
  return out;
}

}  // namespace

Result<std::vector<RuleCase>> run_rule_cases(const std::string& folder, const Options& options,
                                             const FileSystem& disk) {
  Result<std::vector<FileSystem::Entry>> rules = disk.list(folder);
  if (!rules) return rules.error();
  std::vector<RuleCase> out;
  for (const FileSystem::Entry& rule : *rules) {
    if (rule.kind != FileSystem::Kind::Folder) continue;
    Result<std::vector<FileSystem::Entry>> cases = disk.list(folder + "/" + rule.name);
    if (!cases) return cases.error();
    for (const FileSystem::Entry& entry : *cases) {
      if (entry.name.ends_with(".txt")) continue;  // expectations beside their case
      Result<RuleCase> result = run_case(folder + "/" + rule.name + "/" + entry.name, options, disk);
      if (!result) return result.error();
      out.push_back(std::move(*result));
    }
  }
  return out;
}

}  // namespace muster
