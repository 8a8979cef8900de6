#pragma once

#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

namespace muster {

/// A line on a terminal that says what is going on, once it takes longer than half a second; gone at the end.
class ProgressLine {
 public:
  /// Silent when `visible` is false.
  ProgressLine(std::ostream& out, bool visible);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void tell(const std::string& stage);

 private:
  void show(const std::stop_token& stop);

  std::ostream& out_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string stage_;
  bool shown_ = false;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace muster
