#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare_list.h"
#include "base/shared_text.h"
#include "finding/fix.h"
#include "finding/rule_info.h"
#include "source/source_map.h"

namespace muster {

/// The other half of a contradiction.
struct RelatedPlace {
  Span where;
  SharedText message;
  friend bool operator==(const RelatedPlace&, const RelatedPlace&) = default;
};

/// A step of how it comes about; those of one thread (a gang) follow each other.
struct TraceStep {
  std::string thread;
  Span where;
  std::string message;
};

/// What a reader says something of, and so whether it still counts where a kustomization adds to that.
enum class About : unsigned char {
  Text,    ///< the file as it is written
  Object,  ///< an object of Kubernetes: the one that is built is judged instead of its parts
  Whole,   ///< an object that nobody adds to: nothing of it is certain of a part
};

/// One thing that is wrong or risky in the input, always with a place. Every finding belongs to a rule.
struct Finding {
  SharedText rule;
  SharedText message;  ///< what is, in the user's words
  Span where;
  About about = About::Text;
  // Taken from the rule unless the rule decides by case.
  Severity severity = Severity::Error;
  Effect effect = Effect::Risk;
  Plane plane = Plane::Workload;
  RareList<RelatedPlace> related;
  RareList<TraceStep> trace;      ///< in order; empty where there is no sequence to tell
  SharedText follows;             ///< what comes of it; may be empty
  SharedText help;                ///< what to do
  SharedText object;              ///< for example batch/v1/Job/ml/train; empty when the file itself is meant
  SharedText field;               ///< name of the source field it is about; may be empty
  RareValue<Fix> fix;             ///< what does away with it
  RareList<std::string> assumes;  ///< what it takes for granted, and where to say otherwise; sorted
  SharedText fingerprint;         ///< see assign_fingerprints
};

/// A finding that somebody said yes to, in the file itself or in muster.yaml.
struct SuppressedFinding {
  enum class Where { Source, Config };
  Finding finding;
  std::string reason;
  Where said = Where::Source;
};

/// A rule that could not be judged, with what would decide it.
struct Undecided {
  std::string rule;
  std::string object;
  Span where;
  std::vector<std::string> needs;  ///< sorted, without duplicates
};

/// A finding as the reader or decoder that meets it writes it: the rule knows the rest.
Finding problem(std::string_view rule, Span where, std::string message);

/// What is said of texts is said of objects.
void say_of_objects(std::span<Finding> findings);

/// Sorts by file path, place, rule and message, the order of all output; what is said twice of one place stays once.
void sort_findings(std::vector<Finding>& findings, const SourceMap& sources);
void sort_suppressed(std::vector<SuppressedFinding>& findings, const SourceMap& sources);
void sort_undecided(std::vector<Undecided>& undecided, const SourceMap& sources);

/// Gives each finding a name that survives changes elsewhere in the file: made of rule, file, object and field, with a
/// running number where those are equal. Lines and numbers in the message do not enter. Expects sorted findings.
void assign_fingerprints(std::vector<Finding>& findings, const SourceMap& sources);

}  // namespace muster
