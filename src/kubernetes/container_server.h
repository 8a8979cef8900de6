#pragma once

#include <string>

#include "model/container.h"
#include "syntax/document.h"

namespace muster {

/// Reads what a container serves, where it listens, how it is probed, and what it says about the devices it sees.
class ServerReader {
 public:
  ServerReader(const Node& pod_spec, const Node& container)
      : pod_(pod_spec), container_(container), command_(command_text()) {}

  void read(Container& out) const;

 private:
  void read_environment(Container& out) const;
  void read_server(Container& out) const;
  void read_model(Container& out) const;
  /// Whether something may let it in where a token is asked for, or have the model here already.
  bool may_have_model() const;
  void read_probes(Container& out) const;
  bool ends_at_errors() const;
  void read_idle(Container& out) const;
  void read_outcome(Container& out) const;
  std::string command_text() const;

  Node pod_;
  Node container_;
  std::string command_;  ///< all words of command and args, a blank behind each
};

}  // namespace muster
