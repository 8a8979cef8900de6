#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "gang/scheduler.h"
#include "model/model.h"
#include "pipeline/config.h"

namespace muster {

/// The settings of muster.yaml as those of operators that there are; else an error with its place.
Result<std::vector<OperatorSetting>> settings_of(const Config& config, const SchedulerBook& book);

/// `NAME=VALUE` pairs of --set that are about operators and targets: operators.kuberay.batch-scheduler=volcano,
/// targets.slurm=25.11. The others stay in `sets`.
std::optional<Error> take_stated(std::vector<std::string>& sets, const SchedulerBook& book, Targets& targets,
                                 std::vector<OperatorSetting>& settings);

/// Who may state the releases of what runs, the strongest first.
struct TargetSources {
  const Targets& given;  ///< on the command line
  const Config& config;
  const Model& model;                               ///< its fleet files
  const std::vector<Located<std::string>> dumped;   ///< of Slurm, by dumps
  const Located<std::string> installed;             ///< of Slurm, by what installs it
  const Located<std::string> installed_kubernetes;  ///< by what installs it
};
/// What counts; that two differ is a finding at the weaker one. Of two as strong as each other, such as the fleet files
/// of two bundles, none counts. What is installed counts where nobody else says anything.
Targets find_targets(const TargetSources& sources, std::vector<Finding>& findings);

/// Settings of operators of which another, that counts or might, says otherwise.
void contradicted_settings(const Model& model, const std::vector<OperatorSetting>& stated,
                           std::vector<Finding>& findings);

}  // namespace muster
