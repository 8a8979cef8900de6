#include "report/diff.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/hostlist.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLinesShown = 50;

/// Lines of one heading, the first of many.
class DiffLines {
 public:
  explicit DiffLines(std::string heading) : heading_(std::move(heading)) {}
  void add(std::string line) {
    if (++count_ <= kLinesShown) lines_ += line + "\n";
  }
  std::string text() const {
    if (count_ == 0) return "";
    const std::string more =
        count_ > kLinesShown ? "  ... and " + with_thousands(count_ - kLinesShown) + " more; `--format json` has all\n"
                             : "";
    return heading_ + "\n" + lines_ + more + "\n";
  }

 private:
  std::string heading_;
  std::string lines_;
  std::size_t count_ = 0;
};

std::string finding_place(const Span& where, const SourceMap& sources) {
  const Position at = sources.begin_of(where);
  return printable(sources.file(where.file).path()) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string finding_line(std::string_view mark, const Finding& finding, const SourceMap& sources) {
  return "  " + std::string(mark) + " " + std::string(name_of(finding.severity)) + "[" + finding.rule + "] " +
         finding_place(finding.where, sources) + ": " + printable(finding.message);
}

std::string findings_text(const DiffReport& diff) {
  DiffLines lines("findings");
  for (const Finding& finding : diff.added) lines.add(finding_line("+", finding, *diff.later_sources));
  for (const Finding& finding : diff.removed) lines.add(finding_line("-", finding, *diff.earlier_sources));
  for (const MovedFinding& moved : diff.moved)
    lines.add(finding_line(">", moved.finding, *diff.later_sources) + " (it was in " +
              printable(diff.earlier_sources->file(moved.from.file).path()) + ")");
  return lines.text();
}

std::string choices_text(const std::string& heading, const std::vector<ChangedChoice>& changes) {
  DiffLines lines(heading);
  for (const ChangedChoice& change : changes) {
    const std::string_view mark = change.from.empty() ? "+" : change.to.empty() ? "-" : "~";
    std::string line = "  " + std::string(mark) + " " + printable(change.subject) + ": " +
                       printable(change.setting.empty() ? change.choice : change.setting) + ": ";
    line += printable(change.from.empty() ? change.to : change.from);
    if (!change.from.empty() && !change.to.empty()) line += " -> " + printable(change.to);
    const std::string choice = change.setting.empty() ? "" : change.choice + ", ";
    line += " (" + choice + std::string(name_of(change.reversibility)) + ")";
    if (change.touched && !change.because.empty()) line += "\n      because " + printable(change.because);
    if (change.touched && !change.undo.empty()) line += "\n      to undo, " + printable(change.undo);
    lines.add(std::move(line));
  }
  return lines.text();
}

std::string not_compared_text(const std::vector<std::string>& all) {
  DiffLines lines("not compared");
  for (const std::string& one : all) lines.add("  ! " + printable(one));
  return lines.text();
}

std::string names_text(std::string_view mark, const std::vector<std::string>& names) {
  return names.empty() ? "" : " " + std::string(mark) + printable(compress_hostlist(names));
}

std::string topology_text(const std::vector<ChangedNames>& changes) {
  DiffLines lines("topology");
  for (const ChangedNames& change : changes)
    lines.add("  ~ " + (change.where.empty() ? "" : printable(change.where) + ": ") + change.what + ":" +
              names_text("+", change.added) + names_text("-", change.removed));
  return lines.text();
}

Json choices_json(const std::vector<ChangedChoice>& changes) {
  Json out = Json::array();
  for (const ChangedChoice& change : changes) {
    Json json{{"subject", change.subject}, {"choice", change.choice}};
    if (!change.setting.empty()) json["setting"] = change.setting;
    json["from"] = text_or_null(change.from);
    json["to"] = text_or_null(change.to);
    json["reversibility"] = name_of(change.reversibility);
    json["undo"] = text_or_null(change.undo);
    json["touched"] = change.touched;
    if (change.setting.empty()) json["because"] = change.because;
    out.push_back(std::move(json));
  }
  return out;
}

Json side_json(const DiffSideName& side) { return {{"name", side.name}, {"commit", text_or_null(side.commit)}}; }

Json findings_json(const std::vector<Finding>& findings, const SourceMap& sources) {
  Json out = Json::array();
  for (const Finding& finding : findings) out.push_back(finding_json(finding, sources));
  return out;
}

}  // namespace

std::size_t DiffReport::touched(Reversibility reversibility) const {
  const auto is_touched = [&](const ChangedChoice& change) {
    return change.touched && change.reversibility == reversibility;
  };
  return static_cast<std::size_t>(std::ranges::count_if(decisions, is_touched) +
                                  std::ranges::count_if(settings, is_touched));
}

std::string diff_text(const DiffReport& diff) {
  std::string out = findings_text(diff) + choices_text("decisions", diff.decisions) +
                    choices_text("settings", diff.settings) + topology_text(diff.topology) +
                    not_compared_text(diff.not_compared);
  std::vector<std::string> parts{count_of(diff.added.size(), "finding") + " added",
                                 with_thousands(diff.removed.size()) + " removed"};
  if (!diff.moved.empty()) parts.push_back(with_thousands(diff.moved.size()) + " moved");
  parts.push_back(with_thousands(diff.unchanged) + " as before");
  for (const Reversibility reversibility : {Reversibility::BakedIn, Reversibility::Costly, Reversibility::Reversible}) {
    if (const std::size_t count = diff.touched(reversibility); count > 0)
      parts.push_back(with_thousands(count) + " " + std::string(name_of(reversibility)) +
                      (count == 1 ? " choice" : " choices") + " touched");
  }
  return out + join(parts, ", ") + "\n";
}

std::string diff_json(const DiffReport& diff) {
  Json moved = Json::array();
  for (const MovedFinding& one : diff.moved) {
    Json json = finding_json(one.finding, *diff.later_sources);
    json["from"] = location_json(*diff.earlier_sources, one.from);
    moved.push_back(std::move(json));
  }
  Json topology = Json::array();
  for (const ChangedNames& change : diff.topology)
    topology.push_back(
        {{"where", change.where}, {"what", change.what}, {"added", change.added}, {"removed", change.removed}});
  return to_json_text({{"version", "muster.diff/v1"},
                       {"earlier", side_json(diff.earlier)},
                       {"later", side_json(diff.later)},
                       {"findings",
                        {{"added", findings_json(diff.added, *diff.later_sources)},
                         {"removed", findings_json(diff.removed, *diff.earlier_sources)},
                         {"moved", std::move(moved)},
                         {"unchanged", diff.unchanged}}},
                       {"decisions", choices_json(diff.decisions)},
                       {"settings", choices_json(diff.settings)},
                       {"topology", std::move(topology)},
                       {"not_compared", diff.not_compared},
                       {"summary",
                        {{"added", diff.added.size()},
                         {"removed", diff.removed.size()},
                         {"moved", diff.moved.size()},
                         {"unchanged", diff.unchanged},
                         {"baked_in", diff.touched(Reversibility::BakedIn)},
                         {"costly", diff.touched(Reversibility::Costly)},
                         {"reversible", diff.touched(Reversibility::Reversible)}}}});
}

}  // namespace muster
