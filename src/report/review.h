#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "decide/decision.h"
#include "decide/goodput.h"
#include "decide/money.h"
#include "finding/rule_info.h"
#include "report/proofs.h"
#include "report/report.h"

namespace muster {

/// Where something stands; an empty file: nowhere.
struct ReviewPlace {
  std::string file;
  std::uint32_t line = 0;
};

/// A file that the review rests on.
struct ReviewInput {
  std::string file;
  std::string sha256;  ///< of its text in UTF-8 without byte order mark
};

/// Nodes that are alike.
struct ReviewPool {
  std::string name;
  std::string control_plane;  ///< slurm, kubernetes ...; empty: not said
  std::int64_t nodes = 0;
  std::optional<std::int64_t> gpus_each;
  std::string accelerator;
  std::string fabric;
  std::string driver;   ///< of the GPUs
  std::string runtime;  ///< CUDA and NCCL as far as they are said
};

/// A scheduler that runs, with what is decided for it.
struct ReviewControlPlane {
  std::string kind;
  std::string version;                 ///< empty: not said
  std::vector<std::string> workloads;  ///< whose host it is
};

/// A switch, block or the like with what is below it.
struct ReviewDomain {
  std::string level;
  std::vector<std::string> names;  ///< several where domains are alike
  std::int64_t nodes = 0;          ///< of each; of all of them where they are unlike
  bool unlike = false;             ///< the smallest of many, put together
  std::vector<std::size_t> below;  ///< in ReviewTopology::domains
  std::string pools;               ///< whose nodes it has, in words
};

/// The network as one file describes it; domains that look the same stand together.
struct ReviewTopology {
  std::string from;  ///< the file, or what it is
  std::vector<std::string> levels;
  std::vector<std::size_t> roots;
  std::vector<ReviewDomain> domains;
  std::int64_t nodes = 0;     ///< that it places
  std::int64_t unplaced = 0;  ///< nodes of the fleet that it does not have
};

struct ReviewTenant {
  std::string name;
  std::string parent;
  std::optional<std::int64_t> guaranteed;
  std::optional<std::int64_t> limit;
};

/// A queue of Kubernetes or a partition of Slurm.
struct ReviewQueue {
  std::string name;
  std::string system;  ///< kueue, volcano, kai, slurm
  std::string below;   ///< parent, cohort or ClusterQueue
  std::string limits;  ///< in words
  std::size_t gangs = 0;
  std::optional<std::int64_t> largest;  ///< accelerators of the largest gang that goes there
  ReviewPlace place;
};

/// A team by its name, and what each plane lets it have of GPUs; empty where that plane does not name it.
struct ReviewShare {
  std::string name;
  std::string fleet;    ///< the tenant of the fleet file
  std::string account;  ///< of Slurm
  std::string queue;    ///< of Kubernetes
};

/// Who does each step from a sick node to a job that goes on; empty where no file shows it.
struct ReviewChain {
  std::string plane;  ///< slurm or kubernetes
  std::string detect;
  std::string quarantine;
  std::string drain;
  std::string resume;
  std::string spare;
};

/// What would turn a choice into another one.
struct ReviewFlip {
  std::string value;                ///< the other one
  std::vector<FactChange> changes;  ///< the smallest set that leads there
  std::vector<std::string> fixed;   ///< without such a set: facts that nobody can change
};

/// A choice as some workloads share it; without workloads it is the fleet's.
struct ReviewDecision {
  std::string id;
  Choice choice;
  std::vector<std::string> options;  ///< of an add-on: products to choose from
  std::vector<std::string> workloads;
  std::vector<ReviewFlip> flips;
};

/// Findings of one cause: one rule on one level.
struct ReviewCause {
  std::string rule;
  Severity severity = Severity::Error;
  Effect effect = Effect::Risk;
  Plane plane = Plane::Workload;
  std::string message;  ///< of the first
  std::string follows;
  std::string help;
  std::vector<ReviewPlace> places;  ///< the first few
  std::size_t count = 0;
};

/// Something that stands in the way of the work, the worst first.
struct ReviewRisk {
  std::string what;
  std::string follows;
  std::string help;
  Severity severity = Severity::Error;
  Effect effect = Effect::Risk;
  std::int64_t gpus = 0;  ///< that it keeps from working; 0: not known
  std::size_t count = 1;
  ReviewPlace place;
  std::string rule;  ///< empty: of a proof or of the fleet's figures
};

/// What nobody wrote down and a person can say.
struct ReviewQuestion {
  std::string asks;        ///< the fact or setting, in words
  std::string settles;     ///< what it would decide
  std::string who;         ///< a team, or who that is in general
  std::string how;         ///< where to write the answer
  std::size_t weight = 0;  ///< decisions and judgements that wait for it
};

struct ReviewProof {
  WorldProof proof;
  std::vector<std::optional<MendedRun>> mended;  ///< one a result
};

/// A job and what interruptions cost it.
struct ReviewGoodput {
  std::string workload;
  Goodput goodput;
  std::optional<double> useful;    ///< see useful_share
  std::optional<Goodput> at_best;  ///< where the fleet does not know its rate: at the best of the published ones
};

enum class CheckResult : unsigned char { Pass, Fail, Unknown, NotNeeded };

template <>
struct EnumNames<CheckResult> {
  static constexpr std::string_view names[] = {"pass", "fail", "unknown", "not-needed"};
};

/// Something that has to hold before GPUs are handed out by Dynamic Resource Allocation.
struct ReviewCheck {
  std::string id;       ///< api-served
  std::string asks;     ///< in words
  bool blocks = false;  ///< without it nothing runs; else a try on one pool is what is left
  CheckResult result = CheckResult::Unknown;
  std::string evidence;  ///< what speaks for it or against it, or what would tell
  ReviewPlace place;
  std::string source;
};

/// Whether GPUs can be handed out by Dynamic Resource Allocation.
struct ReviewReadiness {
  std::string verdict;  ///< none, ready, pilot, stay, blocked; empty: open
  std::string because;
  std::vector<ReviewCheck> checks;  ///< none where the verdict is `none`
};

/// Something that was not looked at, or not decided.
struct ReviewGap {
  std::string what;
  std::string why;
};

struct ReviewSource {
  std::string source;
  std::vector<std::string> used_by;  ///< rules and tables
};

/// All that an architecture review holds, in words and numbers; every text from the input is as it was written.
struct Review {
  std::string name;     ///< of the fleet, else of the paths
  std::string date;     ///< 2026-06-01
  std::string version;  ///< of muster
  std::string digest;   ///< SHA-256 over `sha256  file` lines of the inputs
  std::vector<ReviewInput> inputs;
  std::vector<std::string> options;  ///< of the command line that count

  // The fleet.
  bool has_fleet = false;
  bool has_workloads = false;
  std::size_t fleets = 0;
  std::string stage;
  std::string workload_owner;
  std::string runtime_owner;
  std::string fleet_owner;
  std::string drain;  ///< who takes sick nodes out: automatic, manual; empty: not said
  std::vector<ReviewControlPlane> control_planes;
  std::vector<ReviewPool> pools;
  std::int64_t nodes = 0;
  std::optional<std::int64_t> gpus;
  std::vector<ReviewTopology> topologies;
  std::vector<ReviewTenant> tenants;
  std::vector<ReviewQueue> queues;
  std::vector<ReviewShare> shares;  ///< where some name stands on more than one plane
  std::vector<ReviewChain> chains;

  std::vector<ReviewDecision> decisions;  ///< what binds longest first
  ReviewReadiness dra;
  std::string economics;
  std::vector<MoneyFigure> money;
  std::vector<ReviewGoodput> goodput;
  std::optional<Spares> spares;
  std::vector<ReviewRisk> risks;
  std::vector<ReviewQuestion> questions;
  std::vector<ReviewProof> proofs;
  std::vector<UnprovedGang> left_out;
  std::vector<ReviewCause> causes;  ///< by plane, the worst first
  std::vector<std::string> assumptions;
  std::vector<ReviewGap> gaps;
  std::vector<ReviewSource> sources;

  // What the other commands say of the same input.
  const Report* report = nullptr;
  const std::vector<Decision>* decided = nullptr;
  FleetDecision fleet_decision;
};

/// Markdown (GitHub's), for a pull request or a wiki.
std::string review_markdown(const Review& review);

/// muster.review/v1.
std::string review_json(const Review& review);

/// One page that asks for nothing else: styles and pictures are in it, and no script.
std::string review_html(const Review& review);

}  // namespace muster
