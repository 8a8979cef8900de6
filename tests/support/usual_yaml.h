#pragma once

#include <string>

namespace muster::test {

/// What the reader of usual YAML makes of one document, held against libyaml.
struct UsualReading {
  bool read = false;  ///< else it leaves the document to libyaml
  std::string wrong;  ///< where the two trees, or their places, differ; empty: nowhere
};

UsualReading usual_reading(const std::string& document);

}  // namespace muster::test
