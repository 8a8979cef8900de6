#include "pipeline/stated.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kRule = "setting-contradicted";

/// Why there is no such setting; empty when there is.
struct SettingProblem {
  std::string message;
  bool of_operator = false;
};

SettingProblem problem_of(const SchedulerBook& book, const std::string& id, const std::string& setting) {
  std::vector<std::string_view> known;
  const Operator* which = book.find_operator(id);
  if (which == nullptr) {
    for (const Operator& one : book.operators) known.push_back(one.id);
    return {"no operator is called `" + id + "`" + did_you_mean(id, known), true};
  }
  if (which->find(setting) != nullptr) return {};
  for (const OperatorOption& option : which->settings) known.push_back(option.name);
  return {which->id + " has no setting `" + setting + "`" + did_you_mean(setting, known), false};
}

std::string shown_value(const std::string& value) { return value.empty() ? "nothing" : "`" + value + "`"; }

std::string_view words_of(SaidBy said_by) {
  switch (said_by) {
    case SaidBy::Elsewhere:
    case SaidBy::Files: return "another file";
    case SaidBy::Patch: return "a patch";
    case SaidBy::Fleet: return "the fleet file";
    case SaidBy::Config: return "muster.yaml";
    case SaidBy::CommandLine: return "the command line";
  }
  return "";
}

/// Who says which release runs. Of two files of one sort neither is stronger.
struct Speaker {
  std::string sort;
  std::string file;
  Span where;
};

/// 24.11 and 24.11.5 are no contradiction.
bool agree(const Version& a, const Version& b) {
  const std::size_t count = std::min(a.parts().size(), b.parts().size());
  return a == b ||
         std::equal(a.parts().begin(), a.parts().begin() + static_cast<std::ptrdiff_t>(count), b.parts().begin());
}

/// The first version that is said of each target, and findings about the others.
class TargetCollector {
 public:
  explicit TargetCollector(std::vector<Finding>& findings) : findings_(findings) {}

  void hear(const std::string& target, const Version& version, const Speaker& who) {
    const auto [found, fresh] = said_.try_emplace(target, Said{version, who});
    Said& said = found->second;
    if (fresh || agree(said.version, version)) return;
    const bool open = said.who.sort == who.sort && said.who.file != who.file;
    said.open = said.open || open;
    if (!who.where.placed()) return;
    const std::string other = open ? "another " + who.sort.substr(who.sort.find(' ') + 1) : said.who.sort;
    Finding finding = problem(kRule, who.where,
                              "`targets." + target + "` is " + version.text() + " here and " + said.version.text() +
                                  " by " + other + (open ? ": which one counts is not decided" : ", which counts"));
    if (said.who.where.placed()) finding.related.push_back({said.who.where, open ? "the other one" : "this counts"});
    findings_.push_back(std::move(finding));
  }

  bool has_heard_of(const std::string& target) const { return said_.contains(target); }

  Targets take() const {
    Targets out;
    for (const auto& [target, said] : said_) {
      if (!said.open) out.emplace(target, said.version);
    }
    return out;
  }

 private:
  struct Said {
    Version version;
    Speaker who;
    bool open = false;
  };
  std::map<std::string, Said> said_;
  std::vector<Finding>& findings_;
};

void hear_fleet(const Fleet& fleet, TargetCollector& out) {
  const std::string sort = fleet.bundle.empty() ? "the fleet file" : "a fleet file";
  for (const FleetTarget& target : fleet.targets) {
    if (const std::optional<Version> version = Version::parse(target.version.value))
      out.hear(target.name, *version, {sort, fleet.file, target.version.where});
  }
  for (const FleetControlPlane& plane : fleet.control_planes) {
    const std::string name = plane.kind.value == "k3s" ? "kubernetes" : plane.kind.value;
    const std::optional<Version> version = plane.version.is_set() ? Version::parse(plane.version.value) : std::nullopt;
    if (version && target_type().find(name) != nullptr)
      out.hear(name, *version, {sort, fleet.file, plane.version.where});
  }
}

/// Settings on which a gang rests, by name and bundle; all others may be as they like.
std::set<std::pair<std::string, std::string>> settings_in_use(const Model& model) {
  std::set<std::pair<std::string, std::string>> out;
  const auto add = [&](const std::string& name, const Gang& gang) {
    out.emplace(name, gang.bundle);
    out.emplace(name, "");
  };
  for (const Gang& gang : model.gangs) {
    if (!gang.operator_id.empty()) add(setting_name(gang.operator_id, gang.operator_option), gang);
    if (!gang.kinds_setting.empty()) add(gang.kinds_setting, gang);
  }
  return out;
}

/// The settings of one name that meet in one bundle, the strongest first. That two files of an operator list different
/// kinds is said by nobody: then none of them counts.
void compare(const std::vector<const OperatorSetting*>& settings, bool is_list, std::vector<Finding>& findings) {
  const OperatorSetting& first = *settings.front();
  for (const OperatorSetting* other : settings) {
    if (other->value.value == first.value.value || !other->value.where.placed()) continue;
    if (other->value.unknown() || first.value.unknown()) continue;  // nobody can tell
    const bool open = other->said_by == first.said_by;
    const bool is_patched = other->said_by == SaidBy::Files && first.said_by == SaidBy::Patch;
    if ((open && is_list) || is_patched) continue;
    Finding finding = problem(kRule, other->value.where,
                              "`" + first.name + "` is " + shown_value(other->value.value) + " here and " +
                                  shown_value(first.value.value) + " by " + std::string(words_of(first.said_by)) +
                                  (open ? ": which one counts is not decided" : ", which counts"));
    if (first.value.where.placed())
      finding.related.push_back({first.value.where, open ? "the other one" : "this counts"});
    findings.push_back(std::move(finding));
  }
}

}  // namespace

Result<std::vector<OperatorSetting>> settings_of(const Config& config, const SchedulerBook& book) {
  std::vector<OperatorSetting> out;
  std::vector<std::string> wrong;
  for (const ConfigSetting& entry : config.operators) {
    const SettingProblem problem = problem_of(book, entry.which, entry.setting);
    if (problem.message.empty()) {
      out.push_back({setting_name(entry.which, entry.setting), set_to(entry.value, entry.place), config.shown, "",
                     SaidBy::Config});
      continue;
    }
    const Position at = problem.of_operator ? entry.at_which : entry.at_setting;
    const std::string line =
        config.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + problem.message;
    if (std::ranges::find(wrong, line) == wrong.end()) wrong.push_back(line);
  }
  if (wrong.empty()) return out;
  return Error{Error::Code::Usage, "the configuration cannot be used:\n" + join(wrong, "\n")};
}

std::optional<Error> take_stated(std::vector<std::string>& sets, const SchedulerBook& book, Targets& targets,
                                 std::vector<OperatorSetting>& settings) {
  constexpr std::string_view kOperators = "operators.";
  constexpr std::string_view kTargets = "targets.";
  std::vector<std::string> others;
  for (const std::string& text : sets) {
    const std::string_view name = std::string_view(text).substr(0, text.find('='));
    const std::string_view value =
        name.size() == text.size() ? std::string_view{} : std::string_view(text).substr(name.size() + 1);
    if (name.starts_with(kTargets)) {
      Targets one;
      const std::string pair = std::string(name.substr(kTargets.size())) + "=" + std::string(value);
      if (std::optional<Error> error = add_targets(pair, one))
        return Error{error->code, "--set " + text + ": " + error->message};
      for (const auto& [target, version] : one) {
        const auto [said, fresh] = targets.try_emplace(target, version);
        if (!fresh && said->second != version)
          return Error{Error::Code::Usage,
                       "--set " + text + ": --target says `" + std::string(said->second.text()) + "`"};
      }
    } else if (name.starts_with(kOperators)) {
      const std::string_view rest = name.substr(kOperators.size());
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      const std::string which(rest.substr(0, dot));
      const std::string setting(rest.substr(std::min(dot + 1, rest.size())));
      const SettingProblem problem = problem_of(book, which, setting);
      if (!problem.message.empty()) return Error{Error::Code::Usage, "--set " + text + ": " + problem.message};
      if (name.size() == text.size()) return Error{Error::Code::Usage, "--set " + text + ": expected NAME=VALUE"};
      settings.push_back(
          {setting_name(which, setting), set_to(std::string(value), Span{}), "", "", SaidBy::CommandLine});
    } else {
      others.push_back(text);
    }
  }
  sets = std::move(others);
  return std::nullopt;
}

Targets find_targets(const TargetSources& sources, std::vector<Finding>& findings) {
  TargetCollector out(findings);
  for (const auto& [target, version] : sources.given) out.hear(target, version, {"the command line", "", {}});
  for (const auto& [target, version] : sources.config.targets) {
    const auto place = sources.config.target_places.find(target);
    out.hear(target, version,
             {"muster.yaml", "", place == sources.config.target_places.end() ? Span{} : place->second});
  }
  for (const bool everywhere : {true, false}) {  // those of --fleet speak for all bundles
    for (const Fleet& fleet : sources.model.fleets) {
      if (fleet.bundle.empty() == everywhere) hear_fleet(fleet, out);
    }
  }
  for (const Located<std::string>& dumped : sources.dumped) {
    const std::optional<Version> version = Version::parse(dumped.value);
    const std::string part = std::to_string(static_cast<std::uint32_t>(dumped.where.file));
    if (version) out.hear("slurm", *version, {"a dump of scontrol", part, dumped.where});
  }
  const auto hear_installed = [&](const std::string& target, const Located<std::string>& release) {
    const std::optional<Version> installed = Version::parse(release.value);
    if (installed && !out.has_heard_of(target)) out.hear(target, *installed, {"what installs it", "", {}});
  };
  hear_installed("slurm", sources.installed);
  hear_installed("kubernetes", sources.installed_kubernetes);
  return out.take();
}

void contradicted_settings(const Model& model, const std::vector<OperatorSetting>& stated,
                           std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, std::vector<const OperatorSetting*>> meeting;  // by name and bundle
  std::map<std::string, std::vector<const OperatorSetting*>, std::less<>> everywhere;          // by name
  for (const std::vector<OperatorSetting>* all : {&stated, &model.operator_settings}) {
    for (const OperatorSetting& setting : *all) {
      if (setting.bundle.empty())
        everywhere[setting.name].push_back(&setting);
      else
        meeting[{setting.name, setting.bundle}].push_back(&setting);
    }
  }
  const auto strongest_first = [](const OperatorSetting* a, const OperatorSetting* b) {
    return a->said_by > b->said_by;
  };
  const std::set<std::pair<std::string, std::string>> in_use = settings_in_use(model);
  std::set<std::string> lists;
  for (const Gang& gang : model.gangs) lists.insert(gang.kinds_setting);
  for (auto& [name, settings] : everywhere) {
    std::ranges::stable_sort(settings, strongest_first);
    if (in_use.contains({name, ""})) compare(settings, lists.contains(settings.front()->name), findings);
  }
  for (auto& [key, settings] : meeting) {
    std::ranges::stable_sort(settings, strongest_first);
    const auto above = everywhere.find(key.first);
    if (above != everywhere.end() && above->second.front()->said_by >= settings.front()->said_by)
      settings.insert(settings.begin(), above->second.front());
    if (in_use.contains(key)) compare(settings, lists.contains(settings.front()->name), findings);
  }
}

}  // namespace muster
