// What the planes say of each other: runtimes of nodes, nodes of two schedulers, the way of a sick node, tenants.
#include <algorithm>
#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kSpreadGangType = object_of(kGangType);

Value spread_gang(const void* object, const ReadContext& context) {
  return Value::object(&kGangType, &context.model->gangs[static_cast<const RuntimeSpread*>(object)->gang]);
}

/// As open as what it follows from.
Value spread_must_mix(const void* object, const ReadContext& context) {
  const RuntimeSpread& spread = *static_cast<const RuntimeSpread*>(object);
  return spread.value_count.unknown() ? to_value(spread.value_count, context) : Value::of(spread.must_mix);
}

constexpr std::array kSpreadFields{
    Field{"fact", kStringType, kAlways,
          "accelerator, container-runtime, cuda, cudnn, driver, fabric, kernel, nccl, sharing, or rdma-unasked: all "
          "candidates have RDMA, and the pods ask for none of it",
          read<RuntimeSpread, &Object::name>},
    Field{"gangs", kIntType, kAlways, "how many gangs have these candidates",
          read<RuntimeSpread, &RuntimeSpread::gangs>},
    Field{"most", kStringType, kOptional, "the value that most candidates have",
          read<RuntimeSpread, &RuntimeSpread::most>},
    Field{"most_on", kStringType, kAlways, "who has it: node `gpu1`, node pool `a`",
          read<RuntimeSpread, &RuntimeSpread::most_on>},
    Field{"must_mix", kBoolType, kAlways, "the gang needs more nodes than have any one value", spread_must_mix},
    Field{"nodes_alike", kIntType, kAlways, "candidates that have, or may have, the commonest value",
          read<RuntimeSpread, &RuntimeSpread::nodes_alike>},
    Field{"nodes_needed", kIntType, kAlways, "nodes that the gang needs",
          read<RuntimeSpread, &RuntimeSpread::nodes_needed>},
    Field{"other", kStringType, kOptional, "the next; absent where all are alike",
          read<RuntimeSpread, &RuntimeSpread::other>},
    Field{"other_on", kStringType, kAlways, "who has that", read<RuntimeSpread, &RuntimeSpread::other_on>},
    Field{"value_count", kIntType, kAlways, "different values; unknown where a candidate does not say",
          read<RuntimeSpread, &RuntimeSpread::value_count>},
    Field{"values", kStringListType, kAlways, "the values with their numbers of nodes; the first few",
          read<RuntimeSpread, &RuntimeSpread::values>},
    Field{"workload", kSpreadGangType, kAlways, "the gang, of several the one that needs most nodes", spread_gang},
};

constexpr std::array kShortfallFields{
    Field{"cuda", kStringType, kAlways, "release of CUDA that its name speaks of",
          read<DriverShortfall, &DriverShortfall::cuda>},
    Field{"driver", kStringType, kAlways, "the lowest driver that its pods may meet",
          read<DriverShortfall, &DriverShortfall::driver>},
    Field{"id", kStringType, kAlways, "group/version/kind/name of the object with the pods",
          read<DriverShortfall, &Object::id>},
    Field{"image", kStringType, kAlways, "the image", read<DriverShortfall, &DriverShortfall::image>},
    Field{"name", kStringType, kAlways, "name of the object with the pods", read<DriverShortfall, &Object::name>},
    Field{"needs", kStringType, kAlways, "the lowest driver for its major release of CUDA",
          read<DriverShortfall, &DriverShortfall::needs>},
    Field{"nodes", kIntType, kAlways, "candidates whose driver is older",
          read<DriverShortfall, &DriverShortfall::nodes>},
    Field{"of_nodes", kIntType, kAlways, "candidates", read<DriverShortfall, &DriverShortfall::of_nodes>},
    Field{"on", kStringType, kAlways, "who has that driver: node `gpu1`, node pool `a`",
          read<DriverShortfall, &DriverShortfall::on>},
};

constexpr std::array kOverlapFields{
    Field{"count", kIntType, kAlways, "how many they are", read<PlaneOverlap, &PlaneOverlap::count>},
    Field{"kubernetes", kStringType, kAlways, "the first of them as the other side has it",
          read<PlaneOverlap, &PlaneOverlap::kubernetes>},
    Field{"kubernetes_says", kStringType, kAlways, "who says so", read<PlaneOverlap, &PlaneOverlap::kubernetes_says>},
    Field{"nodes", kStringListType, kAlways, "nodes of both; the first few", read<PlaneOverlap, &PlaneOverlap::nodes>},
    Field{"slurm", kStringType, kAlways, "the list of nodes on Slurm's side", read<PlaneOverlap, &PlaneOverlap::slurm>},
    Field{"slurm_says", kStringType, kAlways, "who says so", read<PlaneOverlap, &PlaneOverlap::slurm_says>},
};

struct ChainLink {
  std::string_view step;
  Located<std::string> DrainChain::*who;
};
constexpr std::array kChainLinks{ChainLink{"detect", &DrainChain::detect},
                                 ChainLink{"quarantine", &DrainChain::quarantine},
                                 ChainLink{"drain", &DrainChain::drain}, ChainLink{"resume", &DrainChain::resume},
                                 ChainLink{"spare", &DrainChain::spare}};

Value missing_links(const void* object, const ReadContext& context) {
  const DrainChain& chain = *static_cast<const DrainChain*>(object);
  std::string out;
  for (const ChainLink& link : kChainLinks) {
    if (!(chain.*link.who).is_set()) out += (out.empty() ? "" : ", ") + std::string(link.step);
  }
  return Value::of(context.arena->copy(out));
}
Value found_links(const void* object, const ReadContext& context) {
  const DrainChain& chain = *static_cast<const DrainChain*>(object);
  std::string out;
  for (const ChainLink& link : kChainLinks) {
    const Located<std::string>& who = chain.*link.who;
    if (who.is_set()) out += (out.empty() ? "" : "; ") + std::string(link.step) + ": " + who.value;
  }
  return Value::of(context.arena->copy(out));
}
Value link_score(const void* object, const ReadContext&) {
  const DrainChain& chain = *static_cast<const DrainChain*>(object);
  return Value::of(static_cast<std::int64_t>(
      std::ranges::count_if(kChainLinks, [&](const ChainLink& link) { return (chain.*link.who).is_set(); })));
}

constexpr std::array kChainFields{
    Field{"detect", kStringType, kOptional, "who finds a sick node or device", read<DrainChain, &DrainChain::detect>},
    Field{"drain", kStringType, kOptional, "who takes its work away", read<DrainChain, &DrainChain::drain>},
    Field{"found", kStringType, kAlways, "the steps that the input shows, and who does them", found_links},
    Field{"judged", kBoolType, kAlways, "what detects says itself that a node is sick; an exporter of metrics does not",
          read<DrainChain, &DrainChain::judged>},
    Field{"missing", kStringType, kAlways, "the steps that it does not show", missing_links},
    Field{"name", kStringType, kAlways, "slurm or kubernetes", read<DrainChain, &Object::name>},
    Field{"quarantine", kStringType, kOptional, "who keeps new work off it", read<DrainChain, &DrainChain::quarantine>},
    Field{"resume", kStringType, kOptional, "who starts the work again", read<DrainChain, &DrainChain::resume>},
    Field{"score", kIntType, kAlways, "how many of the five steps the input shows", link_score},
    Field{"spare", kStringType, kOptional, "nodes that can take its place", read<DrainChain, &DrainChain::spare>},
    Field{"stated", kStringType, kOptional, "what the fleet file says: automatic or manual",
          read<DrainChain, &DrainChain::stated>},
};

constexpr std::array kAccountFields{
    Field{"cluster", kStringType, kAlways, "the cluster it is of", read<SlurmAccount, &SlurmAccount::cluster>},
    Field{"fair_share", kIntType, kOptional, "Fairshare", read<SlurmAccount, &SlurmAccount::fair_share>},
    Field{"gpus", kIntType, kOptional, "most GPUs its jobs hold together: GrpTRES=gres/gpu",
          read<SlurmAccount, &SlurmAccount::gpus>},
    Field{"name", kStringType, kAlways, "its name", read<SlurmAccount, &Object::name>},
    Field{"parent", kStringType, kOptional, "the account above it", read<SlurmAccount, &SlurmAccount::parent>},
    Field{"qos", kStringType, kOptional, "the one QOS that its jobs may have", read<SlurmAccount, &SlurmAccount::qos>},
};

constexpr std::array kQosFields{
    Field{"gpus", kIntType, kOptional, "most GPUs its jobs hold together: GrpTRES=gres/gpu",
          read<SlurmQos, &SlurmQos::gpus>},
    Field{"gpus_each", kIntType, kOptional, "most GPUs that jobs of one account hold: MaxTRESPA=gres/gpu",
          read<SlurmQos, &SlurmQos::gpus_each>},
    Field{"name", kStringType, kAlways, "its name", read<SlurmQos, &Object::name>},
};

constexpr std::array kTenantDriftFields{
    Field{"bound", kBoolType, kAlways, "there is the limit of the fleet file, and the other goes beyond it",
          read<TenantDrift, &TenantDrift::bound>},
    Field{"here", kIntType, kAlways, "GPUs here, or percent", read<TenantDrift, &TenantDrift::here>},
    Field{"here_says", kStringType, kAlways, "what says so", read<TenantDrift, &TenantDrift::here_says>},
    Field{"name", kStringType, kAlways, "the tenant", read<TenantDrift, &Object::name>},
    Field{"shares", kBoolType, kAlways, "both are percent of what its plane shares out by weight",
          read<TenantDrift, &TenantDrift::shares>},
    Field{"there", kIntType, kAlways, "GPUs there, or percent", read<TenantDrift, &TenantDrift::there>},
    Field{"there_says", kStringType, kAlways, "what says so", read<TenantDrift, &TenantDrift::there_says>},
};

constexpr std::array kPlaneTieFields{
    Field{"count", kIntType, kAlways, "how many the names are", read<PlaneTie, &PlaneTie::count>},
    Field{"fact", kStringType, kAlways,
          "block-size, drain, gres, node-gpus, nodes, partition, partition-nodes or site: what is contradicted",
          read<PlaneTie, &PlaneTie::fact>},
    Field{"here", kStringType, kAlways, "as Slinky or Soperator has it", read<PlaneTie, &PlaneTie::here>},
    Field{"kind", kStringType, kAlways, "what it is of: chart, HelmRelease, NodeSet, Application, SlurmCluster",
          read<PlaneTie, &Object::kind>},
    Field{"name", kStringType, kAlways, "its name", read<PlaneTie, &Object::name>},
    Field{"names", kStringListType, kAlways, "nodes or settings; the first few", read<PlaneTie, &PlaneTie::names>},
    Field{"there", kStringType, kOptional, "as the other plane has it", read<PlaneTie, &PlaneTie::there>},
    Field{"there_says", kStringType, kAlways, "who says that", read<PlaneTie, &PlaneTie::there_says>},
};

}  // namespace

const ObjectType kRuntimeSpreadType{"runtime_spread", "a fact of the node runtime on the nodes of a gang",
                                    kSpreadFields, where_of<RuntimeSpread>, own_id<RuntimeSpread>};
const ObjectType kDriverShortfallType{"driver_shortfall", "an image of CUDA above a driver", kShortfallFields,
                                      where_of<DriverShortfall>, own_id<DriverShortfall>};
const ObjectType kPlaneOverlapType{"plane_overlap", "nodes that Slurm and Kubernetes both have", kOverlapFields,
                                   where_of<PlaneOverlap>, own_id<PlaneOverlap>};
const ObjectType kDrainChainType{"drain_chain", "from a sick node to a job that goes on, on one plane", kChainFields,
                                 where_of<DrainChain>, own_id<DrainChain>};
const ObjectType kSlurmAccountType{"slurm_account", "an account of Slurm", kAccountFields, where_of<SlurmAccount>,
                                   own_id<SlurmAccount>};
const ObjectType kSlurmQosType{"slurm_qos", "a QOS of Slurm", kQosFields, where_of<SlurmQos>, own_id<SlurmQos>};
const ObjectType kTenantDriftType{"tenant_drift", "two numbers of one tenant that do not go together",
                                  kTenantDriftFields, where_of<TenantDrift>, own_id<TenantDrift>};
const ObjectType kPlaneTieType{"plane_tie", "a value of Slinky or Soperator that the other plane contradicts",
                               kPlaneTieFields, where_of<PlaneTie>, own_id<PlaneTie>};

}  // namespace muster
