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

constexpr std::string_view kSilencer = "# silenced by: ";

/// A line to be written instead of another, so that a rule is quiet.
struct Change {
  std::string file;  ///< as it can be opened
  std::string place;
  std::string text;  ///< of the file after the change
};

/// The changes that a file names.
void read_changes(const std::string& path, const std::string& name, std::string_view text, std::vector<Change>& out) {
  const std::vector<std::string_view> lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find(kSilencer);
    if (at == std::string_view::npos) continue;
    std::size_t line = i;
    if (trim(lines[i].substr(0, at)).empty()) ++line;
    while (line > i && line < lines.size() && trim(lines[line]).starts_with('#')) ++line;  // other marks
    if (line == lines.size()) continue;
    const std::string_view instead = trim(lines[i].substr(at + kSilencer.size()));
    Change change{path, name + ":" + std::to_string(line + 1), ""};
    for (std::size_t l = 0; l < lines.size(); ++l) {
      if (l == line && instead == "nothing") continue;
      const std::string_view blanks = lines[l].substr(0, std::min(lines[l].find_first_not_of(' '), lines[l].size()));
      change.text += l == line ? std::string(blanks) + std::string(instead) : std::string(lines[l]);
      change.text += "\n";
    }
    out.push_back(std::move(change));
  }
}

/// Files with the contents of one changed.
class ChangedFile final : public FileSystem {
 public:
  ChangedFile(const FileSystem& disk, const Change& change) : disk_(disk), change_(change) {}

  Kind kind(const std::string& path) const override { return disk_.kind(path); }
  std::uint64_t size(const std::string& path) const override {
    return is_it(path) ? change_.text.size() : disk_.size(path);
  }
  Result<std::string> read(const std::string& path) const override {
    return is_it(path) ? Result<std::string>(change_.text) : disk_.read(path);
  }
  Result<std::vector<Entry>> list(const std::string& path) const override { return disk_.list(path); }
  std::string absolute(const std::string& path) const override { return disk_.absolute(path); }
  Result<std::string> read_standard_input(std::uint64_t limit) const override {
    return disk_.read_standard_input(limit);
  }

 private:
  bool is_it(const std::string& path) const { return disk_.absolute(path) == disk_.absolute(change_.file); }

  const FileSystem& disk_;
  const Change& change_;
};

std::optional<Error> find_changes(const std::string& path, const std::string& name, const FileSystem& disk,
                                  std::vector<Change>& out) {
  if (disk.kind(path) == FileSystem::Kind::Folder) {
    Result<std::vector<FileSystem::Entry>> entries = disk.list(path);
    if (!entries) return entries.error();
    for (const FileSystem::Entry& entry : *entries) {
      if (std::optional<Error> error =
              find_changes(path + "/" + entry.name, name.empty() ? entry.name : name + "/" + entry.name, disk, out))
        return error;
    }
    return std::nullopt;
  }
  Result<std::string> bytes = disk.read(path);
  if (!bytes) return bytes.error();
  read_changes(path, name, decode_text(std::move(*bytes)).text, out);
  return std::nullopt;
}

/// The path of a file of the case as the marks name it.
std::string name_in(const std::string& case_path, const std::string& file, const FileSystem& disk) {
  const std::string absolute = disk.absolute(file);
  const std::string root = disk.absolute(case_path);
  return absolute.starts_with(root + "/") ? absolute.substr(root.size() + 1) : absolute.substr(absolute.rfind('/') + 1);
}

/// Makes each change that the case names and asks whether the rule still finds something.
std::optional<Error> run_changes(const Options& options, const std::string& rule, const std::string& name,
                                 const FileSystem& disk, RuleCase& out) {
  std::vector<Change> changes;
  if (std::optional<Error> error = find_changes(out.path, name, disk, changes)) return error;
  for (const Change& change : changes) {
    const ChangedFile changed(disk, change);
    Workspace workspace;
    Result<Report> report = check(options, changed, workspace);
    if (!report) return report.error();
    ++out.changes;
    if (std::ranges::any_of(report->findings, [&](const Finding& finding) { return finding.rule == rule; }))
      out.loud.insert(change.place);
  }
  return std::nullopt;
}

Result<RuleCase> run_case(const std::string& path, const std::string& rule, const Options& options,
                          const FileSystem& disk) {
  RuleCase out{path, {}, {}, {}, 0};
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
  if (std::optional<Error> error = run_changes(own, rule, folder ? "" : path.substr(path.rfind('/') + 1), disk, out))
    return *error;
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
      Result<RuleCase> result = run_case(folder + "/" + rule.name + "/" + entry.name, rule.name, options, disk);
      if (!result) return result.error();
      out.push_back(std::move(*result));
    }
  }
  return out;
}

}  // namespace muster
