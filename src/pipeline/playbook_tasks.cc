#include "pipeline/playbook_tasks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "pipeline/playbook_modules.h"
#include "pipeline/playbook_parameters.h"

namespace muster {
namespace {

template <class Words>
bool stands_among(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

bool has_blank_word(std::string_view words, std::string_view word) { return stands_among(split(words, ' '), word); }

bool has_jinja_marks(std::string_view text) { return contains(text, "{{") || contains(text, "{%"); }

/// `x|failed`: a test that was a filter, too, up to Ansible 2.8.
std::string_view test_as_filter(std::string_view condition) {
  constexpr std::array<std::string_view, 6> kFilterTests{"changed",   "failed",  "skipped",
                                                         "succeeded", "success", "version_compare"};
  for (std::size_t at = condition.find('|'); at != condition.npos; at = condition.find('|', at + 1)) {
    const std::size_t begin = std::min(condition.find_first_not_of(" \t", at + 1), condition.size());
    std::size_t end = begin;
    while (end < condition.size() && is_word_char(condition[end])) ++end;
    const std::string_view name = condition.substr(begin, end - begin);
    if (stands_among(kFilterTests, name)) return name;
  }
  return {};
}

class PlaybookTasks {
 public:
  /// `defaults`: some play or block gives modules parameters of its own.
  PlaybookTasks(std::vector<Finding>& findings, bool defaults) : findings_(findings), defaults_(defaults) {}

  void task(const Node& task) {
    std::optional<std::size_t> action;
    for (std::size_t i = 0; i < task.size() && !action; ++i) {
      if (is_playbook_action(task.key(i).text())) action = i;
    }
    if (!action) return;
    keys(task, *action);
    conditions(task);
    const std::string_view name = task.key(*action).text();
    const PlaybookModule* module = playbook_module(name);
    if (module == nullptr) return;
    parameters(*module, task.value(*action));
    does_something(*module, task, *action);
    if (task["args"].is_mapping()) parameters(*module, task["args"]);
  }

  void block(const Node& block) {
    const std::vector<std::string_view> known(block_keywords().begin(), block_keywords().end());
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::string_view key = block.key(i).text();
      if (!is_key(block.key(i)) || stands_among(known, key)) continue;
      say("playbook-task-key-unknown", block.key(i).where(),
          "a block of tasks has no `" + std::string(key) + "`" + did_you_mean(key, known));
    }
    conditions(block);
  }

  void include(const Node& task) {
    for (std::size_t i = 0; i < task.size(); ++i) {
      const std::string_view key = task.key(i).text();
      if (said_include_ || (key != "include" && key != "ansible.builtin.include")) continue;
      said_include_ = true;
      say("playbook-include-removed", task.key(i).where(), "`include` is gone from Ansible");
    }
  }

 private:
  void say(std::string_view rule, const Span& where, std::string message) {
    findings_.push_back(problem(rule, where, std::move(message)));
  }

  static bool is_key(const Node& key) {
    return key.is_scalar() && !key.text().empty() && key.text() != "<<" && !has_jinja_marks(key.text());
  }

  void keys(const Node& task, std::size_t action) {
    const std::string_view module = task.key(action).text();
    const auto known = task_keywords();
    for (std::size_t i = 0; i < task.size(); ++i) {
      const std::string_view key = task.key(i).text();
      if (i == action || !is_key(task.key(i)) || stands_among(known, key) || key.starts_with("with_")) continue;
      if (key == module) continue;  // it stands twice
      if (is_playbook_action(key))
        say("playbook-task-key-unknown", task.key(i).where(),
            "the task has the module `" + std::string(key) + "` beside `" + std::string(module) + "`");
      else
        say("playbook-task-key-unknown", task.key(i).where(),
            "`" + std::string(key) + "` is no keyword of a task, and the module is `" + std::string(module) + "`" +
                did_you_mean(key, known));
    }
  }

  void parameters(const PlaybookModule& module, const Node& given) {
    constexpr std::array<std::string_view, 4> kFree{"command", "expect", "script", "shell"};
    if (given.is_scalar() && stands_among(kFree, module.name)) return;
    const std::vector<TaskParameter> all = parameters_of(given);
    if (given.is_scalar() && !all.empty() && has_jinja_marks(all.front().name)) return;  // "{{ settings }}"
    const std::vector<std::string_view> known = split(module.parameters, ' ');
    for (const TaskParameter& one : all) {
      if (one.name.empty() || one.name == "<<" || has_jinja_marks(one.name)) continue;
      if (one.bare) {
        if (module.parameters.empty()) continue;
        say("playbook-parameter-unknown", one.where,
            "`" + std::string(one.name) + "` in the line of module `" + std::string(module.name) +
                "` is no `name=value`");
        return;
      }
      if (!stands_among(known, one.name)) unknown_parameter(module, one, known);
      if (one.name == "state" && !one.value.empty()) state(module, one);
      if (one.name == "mode" && stands_among(known, std::string_view("owner"))) mode(one);
      if (one.name == "search_string" && module.name == "lineinfile") search(one);
      if (one.name == "name" && (module.name == "yum" || module.name.starts_with("dnf"))) package(module, one);
    }
  }

  /// `service: {name: slurmd}`: at least one of these has to stand there.
  /// Said of modules of services alone.
  void does_something(const PlaybookModule& module, const Node& task, std::size_t action) {
    constexpr std::array<std::string_view, 7> kDo{"daemon-reexec", "daemon-reload", "daemon_reexec", "daemon_reload",
                                                  "enabled",       "masked",        "state"};
    if (module.name != "service" && module.name != "systemd" && module.name != "systemd_service") return;
    if (defaults_ || task["args"].exists() || task["<<"].exists() || task["module_defaults"].exists()) return;
    if (task["register"].exists()) return;  // it asks for the state
    const std::vector<TaskParameter> all = parameters_of(task.value(action));
    const bool any = std::ranges::any_of(all, [&](const TaskParameter& one) {
      // What it does not know may be a slip of one of these.
      return stands_among(kDo, one.name) || one.bare || !has_blank_word(module.parameters, one.name);
    });
    if (all.empty() || any) return;
    say("playbook-service-without-action", task.key(action).where(),
        "module `" + std::string(module.name) + "` is not told what to do: neither `state` nor `enabled` is there");
  }

  /// Only slips of what the module has, and what belongs to the task: other releases may have had others.
  void unknown_parameter(const PlaybookModule& module, const TaskParameter& one,
                         const std::vector<std::string_view>& known) {
    const bool of_task = stands_among(task_keywords(), one.name) || one.name.starts_with("with_");
    const std::optional<std::string_view> meant = slip_of(one.name, known);
    // service and package hand what they do not know to another module.
    const bool hands_on = module.name == "service" || module.name == "package";
    if (!of_task && (!meant || hands_on)) return;
    say("playbook-parameter-unknown", one.where,
        "module `" + std::string(module.name) + "` has no parameter `" + std::string(one.name) + "`" +
            (of_task ? ", which is a keyword of the task" : "; did you mean `" + std::string(*meant) + "`?"));
  }

  void state(const PlaybookModule& module, const TaskParameter& one) {
    const std::string_view value = trim(one.value);
    if (module.states.empty() || has_jinja_marks(value) || value.find_first_of("\"'") != value.npos ||
        has_blank_word(module.states, value))
      return;
    std::vector<std::string_view> words = split(module.states, ' ');
    std::string known = join(words, ", ");
    say("playbook-state-unknown", one.value_where,
        "module `" + std::string(module.name) + "` has no state `" + std::string(value) + "`: " + known);
  }

  /// `mode: 644` is a number to YAML, and that is 01204. 420 and its like are meant so.
  void mode(const TaskParameter& one) {
    constexpr std::array<std::string_view, 6> kDecimal{"256", "288", "384", "416", "420", "511"};
    const bool octal = one.plain && (one.value.size() == 3 || one.value.size() == 4) && one.value.front() != '0' &&
                       std::ranges::all_of(one.value, [](char c) { return c >= '0' && c <= '7'; });
    if (!octal || stands_among(kDecimal, one.value)) return;
    std::int64_t number = *parse_int(one.value);
    std::string digits;
    for (; number > 0; number /= 8) digits.insert(digits.begin(), static_cast<char>('0' + number % 8));
    say("playbook-mode-decimal", one.value_where,
        "mode " + std::string(one.value) + " without a leading 0 or quotes is a decimal number, octal 0" + digits);
  }

  void search(const TaskParameter& one) {
    const std::string_view text = one.value;
    if (!text.starts_with('^') && !(text.ends_with('$') && text.size() > 1) && !contains(text, ".*")) return;
    say("playbook-pattern-literal", one.value_where,
        "`search_string` is looked for as it stands, `" + std::string(text) + "`; `regexp` takes patterns");
  }

  /// `name: foo=1.2`, as apt has it.
  void package(const PlaybookModule& module, const TaskParameter& one) {
    const std::size_t sign = one.value.find('=');
    if (sign == one.value.npos || sign == 0 || sign + 1 >= one.value.size()) return;
    const std::string_view name = one.value.substr(0, sign);
    const bool plain = std::ranges::all_of(name, [](char c) { return is_word_char(c) || c == '-' || c == '.'; });
    const std::string_view version = one.value.substr(sign + 1);
    if (!plain || !(is_digit(version.front()) || version.starts_with("{{"))) return;
    say("playbook-version-after-equals", one.value_where,
        "`" + std::string(one.value) + "` names no package to " + std::string(module.name) +
            ": a version stands behind `-`");
  }

  void conditions(const Node& task) {
    for (std::size_t i = 0; i < task.size(); ++i) {
      const std::string_view key = task.key(i).text();
      if (key != "when" && key != "until" && key != "failed_when" && key != "changed_when") continue;
      const Node value = task.value(i);
      condition(key, value);
      for (std::size_t k = 0; value.is_sequence() && k < value.size(); ++k) condition(key, value.item(k));
    }
  }

  void condition(std::string_view key, const Node& value) {
    const std::string_view text = value.text();
    if (const std::string_view name = test_as_filter(text); !name.empty())
      say("playbook-test-as-filter", value.where(),
          "`" + std::string(name) + "` is a test, no filter: `is " +
              std::string(name == "version_compare" ? "version" : name) + "` instead of `| " + std::string(name) + "`");
    else if (contains(text, "{{"))
      say("playbook-condition-in-braces", value.where(),
          "`" + std::string(key) + "` is an expression already, and has `{{ }}` within");
  }

  std::vector<Finding>& findings_;
  bool defaults_ = false;
  bool said_include_ = false;
};

}  // namespace

void check_playbook_tasks(const PlaybookTexts& texts, std::vector<Finding>& findings) {
  bool defaults = false;
  const auto gives = [&](const Node& one) { defaults = defaults || one["module_defaults"].exists(); };
  for (const PlaybookText& text : texts.all) {
    for (const Document& document : text.documents) {
      for (std::size_t i = 0; i < document.root().size(); ++i) gives(document.root().item(i));
    }
    // Of `include_tasks` and its like: `apply: {module_defaults: ...}`.
    const auto applies = [&](const Node& task) {
      for (std::size_t i = 0; i < task.size(); ++i) gives(task.value(i)["apply"]);
    };
    each_task_of(text, applies, gives);
  }
  for (const PlaybookText& text : texts.all) {
    PlaybookTasks checks(findings, defaults);
    each_task_of(
        text,
        [&](const Node& task) {
          checks.include(task);
          checks.task(task);
        },
        [&](const Node& block) { checks.block(block); });
  }
}

}  // namespace muster
