#include "pipeline/diff.h"

#include <algorithm>

#include "base/natural_order.h"
#include "pipeline/baseline.h"
#include "pipeline/choices.h"
#include "pipeline/renames.h"
#include "pipeline/revision.h"

namespace muster {
namespace {

/// What differs between the two, by name.
std::vector<ChangedChoice> changed(const std::map<ChoiceName, ChoiceValue>& earlier,
                                   const std::map<ChoiceName, ChoiceValue>& later) {
  std::vector<ChangedChoice> out;
  for (const auto& [name, before] : earlier) {
    const auto found = later.find(name);
    if (found == later.end()) {
      out.push_back(
          {name.subject, name.choice, name.setting, before.value, "", before.reversibility, "", before.undo, false});
    } else if (found->second.value != before.value) {
      const ChoiceValue& after = found->second;
      // What binds more of the two: leaving a choice is undoing it.
      out.push_back({name.subject, name.choice, name.setting, before.value, after.value,
                     std::max(before.reversibility, after.reversibility), after.because,
                     before.reversibility >= after.reversibility ? before.undo : after.undo, before.decided});
    }
  }
  for (const auto& [name, after] : later) {
    if (!earlier.contains(name))
      out.push_back({name.subject, name.choice, name.setting, "", after.value, after.reversibility, after.because,
                     after.undo, false});
  }
  std::ranges::stable_sort(out, [](const ChangedChoice& a, const ChangedChoice& b) {
    return std::tuple(!a.touched, -static_cast<int>(a.reversibility)) <
           std::tuple(!b.touched, -static_cast<int>(b.reversibility));
  });
  return out;
}

std::vector<std::string> without(const std::set<std::string>& names, const std::set<std::string>& others) {
  std::vector<std::string> out;
  std::ranges::set_difference(names, others, std::back_inserter(out));
  std::ranges::sort(out, naturally_before);
  return out;
}

std::vector<ChangedNames> changed_names(const NamesByPlace& earlier, const NamesByPlace& later) {
  static const std::set<std::string> kNone;
  std::set<std::pair<std::string, std::string>> places;
  for (const NamesByPlace* side : {&earlier, &later}) {
    for (const auto& [place, names] : *side) places.insert(place);
  }
  std::vector<ChangedNames> out;
  for (const auto& place : places) {
    const auto before = earlier.find(place);
    const auto after = later.find(place);
    const std::set<std::string>& had = before == earlier.end() ? kNone : before->second;
    const std::set<std::string>& has = after == later.end() ? kNone : after->second;
    ChangedNames change{place.first, place.second, without(has, had), without(had, has)};
    if (!change.added.empty() || !change.removed.empty()) out.push_back(std::move(change));
  }
  return out;
}

void compare_findings(const DiffSide& earlier, const DiffSide& later, const FileSystem& disk, DiffReport& out) {
  const PlaceName now_name = names_from(later.root, disk);
  const PlaceName then_name = names_from(earlier.root, disk);
  const FindingKeys then(earlier.workspace.inputs, earlier.workspace.parsed,
                         names_in_later({earlier.workspace.inputs, then_name}, {later.workspace.inputs, now_name}));
  const FindingKeys now(later.workspace.inputs, later.workspace.parsed, now_name);
  const std::vector<KeyedFindings> before = then.keys_of(earlier.report.findings);
  const std::vector<KeyedFindings> after = now.keys_of(later.report.findings);
  const Matching matching = match_findings(
      before, after, [&](const std::string& file, const std::string& object) { return now.holds(file, object); });
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Finding& finding = later.report.findings[i];
    if (!matching.known[i]) {
      out.added.push_back(finding);
      continue;
    }
    const Finding& was = earlier.report.findings[matching.from[i]];
    const std::string file = earlier.workspace.inputs.sources.file(was.where.file).path();
    if (then_name(file) == now_name(later.workspace.inputs.sources.file(finding.where.file).path())) {
      ++out.unchanged;
    } else {
      out.moved.push_back({was.where, finding});
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (matching.left[i] > 0) out.removed.push_back(earlier.report.findings[i]);
  }
}

}  // namespace

Result<std::unique_ptr<DiffSide>> read_diff_side(const std::string& argument, const Options& options,
                                                 const FileSystem& disk, const std::set<std::string>& on_disk) {
  auto out = std::make_unique<DiffSide>();
  out->name.name = argument;
  Options one = options;
  one.paths = {argument};
  const FileSystem::Kind kind = disk.kind(argument);
  if (kind != FileSystem::Kind::Missing) {
    out->root = disk.absolute(argument);
    if (kind == FileSystem::Kind::File) out->root = folder_of(out->root);
    Result<Report> report = check(one, disk, out->workspace);
    if (!report) return report.error();
    out->report = std::move(*report);
    return out;
  }
  one.paths = {"."};
  out->root = disk.absolute(".");
  Result<std::unique_ptr<CheckedRevision>> revision = check_revision(argument, one, disk, on_disk);
  if (!revision)
    return Error{revision.error().code,
                 "`" + argument + "` is no file or folder here, and as a revision: " + revision.error().message};
  out->name.commit = (*revision)->commit;
  out->submodules = std::move((*revision)->submodules);
  out->report = std::move((*revision)->report);
  out->workspace = std::move((*revision)->workspace);
  out->report.sources = &out->workspace.inputs.sources;
  return out;
}

std::set<std::string> read_on_one_side(const DiffSide& side, const DiffSide& other) {
  std::set<std::string> out;
  for (const SubmoduleState& one : side.submodules) {
    if (one.read && std::ranges::any_of(other.submodules, [&](const SubmoduleState& there) {
          return there.path == one.path && !there.read;
        }))
      out.insert(one.path);
  }
  return out;
}

DiffReport compare_sides(const DiffSide& earlier, const DiffSide& later, const FileSystem& disk) {
  DiffReport out;
  out.earlier = earlier.name;
  out.later = later.name;
  out.earlier_sources = &earlier.workspace.inputs.sources;
  out.later_sources = &later.workspace.inputs.sources;
  const auto submodules = [](const DiffSide& side) { return side.name.commit.empty() ? nullptr : &side.submodules; };
  out.not_compared = submodules_not_compared(submodules(earlier), submodules(later), disk);
  compare_findings(earlier, later, disk, out);
  out.decisions = changed(decisions_of(earlier.workspace), decisions_of(later.workspace));
  const PlaceName then_name = names_from(earlier.root, disk);
  const PlaceName now_name = names_from(later.root, disk);
  out.settings =
      changed(settings_of_choices(earlier.workspace, then_name), settings_of_choices(later.workspace, now_name));
  out.topology = changed_names(topology_names(earlier.workspace.model, then_name),
                               topology_names(later.workspace.model, now_name));
  return out;
}

}  // namespace muster
