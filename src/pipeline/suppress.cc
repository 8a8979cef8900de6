#include "pipeline/suppress.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "input/kind.h"

namespace muster {
namespace {

constexpr std::string_view kMark = "muster:";
constexpr std::string_view kAllow = "allow";

/// One permission, wherever it is written.
struct Permission {
  std::string rule;
  std::string reason;
  std::optional<Date> until;
  Span where;                          ///< of the comment, annotation or entry
  std::uint32_t line = 0;              ///< that a comment speaks of
  std::optional<Span> object;          ///< that an annotation speaks of ...
  std::string object_id;               ///< ... and how reports call it
  std::optional<std::size_t> entry;    ///< of muster.yaml
  bool used = false;
};

/// The text behind `# muster: allow` or `// muster: allow` in a line, and whether it stands alone.
struct Mark {
  std::size_t at = 0;       ///< of `muster:` in the line
  bool alone = false;
  std::string_view text;
};

std::optional<Mark> find_mark(std::string_view line) {
  for (std::size_t at = line.find(kMark); at != line.npos; at = line.find(kMark, at + 1)) {
    const std::string_view before = trim(line.substr(0, at));
    if (!before.ends_with('#') && !before.ends_with("//")) continue;
    const std::string_view rest = trim(line.substr(at + kMark.size()));
    if (!rest.starts_with(kAllow)) continue;
    const std::string_view text = rest.substr(kAllow.size());
    if (!text.empty() && text.front() != ' ' && text.front() != '\t') continue;
    return Mark{at, before == "#" || before == "//", text};
  }
  return std::nullopt;
}

class Suppressor {
 public:
  Suppressor(LintResult& linted, const SuppressInput& input) : linted_(linted), input_(input) {}

  std::vector<SuppressedFinding> run() {
    for (const ParsedFile& file : input_.parsed) {
      if (!file.ours()) continue;
      read_comments(file.file);
      for (const Artifact& artifact : file.artifacts) read_annotation(artifact);
    }
    read_config();
    apply();
    report_unused();
    complete_from_rules(own_, input_.book);
    linted_.findings.insert(linted_.findings.end(), own_.begin(), own_.end());
    return std::move(suppressed_);
  }

 private:
  void complain(std::string_view rule, const Span& where, std::string message) { own_.push_back(problem(rule, where, std::move(message))); }

  void add(Permission permission) {
    if (permission.until && *permission.until < input_.today) {
      return complain("suppression-expired", permission.where, "the permission for `" + permission.rule + "` has expired");
    }
    permissions_.push_back(std::move(permission));
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
    const Rule* rule = input_.book.find(permission.rule);
    if (rule == nullptr) {
      std::vector<std::string_view> known;
      for (const Rule& other : input_.book.rules()) known.push_back(other.info.id);
      return complain("suppression-invalid", permission.where, "there is no rule `" + permission.rule + "`" + did_you_mean(permission.rule, known));
    }
    if (!rule->info.suppressible) {
      return complain("suppression-invalid", permission.where, "`" + permission.rule + "` can only be lowered in muster.yaml, where a reviewer sees it");
    }
    add(std::move(permission));
  }

  void read_comments(FileId id) {
    const SourceFile& file = input_.inputs.sources.file(id);
    if (file.text().find(kMark) == std::string_view::npos) return;
    std::vector<std::pair<std::string_view, Permission>> found;
    // From the end, so that a comment alone on its line knows what the one below it speaks of: they can be stacked.
    std::uint32_t below = 0;
    for (std::uint32_t number = file.line_count(); number > 0; --number) {
      const std::string_view line = file.line(number);
      const std::optional<Mark> mark = find_mark(line);
      const bool alone = mark && mark->alone;
      if (mark) {
        Permission permission;
        permission.where = {id, file.line_start(number) + static_cast<std::uint32_t>(mark->at), file.line_start(number) + static_cast<std::uint32_t>(line.size())};
        permission.line = !alone ? number : below != 0 ? below : number + 1;
        found.emplace_back(mark->text, std::move(permission));
      }
      below = !alone ? 0 : below != 0 ? below : number + 1;
    }
    for (auto entry = found.rbegin(); entry != found.rend(); ++entry) read_permission(entry->first, std::move(entry->second));
  }

  void read_annotation(const Artifact& artifact) {
    if (artifact.kind->format != Format::Manifest) return;
    const Node metadata = artifact.object["metadata"];
    const Node allow = metadata["annotations"]["muster.dev/allow"];
    if (!allow.is_scalar()) return;
    const std::string_view space = metadata["namespace"].text();
    for (const std::string_view line : split(allow.text(), '\n')) {
      if (trim(line).empty()) continue;
      Permission permission;
      permission.where = allow.where();
      permission.object = artifact.object.where();
      permission.object_id = std::string(artifact.object["apiVersion"].text()) + "/" + std::string(artifact.object["kind"].text()) + "/" +
                             (space.empty() ? "" : std::string(space) + "/") + std::string(metadata["name"].text());
      read_permission(line, std::move(permission));
    }
  }

  void read_config() {
    const std::vector<ConfigSuppression>& entries = input_.config.suppressions;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Permission permission;
      permission.rule = entries[i].rule;
      permission.reason = entries[i].reason;
      permission.until = entries[i].until;
      permission.where = entries[i].place;
      permission.entry = i;
      add(std::move(permission));
    }
  }

  /// Whether a permission speaks of a place; `entries` are those of muster.yaml whose condition holds there.
  bool covers(const Permission& permission, const Span& where, const std::string& object, std::span<const std::size_t> entries) const {
    if (permission.entry) {
      const ConfigSuppression& entry = input_.config.suppressions[*permission.entry];
      const auto file = static_cast<std::size_t>(where.file);
      const bool here = entry.path.empty() || (file < input_.inputs.files.size() && glob_matches(entry.path, input_.inputs.files[file].rooted));
      return here && (entry.where.empty() || std::ranges::find(entries, *permission.entry) != entries.end());
    }
    if (permission.where.file != where.file) return false;
    if (permission.object) {
      return (permission.object->begin <= where.begin && where.end <= permission.object->end) || object == permission.object_id;
    }
    return input_.inputs.sources.begin_of(where).line == permission.line;
  }

  void judge(Finding finding, std::span<const std::size_t> entries, std::vector<Finding>& kept) {
    const Permission* found = nullptr;
    for (Permission& permission : permissions_) {
      if (permission.rule != finding.rule || !covers(permission, finding.where, finding.object, entries)) continue;
      permission.used = true;
      if (found == nullptr) found = &permission;
    }
    if (found == nullptr) return kept.push_back(std::move(finding));
    suppressed_.push_back({std::move(finding), found->reason});
  }

  void apply() {
    std::vector<Finding> kept;
    for (Finding& finding : linted_.findings) judge(std::move(finding), {}, kept);
    for (CoveredFinding& covered : linted_.covered) judge(std::move(covered.finding), covered.entries, kept);
    linted_.findings = std::move(kept);
    linted_.covered.clear();
  }

  /// Something the permission may be for is not decided; a condition of muster.yaml was not asked then.
  bool may_be_needed(const Permission& permission) const {
    return std::ranges::any_of(linted_.undecided, [&](const Undecided& open) {
      const std::size_t entry = permission.entry.value_or(0);
      return open.rule == permission.rule && covers(permission, open.where, open.object, {&entry, 1});
    });
  }

  void report_unused() {
    for (const Permission& permission : permissions_) {
      const bool seen_all = !permission.entry || input_.whole_repository;
      if (!permission.used && seen_all && !may_be_needed(permission)) complain("suppression-unused", permission.where, "nothing here breaks `" + permission.rule + "`");
    }
  }

  LintResult& linted_;
  const SuppressInput& input_;
  std::vector<Permission> permissions_;
  std::vector<SuppressedFinding> suppressed_;
  std::vector<Finding> own_;
};

}  // namespace

std::vector<SuppressedFinding> suppress(LintResult& linted, const SuppressInput& input) { return Suppressor(linted, input).run(); }

}  // namespace muster
