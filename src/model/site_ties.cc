#include "model/site_ties.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// In the site's folder or below it; the top of an input holds everything, and so says nothing.
bool is_near(const SbatchJob& job, const SlurmSite& site) {
  const std::string_view folder = folder_of(job.file);
  return folder == site.folder || (!site.folder.empty() && folder.starts_with(site.folder + "/"));
}

bool is_template_of_site(const SlurmSite& site) {
  return site.fragment && site.file.substr(site.file.rfind('/') + 1).starts_with("slurm.conf");
}

bool names_partition_of(const SbatchJob& job, const SlurmSite& site) {
  return std::ranges::any_of(job.parts, [&](const SbatchComponent& part) {
    return part.partition.is_set() && std::ranges::any_of(site.partitions, [&](const SlurmPartition& one) {
             return one.name.value == part.partition.value;
           });
  });
}

}  // namespace

SiteTies::SiteTies(const Model& model) : model_(model) {
  for (const SlurmSite& site : model.slurm_sites) {
    if (site.file.empty() || (site.fragment && !is_template_of_site(site))) continue;
    Outside& bundle = bundles_[site.bundle];
    ++bundle.sites;
    folders_[{site.bundle, site.folder}];
    for (const SlurmPartition& partition : site.partitions) bundle.partitions.insert(partition.name.value);
  }
  for (const SbatchJob& job : model.sbatch_jobs) {
    const auto found = bundles_.find(job.bundle);
    if (found == bundles_.end()) continue;
    Outside& bundle = found->second;
    bool any = false;
    bool lost = false;
    for (const SbatchComponent& part : job.parts) {
      if (!part.partition.is_set()) continue;
      for (const std::string_view name : split(part.partition.value, ',')) {
        (bundle.partitions.contains(std::string(name)) ? any : lost) = true;
      }
    }
    if (any && !lost) ++bundle.found;
    const std::string* folder = folder_around(job);
    if (lost && folder == nullptr && bundle.lost.size() < 2) bundle.lost.push_back(&job);
    if (folder == nullptr) continue;
    Inside& inside = folders_.at({job.bundle, *folder});
    if (any) ++inside.found;
    if (lost && !any) ++inside.lost;
  }
}

const std::string* SiteTies::folder_around(const SbatchJob& job) const {
  std::string folder(folder_of(job.file));
  for (bool first = true; first || !folder.empty(); first = false) {
    const auto found = folders_.find({job.bundle, folder});
    if (found != folders_.end()) return &found->first.second;
    folder.resize(folder_of(folder).size());
  }
  return nullptr;
}

/// Whether it stands among scripts of which several name partitions that are not there, and none one that is.
bool SiteTies::is_for_another(const SbatchJob& job) const {
  constexpr std::size_t kSeveral = 2;
  const std::string* folder = folder_around(job);
  if (folder == nullptr) return false;
  const Inside& inside = folders_.at({job.bundle, *folder});
  return inside.found == 0 && inside.lost >= kSeveral;
}

bool SiteTies::tied(const SbatchJob& job, std::size_t site) const {
  const SlurmSite& here = model_.slurm_sites[site];
  const auto found = bundles_.find(job.bundle);
  if (found == bundles_.end()) return true;
  if (is_near(job, here)) return !is_for_another(job);
  const Outside& bundle = found->second;
  if (bundle.sites > 1 || ((here.for_trial || here.within) && !names_partition_of(job, here))) return false;
  const bool itself = std::ranges::find(bundle.lost, &job) != bundle.lost.end();
  return itself ? bundle.lost.size() == 1 && bundle.found > 0 : bundle.lost.empty();
}

}  // namespace muster
