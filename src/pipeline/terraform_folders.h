#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace muster {

/// Folders of Terraform, and which of them are called as modules from where.
class TerraformFolders {
 public:
  void add_file(std::string_view folder) { folders_.insert(std::string(folder)); }
  void add_call(std::string_view from, std::string_view source, bool often);

  /// Whether all folders that are called are there.
  bool complete() const;
  /// Whether what a folder makes may be made more than once.
  bool is_made_often(std::string_view folder) const;
  /// Folders that somebody applies, and that make what this one has. Empty: not known, as once all that was asked took
  /// too long, and where they call each other. Each is worked out once, when all calls are known.
  const std::set<std::string>& applied_for(std::string_view folder);

 private:
  static constexpr std::size_t kMostSteps = 200'000;  // from folders to those that call them

  struct Calls {
    std::set<std::string> from;
    int times = 0;
    bool often = false;  ///< one of them is with count or for_each
  };
  std::set<std::string> folders_;
  std::map<std::string, Calls, std::less<>> calls_;                    ///< by the folder that is called
  std::map<std::string, std::set<std::string>, std::less<>> applied_;  ///< what was asked
  std::size_t steps_ = 0;
};

}  // namespace muster
