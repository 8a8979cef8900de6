#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// Options that the input gives to sbatch on command lines, by the script that they start.
class SubmitLines {
 public:
  /// Long names of options. `firm`: a program gives them; else a comment or a text for people does.
  struct Options {
    std::set<std::string> firm;
    std::set<std::string> told;
  };

  /// Command lines in a text; `prose`: it is for people.
  void add(std::string_view text, bool prose);
  /// What a batch script gets: by its name, by a variable in a text that names it, and in its own comments.
  Options options_of(std::string_view path, std::string_view text) const;

 private:
  std::map<std::string, Options, std::less<>> by_name_;            ///< the last part of a script's path
  std::vector<std::pair<std::string_view, Options>> by_variable_;  ///< with the text that they stand in
};

}  // namespace muster
