#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fleet.h"
#include "model/slurm.h"

namespace muster {

/// What a component of a batch job asks of each of its nodes beside GPUs.
struct BatchAsks {
  std::int64_t milli_cpus = 0;
  std::int64_t memory = 0;          ///< bytes
  std::string gpu_type;             ///< empty: any
  std::vector<std::string> beyond;  ///< what no world states, in words
};

/// Asks of one component that goes to these node pools; `site` is the slurm.conf they were made of, where they were;
/// `spare_cores_kept`: see WorldOptions.
BatchAsks asks_of(const SbatchJob& job, std::size_t component, const std::vector<const NodePool*>& pools,
                  const SlurmSite* site, bool spare_cores_kept);

/// GPUs that the component asks of each node, where its options say so for every node alike.
std::optional<std::int64_t> gpus_asked(const SbatchJob& job, std::size_t component);

/// The label of nodes whose GPUs are of that type.
std::string gpu_type_label(const std::string& type);

}  // namespace muster
