#pragma once

#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "source/span.h"

namespace muster {

/// What the texts of a Helm chart read of its values, and which named templates they call. Views point into the texts.
class ValueReads {
 public:
  /// A value, by the names on the way to it.
  struct Part {
    std::map<std::string_view, std::unique_ptr<Part>> parts;
    bool taken = false;    ///< itself, and so whatever is in it
    bool entries = false;  ///< a loop takes its items, and not what a mapping of plain values has
    Span where;            ///< of the first read that Helm certainly makes; not placed where there is none
  };

  /// Adds what the actions of a text read. Takes time in proportion to its length.
  void add(std::string_view text, FileId file);
  /// Adds a value that something else reads, `a.b`.
  void add_path(std::string_view path);

  /// All values; `taken` where a text hands them on as one, or asks for names that it computes.
  const Part& values() const { return values_; }
  /// Whether a template is called by a name that is computed, or by one that no text defines: nobody knows what it
  /// reads.
  bool calls_unknown() const;

 private:
  struct Action;
  void scan(const Action& action);
  void scan_word(const Action& action, std::size_t begin, std::size_t end);
  std::size_t scan_values(const Action& action, std::size_t at);
  static bool loops_over_entries(const Action& action, std::size_t at, std::size_t stop);

  Part values_;
  std::set<std::string_view> defined_;
  std::set<std::string_view> called_;
  bool computes_name_ = false;
};

}  // namespace muster
