#include "slurm/submit_plugin_fields.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/strings.h"
#include "slurm/lua_words.h"

namespace muster {
namespace {

/// Of the job, in any release. Source: SchedMD/slurm:src/plugins/job_submit/lua/job_submit_lua.c, _get_job_req_field
/// and _set_job_req_field (22.05-26.05).
constexpr std::array<std::string_view, 103> kJobFields{"account",
                                                       "acctg_freq",
                                                       "admin_comment",
                                                       "alloc_node",
                                                       "argc",
                                                       "argv",
                                                       "array_inx",
                                                       "assoc_comment",
                                                       "assoc_qos",
                                                       "batch_features",
                                                       "begin_time",
                                                       "bitflags",
                                                       "boards_per_node",
                                                       "burst_buffer",
                                                       "clusters",
                                                       "comment",
                                                       "container",
                                                       "contiguous",
                                                       "core_spec",
                                                       "cores_per_socket",
                                                       "cpu_freq_gov",
                                                       "cpu_freq_max",
                                                       "cpu_freq_min",
                                                       "cpus_per_task",
                                                       "cpus_per_tres",
                                                       "cron_job",
                                                       "default_account",
                                                       "default_qos",
                                                       "delay_boot",
                                                       "dependency",
                                                       "end_time",
                                                       "environment",
                                                       "exc_nodes",
                                                       "extra",
                                                       "features",
                                                       "gres",
                                                       "group_id",
                                                       "het_job_offset",
                                                       "immediate",
                                                       "licenses",
                                                       "mail_type",
                                                       "mail_user",
                                                       "max_cpus",
                                                       "max_nodes",
                                                       "mcs_label",
                                                       "mem_per_tres",
                                                       "min_cpus",
                                                       "min_mem_per_cpu",
                                                       "min_mem_per_node",
                                                       "min_nodes",
                                                       "name",
                                                       "network",
                                                       "nice",
                                                       "ntasks_per_board",
                                                       "ntasks_per_core",
                                                       "ntasks_per_gpu",
                                                       "ntasks_per_node",
                                                       "ntasks_per_socket",
                                                       "ntasks_per_tres",
                                                       "num_tasks",
                                                       "oversubscribe",
                                                       "pack_job_offset",
                                                       "partition",
                                                       "pn_min_cpus",
                                                       "pn_min_memory",
                                                       "pn_min_tmp_disk",
                                                       "power_flags",
                                                       "prefer",
                                                       "priority",
                                                       "qos",
                                                       "reboot",
                                                       "req_context",
                                                       "req_nodes",
                                                       "req_switch",
                                                       "requeue",
                                                       "reservation",
                                                       "script",
                                                       "segment_size",
                                                       "selinux_context",
                                                       "shared",
                                                       "site_factor",
                                                       "sockets_per_board",
                                                       "sockets_per_node",
                                                       "spank_job_env",
                                                       "spank_job_env_size",
                                                       "std_err",
                                                       "std_in",
                                                       "std_out",
                                                       "thread_spec",
                                                       "threads_per_core",
                                                       "time_limit",
                                                       "time_min",
                                                       "tres_bind",
                                                       "tres_freq",
                                                       "tres_per_job",
                                                       "tres_per_node",
                                                       "tres_per_socket",
                                                       "tres_per_task",
                                                       "user_id",
                                                       "user_name",
                                                       "wait4switch",
                                                       "wckey",
                                                       "work_dir"};

/// What the functions that Slurm calls call the job: their first parameter.
std::set<std::string_view> names_of_job(std::string_view text) {
  std::set<std::string_view> out;
  LuaWords words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "slurm_job_submit" && word != "slurm_job_modify") continue;
    if (words.next() != "(") continue;
    const std::string_view name = words.next();
    if (!name.empty() && is_word_char(name.front())) out.insert(name);
  }
  return out;
}

/// A variable of the name is something else somewhere: `local job = ...`, `for job in ...`, `job = ...`.
bool is_set_again(std::string_view text, const std::set<std::string_view>& names) {
  LuaWords words(text);
  std::string_view first;
  std::string_view second;
  for (std::string_view word = words.next(); !word.empty(); first = second, second = word, word = words.next()) {
    if (names.contains(word) && (second == "local" || second == "for")) return true;
    const bool compares = std::string_view(word.data() + 1, text.data() + text.size()).starts_with('=');
    if (word == "=" && !compares && first != "." && names.contains(second)) return true;
  }
  return false;
}

}  // namespace

void check_submit_plugin_fields(std::string_view masked, std::string_view text, FileId file,
                                std::vector<Finding>& findings) {
  const std::set<std::string_view> names = names_of_job(masked);
  if (names.empty() || is_set_again(masked, names)) return;
  std::set<std::string_view> said;
  LuaWords words(masked);
  std::array<std::string_view, 3> last{};  // the words before this one
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto [before, job, dot] = last;
    last = {job, dot, word};
    if (dot != "." || !names.contains(job) || before == "." || !is_word_char(word.front())) continue;
    if (std::ranges::binary_search(kJobFields, word)) continue;
    const auto begin = static_cast<std::size_t>(word.data() - masked.data());
    if (text.substr(begin, word.size()) != word || !said.insert(word).second) continue;
    const std::string_view like = nearest(word, kJobFields).value_or(std::string_view());
    findings.push_back(
        problem("slurm-submit-plugin-field-unknown",
                {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
                "a job has no field `" + std::string(word) + "`" +
                    (like.empty() ? std::string() : "; there is `" + std::string(like) + "`")));
  }
}

}  // namespace muster
