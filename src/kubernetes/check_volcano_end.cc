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

/// `sshd -D` as the last command, in the foreground.
bool ends_with_sshd(std::string_view script) {
  constexpr std::string_view kParts = "&;|\n";
  std::size_t at = script.rfind("sshd ");
  while (at != script.npos && at > 0 && !contains("/ \n;&", script.substr(at - 1, 1)))
    at = script.rfind("sshd ", at - 1);
  if (at == script.npos) return false;
  const std::string_view line = script.substr(at, script.find_first_of(kParts, at) - at);
  const std::string_view behind = trim(script.substr(at + line.size()));
  if (!behind.empty() && behind != ";") return false;
  const std::vector<std::string_view> words = split_blanks(line);
  return std::ranges::any_of(words, [](std::string_view word) {
    return word.starts_with('-') && !word.starts_with("--") && contains(word, "D");
  });
}

enum class TaskEnd { Never, ByItself, Unknown };

/// Of the pods of a task. One that says nothing runs what its image has.
TaskEnd end_of_task(const Node& task) {
  const Node containers = task["template"]["spec"]["containers"];
  if (!containers.is_sequence() || containers.size() != 1) return TaskEnd::Unknown;
  const std::string script = script_of_task(containers.item(0));
  if (script.empty()) return TaskEnd::Unknown;
  if (ends_with_sshd(script)) return TaskEnd::Never;
  const bool waits = only_waits(script) || !wait_at_end(script).empty();
  return waits ? TaskEnd::Unknown : TaskEnd::ByItself;
}

/// A policy that ends the Job, or may: another action than those that start something again.
bool ends_job(const Node& policies) {
  if (policies.exists() && !policies.is_null() && !policies.is_sequence()) return true;
  for (std::size_t i = 0; policies.is_sequence() && i < std::min(policies.size(), kMostTasksRead); ++i) {
    const Node policy = policies.item(i);
    const std::string_view action = policy["action"].text();
    const bool restarts = action.starts_with("Restart") || action == "ResumeJob" || action == "SyncJob";
    // A failed or evicted pod is not one that has done its work.
    const std::string_view event = policy["event"].text();
    const bool of_failure = event == "PodFailed" || event == "PodEvicted" || event == "PodPending" ||
                            event == "Unknown" || event == "OutOfSync";
    if (!restarts && !of_failure) return true;
  }
  return false;
}

/// Whether the script of who ends may end the others, too.
bool ends_others(std::string_view script) {
  for (const std::string_view word : {"kill", "kubectl", "vcctl", "shutdown", "curl"}) {
    if (contains(script, word)) return true;
  }
  return false;
}

}  // namespace

/// Source: volcano-sh/volcano:pkg/controllers/job/state/running.go (1.15): all pods have to be through, or minSuccess.
void check_volcano_end(const Node& spec, std::vector<Finding>& findings) {
  const Node tasks = spec["tasks"];
  if (!tasks.is_sequence() || tasks.size() > kMostTasksRead || spec["minSuccess"].exists() || spec["<<"].exists() ||
      ends_job(spec["policies"]))
    return;
  Node server;
  Node worker;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Node task = tasks.item(t);
    if (ends_job(task["policies"]) || task["dependsOn"]["iteration"].exists()) return;
    const Node pod = task["template"]["spec"];
    if (pod["activeDeadlineSeconds"].exists() || pod["<<"].exists()) return;
    const TaskEnd end = end_of_task(task);
    if (end == TaskEnd::Unknown) return;
    if (end == TaskEnd::Never && !server.exists()) server = task;
    if (end == TaskEnd::ByItself) {
      if (ends_others(script_of_task(pod["containers"].item(0)))) return;
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
