#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/result_places.h"
#include "report/report.h"
#include "source/source_map.h"

namespace muster {

/// The most parts that one check is cut into.
inline constexpr std::size_t kMaxShards = 10'000;

/// Joins results of `muster check --format json`, as one run would have written them.
class ResultMerger {
 public:
  /// The largest result that is read, in bytes.
  static constexpr std::uint64_t kMaxSize = 256u << 20;

  /// Fails where the text is no result of this muster's; `name`: what messages call it.
  std::optional<Error> add(const std::string& name, std::string text);
  /// Shards of one set, each once, or results of runs without a shard of which no two looked at the same. Fails with
  /// what to do. The report's places are in `sources`, which outlives it.
  Result<Report> merge(SourceMap& sources);
  /// The same for parts of one shard, of which nobody has to make sure that they belong together.
  Result<Report> join_parts(SourceMap& sources, Shard shard);

 private:
  struct Part {
    std::string name;
    SourceMap text;
    Document document;
  };

  std::optional<Error> belong_together() const;
  std::optional<Error> shards_are_whole() const;
  std::optional<Error> say_nothing_twice() const;
  Result<Report> join(SourceMap& sources);

  std::deque<Part> parts_;
  ResultPlaces places_;
};

}  // namespace muster
