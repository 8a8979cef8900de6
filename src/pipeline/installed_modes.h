#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/playbook_texts.h"

namespace muster {

/// Modes that playbooks, scripts and Dockerfiles give to files of Slurm: `slurmdbd-conf-mode`, one of slurmdbd.conf
/// that slurmdbd refuses; `slurm-program-not-executable`, one without x of a program that a slurm.conf of the input
/// names.
void find_installed_modes(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings);

}  // namespace muster
