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
    bool open = false;  ///< a program gives more, out of a variable
  };

  /// Command lines in the text of a file; `prose`: it is for people.
  void add(std::string_view path, std::string_view text, bool prose);
  /// What a batch script gets: by its path, by a variable in a text that names it, and in its own comments. A mere name
  /// is believed within one folder, or where the input has one file of that name.
  Options options_of(std::string_view path, std::string_view text) const;
  /// Whether some text other than `own` makes folders and names this one.
  bool makes(std::string_view folder, std::string_view own) const;

 private:
  struct Call {
    std::string script;  ///< its path as written
    std::string folder;  ///< of the file that calls it
    Options options;
  };
  std::map<std::string, std::vector<Call>, std::less<>> by_name_;  ///< the last part of a script's path
  std::map<std::string, std::size_t, std::less<>> names_;          ///< how many files of the input have it
  std::vector<std::string_view> makers_;                           ///< texts that make folders
  std::vector<std::pair<std::string_view, Options>> by_variable_;  ///< with the text that they stand in
};

}  // namespace muster
