#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "model/device_platforms.h"
#include "review/fill.h"

namespace muster {

/// What a check found: its result, and what speaks for it.
struct CheckFound {
  CheckResult result = CheckResult::Unknown;
  std::string evidence;
  ReviewPlace place = {};
};

/// Failed before open before the rest.
bool is_worse(CheckResult a, CheckResult b);

/// What the checks ask the input for.
class DraInput {
 public:
  explicit DraInput(const ReviewSubject& subject) : subject_(subject), platform_(platform_of(subject.model)) {}

  const Model& model() const { return subject_.model; }
  const ReviewSubject& subject() const { return subject_; }
  /// The release of a software; nullptr while it is not known.
  const Version* release(std::string_view software) const;
  std::optional<bool> gate() const;
  /// What the fleet file says of a gate of Kubernetes, else what its platform does with it; nothing where neither is
  /// known.
  std::optional<bool> feature_gate(std::string_view name) const;
  const std::optional<PlatformSeen>& platform() const { return platform_; }
  ReviewPlace place(const Span& where) const;
  ReviewPlace place_of_plane() const;
  /// Objects of one described kind.
  std::vector<const Manifest*> objects(std::string_view collection) const;
  bool has(std::string_view collection) const { return !objects(collection).empty(); }
  /// Of node pools under Kubernetes, or under nobody yet.
  std::vector<const NodePool*> pools() const;
  /// NVLink across nodes: by the fleet file or by a ComputeDomain.
  bool spans_nvlink() const;

 private:
  std::optional<bool> stated_gate(std::string_view name) const;

  const ReviewSubject& subject_;
  std::optional<PlatformSeen> platform_;
};

/// What a row says, with its source, and whether that has to be looked up again.
std::string words_of_platform(const DevicePlatform& row);

/// A label, field or entry of a described object as text; empty where it is not there.
std::string text_at(const Manifest& object, std::string_view part, std::string_view key);
/// A flag below a part: a.b; nothing where it is not there.
std::optional<bool> flag_at(const Manifest& object, std::string_view part,
                            std::initializer_list<std::string_view> path);

// One check each, in the order of the review.
CheckFound check_api_served(const DraInput& input);
CheckFound check_object_versions(const DraInput& input);
CheckFound check_kubelets(const DraInput& input);
CheckFound check_features(const DraInput& input);
CheckFound check_cdi(const DraInput& input);
CheckFound check_gpu_driver(const DraInput& input);
CheckFound check_one_advertiser(const DraInput& input);
CheckFound check_operator_mode(const DraInput& input);
CheckFound check_scheduler(const DraInput& input);
CheckFound check_autoscaler(const DraInput& input);
CheckFound check_nvlink_labels(const DraInput& input);
CheckFound check_alpha_features(const DraInput& input);
CheckFound check_preemption(const DraInput& input);
CheckFound check_attribution(const DraInput& input);

}  // namespace muster
