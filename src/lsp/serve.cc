#include "lsp/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "lsp/message.h"

namespace muster {
namespace {

using std::chrono::steady_clock;

/// Two ends of a pipe with which one thread wakes another out of poll.
class Bell {
 public:
  Bell() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Bell() {
    for (const int end : ends_) ::close(end);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  bool works() const { return ends_[0] >= 0; }
  int descriptor() const { return ends_[0]; }
  void ring() const {
    while (::write(ends_[1], "!", 1) < 0 && errno == EINTR) {
    }
  }
  void hear() const {
    std::array<char, 64> rings{};
    [[maybe_unused]] const auto heard = ::read(ends_[0], rings.data(), rings.size());
  }

 private:
  std::array<int, 2> ends_{};
};

/// Makes one check after the other, on its own thread.
class Worker {
 public:
  Worker(FolderChecks& checks, const Bell& bell) : checks_(checks), bell_(bell), thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::scoped_lock lock(mutex_);
      ends_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start(CheckJob job) {
    {
      const std::scoped_lock lock(mutex_);
      job_ = std::move(job);
    }
    wake_.notify_one();
  }
  std::optional<FolderOutcome> outcome() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(outcome_, std::nullopt);
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ends_ || job_.has_value(); });
      if (ends_) return;
      const CheckJob job = *std::exchange(job_, std::nullopt);
      lock.unlock();
      FolderOutcome made = checks_.run(job);
      lock.lock();
      outcome_ = std::move(made);
      lock.unlock();
      bell_.ring();
      checks_.tidy_up();
    }
  }

  FolderChecks& checks_;
  const Bell& bell_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::optional<CheckJob> job_;
  std::optional<FolderOutcome> outcome_;
  std::thread thread_;  // the last: it starts with everything above
};

bool write_whole(int out, std::string_view text) {
  while (!text.empty()) {
    const ssize_t bytes = ::write(out, text.data(), text.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0 && errno == EAGAIN) {
      pollfd ready{out, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (bytes <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

/// Milliseconds until then, rounded up, as poll takes them; -1: for ever.
int wait_until(std::optional<steady_clock::time_point> then) {
  if (!then) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*then - steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

class EditorSession {
 public:
  EditorSession(int in, int out, ServerSettings settings, FolderChecks& checks)
      : in_(in),
        server_(
            std::move(settings),
            [this, out](const std::string& message) { writes_ = writes_ && write_whole(out, framed(message)); },
            [&checks](std::uint64_t job) { checks.stop(job); }),
        worker_(checks, bell_) {}

  int run(std::string& why) {
    if (!bell_.works()) {
      why = "no pipe can be made";
      return 2;
    }
    while (!server_.ended() && writes_) {
      std::array<pollfd, 2> sources{pollfd{in_, POLLIN, 0}, pollfd{bell_.descriptor(), POLLIN, 0}};
      if (::poll(sources.data(), sources.size(), wait_until(server_.due())) < 0 && errno != EINTR) break;
      // What was typed meanwhile counts before what was found, and before the next check begins.
      if (sources[0].revents != 0 && !read(why)) break;
      if (sources[1].revents != 0) bell_.hear();
      if (std::optional<FolderOutcome> outcome = worker_.outcome())
        server_.take(std::move(*outcome), steady_clock::now());
      if (std::optional<CheckJob> job = server_.next_job(steady_clock::now())) worker_.start(std::move(*job));
    }
    server_.stop_checks();
    return why.empty() ? server_.exit_code() : 2;
  }

 private:
  /// Whether there may be more.
  bool read(std::string& why) {
    std::array<char, 1 << 16> block;
    const ssize_t bytes = ::read(in_, block.data(), block.size());
    if (bytes < 0) return errno == EINTR || errno == EAGAIN;
    if (bytes == 0) return false;
    messages_.feed({block.data(), static_cast<std::size_t>(bytes)});
    while (!server_.ended()) {
      const std::optional<std::string> message = messages_.next();
      if (!message) break;
      server_.receive(*message, steady_clock::now());
    }
    if (!messages_.broken().empty()) why = "the client sent " + messages_.broken();
    return messages_.broken().empty();
  }

  int in_;
  bool writes_ = true;
  MessageReader messages_;
  Bell bell_;
  Server server_;
  Worker worker_;
};

}  // namespace

int serve(int in, int out, ServerSettings settings, FolderChecks& checks, std::string& why) {
  return EditorSession(in, out, std::move(settings), checks).run(why);
}

}  // namespace muster
