#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "input/artifact.h"
#include "model/model.h"

namespace muster {

class ObjectIndex;
struct SchedulerBook;
class ShellScripts;
class SubmitLines;

/// What a normaliser works with: where it stands, where its products and findings go.
struct NormaliseContext {
  const SourceMap& sources;
  const FileContext& file;
  Model& model;
  std::vector<Finding>& findings;
  const SchedulerBook* schedulers = nullptr;  ///< nullptr: as shipped
  const ObjectIndex* objects = nullptr;       ///< that others name; nullptr: none
  const ShellScripts* scripts = nullptr;      ///< that batch scripts may call; nullptr: none
  const SubmitLines* submits = nullptr;       ///< what starters give to sbatch; nullptr: nothing
};

enum class Format { Manifest, SlurmConf, Batch, Own };

class DescribedKind;

/// An input kind. Kubernetes kinds are found by apiVersion and kind, the others by their own eyes on the content.
struct Kind {
  std::string_view id;  ///< volcano-job
  Format format;
  std::string_view group;        ///< API group of a manifest; "" is the core group
  std::string_view versions;     ///< blank-separated API versions that are read
  std::string_view object_kind;  ///< Job
  std::string_view doc;
  bool (*recognises)(const Artifact&);                          ///< null for manifests that are ours whatever they hold
  void (*normalise)(const Artifact&, const NormaliseContext&);  ///< null: assembled with others of its site
  const DescribedKind* described = nullptr;                     ///< of a kind that a file of rules/kinds describes
  /// Instead of `recognises`, where the operators that a site adds count.
  bool (*recognises_by)(const Artifact&, const SchedulerBook&) = nullptr;
};

}  // namespace muster
