#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Says what the API server refuses an object for, beyond names and types of its fields: rule field-refused. What
/// somebody fills in later is passed over.
class Refusal {
 public:
  explicit Refusal(std::vector<Finding>& findings) : findings_(findings) {}

  /// At a value: `why` follows its name.
  void say(const Node& at, std::string_view field, const std::string& why, About about = About::Whole);
  /// Lists each take a name once.
  void unlike(const Node& list, std::string_view key, std::string_view what, std::set<std::string_view>& seen);
  void unlike(const Node& list, std::string_view key, std::string_view what);
  /// An integer that is written out, between the two.
  void within(const Node& value, std::string_view field, std::int64_t least, std::int64_t most);
  void not_negative(const Node& parent, std::initializer_list<std::string_view> fields);
  /// A label of DNS (RFC 1123): small letters, digits and `-`, at most 63.
  void dns_label(const Node& name, std::string_view field);
  /// As ports are called: at most 15 small letters, digits and `-`, one of them a letter.
  void port_name(const Node& name, std::string_view field);
  /// Of several ways to say something one at most; `needed`: and one at least, of an object that is whole.
  void one_of(const Node& parent, std::initializer_list<std::string_view> ways, std::string_view what, bool needed);

 private:
  std::vector<Finding>& findings_;
};

/// Whether a text is written out: neither a mark of a template nor something that a script puts in.
bool is_written(const Node& node);
/// A number that is written out.
std::optional<std::int64_t> number_written(const Node& value);
/// Letters, digits, `-`, `_` and `.`, the first and last a letter or digit, at most 63: what labels are made of.
bool is_label_word(std::string_view text);

/// Pods, their containers, volumes, tolerations and affinities.
void check_refused_pod(const Node& pod, std::vector<Finding>& findings);
/// Objects of Kubernetes itself, without the pods that they make.
void check_refused_object(const Node& object, std::string_view api_version, std::string_view kind,
                          std::vector<Finding>& findings);
/// When a CronJob runs; empty: it is a schedule, or somebody fills it in.
std::string wrong_in_schedule(std::string_view schedule);

}  // namespace muster
