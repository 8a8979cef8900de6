#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/rare_list.h"
#include "source/source_map.h"

namespace muster {

/// Safe: what reads the file does the same before and after, or refuses it before. Unsafe: it does something else
/// after.
enum class FixSafety { Safe, Unsafe };

template <>
struct EnumNames<FixSafety> {
  static constexpr std::string_view names[] = {"safe", "unsafe"};
};

/// What `muster check` is told for it.
inline std::string fix_option(FixSafety safety) { return safety == FixSafety::Safe ? "--fix" : "--fix --unsafe"; }

/// Bytes of one file and what comes in their place.
struct TextEdit {
  Span where;
  std::string text;
  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// A change of the text that does away with a finding.
struct Fix {
  FixSafety safety = FixSafety::Unsafe;
  Span where;               ///< the stretch that has it
  std::string from;         ///< what of the stretch goes; empty: all of it
  std::string to;           ///< what comes instead
  bool everywhere = false;  ///< the finding speaks for every word of the file that is like the stretch
  bool remove = false;      ///< the stretch goes with the blanks before it, and its line where nothing else is on it
  Span before;              ///< where it is placed `to` becomes a line of its own, before the one that this stands on
  std::vector<TextEdit> made;  ///< what another run worked out: nothing else counts then
  friend bool operator==(const Fix&, const Fix&) = default;
};

/// The stretch is a word that should be another one.
inline Fix spell(const Span& where, std::string_view as) { return {.where = where, .to = std::string(as)}; }
/// The same where the word is a slip of one of these.
std::optional<Fix> spell_as_one_of(std::span<const std::string_view> known, const Span& where, std::string_view word);

/// In the order of their places. None where there is no fix, or the text is not what the fix takes it for: written with
/// escapes, as a part of something else, twice.
std::vector<TextEdit> edits_of(const RareValue<Fix>& fix, const SourceMap& sources);

}  // namespace muster
