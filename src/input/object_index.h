#pragma once

#include <atomic>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "input/artifact.h"

namespace muster {

/// Objects of the input by what others call them. Names meet within a bundle, and what stands in the same file is
/// nearer than what does not.
class ObjectIndex {
 public:
  /// `artifact` must stay where it is.
  void add(const Artifact& artifact, std::string_view group, std::string_view kind, const FileContext& context);
  /// As seen from a file and a namespace, which counts where both are written; a node that does not exist where there
  /// is none.
  Node find(std::string_view group, std::string_view kind, std::string_view name, std::string_view space,
            const FileContext& from) const;
  /// Whether somebody looked for an object.
  bool was_asked() const { return asked_; }

 private:
  struct Entry {
    Node object;
    const FileContext* context;
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Entry>> entries_;
  mutable std::atomic<bool> asked_ = false;
};

}  // namespace muster
