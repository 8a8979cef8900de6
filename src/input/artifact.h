#pragma once

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/boxed.h"
#include "finding/finding.h"
#include "model/container.h"
#include "model/key_use.h"
#include "model/manifest.h"
#include "model/removed_object.h"
#include "source/source_map.h"
#include "syntax/document.h"
#include "syntax/sbatch_reader.h"
#include "syntax/slurm_conf_reader.h"
#include "syntax/template_probe.h"

namespace muster {

struct Kind;
struct WrapForm;

/// A stretch of a template that only some renderings have.
struct ConditionalSpan {
  Span where;
  bool of_release = false;  ///< as ConditionalPart::of_release
};

/// The lines of a Slurm file, or of a template of one.
struct ConfLines {
  std::vector<ConfLine> lines;
  std::vector<ConfLine> filled;              ///< as Artifact::filled
  std::vector<Span> looped;                  ///< as Artifact::looped
  std::vector<ConditionalSpan> conditional;  ///< as Artifact::conditional
};

/// A Slurm file that another text writes: a script, a ConfigMap, a playbook.
struct ConfWithin : ConfLines {
  std::string path;  ///< by which it is known, `k8s/slurm.yaml/gres.conf`; those of one folder belong together
};

/// One thing of the input that muster knows: a Kubernetes object, a Slurm file, a batch script, a muster file.
struct Artifact {
  const Kind* kind = nullptr;
  FileId file = FileId::None;
  Node object;                                    ///< of a YAML or JSON document
  std::string_view api_version;                   ///< of a manifest: its own, or that of the list it is an item of
  Node wrapper;                                   ///< the object it stands in, ...
  const WrapForm* wrap = nullptr;                 ///< ... and how
  const std::vector<ConfLine>* lines = nullptr;   ///< of a Slurm file
  const std::vector<ConfLine>* filled = nullptr;  ///< of a template: all its lines, `{xxx}` for what is filled in
  const std::vector<Span>* looped = nullptr;      ///< of a template: what each round of its loops writes, in order
  const std::vector<ConditionalSpan>* conditional = nullptr;  ///< of a template: what only some renderings have
  const SbatchScript* script = nullptr;
  const ConfWithin* within = nullptr;  ///< of a Slurm file that stands within another text
  bool appended = false;               ///< a script adds these lines to a file that has others
  bool in_part = false;  ///< the lines of a template that hold no mark: there is more, and nobody knows what
  std::string trouble;   ///< why a file that is known by its name alone cannot be parsed
  Span trouble_where;
};

/// A reason to take a file for what it is taken for, or not to: below 0 it speaks against it.
struct Evidence {
  int weight = 0;
  std::string text;
};

/// The weight from which on a text of `Key=Value` lines is taken for one of Slurm's files.
inline constexpr int kEnoughEvidence = 40;

/// An object of a kind that is not built in, and what the fields say that are known of it.
struct CustomObject {
  Node node;  ///< does not exist where it stands in a template
  std::string api_version;
  std::string kind;
  std::vector<Finding> findings;
};

/// What became of one file. Artifacts point into it: it must not move once they are made.
struct ParsedFile : ConfLines {
  FileId file = FileId::None;
  std::deque<Document> documents;
  std::deque<ConfWithin> within;  ///< Slurm files that stand in it
  std::optional<SbatchScript> script;
  std::optional<TemplateKind>
      template_kind;  ///< set: a template of something we know; its artifacts, if any, are `in_part`
  std::vector<Artifact> artifacts;
  std::vector<Finding> findings;
  std::vector<CustomObject> custom;
  std::vector<Node> definitions;             ///< CustomResourceDefinitions
  Boxed<Container> containers;               ///< as `removed`
  Boxed<Manifest> manifests;                 ///< as `removed`
  ValueBlock values;                         ///< of the manifests, also when the model has taken those over
  std::vector<NamedKeys> named_keys;         ///< as `removed`
  std::vector<KeyUse> key_uses;              ///< as `removed`
  std::vector<RemovedObject> removed;        ///< whatever kinds they are of; file and bundle are not set yet
  std::vector<Evidence> evidence;            ///< for `muster explain --at`
  std::optional<Artifact> candidate;         ///< what it would be if its role among the other files said so
  std::optional<std::string> slurm_version;  ///< as a dump of scontrol states it
  bool rendered = false;  ///< of what some kustomization builds: its objects are judged there and not here
  bool ours() const {
    return rendered || !artifacts.empty() || !findings.empty() || !removed.empty() || template_kind.has_value();
  }
};

/// Where the file of an artifact stands; what its names may meet.
struct FileContext {
  std::string path;    ///< as shown to users
  std::string folder;  ///< of path, "" at the top
  std::string bundle;
};

}  // namespace muster
