#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/located.h"

namespace muster {

/// What came before is known to no rule: known_since in rules/reference/releases.yaml.
inline constexpr std::string_view kFirstKnownSlurm = "22.05";

/// The last one whose Debian packages keep their files in folders called slurm-llnl: Ubuntu 20.04.
inline constexpr std::string_view kLastLlnl = "19.05";

/// Releases of Slurm that a text states for those who install it, each with its place: `ARG SLURM_TAG=slurm-21-08-6-1`
/// of a Dockerfile, `slurm_version: "23.02.7"` of a playbook, as 21.08.6 and 23.02.7, and names of archives:
/// `slurm-20.11.0.tar.bz2`, and the versions of Debian's packages, `slurm-wlm=17.11.2-1build1`; Dockerfiles that take
/// the packages of their image, and folders called slurm-llnl, which packages up to 19.05 have. Lines that begin with
/// `#` or `//` and comparisons state nothing.
std::vector<Located<std::string>> slurm_releases_stated_in(FileId file, std::string_view text);

/// What the field of a release says that only a README states: people write there about what they tried.
inline constexpr std::string_view kOfProse = "prose";
/// And of one that only folders tell: up to kLastLlnl, roughly.
inline constexpr std::string_view kOfPaths = "paths";

/// Packages of a distribution, which one file installs, on machines whose images another names: Terraform, Packer,
/// Vagrant, or a script that makes them.
class MachinePackages {
 public:
  void look_at(FileId file, std::string_view path, std::string_view text);
  /// Absent: nobody installs packages, or the machines differ.
  Located<std::string> release() const;

 private:
  Located<std::string> release_;
  bool packages_ = false;
  bool differ_ = false;
};

/// Of a README and its like, which speaks of many: only what it installs, archives and packages, also
/// those of the one distribution that it names a version of.
std::vector<Located<std::string>> slurm_releases_installed_in(FileId file, std::string_view prose);

/// What all agree on, as exactly as one of them says it; absent where two differ in more than the micro release, unless
/// all are older than kFirstKnownSlurm: then the newest. Names of archives count where nothing else states a release,
/// images where no archive does, folders where nothing does.
Located<std::string> common_release(const std::vector<Located<std::string>>& stated);

/// The release in the name of one of Slurm's files or of its folder, `slurm.conf.20.11.8-1.el7` and
/// `23.02.5/slurm.conf`; empty: there is none.
std::string release_in_path(std::string_view path);

/// What the folders say that a file of Slurm's names or lies in; absent: nothing.
Located<std::string> slurm_release_of_folders(FileId file, std::string_view path, std::string_view text);

}  // namespace muster
