#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/source_map.h"

namespace muster {

/// The row of pool_facts() with that name; it has to exist.
std::size_t row_of(std::string_view fact);

/// One thing that a dump says of a node, as the fleet file will write it.
struct Statement {
  std::size_t fact = 0;  ///< row of pool_facts()
  std::string value;
  Span where;
  bool weak = false;  ///< gives way to any other: where nobody looked for GPUs, none is no count
};

/// Something that a dump leaves open though one would expect it there.
struct OpenFact {
  std::size_t fact = 0;
  std::string why;  ///< what stands in the way and what would decide it; one line
};

/// Whether a scheduler gives work to a node when the dump is taken.
enum class Service : unsigned char {
  Unsaid,  ///< or something in between: it is started, serviced, does not answer
  On,
  Kept,  ///< for those whom its taints let in
  Off,   ///< drained, down, cordoned
};

struct NodeService {
  Service now = Service::Unsaid;
  std::string says;  ///< the state as it is written, with its reason
  Span where;
  std::vector<std::string> hosts;  ///< names by which the other plane may have it; empty: its own
};

/// What one record says of one or more nodes.
struct NodeRecord {
  std::vector<std::string> names;
  Span where;
  std::vector<Statement> says;
  std::vector<OpenFact> open;
  NodeService service;
  bool may_be_hidden = false;  ///< a cloud node: dumps leave it out while it is powered down
};

/// A switch, a block, a rack.
struct DomainRecord {
  std::string name;
  std::string level;   ///< empty: it follows from its height
  std::string parent;  ///< empty: none
  std::vector<std::string> nodes;
  Span where;
  std::string note;  ///< one line for a comment; may be empty
};

/// One description of what hangs below what.
struct TopologyRecord {
  enum class Shape { Tree, Blocks };
  Shape shape = Shape::Tree;
  std::vector<std::string> levels;  ///< widest first; empty where they follow from the height
  std::vector<DomainRecord> domains;
  Span where;
  bool shares_nvlink = false;  ///< its blocks are NVLink domains
  bool places_all = false;     ///< a node that it does not place is an omission
};

/// A partition or node set: a name for some nodes.
struct NodeGroup {
  std::string name;
  std::vector<std::string> nodes;
};

/// Whose nodes a dump is about.
enum class Scope { Slurm, Kubernetes, Fabric, Any };

/// What one dump says.
struct Dump {
  FileId file = FileId::None;
  std::string_view format;  ///< scontrol show nodes, ibnetdiscover ...
  int rank = 0;             ///< of two that differ the lower one is believed
  Scope scope = Scope::Any;
  Span where;
  std::vector<NodeRecord> nodes;
  bool lists_all_nodes = false;  ///< a node that is not in it is not there
  std::vector<TopologyRecord> topologies;
  std::vector<NodeGroup> groups;
  std::string plane;  ///< slurm, kubernetes or k3s; empty where it is none's
  std::string cluster;
  std::set<std::string_view> platforms;  ///< ids of src/model/device_platforms.cc that its nodes show
  std::string release;                   ///< of the control plane itself
  Span release_where;
  std::string controller;          ///< host of slurmctld
  std::string database;            ///< host of slurmdbd
  std::vector<std::string> notes;  ///< what was left out and what would decide it
};

/// Where readers put what they find.
struct DumpContext {
  const SourceMap& sources;
  std::vector<Dump>& dumps;
  std::vector<Finding>& findings;
  std::uint64_t names_left = 4u << 20;  ///< over all dumps: a node list of a few bytes can stand for a million
};

/// Adds what a record says; a value that cannot be the fact's is a finding and not said.
void say(DumpContext& context, NodeRecord& record, std::string_view fact, std::string value, Span where,
         bool weak = false);
void leave_open(NodeRecord& record, std::string_view fact, std::string why);

/// Whether a text can name a node: nothing that a node list or a fleet file would read as something else.
bool is_node_name(std::string_view name);

/// Names of a node list. One that cannot be read, or with names that cannot be, is a finding.
std::vector<std::string> names_of(DumpContext& context, std::string_view list, Span where);

/// Something of a dump that cannot be read: rule inventory-record-unreadable.
void unreadable(DumpContext& context, Span where, std::string message);

/// What a state of a node of Slurm means for work: IDLE+DRAIN, MIXED, DOWN*. Source:
/// SchedMD/slurm:src/common/slurm_protocol_defs.c, node_state_string (22.05-26.05).
Service slurm_service(std::string_view state);
/// The host that slurm-operator writes into the comment of a node: {"namespace":"slurm","podName":"gpu-0","node":"k1"}.
/// Empty where it is none of its. Source: SlinkyProject/slurm-operator:internal/utils/podinfo (1.2).
std::string host_in_comment(std::string_view comment);

/// GPUs of a Gres list as Slurm prints them, such as gpu:h100:8(S:0-1),shard:16.
void say_gres(DumpContext& context, NodeRecord& record, std::string_view gres, Span where);

}  // namespace muster
