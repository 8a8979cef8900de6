#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/object.h"

namespace muster {

/// Something of the node runtime on the nodes that the pods of one gang may stand on. One for all gangs with the same
/// candidates; its name is that of the fact, its gang the one that needs most nodes.
struct RuntimeSpread : Object {
  std::vector<std::string> values;    ///< `580.95.05` (8 nodes), the most nodes first; the first few
  Located<std::int64_t> value_count;  ///< different ones; unknown where a candidate does not say
  Located<std::string> most;          ///< the value that most nodes have
  Located<std::string> other;         ///< the next; absent where all are alike
  std::string most_on;                ///< who has it: node pool `a`, node `gpu1`
  std::string other_on;               ///< likewise
  std::size_t gang = 0;               ///< in Model::gangs
  std::int64_t gangs = 0;             ///< how many have these candidates
  std::int64_t nodes_needed = 0;      ///< by the gang; 0: not known
  std::int64_t nodes_alike = 0;       ///< candidates with the value that most have
  bool must_mix = false;              ///< the gang needs more nodes than have any one value
};

/// An image of CUDA that is newer than the driver of a node its pod may stand on.
struct DriverShortfall : Object {
  Located<std::string> image;
  std::string cuda;             ///< release of CUDA that the image names: 13.0
  std::string needs;            ///< lowest driver for its major release
  Located<std::string> driver;  ///< the lowest there is
  std::string on;               ///< node pool `a`, node `gpu1`
  std::int64_t nodes = 0;       ///< candidates whose driver is too old
  std::int64_t of_nodes = 0;    ///< candidates
};

/// Nodes that Slurm and Kubernetes both give work to.
struct PlaneOverlap : Object {
  Located<std::string> slurm;       ///< the list of nodes on Slurm's side that has them
  Located<std::string> kubernetes;  ///< the first of them on the other side
  std::string slurm_says;           ///< who: slurm.conf, node pool `a` of the fleet file
  std::string kubernetes_says;
  std::vector<std::string> nodes;  ///< the first few
  std::int64_t count = 0;
};

/// From a sick node to a job that goes on, on one plane: who does each step, as far as the input shows.
struct DrainChain : Object {
  Located<std::string> detect;
  bool judged = false;  ///< what detects says itself that a node is sick; an exporter of metrics does not
  Located<std::string> quarantine;
  Located<std::string> drain;
  Located<std::string> resume;
  Located<std::string> spare;
  Located<std::string> stated;  ///< planes.fleet.cordon_and_drain of the fleet file
};

/// An account of a file that `sacctmgr dump` writes and `sacctmgr load` reads.
struct SlurmAccount : Object {
  std::string cluster;
  Located<std::string> parent;
  Located<std::int64_t> fair_share;
  Located<std::int64_t> gpus;  ///< GrpTRES=gres/gpu
  Located<std::string> qos;    ///< the one QOS that its jobs may have, users of it included
};

/// A quality of service of Slurm's database, as `sacctmgr show qos` prints it.
struct SlurmQos : Object {
  Located<std::int64_t> gpus;       ///< GrpTRES=gres/gpu: all of its jobs together
  Located<std::int64_t> gpus_each;  ///< MaxTRESPA=gres/gpu: those of one account
};

/// Two numbers of one tenant that do not go together.
struct TenantDrift : Object {
  Located<std::int64_t> here;  ///< GPUs, or percent
  Located<std::int64_t> there;
  std::string here_says;  ///< `GrpTRES` of account `ml`
  std::string there_says;
  bool bound = false;   ///< there is the limit of the tenant in the fleet file, which the other goes beyond
  bool shares = false;  ///< both are percent of what its plane shares out by weight, not GPUs
};

/// A value of Slinky's or Soperator's that the other plane contradicts. Its name is what it is of: a NodeSet, a
/// release, a SlurmCluster.
struct PlaneTie : Object {
  std::string fact;  ///< block-size, drain, gres, imex-claim, imex-script, imex-slurmd, imex-switch, node-gpus, nodes,
                     ///< partition, partition-nodes, site
  Located<std::string> here;   ///< as Slinky or Soperator has it
  Located<std::string> there;  ///< as the other has it; absent where it has nothing
  std::string there_says;      ///< who: slurm.conf, node `gpu1`, node pool `a`
  std::vector<std::string> names;
  std::int64_t count = 0;  ///< how many names there are
};

}  // namespace muster
