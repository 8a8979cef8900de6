#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// Whether a batch script is for a site of the input. A script in the site's folder is, unless several there name
/// partitions that it lacks and none names one that it has. Of others only the names of partitions tell, and these are
/// `gpu` and `debug` everywhere: they count where the input has one site, and where no other script from outside names
/// a partition that it lacks, as those for another cluster do. A script that names none is not for a cluster of
/// containers in another folder.
class SiteTies {
 public:
  explicit SiteTies(const Model& model);
  bool tied(const SbatchJob& job, std::size_t site) const;

 private:
  /// What the scripts of a bundle say that stand in no site's folder.
  struct Outside {
    std::size_t sites = 0;               ///< of the bundle, templates of slurm.conf among them
    std::set<std::string> partitions;    ///< that its sites have
    std::vector<const SbatchJob*> lost;  ///< scripts that name others; the first two
    std::size_t found = 0;               ///< scripts that name these
  };

  /// What the scripts in a site's folder say.
  struct Inside {
    std::size_t found = 0;
    std::size_t lost = 0;
  };

  /// The folder of a site that the script stands in or below, the innermost; null where there is none.
  const std::string* folder_around(const SbatchJob& job) const;
  bool is_for_another(const SbatchJob& job) const;

  const Model& model_;
  std::map<std::string, Outside> bundles_;
  std::map<std::pair<std::string, std::string>, Inside> folders_;  ///< of sites: bundle and folder
};

}  // namespace muster
