#include "pipeline/health_checks.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/spoken_texts.h"

namespace muster {
namespace {

/// Source: mej/nhc:scripts/*.nhc (1.4.3 and later branches).
constexpr std::array<std::string_view, 60> kChecks{
    "check_all_fs_ifree",
    "check_all_fs_inodes",
    "check_all_fs_iused",
    "check_all_fs_used",
    "check_cmd_dmesg",
    "check_cmd_output",
    "check_cmd_status",
    "check_dmi_data_match",
    "check_dmi_raw_data_match",
    "check_file_contents",
    "check_file_stat",
    "check_file_test",
    "check_fs_free",
    "check_fs_ifree",
    "check_fs_inodes",
    "check_fs_iused",
    "check_fs_mount",
    "check_fs_mount_ro",
    "check_fs_mount_rw",
    "check_fs_size",
    "check_fs_used",
    "check_gpfs_health",
    "check_gpfs_verbs_status",
    "check_hw_cpuinfo",
    "check_hw_edac",
    "check_hw_eth",
    "check_hw_gm",
    "check_hw_ib",
    "check_hw_mcelog",
    "check_hw_mem",
    "check_hw_mem_free",
    "check_hw_numa",
    "check_hw_physmem",
    "check_hw_physmem_free",
    "check_hw_slab_unreclaimable",
    "check_hw_swap",
    "check_hw_swap_free",
    "check_moab_rm",
    "check_moab_sched",
    "check_moab_torque",
    "check_net_ping",
    "check_net_socket",
    "check_nv_healthmon",
    "check_nvsmi_healthmon",
    "check_ps_blacklist",
    "check_ps_cpu",
    "check_ps_daemon",
    "check_ps_kswapd",
    "check_ps_loadavg",
    "check_ps_mem",
    "check_ps_physmem",
    "check_ps_service",
    "check_ps_time",
    "check_ps_unauth_users",
    "check_ps_userproc_lineage",
    "check_reboot_slurm",
    "check_slabinfo_active_objs",
    "check_slabinfo_active_slabs",
    "check_slabinfo_num_objs",
    "check_slabinfo_num_slabs",
};

constexpr std::string_view kBegin = "check_";

bool is_health_check(std::string_view name) { return std::ranges::binary_search(kChecks, name); }

/// `check_hw_mcelog` of `check_mcelog`, `check_ps_daemon` of `check_ps_deamon`; empty: it is like none.
std::string_view like_health_check(std::string_view name) {
  // `check_hw_gpu` of a site's own is no slip of check_hw_ib: in short words two letters make another one.
  const std::size_t most_edits = name.size() - name.rfind('_') > 6 ? 2 : 1;
  std::string_view best;
  std::size_t least = most_edits + 1;
  for (const std::string_view check : kChecks) {
    const std::string_view tail = name.substr(kBegin.size());
    const bool cut = tail.size() >= 5 && check.ends_with("_" + std::string(tail)) && check.size() <= name.size() + 3;
    const std::size_t edits = cut ? 1 : edit_distance(name, check, most_edits);
    if (edits >= least) continue;
    least = edits;
    best = check;
  }
  return best;
}

/// The check that a line runs: `* || check_fs_free / 3%`, or `command: 'check_fs_free / 3%'`; empty: none.
std::string_view check_of(std::string_view line) {
  std::string_view rest = trim(line);
  if (rest.starts_with('#')) return {};
  constexpr std::string_view kCommand = "command:";
  const std::size_t bars = rest.find("||");
  if (bars != rest.npos) {
    rest.remove_prefix(bars + 2);
  } else if (rest.starts_with(kCommand)) {
    rest.remove_prefix(kCommand.size());
  } else {
    return {};
  }
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t' || rest.front() == '\'' || rest.front() == '"'))
    rest.remove_prefix(1);
  if (!rest.starts_with(kBegin)) return {};
  std::size_t size = 0;
  while (size < rest.size() && is_word_char(rest[size])) ++size;
  // `check_$NAME`, `check_nv-smi` are not names of functions that are written.
  const bool whole = size == rest.size() || std::string_view(" \t'\"").find(rest[size]) != std::string_view::npos;
  return whole ? rest.substr(0, size) : std::string_view();
}

class HealthChecks {
 public:
  HealthChecks(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), spoken_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const Language language = language_of(inputs_.files[i].context.path);
      const bool other = language == Language::Prose || language == Language::Program || language == Language::Script;
      if (!other && contains(spoken_.text(i), kBegin)) read(i);
    }
  }

 private:
  /// Names like those mean nothing in other files: two checks that there are make it one of Node Health Check.
  void read(std::size_t i) {
    constexpr std::size_t kLeastKnown = 2;
    constexpr std::size_t kMostSlips = 5;
    constexpr std::size_t kMostAsked = 50;
    const std::string_view text = spoken_.text(i);
    std::size_t known = 0;
    std::vector<std::string_view> unknown;
    for (const std::string_view line : split(text, '\n')) {
      const std::string_view check = check_of(line);
      if (check.empty()) continue;
      if (is_health_check(check)) {
        ++known;
      } else if (unknown.size() < kMostSlips && !like_health_check(check).empty()) {
        unknown.push_back(check);
      }
    }
    if (known < kLeastKnown) return;
    for (const std::string_view check : unknown) {
      const std::string_view like = like_health_check(check);
      if (++asked_ > kMostAsked || stands_elsewhere(i, check)) continue;
      findings_.push_back(
          problem("health-check-unknown", span_of_part(static_cast<FileId>(i), text, check),
                  "Node Health Check has no `" + std::string(check) + "`; there is `" + std::string(like) + "`"));
    }
  }

  /// Somebody may define it.
  bool stands_elsewhere(std::size_t own, std::string_view name) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (i != own && contains(spoken_.text(i), name)) return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  SpokenTexts spoken_;
  std::size_t asked_ = 0;  ///< names that were looked for in all files
};

}  // namespace

void find_health_check_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (contains(inputs.sources.file(static_cast<FileId>(i)).text(), kBegin))
      return HealthChecks(inputs, findings).run();
  }
}

}  // namespace muster
