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
  std::string message;  ///< of its conditions, one that is recognised
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
  std::map<std::string, PodRecord> pods;         ///< by namespace/name
  std::map<std::string, DescribedNode> nodes;    ///< by name
  std::map<std::string, PodGroupRecord> groups;  ///< by system/namespace/name
  std::map<std::string, std::int64_t> sizes;     ///< by namespace/Kind/name
  std::map<std::string, Remark> remarks;         ///< of events and Workloads, by namespace/Kind/name
  std::vector<JobRecord> jobs;
  std::map<std::string, std::int64_t> slurm_gpus;  ///< by node
  bool kubernetes = false;
  bool slurm = false;
  std::size_t twice = 0;   ///< pods that the input has twice and not alike
  std::string twice_name;  ///< of the first of them
  std::vector<Finding> findings;
  std::vector<FileId> unknown;
};

Snapshot read_snapshot(const SourceMap& sources);

// One for each kind of object; what has no name is left out.
void read_object(const Node& object, Snapshot& out);
/// Pods that the object means to run at the same time; nothing for kinds that are no workload.
std::optional<std::int64_t> size_of_workload(const Node& object, std::string& kind);
void read_job(const Node& job, Snapshot& out);
void read_slurm_node(const Node& node, Snapshot& out);

/// GPUs of `gpu:h100:8(IDX:0-7),shard:4`, `gres/gpu=8`, `gres:gpu:8`; nothing where none is named.
std::optional<std::int64_t> gpus_of_gres(std::string_view gres);

}  // namespace muster
