#pragma once

#include <vector>

#include "input/kind.h"

namespace muster {

/// A Slurm file of the input and where it stands.
struct SlurmFile {
  const Artifact* artifact;
  const FileContext* context;
};

/// Builds the sites: each slurm.conf with what it includes and with the gres.conf and topology files beside it. Files
/// that belong to none become fragments, sites of which little is known. Source: slurm.schedmd.com/slurm.conf.html,
/// Include.
void assemble_slurm_sites(const std::vector<SlurmFile>& files, Model& model, std::vector<Finding>& findings);

}  // namespace muster
