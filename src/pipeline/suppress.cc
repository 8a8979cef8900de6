#include "pipeline/suppress.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "kinds/kind.h"
#include "lint/lint.h"

namespace muster {
namespace {

constexpr std::string_view kMark = "muster: allow ";

/// One permission, wherever it is written.
struct Permission {
  std::string rule;
  std::string reason;
  std::optional<Date> until;
  Span where;                 ///< of a comment or annotation; unplaced in muster.yaml
  std::uint32_t line = 0;     ///< that a comment speaks of
  std::string object;         ///< that an annotation speaks of
  std::string path;           ///< glob of muster.yaml
  bool used = false;
};

class Suppressor {
 public:
  Suppressor(std::vector<Finding>& findings, const Inputs& inputs, const RuleBook& book, Date today)
      : findings_(findings), inputs_(inputs), book_(book), today_(today) {}

  std::vector<SuppressedFinding> run(const std::vector<ParsedFile>& parsed, const Config& config) {
    for (const ParsedFile& file : parsed) {
      if (!file.ours()) continue;
      read_comments(file.file);
      for (const Artifact& artifact : file.artifacts) read_annotation(artifact);
    }
    // Suppressions of muster.yaml with `where` are applied while the rules run; here are those by file.
    for (const ConfigSuppression& entry : config.suppressions) {
      if (entry.where.empty()) permissions_.push_back({entry.rule, entry.reason, entry.until, {}, 0, "", entry.path.empty() ? "**" : entry.path});
    }
    std::vector<SuppressedFinding> out = apply();
    report_unused();
    complete_from_rules(own_, book_);
    findings_.insert(findings_.end(), own_.begin(), own_.end());
    return out;
  }

 private:
  void complain(std::string_view rule, const Span& where, std::string message) {
    if (where.placed()) own_.push_back(problem(rule, where, std::move(message)));
  }

  /// `RULE [until=DATE] -- reason`
  void read_permission(std::string_view text, Permission permission) {
    const std::size_t dashes = text.find("--");
    const std::vector<std::string_view> words = split_blanks(text.substr(0, dashes));
    permission.reason = dashes == text.npos ? "" : trim(text.substr(dashes + 2));
    if (words.empty()) return complain("suppression-invalid", permission.where, "expected a rule: `muster: allow RULE -- reason`");
    permission.rule = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with("until=")) permission.until = parse_date(words[i].substr(6));
      if (!words[i].starts_with("until=") || !permission.until) {
        return complain("suppression-invalid", permission.where, "expected `until=2027-01-31`, got `" + std::string(words[i]) + "`");
      }
    }
    if (permission.reason.empty()) {
      return complain("suppression-invalid", permission.where, "`" + permission.rule + "` is allowed without a reason: write `muster: allow " + permission.rule + " -- reason`");
    }
    const Rule* rule = book_.find(permission.rule);
    if (rule == nullptr) {
      std::vector<std::string_view> known;
      for (const Rule& other : book_.rules()) known.push_back(other.info.id);
      return complain("suppression-invalid", permission.where, "there is no rule `" + permission.rule + "`" + did_you_mean(permission.rule, known));
    }
    if (!rule->info.suppressible) {
      return complain("suppression-invalid", permission.where, "`" + permission.rule + "` can only be lowered in muster.yaml, where a reviewer sees it");
    }
    if (permission.until && *permission.until < today_) {
      return complain("suppression-expired", permission.where, "the permission for `" + permission.rule + "` has expired");
    }
    permissions_.push_back(std::move(permission));
  }

  void read_comments(FileId id) {
    const SourceFile& file = inputs_.sources.file(id);
    const std::string_view text = file.text();
    for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + kMark.size())) {
      const Position position = file.position(static_cast<std::uint32_t>(at));
      const std::string_view line = file.line(position.line);
      const std::size_t in_line = at - file.line_start(position.line);
      const std::string_view before = trim(line.substr(0, in_line));
      if (!before.ends_with('#') && !before.ends_with("//")) continue;
      const auto begin = static_cast<std::uint32_t>(at);
      Permission permission;
      permission.where = {id, begin, file.line_start(position.line) + static_cast<std::uint32_t>(line.size())};
      // Alone on its line it speaks of the next one.
      const bool alone = before == "#" || before == "//";
      permission.line = alone ? position.line + 1 : position.line;
      at = permission.where.end - kMark.size();  // a comment takes the rest of its line
      read_permission(line.substr(in_line + kMark.size()), std::move(permission));
    }
  }

  void read_annotation(const Artifact& artifact) {
    if (artifact.kind->format != Format::Manifest) return;
    const Node allow = artifact.object["metadata"]["annotations"]["muster.dev/allow"];
    if (!allow.is_scalar()) return;
    const Node metadata = artifact.object["metadata"];
    for (const std::string_view line : split(allow.text(), '\n')) {
      if (trim(line).empty()) continue;
      Permission permission;
      permission.where = allow.where();
      permission.object = std::string(metadata["name"].text());
      read_permission(line, std::move(permission));
    }
  }

  bool covers(const Permission& permission, const Finding& finding) const {
    if (permission.rule != finding.rule) return false;
    if (!permission.path.empty()) return glob_matches(permission.path, inputs_.sources.file(finding.where.file).path());
    if (permission.where.file != finding.where.file) return false;
    if (!permission.object.empty()) return finding.object.ends_with("/" + permission.object);
    return inputs_.sources.begin_of(finding.where).line == permission.line;
  }

  std::vector<SuppressedFinding> apply() {
    std::vector<SuppressedFinding> suppressed;
    std::vector<Finding> kept;
    for (Finding& finding : findings_) {
      const auto found = std::ranges::find_if(permissions_, [&](const Permission& permission) { return covers(permission, finding); });
      if (found == permissions_.end()) {
        kept.push_back(std::move(finding));
        continue;
      }
      found->used = true;
      suppressed.push_back({std::move(finding), found->reason});
    }
    findings_ = std::move(kept);
    return suppressed;
  }

  void report_unused() {
    for (const Permission& permission : permissions_) {
      if (!permission.used) complain("suppression-unused", permission.where, "nothing here breaks `" + permission.rule + "`");
    }
  }

  std::vector<Finding>& findings_;
  const Inputs& inputs_;
  const RuleBook& book_;
  Date today_;
  std::vector<Permission> permissions_;
  std::vector<Finding> own_;
};

}  // namespace

std::vector<SuppressedFinding> suppress(std::vector<Finding>& findings, const std::vector<ParsedFile>& parsed, const Inputs& inputs,
                                        const Config& config, const RuleBook& book, Date today) {
  return Suppressor(findings, inputs, book, today).run(parsed, config);
}

}  // namespace muster
