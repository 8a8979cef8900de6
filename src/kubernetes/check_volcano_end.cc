#include "kubernetes/check_volcano_end.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "kubernetes/container_script.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostTasksRead = 1000;

std::string script_of_task(const Node& container) {
  std::string out;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostTasksRead); ++i)
      out.append(words.item(i).text()) += ' ';
  }
  return out;
}

/// Whether a word of a container speaks of sshd: without one nobody waits.
bool names_sshd(const Node& containers) {
  if (!containers.is_sequence() || containers.size() != 1) return false;
  const Node container = containers.item(0);
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostTasksRead); ++i) {
      if (contains(words.item(i).text(), "sshd")) return true;
    }
  }
  return false;
}

bool wants_foreground(std::string_view option) {
  return option.starts_with('-') && !option.starts_with("--") && contains(option, "D");
}

/// How the commands of a script run sshd in the foreground: as the last one, and for good; or otherwise, such as for a
/// time. In the background it keeps nobody.
enum class Sshd { None, AtEnd, Otherwise };

Sshd runs_sshd(std::string_view script) {
  if (!contains(script, "sshd")) return Sshd::None;
  constexpr std::string_view kParts = "&;|\n";
  Sshd out = Sshd::None;
  for (std::size_t at = 0; at < script.size();) {
    const std::size_t end = std::min(script.find_first_of(kParts, at), script.size());
    const std::vector<std::string_view> words = split_blanks(script.substr(at, end - at));
    const bool behind_and = script.substr(end, 2) == "&&";
    const bool redirected = end > 0 && script[end - 1] == '>';  // 2>&1
    const bool background = end < script.size() && script[end] == '&' && !behind_and && !redirected;
    at = end + (behind_and ? 2 : 1);
    if (words.empty()) continue;
    if (out == Sshd::AtEnd) out = Sshd::Otherwise;  // something stands behind it
    const auto sshd =
        std::ranges::find_if(words, [](std::string_view word) { return word == "sshd" || word.ends_with("/sshd"); });
    if (background || std::none_of(sshd, words.end(), wants_foreground)) continue;
    const bool alone = std::all_of(words.begin(), sshd, [](std::string_view word) {
      return word == "exec" || word == "sudo" || word == "bash" || word == "sh" || word == "/bin/bash" ||
             word == "/bin/sh" || word.starts_with('-');
    });
    out = alone ? Sshd::AtEnd : Sshd::Otherwise;
  }
  return out;
}

enum class TaskEnd { Never, ByItself, Unknown };

/// Of the pods of a task, by its script. One that says nothing runs what its image has.
TaskEnd end_of_task(std::string_view script) {
  if (script.empty()) return TaskEnd::Unknown;
  const Sshd sshd = runs_sshd(script);
  const bool ends_it = contains(script, "kill");  // itself, in the background
  if (sshd != Sshd::None) return sshd == Sshd::AtEnd && !ends_it ? TaskEnd::Never : TaskEnd::Unknown;
  const bool waits = only_waits(script) || !wait_at_end(script).empty();
  return waits ? TaskEnd::Unknown : TaskEnd::ByItself;
}

/// Whether a policy is about pods that have not done their work: failed, evicted, or ended with a code that is not 0.
/// Source: volcano-sh/volcano:vendor/volcano.sh/apis/pkg/apis/batch/v1alpha1/job.go, LifecyclePolicy (1.15).
bool is_of_failure(const Node& policy) {
  const auto fails = [](std::string_view event) {
    return event == "PodFailed" || event == "PodEvicted" || event == "PodPending" || event == "Unknown" ||
           event == "OutOfSync";
  };
  const Node events = policy["events"];
  if (policy["event"].exists()) return fails(policy["event"].text());
  if (!events.exists()) return policy["exitCode"].exists();
  if (!events.is_sequence() || events.size() == 0) return false;
  for (std::size_t i = 0; i < std::min(events.size(), kMostTasksRead); ++i) {
    if (!fails(events.item(i).text())) return false;
  }
  return true;
}

/// A policy that ends the Job, or may: another action than those that start something again.
bool ends_job(const Node& policies) {
  if (policies.exists() && !policies.is_null() && !policies.is_sequence()) return true;
  for (std::size_t i = 0; policies.is_sequence() && i < std::min(policies.size(), kMostTasksRead); ++i) {
    const Node policy = policies.item(i);
    const std::string_view action = policy["action"].text();
    const bool restarts = action.starts_with("Restart") || action == "ResumeJob" || action == "SyncJob";
    if (!restarts && !is_of_failure(policy)) return true;
  }
  return false;
}

/// Whether the script of who ends may end the others, too: by a word for it, or with a command over ssh, other than as
/// what mpirun starts its daemons with.
bool ends_others(std::string_view script) {
  for (const std::string_view word : {"kill", "kubectl", "vcctl", "shutdown", "curl"}) {
    if (contains(script, word)) return true;
  }
  std::string_view before;
  bool sets_up = false;  // ssh is the name of a package or a service
  for (const std::string_view word : split_blanks(script)) {
    const std::string_view bare = word.substr(std::min(word.find_first_not_of("\"'(;&|"), word.size()));
    const bool ends = word.find_first_of(";&|(") != word.npos;
    if (ends) sets_up = false;
    if ((bare == "ssh" || bare.ends_with("/ssh")) && !before.ends_with("_agent") && !sets_up) return true;
    sets_up = !ends && (sets_up || bare == "service" || bare == "systemctl" || bare == "install");
    before = word;
  }
  return false;
}

}  // namespace

/// Source: volcano-sh/volcano:pkg/controllers/job/state/running.go (1.15): all pods have to be through, or minSuccess.
void check_volcano_end(const Node& spec, std::vector<Finding>& findings) {
  const Node tasks = spec["tasks"];
  if (!tasks.is_sequence() || tasks.size() > kMostTasksRead) return;
  bool serves = false;
  for (std::size_t t = 0; t < tasks.size() && !serves; ++t)
    serves = names_sshd(tasks.item(t)["template"]["spec"]["containers"]);
  if (!serves || spec["minSuccess"].exists() || spec["<<"].exists() || ends_job(spec["policies"])) return;
  Node server;
  Node worker;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Node task = tasks.item(t);
    if (ends_job(task["policies"]) || task["dependsOn"]["iteration"].exists()) return;
    const Node pod = task["template"]["spec"];
    if (pod["activeDeadlineSeconds"].exists() || pod["<<"].exists()) return;
    const Node containers = pod["containers"];
    if (!containers.is_sequence() || containers.size() != 1) return;
    const std::string script = script_of_task(containers.item(0));
    const TaskEnd end = end_of_task(script);
    if (end == TaskEnd::Unknown) return;
    if (end == TaskEnd::Never && !server.exists()) server = task;
    if (end == TaskEnd::ByItself) {
      if (ends_others(script)) return;
      worker = task;
    }
  }
  if (!server.exists() || !worker.exists() || is_unsaid(server["name"])) return;
  findings.push_back(problem("volcano-workers-never-end", server["name"].where(),
                             "pods of task " + in_ticks(server["name"].text()) +
                                 " run sshd and never end, and no policy ends the Job when " +
                                 in_ticks(worker["name"].text()) + " is through"));
  findings.back().field = "policies";
  findings.back().about = About::Whole;
}

}  // namespace muster
