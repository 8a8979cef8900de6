#include "rulebook/load_rule.h"

#include <algorithm>
#include <tuple>

#include "base/strings.h"
#include "rulebook/contradiction.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// `rules/gang/x.yaml` -> {gang, x}.
std::pair<std::string, std::string> family_and_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view folder = slash == path.npos ? std::string_view{} : path.substr(0, slash);
  std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  name = name.substr(0, name.rfind('.'));
  return {std::string(folder.substr(folder.rfind('/') + 1)), std::string(name)};
}

class RuleLoader {
 public:
  RuleLoader(const Node& root, const std::string& path, const ParamValues& values, BookReader& reader)
      : root_(root), values_(values), reader_(reader) {
    rule_.file = path;
  }

  Rule run() {
    reader_.known_keys(root_,
                       {"id",           "family",  "since",  "status", "severity", "plane", "reversibility", "effect",
                        "suppressible", "targets", "params", "for",    "when",     "at",    "message",       "follows",
                        "related",      "help",    "fix",    "why",    "sources",  "check", "spelling",      "always"});
    read_words();
    read_loop();
    if (rule_.collection != nullptr) {
      read_params();
      read_conditions();
      read_messages();
    }
    read_fixes(root_["fix"]);
    read_cases(root_["severity"], rule_.severity);
    read_cases(root_["effect"], rule_.effect);
    if (!rule_.severity.cases.empty()) rule_.info.severity = rule_.severity.cases.front().is;
    if (!rule_.effect.cases.empty()) rule_.info.effect = rule_.effect.cases.front().is;
    read_ranges();
    for (const auto& [name, value] : env_.params) {
      if (!used_params_.contains(name))
        reader_.wrong(root_["params"].where(), "the parameter `" + name + "` is never used");
    }
    return std::move(rule_);
  }

 private:
  void read_words() {
    RuleInfo& info = rule_.info;
    info.id = reader_.text(root_, "id");
    const auto [family, name] = family_and_name(rule_.file);
    if (info.id != name) reader_.wrong(root_["id"].where(), "the id must be the file's name, `" + name + "`");
    info.family = reader_.text_or(root_, "family", family);
    info.since = reader_.text_or(root_, "since", "");
    info.status = reader_.word(root_["status"], RuleStatus::Stable);
    info.plane = reader_.word(root_["plane"], Plane::Workload);
    info.reversibility = reader_.word(root_["reversibility"], Reversibility::Reversible);
    info.suppressible = !root_["suppressible"].exists() || reader_.boolean(root_["suppressible"]).value_or(true);
    rule_.judges_spelling = root_["spelling"].exists() && reader_.boolean(root_["spelling"]).value_or(false);
    info.why = trim(reader_.text(root_, "why"));
    info.follows = trim(reader_.text_or(root_, "follows", ""));
    info.help = trim(reader_.text(root_, "help"));
    info.sources = reader_.texts(root_["sources"]);
    if (info.sources.empty()) reader_.wrong(root_["sources"].where(), "a rule needs sources");
  }

  /// `for: g in gangs`, or `check: NAME`.
  void read_loop() {
    rule_.check = reader_.text_or(root_, "check", "");
    const Node loop = root_["for"];
    if (!loop.exists()) {
      if (rule_.check.empty()) reader_.wrong(root_.where(), "a rule needs `for` and `when`, or a `check`");
      return;
    }
    const std::vector<std::string_view> words = split_blanks(loop.text());
    if (words.size() != 3 || words[1] != "in")
      return reader_.wrong(loop.where(), "expected `NAME in COLLECTION`, as in `g in gangs`");
    rule_.variable = words[0];
    rule_.collection = find_collection(words[2]);
    if (rule_.collection == nullptr) {
      std::vector<std::string_view> known;
      for (const Collection& collection : collections()) known.push_back(collection.name);
      return reader_.wrong(loop.where(),
                           "there is no collection `" + std::string(words[2]) + "`" + did_you_mean(words[2], known));
    }
    env_.variables = {{rule_.variable, Type{TypeKind::Object, nullptr, nullptr, rule_.collection->element, {}}},
                      {"target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}}}};
  }

  void read_params() {
    const Node params = root_["params"];
    for (std::size_t i = 0; params.is_mapping() && i < params.size(); ++i) {
      const Node param = params.value(i);
      const std::string name(params.key(i).text());
      reader_.known_keys(param, {"type", "default", "doc"});
      const std::string_view type = param["type"].text();
      const std::optional<Value> value = param_value(type, param["default"].text());
      if (!value) reader_.wrong(param.where(), "a parameter needs a type (bool, int, string) and a default of it");
      env_.params[name] = value.value_or(Value::null());
    }
    const auto own = values_.find(rule_.info.id);
    if (own == values_.end()) return;
    for (const auto& [name, text] : own->second) {
      const Node param = params[name];
      const std::optional<Value> value = param.exists() ? param_value(param["type"].text(), text) : std::nullopt;
      if (!value) reader_.wrong("`" + rule_.info.id + "` has no parameter `" + name + "` that could be `" + text + "`");
      env_.params[name] = value.value_or(Value::null());
    }
  }

  std::optional<Value> param_value(std::string_view type, std::string_view text) {
    const std::optional<std::int64_t> number = parse_int(text);
    if (type == "bool" && (text == "true" || text == "false")) return Value::of(text == "true");
    if (type == "int" && number) return Value::of(*number);
    if (type == "string") return Value::of(std::string_view(rule_.texts.emplace_back(text)));
    return std::nullopt;
  }

  void read_conditions() {
    const Node when = root_["when"];
    if (!when.is_sequence()) reader_.wrong(when.where(), "`when` must be a list of conditions");
    for (std::size_t i = 0; when.is_sequence() && i < when.size(); ++i) {
      std::optional<Expr> condition = reader_.expression(when.item(i), env_);
      if (!condition) continue;
      if (!fits(condition->type(), kBoolType))
        reader_.wrong(when.item(i).where(), "a condition must be bool, this is " + name_of(condition->type()));
      env_.present.insert(condition->present_when_true().begin(), condition->present_when_true().end());
      rule_.targets.insert(condition->targets().begin(), condition->targets().end());
      note_params(condition->params());
      rule_.when.push_back(std::move(*condition));
    }
    if (const Node always = root_["always"]; always.exists()) {
      rule_.always = reader_.expression(always, env_);
      if (rule_.always && !fits(rule_.always->type(), kBoolType))
        reader_.wrong(always.where(), "`always` must be bool, this is " + name_of(rule_.always->type()));
    }
    // A parameter can switch a rule off: what it leaves is a site's own choice.
    if (used_params_.empty()) {
      if (const std::optional<std::string> why = find_contradiction(rule_.when))
        reader_.wrong(when.where(), "the conditions can never hold together: " + *why);
    }
  }

  void read_messages() {
    rule_.message = reader_.words(root_["message"], env_);
    if (!root_["message"].exists()) reader_.wrong(root_.where(), "`message` is missing");
    rule_.follows = reader_.words(root_["follows"], env_);
    rule_.help = reader_.words(root_["help"], env_);
    for (const auto* words : {&rule_.message, &rule_.follows, &rule_.help}) {
      if (*words) note_params((*words)->params());
    }
    if (root_["at"].exists()) {
      CompileEnv anywhere = env_;
      anywhere.may_be_absent = true;
      rule_.at = reader_.expression(root_["at"], anywhere);
    }
    const Node related = root_["related"];
    for (std::size_t i = 0; related.is_sequence() && i < related.size(); ++i) {
      const Node item = related.item(i);
      reader_.known_keys(item, {"when", "at", "message"});
      CompileEnv env = env_;
      std::optional<Expr> when;
      if (item["when"].exists()) {
        when = reader_.expression(item["when"], env);
        if (when) env.present.insert(when->present_when_true().begin(), when->present_when_true().end());
      }
      std::optional<TextTemplate> message = reader_.words(item["message"], env);
      env.may_be_absent = true;
      std::optional<Expr> at = reader_.expression(item["at"], env);
      if (at && message) rule_.related.push_back({std::move(when), std::move(*at), std::move(*message)});
    }
  }

  /// fix: {safety: safe, at: k, replace: "${k.key}", with: "${k.current_name}"}, or a list of which the first counts
  /// whose `when` holds; of a rule that C++ judges the safety.
  void read_fixes(const Node& node) {
    if (!node.exists()) return;
    if (!node.is_sequence()) return read_fix(node);
    for (std::size_t i = 0; i < node.size(); ++i) read_fix(node.item(i));
  }

  void read_fix(const Node& node) {
    reader_.known_keys(node, {"safety", "when", "at", "replace", "with", "before", "everywhere", "remove"});
    if (!node["safety"].exists()) reader_.wrong(node.where(), "a fix needs `safety`: safe or unsafe");
    const FixSafety safety = reader_.word(node["safety"], FixSafety::Unsafe);
    if (rule_.info.fix && rule_.info.fix != safety) reader_.wrong(node.where(), "fixes of one rule are equally safe");
    rule_.info.fix = safety;
    const bool remove = node["remove"].exists() && reader_.boolean(node["remove"]).value_or(false);
    if (rule_.collection == nullptr) {
      if (node.size() > 1)
        reader_.wrong(node.where(), "what is changed the check itself says; here stands only `safety`");
      return;
    }
    if (!remove && !node["with"].exists()) reader_.wrong(node.where(), "a fix needs `with` or `remove: true`");
    FixTemplate fix;
    fix.remove = remove;
    fix.everywhere = node["everywhere"].exists() && reader_.boolean(node["everywhere"]).value_or(false);
    CompileEnv env = env_;
    for (std::size_t i = 0; i < node["when"].size(); ++i) {
      std::optional<Expr> condition = reader_.expression(node["when"].item(i), env);
      if (!condition) continue;
      env.present.insert(condition->present_when_true().begin(), condition->present_when_true().end());
      fix.when.push_back(std::move(*condition));
    }
    fix.replace = reader_.words(node["replace"], env);
    fix.with = reader_.words(node["with"], env);
    env.may_be_absent = true;
    if (node["at"].exists()) fix.at = reader_.expression(node["at"], env);
    if (node["before"].exists()) fix.before = reader_.expression(node["before"], env);
    rule_.fixes.push_back(std::move(fix));
  }

  void note_params(const std::set<std::string>& names) { used_params_.insert(names.begin(), names.end()); }

  template <class Enum>
  void read_cases(const Node& node, ByCase<Enum>& out) {
    if (!node.exists()) return reader_.wrong(root_.where(), "`severity` and `effect` are needed");
    if (node.is_scalar()) return out.cases.push_back({std::nullopt, reader_.word(node, Enum{})});
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) {
      const Node item = node.item(i);
      reader_.known_keys(item, {"when", "is"});
      std::optional<Expr> when;
      if (item["when"].exists()) when = reader_.expression(item["when"], env_);
      if (when) note_params(when->params());
      const bool last = i + 1 == node.size();
      if (last == item["when"].exists())
        reader_.wrong(item.where(), "every case but the last needs a `when`, and the last none");
      out.cases.push_back({std::move(when), reader_.word(item["is"], Enum{})});
    }
  }

  /// targets: {volcano: ">=1.0"}
  void read_ranges() {
    const Node targets = root_["targets"];
    for (std::size_t i = 0; targets.is_mapping() && i < targets.size(); ++i) {
      std::string_view text = trim(targets.value(i).text());
      VersionRange range;
      range.target = targets.key(i).text();
      if (target_type().find(range.target) == nullptr)
        reader_.wrong(targets.key(i).where(), "no target is called `" + range.target + "`");
      if (text.starts_with(">=")) {
        text.remove_prefix(2);
      } else if (text.starts_with("<")) {
        range.op = Op::Less;
        text.remove_prefix(1);
      }
      const std::optional<Version> version = Version::parse(text);
      if (!version) reader_.wrong(targets.value(i).where(), "expected a range such as >=1.0 or <2.0");
      range.version = version.value_or(Version{});
      rule_.applies.push_back(std::move(range));
    }
  }

  const Node& root_;
  const ParamValues& values_;
  BookReader& reader_;
  Rule rule_;
  CompileEnv env_;
  std::set<std::string> used_params_;
};

}  // namespace

Rule name_rule(std::string_view path) {
  Rule rule;
  rule.file = path;
  rule.named_only = true;
  std::tie(rule.info.family, rule.info.id) = family_and_name(path);
  return rule;
}

Rule load_rule(const Node& root, const std::string& path, const ParamValues& params, BookReader& reader) {
  return RuleLoader(root, path, params, reader).run();
}

}  // namespace muster
