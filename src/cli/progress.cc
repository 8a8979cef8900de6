#include "cli/progress.h"

#include <chrono>

namespace muster {

ProgressLine::ProgressLine(std::ostream& out, bool visible) : out_(out) {
  if (visible) thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (shown_) out_ << "\r\x1b[K" << std::flush;
}

void ProgressLine::tell(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
  changed_.notify_all();
}

void ProgressLine::show(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, 500ms, [] { return false; });
  std::string last;
  while (!stop.stop_requested()) {
    if (stage_ != last) {
      out_ << "\r\x1b[K" << stage_ << " ..." << std::flush;
      shown_ = true;
      last = stage_;
    }
    changed_.wait_for(lock, stop, 100ms, [&] { return stage_ != last; });
  }
}

}  // namespace muster
