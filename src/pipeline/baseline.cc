#include "pipeline/baseline.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "rulebook/book_reader.h"
#include "source/encoding.h"
#include "syntax/json_reader.h"

namespace muster {
namespace {

constexpr std::string_view kVersion = "baseline/v1";
constexpr std::int64_t kMaxCount = 1'000'000'000;
constexpr std::size_t kProblemsShown = 10;

/// Reads the list of a baseline; what is wrong goes to the reader.
class BaselineReader {
 public:
  BaselineReader(BookReader& reader, std::vector<KeyedFindings>& out) : reader_(reader), out_(out) {}

  void run(const Node& root) {
    if (!is_text(root["muster"]) || root["muster"].text() != kVersion)
      return reader_.wrong(root["muster"].where(), "expected {\"muster\": \"baseline/v1\", \"findings\": [...]}");
    reader_.known_keys(root, {"muster", "findings"});
    const Node findings = root["findings"];
    if (!findings.is_sequence()) return reader_.wrong(findings.where(), "expected a list of `findings`");
    for (std::size_t i = 0; i < findings.size(); ++i) read(findings.item(i));
  }

 private:
  static bool is_text(const Node& node) { return node.is_scalar() && node.style() == ScalarStyle::Quoted; }

  std::string text(const Node& mapping, std::string_view key) {
    const Node node = mapping[key];
    if (node.exists() && !is_text(node)) reader_.wrong(node.where(), "`" + std::string(key) + "`: expected a text");
    return std::string(node.text());
  }

  void read(const Node& node) {
    if (!node.is_mapping())
      return reader_.wrong(node.where(), "expected a finding: {\"file\": \"a.yaml\", \"rule\": \"gang-of-one\", ...}");
    reader_.known_keys(node, {"file", "object", "rule", "field", "about", "severity", "count"});
    KeyedFindings one;
    one.key = {text(node, "file"), text(node, "object"), text(node, "rule"), text(node, "field"), text(node, "about")};
    one.named = !one.key.object.empty();
    if (!node["rule"].exists()) reader_.wrong(node.where(), "`rule` is missing");
    const std::optional<Severity> severity = enum_of<Severity>(text(node, "severity"));
    if (!severity) reader_.wrong(node["severity"].where(), "`severity`: expected error, warning or info");
    one.severity = severity.value_or(Severity::Error);
    if (const Node count = node["count"]; count.exists()) {
      const std::optional<std::int64_t> number = is_text(count) ? std::nullopt : parse_int(count.text());
      if (!number || *number < 1 || *number > kMaxCount)
        reader_.wrong(count.where(), "`count`: expected how many findings are alike, 1 or more");
      one.count = static_cast<std::size_t>(number.value_or(1));
    }
    out_.push_back(std::move(one));
  }

  BookReader& reader_;
  std::vector<KeyedFindings>& out_;
};

/// The first problems: a merge that went wrong makes many.
std::string first_of(const BookReader& reader) {
  std::vector<std::string> lines;
  for (const BookProblem& problem : reader.all()) lines.push_back(to_text(problem));
  const std::size_t more = lines.size() > kProblemsShown ? lines.size() - kProblemsShown : 0;
  lines.resize(lines.size() - more);
  if (more > 0) lines.push_back("... and " + with_thousands(more) + " more");
  return join(lines, "\n");
}

std::string absolute_of(const std::string& shown, const std::string& working_folder) {
  if (shown.starts_with('/')) return shown;
  return (std::filesystem::path(working_folder) / shown).lexically_normal().generic_string();
}

}  // namespace

Result<Baseline> read_baseline(const std::string& path, const FileSystem& disk) {
  constexpr std::string_view kRemedy = "; write it anew with `muster baseline write`, or take it from git again";
  if (disk.kind(path) == FileSystem::Kind::Missing)
    return Error{Error::Code::Usage,
                 "there is no baseline `" + path + "`; `muster baseline write --baseline " + path + "` makes it"};
  if (disk.size(path) > kMaxFileSize)
    return Error{Error::Code::Usage, "the baseline `" + path + "` is larger than 32 MiB"};
  Result<std::string> bytes = disk.read(path);
  if (!bytes) return bytes.error();
  SourceMap sources;
  const FileId file = sources.add(path, decode_text(std::move(*bytes)).text);
  BookReader reader(sources);
  Document document;
  std::vector<Finding> findings;
  Baseline out;
  out.folder = folder_of(disk.absolute(path));
  const bool whole = read_json(file, sources.file(file).text(), document, findings);
  for (const Finding& finding : findings) reader.wrong(finding.where, finding.message);
  if (whole && reader.good()) BaselineReader(reader, out.entries).run(document.root());
  if (!reader.good())
    return Error{Error::Code::Usage, "the baseline cannot be used" + std::string(kRemedy) + ":\n" + first_of(reader)};
  return out;
}

PlaceName names_from(const std::string& folder, const FileSystem& disk) {
  return [folder, here = disk.absolute(".")](const std::string& shown) {
    return path_from(folder, absolute_of(shown, here));
  };
}

BaselineMatch match_baseline(const Baseline& baseline, const std::vector<KeyedFindings>& found, const FindingKeys& keys,
                             const Inputs& inputs, const FileSystem& disk) {
  const Matching matching =
      match_findings(baseline.entries, found,
                     [&](const std::string& file, const std::string& object) { return keys.holds(file, object); });
  std::vector<std::string> gone_through;
  for (const std::string& folder : inputs.folders) {
    gone_through.push_back(absolute_of(folder, disk.absolute(".")));
    if (!gone_through.back().ends_with('/')) gone_through.back() += '/';
  }
  const auto looked_at = [&](const std::string& file) {
    if (keys.has_file(file)) return true;
    const std::string absolute = absolute_of(file, baseline.folder);
    return std::ranges::any_of(gone_through, [&](const std::string& folder) { return absolute.starts_with(folder); });
  };
  BaselineMatch out;
  out.known = matching.known;
  for (std::size_t i = 0; i < baseline.entries.size(); ++i) {
    if (matching.left[i] == 0) continue;
    std::vector<KeyedFindings>& list = looked_at(baseline.entries[i].key.file) ? out.stale : out.unseen;
    list.push_back(baseline.entries[i]);
    list.back().count = matching.left[i];
  }
  return out;
}

}  // namespace muster
