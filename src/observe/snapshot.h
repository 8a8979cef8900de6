#pragma once

#include <map>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "observe/pod.h"
#include "source/source_map.h"

namespace muster {

/// A node of the input.
struct DescribedNode {
  NodeMarks marks;
  Asks capacity;
};

/// A PodGroup of whichever system.
struct PodGroupRecord {
  std::optional<std::int64_t> min;
  std::string min_from;
  std::string queue;
  std::string message;  ///< of its conditions, one that is recognised
};

/// What `muster check` would read from the object of a workload.
struct WorkloadRecord {
  std::optional<std::int64_t> size;   ///< pods of one of its gangs that are meant to run at the same time
  std::optional<std::int64_t> asked;  ///< K as somebody wrote it
  std::string asked_from;
  std::string queue;
};

/// What somebody says about an object; the newest counts.
struct Remark {
  std::string when;
  std::string message;
};

/// A job of squeue --json, one for each record.
struct JobRecord {
  std::int64_t id = 0;
  std::int64_t het_id = 0;  ///< 0: none
  std::int64_t het_offset = 0;
  std::string array;  ///< tasks of an array that wait, such as 1-8; or the number of one
  std::int64_t array_id = 0;
  std::string name;
  std::string partition;
  std::vector<std::string> states;
  std::string reason;
  std::string nodes;  ///< as Slurm writes the list
  std::int64_t node_count = 0;
  std::optional<std::int64_t> gpus;
};

/// All that the files say, before anything is made of it.
struct Snapshot {
  Interner resources;
  std::map<std::string, PodRecord> pods;            ///< by namespace/name
  std::map<std::string, DescribedNode> nodes;       ///< by name
  std::map<std::string, PodGroupRecord> groups;     ///< by id of the scheduler/namespace/name
  std::map<std::string, WorkloadRecord> workloads;  ///< by namespace/kind as shown/name
  std::map<std::string, Remark> remarks;            ///< of events and Workloads, by namespace/Kind/name
  std::vector<JobRecord> jobs;
  std::map<std::string, std::int64_t> slurm_gpus;  ///< by node
  bool kubernetes = false;
  bool slurm = false;
  std::size_t twice = 0;   ///< pods that the input has twice and not alike
  std::string twice_name;  ///< of the first of them
  std::vector<Finding> findings;
  std::vector<FileId> unknown;
};

Snapshot read_snapshot(const SourceMap& sources, const KnownRows& known);

/// What an item of a list takes from it: items that an API server lists carry neither.
struct Listed {
  std::string api_version;
  std::string kind;  ///< of the items
};

// One for each kind of object; what has no name is left out.
void read_object(const Node& object, const Listed& listed, const KnownRows& known, Snapshot& out);
void read_job(const Node& job, Snapshot& out);
void read_slurm_node(const Node& node, Snapshot& out);

/// GPUs of `gpu:h100:8(IDX:0-7),shard:4`, `gres/gpu=8`, `gres:gpu:8`; nothing where none is named.
std::optional<std::int64_t> gpus_of_gres(std::string_view gres);

}  // namespace muster
