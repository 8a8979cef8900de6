#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "gang/scheduler.h"
#include "kinds/registry.h"
#include "kubernetes/described_kind.h"
#include "rulebook/book_problem.h"

namespace muster {

/// A site's file about a workload kind, a scheduler or an operator.
struct KnowledgeSource {
  enum class What : unsigned char { Kind, Scheduler, Operator };
  What what = What::Kind;
  std::size_t folder = 0;  ///< which --rules folder it stands in: one id twice in the same folder is refused
  std::string path;
  std::string text;
};

template <>
struct EnumNames<KnowledgeSource::What> {
  static constexpr std::string_view names[] = {"kind", "scheduler", "operator"};
};

/// What muster knows of workload kinds, schedulers and operators: the shipped files, or a site's over them. Artifacts
/// point into it: it stays where it is.
class Knowledge {
 public:
  Knowledge(const Knowledge&) = delete;
  Knowledge& operator=(const Knowledge&) = delete;

  /// Lives as long as the program.
  static const Knowledge& shipped();
  /// The shipped files with a site's over them: the same id replaces. nullptr where something is wrong, and then it
  /// stands in `problems`, with its place.
  static std::unique_ptr<const Knowledge> load(const std::vector<KnowledgeSource>& files,
                                               std::vector<BookProblem>& problems);

  const KindTable& kinds() const { return table_; }
  const SchedulerBook& schedulers() const { return schedulers_; }
  /// The kinds that files describe, sorted by id, each read as a whole.
  std::vector<const KindFile*> described() const;

 private:
  Knowledge(std::deque<DescribedKind> own, std::vector<const DescribedKind*> described, SchedulerBook schedulers);

  std::deque<DescribedKind> own_;  ///< the site's
  std::vector<const DescribedKind*> described_;
  SchedulerBook schedulers_;
  KindTable table_;
};

}  // namespace muster
