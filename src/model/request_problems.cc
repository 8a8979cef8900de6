// The partitions that a request may go to, and why none of them can fulfil it.
#include <map>
#include <set>

#include "base/strings.h"
#include "model/model.h"
#include "model/request_limits.h"
#include "model/site_ties.h"

namespace muster {
namespace {

constexpr std::size_t kMostProblems = 8;  // of one job

class Requests {
 public:
  Requests(Model& model, std::uint64_t looks) : model_(model), ties_(model), looks_(looks) {
    for (std::size_t s = 0; s < model.slurm_sites.size(); ++s) {
      const SlurmSite& site = model.slurm_sites[s];
      if (!site.fragment && !site.file.empty()) sites_[site.bundle].push_back(s);
    }
  }

  void judge(SbatchJob& job) {
    job.problems.clear();
    if (std::ranges::any_of(job.parts, &SbatchComponent::elsewhere)) return;
    const auto found = sites_.find(job.bundle);
    if (found == sites_.end()) return;
    std::optional<std::size_t> site = job.site;
    if (!site && found->second.size() == 1) site = found->second.front();
    if (!site || !ties_.tied(job, *site)) return;
    const SlurmSite& here = model_.slurm_sites[*site];
    if (!here.table.known || !here.complete || here.fragment) return;
    const JobOptions options(job);
    for (const SbatchComponent& part : job.parts) {
      if (job.problems.size() < kMostProblems && looks_ > 0) judge_part(job, options, part, here);
    }
    if (looks_ == 0) leave_out(job);
  }

 private:
  void leave_out(SbatchJob& job) {
    if (left_out_ || job.parts.empty()) return;  // the first stands for all that follow
    left_out_ = true;
    job.problems.push_back({Shortage::LeftOut, {}, {}, {}, job.where, {}, job.id, job.parts.front().of});
  }

  static std::string_view value_of(const SlurmPartition& partition, std::string_view key) {
    const auto found = std::ranges::find(partition.settings, key, &SlurmSetting::lower_key);
    return found == partition.settings.end() ? std::string_view{} : std::string_view(found->value.value);
  }

  /// A request that one of its partitions can fulfil is fine; else the first of them says why not.
  void judge_part(SbatchJob& job, const JobOptions& options, const SbatchComponent& part, const SlurmSite& site) {
    if (part.partition.unknown()) return;
    const PartitionNames& known = names_of(site);
    std::vector<std::size_t> partitions;
    std::set<std::size_t> taken;
    const std::string_view asked =
        part.partition.is_set() ? std::string_view(part.partition.value) : std::string_view();
    for (const std::string_view name : split(asked, ',')) {
      const auto named = known.by_name.find(name);
      const std::optional<std::size_t> found = !part.partition.is_set()       ? known.first_default
                                               : named != known.by_name.end() ? std::optional(named->second)
                                                                              : std::nullopt;
      if (found) {
        if (taken.insert(*found).second) partitions.push_back(*found);
      } else if (part.partition.is_set()) {
        std::vector<std::string> names;
        for (const SlurmPartition& one : site.partitions) {
          if (names.size() < kShown) names.push_back("`" + one.name.value + "`");
        }
        job.problems.push_back({Shortage::Partition, "partition `" + std::string(name) + "`", join(names, ", "),
                                "this site", part.partition.where, site.where, job.id, part.of});
        return;
      }
    }
    if (!part.partition.is_set() && site.setting("jobsubmitplugins") != nullptr) return;  // it may choose one
    std::vector<RequestProblem> first;
    for (const std::size_t partition : partitions) {
      if (partition >= site.table.partitions.size()) return;
      looks_ -= std::min<std::uint64_t>(looks_, site.table.partitions[partition].groups.size() + 1);
      if (looks_ == 0) return;
      std::vector<RequestProblem> problems = limits_of(job, options, part, site, partition);
      if (problems.empty()) return;
      if (first.empty()) first = std::move(problems);
    }
    job.problems.insert(job.problems.end(), first.begin(), first.end());
  }

  /// The first partition of each name, and the first that is a default.
  struct PartitionNames {
    std::map<std::string_view, std::size_t> by_name;
    std::optional<std::size_t> first_default;
  };
  const PartitionNames& names_of(const SlurmSite& site) {
    const auto [found, fresh] = names_.try_emplace(&site);
    PartitionNames& out = found->second;
    for (std::size_t p = 0; fresh && p < site.partitions.size(); ++p) {
      const SlurmPartition& one = site.partitions[p];
      out.by_name.emplace(one.name.value, p);
      if (!out.first_default && equals_ignoring_case(value_of(one, "default"), "yes")) out.first_default = p;
    }
    return out;
  }

  Model& model_;
  SiteTies ties_;
  std::map<const SlurmSite*, PartitionNames> names_;
  std::map<std::string, std::vector<std::size_t>> sites_;  ///< by bundle, in Model::slurm_sites
  std::uint64_t looks_;                                    ///< that are left
  bool left_out_ = false;
};

}  // namespace

void find_request_problems(Model& model, std::uint64_t looks) {
  Requests requests(model, looks);
  for (SbatchJob& job : model.sbatch_jobs) requests.judge(job);
}

}  // namespace muster
