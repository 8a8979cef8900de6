#include "pipeline/suppress.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "base/strings.h"
#include "input/kind.h"
#include "pipeline/comments.h"

namespace muster {
namespace {

constexpr std::string_view kMark = "muster:";
constexpr std::string_view kAllow = "allow";

/// One permission, wherever it is written.
struct Permission {
  std::string rule;
  std::string reason;
  std::optional<Date> until;
  Span where;                        ///< of the comment, annotation or entry
  std::uint32_t line = 0;            ///< that a comment speaks of
  std::optional<Span> object;        ///< that an annotation speaks of ...
  std::string object_id;             ///< ... and how reports call it
  std::optional<std::size_t> entry;  ///< of muster.yaml
  std::size_t group = 0;
};

/// Permissions that speak of the same: the first one gives the reason, and what one is used for they all are.
struct Group {
  std::size_t first = 0;
  bool used = false;
  bool open = false;  ///< something it may be for is not decided
};

/// The text behind `# muster: allow` in a line, and whether it stands alone.
struct Mark {
  std::size_t at = 0;  ///< of `muster:` in the line
  bool alone = false;
  std::string_view text;
};

/// `in_text` says of the `#` at a place of the line that it begins no comment.
template <class InText>
std::optional<Mark> find_mark(std::string_view line, InText in_text) {
  for (std::size_t at = line.find(kMark); at != line.npos; at = line.find(kMark, at + 1)) {
    const std::string_view before = trim(line.substr(0, at));
    if (!before.ends_with('#')) continue;
    const std::string_view rest = trim(line.substr(at + kMark.size()));
    if (!rest.starts_with(kAllow)) continue;
    const std::string_view text = rest.substr(kAllow.size());
    if (!text.empty() && text.front() != ' ' && text.front() != '\t') continue;
    if (in_text(static_cast<std::size_t>(before.data() - line.data()) + before.size() - 1)) continue;
    return Mark{at, before == "#", text};
  }
  return std::nullopt;
}

void read_comments(const ParsedFile& parsed, const SourceFile& file, std::vector<Allowance>& out) {
  if (file.text().find(kMark) == std::string_view::npos) return;
  const CommentProbe comments(parsed, file.text());
  const std::size_t before = out.size();
  // From the end, so that a comment alone on its line knows what the one below it speaks of: they can be stacked.
  std::uint32_t below = 0;
  for (std::uint32_t number = file.line_count(); number > 0; --number) {
    const std::string_view line = file.line(number);
    const std::uint32_t start = file.line_start(number);
    const std::optional<Mark> mark =
        find_mark(line, [&](std::size_t at) { return comments.in_text(start + static_cast<std::uint32_t>(at)); });
    const bool alone = mark && mark->alone;
    if (mark) {
      Allowance& found = out.emplace_back();
      found.text = mark->text;
      found.where = {parsed.file, start + static_cast<std::uint32_t>(mark->at),
                     start + static_cast<std::uint32_t>(line.size())};
      found.line = !alone ? number : below != 0 ? below : number + 1;
    }
    below = !alone ? 0 : below != 0 ? below : number + 1;
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
}

void read_annotation(const Artifact& artifact, std::vector<Allowance>& out) {
  if (artifact.kind->format != Format::Manifest) return;
  const Node metadata = artifact.object["metadata"];
  const Node allow = metadata["annotations"]["muster.dev/allow"];
  if (!allow.is_scalar()) return;
  const std::string_view space = metadata["namespace"].text();
  for (const std::string_view line : split(allow.text(), '\n')) {
    if (trim(line).empty()) continue;
    Allowance& found = out.emplace_back();
    found.text = line;
    found.where = allow.where();
    found.object = artifact.object.where();
    found.object_id = std::string(artifact.api_version) + "/" + std::string(artifact.kind->object_kind) + "/" +
                      (space.empty() ? "" : std::string(space) + "/") + std::string(metadata["name"].text());
  }
}

class Suppressor {
 public:
  Suppressor(LintResult& linted, const SuppressInput& input) : linted_(linted), input_(input) {}

  std::vector<SuppressedFinding> run() {
    for (std::size_t i = 0; i < input_.parsed.size(); ++i) {
      const ParsedFile& file = input_.parsed[i];
      if (!file.ours()) continue;
      if (input_.allowances != nullptr) {
        read_permissions((*input_.allowances)[i]);
      } else {
        read_permissions(allowances_in(file, input_.inputs.sources));
      }
    }
    for (const RenderedBundle& bundle : input_.bundles) {
      for (const ParsedFile& file : bundle.files) {
        std::vector<Allowance> found;
        for (const Artifact& artifact : file.artifacts) read_annotation(artifact, found);
        read_permissions(found);
      }
    }
    read_config();
    apply();
    report_unused();
    complete_from_rules(own_, input_.book);
    linted_.findings.insert(linted_.findings.end(), own_.begin(), own_.end());
    return std::move(suppressed_);
  }

 private:
  void complain(std::string_view rule, const Span& where, std::string message, std::string_view help = "") {
    own_.push_back(problem(rule, where, std::move(message)));
    own_.back().help = help;
  }

  void add(Permission permission) {
    if (permission.until && *permission.until < input_.today) {
      return complain("suppression-expired", permission.where,
                      "the permission for `" + permission.rule + "` has expired");
    }
    const std::size_t number = permissions_.size();
    const auto [place, fresh] = group_of(permission);
    if (fresh) {
      *place = groups_.size();
      groups_.push_back({number});
    }
    permission.group = *place;
    if (permission.object)
      by_name_.try_emplace({permission.where.file, permission.rule, permission.object_id}, permission.group);
    permissions_.push_back(std::move(permission));
  }

  /// Where the number of a permission's group stands, or has to.
  std::pair<std::size_t*, bool> group_of(const Permission& permission) {
    if (permission.entry) {
      by_entry_[permission.rule].push_back({*permission.entry, 0});
      return {&by_entry_[permission.rule].back().second, true};
    }
    if (permission.object) {
      const auto [found, fresh] = by_object_[{permission.where.file, permission.rule}].try_emplace(
          permission.object->begin, permission.object->end, std::size_t{0});
      return {&found->second.second, fresh};
    }
    const auto [found, fresh] = by_line_.try_emplace({permission.where.file, permission.rule, permission.line}, 0);
    return {&found->second, fresh};
  }

  void read_permissions(const std::vector<Allowance>& allowances) {
    for (const Allowance& one : allowances) {
      Permission permission;
      permission.where = one.where;
      permission.line = one.line;
      permission.object = one.object;
      permission.object_id = one.object_id;
      read_permission(one.text, std::move(permission));
    }
  }

  /// `RULE [until=DATE] -- reason`
  void read_permission(std::string_view text, Permission permission) {
    const std::size_t dashes = text.find("--");
    const std::vector<std::string_view> words = split_blanks(text.substr(0, dashes));
    permission.reason = dashes == text.npos ? "" : trim(text.substr(dashes + 2));
    if (words.empty())
      return complain("suppression-invalid", permission.where, "expected a rule: `muster: allow RULE -- reason`");
    permission.rule = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with("until=")) permission.until = parse_date(words[i].substr(6));
      if (!words[i].starts_with("until=") || !permission.until) {
        return complain("suppression-invalid", permission.where,
                        "expected `until=2027-01-31`, got `" + std::string(words[i]) + "`");
      }
    }
    if (permission.reason.empty()) {
      return complain("suppression-invalid", permission.where,
                      "`" + permission.rule + "` is allowed without a reason: write `muster: allow " + permission.rule +
                          " -- reason`");
    }
    const Rule* rule = input_.book.find(permission.rule);
    if (rule == nullptr) {
      return complain("suppression-invalid", permission.where,
                      "there is no rule `" + permission.rule + "`" + meant_by(permission.rule));
    }
    if (!rule->info.suppressible) {
      return complain("suppression-invalid", permission.where,
                      "`" + permission.rule + "` can only be lowered in muster.yaml, where a reviewer sees it",
                      "give it another severity under `rules:` of muster.yaml, or keep it in a baseline");
    }
    add(std::move(permission));
  }

  const std::string& meant_by(const std::string& rule) {
    const auto [found, fresh] = meant_.try_emplace(rule);
    if (fresh) {
      std::vector<std::string_view> known;
      for (const Rule& other : input_.book.rules()) known.push_back(other.info.id);
      found->second = did_you_mean(rule, known);
    }
    return found->second;
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

  /// Calls `visit` with each group of permissions for a rule that speaks of a place. `holds` says of an entry of
  /// muster.yaml whether its condition is met there.
  template <class Visit, class Holds>
  void each_group(const std::string& rule, const Span& where, const std::string& object, Holds holds, Visit visit) {
    if (const auto line = by_line_.find({where.file, rule, input_.inputs.sources.begin_of(where).line});
        line != by_line_.end())
      visit(groups_[line->second]);
    if (const auto objects = by_object_.find({where.file, rule}); objects != by_object_.end()) {
      const auto after = objects->second.upper_bound(where.begin);
      if (after != objects->second.begin() && where.end <= std::prev(after)->second.first)
        visit(groups_[std::prev(after)->second.second]);
    }
    if (const auto named = by_name_.find({where.file, rule, object}); named != by_name_.end())
      visit(groups_[named->second]);
    const auto entries = by_entry_.find(rule);
    if (entries == by_entry_.end()) return;
    const auto file = static_cast<std::size_t>(where.file);
    for (const auto& [number, group] : entries->second) {
      const ConfigSuppression& entry = input_.config.suppressions[number];
      const bool here = entry.path.empty() || (file < input_.inputs.files.size() &&
                                               glob_matches(entry.path, input_.inputs.files[file].rooted));
      if (here && (entry.where.empty() || holds(number))) visit(groups_[group]);
    }
  }

  void judge(Finding finding, std::span<const std::size_t> entries, std::vector<Finding>& kept) {
    const Permission* found = nullptr;
    const auto holds = [&](std::size_t entry) { return std::ranges::find(entries, entry) != entries.end(); };
    each_group(finding.rule, finding.where, finding.object, holds, [&](Group& group) {
      group.used = true;
      if (found == nullptr || &permissions_[group.first] < found) found = &permissions_[group.first];
    });
    if (found == nullptr) return kept.push_back(std::move(finding));
    suppressed_.push_back({std::move(finding), found->reason,
                           found->entry ? SuppressedFinding::Where::Config : SuppressedFinding::Where::Source});
  }

  void apply() {
    if (groups_.empty() && linted_.covered.empty()) return;  // an expired entry has no group, yet covers
    std::vector<Finding> kept;
    for (Finding& finding : linted_.findings) judge(std::move(finding), {}, kept);
    for (CoveredFinding& covered : linted_.covered) judge(std::move(covered.finding), covered.entries, kept);
    linted_.findings = std::move(kept);
    linted_.covered.clear();
  }

  void report_unused() {
    // What is not decided may yet be what a permission is for; a condition of muster.yaml was not asked then.
    for (const Undecided& open : linted_.undecided) {
      each_group(
          open.rule, open.where, open.object, [](std::size_t) { return true; },
          [](Group& group) { group.open = true; });
    }
    for (const Permission& permission : permissions_) {
      const bool seen_all = !permission.entry || input_.whole_repository;
      const Group& group = groups_[permission.group];
      if (!group.used && seen_all && !group.open)
        complain("suppression-unused", permission.where, "nothing here breaks `" + permission.rule + "`");
    }
  }

  using ObjectGroups =
      std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>>;  ///< by its begin: its end and the group

  LintResult& linted_;
  const SuppressInput& input_;
  std::vector<Permission> permissions_;
  std::vector<Group> groups_;
  std::map<std::tuple<FileId, std::string, std::uint32_t>, std::size_t> by_line_;
  std::map<std::pair<FileId, std::string>, ObjectGroups> by_object_;
  std::map<std::tuple<FileId, std::string, std::string>, std::size_t> by_name_;
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>>
      by_entry_;                              ///< number of the entry and the group
  std::map<std::string, std::string> meant_;  ///< by a rule that there is not
  std::vector<SuppressedFinding> suppressed_;
  std::vector<Finding> own_;
};

}  // namespace

std::vector<Allowance> allowances_in(const ParsedFile& file, const SourceMap& sources) {
  std::vector<Allowance> out;
  read_comments(file, sources.file(file.file), out);
  for (const Artifact& artifact : file.artifacts) read_annotation(artifact, out);
  return out;
}

std::vector<SuppressedFinding> suppress(LintResult& linted, const SuppressInput& input) {
  return Suppressor(linted, input).run();
}

}  // namespace muster
