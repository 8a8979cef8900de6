#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "kubernetes/kind_file.h"

namespace muster {

/// What tells a kind's objects from others.
struct KindHead {
  std::string id;
  std::string group;
  std::string versions;  ///< blank-separated
  std::string kind;
  std::string doc;
  bool read = false;  ///< KindFile::is_read
  bool used = false;  ///< KindFile::used_by names somebody
};

/// A kind that a file of rules/kinds describes. Of a shipped one only the head is read before somebody asks for more:
/// most inputs hold objects of a few kinds.
class DescribedKind {
 public:
  /// A site's.
  explicit DescribedKind(KindFile whole);
  /// A shipped one, by its path; a file that is not right is a bug of ours and ends the program.
  explicit DescribedKind(std::string_view asset);
  DescribedKind(const DescribedKind&) = delete;
  DescribedKind& operator=(const DescribedKind&) = delete;

  const KindHead& head() const { return head_; }
  /// Any thread may ask.
  const KindFile& file() const;

 private:
  KindHead head_;
  std::string_view asset_;  ///< empty: a site's
  mutable std::once_flag once_;
  mutable KindFile file_;
};

/// The kinds that muster ships as files, sorted by id; they live as long as the program.
const std::deque<DescribedKind>& shipped_kinds();

/// The input kind that a file describes. It lives as long as the description does.
Kind kind_of(const DescribedKind& described);

}  // namespace muster
