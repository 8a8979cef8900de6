#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "source/source_map.h"
#include "syntax/document.h"

namespace muster {

/// The files that results speak of, without the texts that results do not hold: as many lines, as wide as is needed
/// for every place to be in its line and column. Results come from elsewhere: they are bounded.
class ResultPlaces {
 public:
  /// What all texts may take, in bytes; a line takes one.
  static constexpr std::uint64_t kMaxTexts = 64u << 20;

  /// Every place in a result. False where one is no place, or there are too many lines.
  bool add(const Document& result);
  /// Makes the texts. Edits that one fix makes in several places are found again as the same word in each.
  void settle(SourceMap& sources);
  /// The stretch of a `location`; not placed where it is none.
  Span span_of(const Node& location) const;

 private:
  struct Place {
    std::string file;
    Position begin;
    Position end;
    auto operator<=>(const Place&) const = default;
  };
  struct File {
    std::map<std::uint32_t, std::uint32_t> widths;  ///< by line
    std::uint32_t lines = 1;
    FileId id = FileId::None;
  };

  static std::optional<Place> place_in(const Node& location);
  bool reach(File& file, const Position& at);
  void remember_edits(const Node& fix);
  std::string text_of(const File& file) const;
  void mark_edits(std::map<std::string, std::string>& texts) const;

  std::map<std::string, File> files_;
  std::vector<std::vector<Place>> edits_;  ///< of fixes with several
  std::uint64_t bytes_ = 0;
  const SourceMap* sources_ = nullptr;
};

}  // namespace muster
