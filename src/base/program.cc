#include "base/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kBlock = 1 << 16;

Error cannot_start(const std::string& path, int why) {
  return {Error::Code::Io, "cannot start `" + path + "`: " + std::generic_category().message(why)};
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

/// A program that does not read any more must not end this one: SIGPIPE is held back in this thread and taken away.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec now{};
    while (broken && sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  bool broken = false;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path, ':')) {
    if (!folder.starts_with('/')) continue;
    std::string candidate = std::string(folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

Result<RunningProgram> RunningProgram::start(const ProgramCall& call) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  const int err = ::memfd_create("complaints", MFD_CLOEXEC);
  if (err < 0 || ::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
    const int why = errno;
    close_all({err, in[0], in[1], out[0], out[1]});
    return cannot_start(call.path, why);
  }
  std::vector<std::string> arguments{call.path};
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  std::vector<std::string> environment = call.environment;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in[0], 0);
  posix_spawn_file_actions_adddup2(&files, out[1], 1);
  posix_spawn_file_actions_adddup2(&files, err, 2);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, call.path.c_str(), &files, nullptr, pointers_to(arguments).data(),
                                 pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&files);
  close_all({in[0], out[1]});
  if (failed == 0) return RunningProgram(pid, in[1], out[0], err);
  close_all({in[1], out[0], err});
  return cannot_start(call.path, failed);
}

RunningProgram::RunningProgram(RunningProgram&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      buffer_(std::move(other.buffer_)),
      at_(other.at_) {}

RunningProgram::~RunningProgram() {
  close_all({in_, out_, err_});
  in_ = out_ = err_ = -1;
  wait();
}

bool RunningProgram::write(std::string_view text) {
  WithoutPipeSignal signal;
  while (!text.empty()) {
    const ssize_t bytes = ::write(in_, text.data(), text.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) {
      signal.broken = errno == EPIPE;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

void RunningProgram::close_input() { close_all({std::exchange(in_, -1)}); }

bool RunningProgram::fill() {
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kBlock);
  ssize_t bytes = -1;
  do {
    bytes = ::read(out_, buffer_.data() + before, kBlock);
  } while (bytes < 0 && errno == EINTR);
  buffer_.resize(before + static_cast<std::size_t>(bytes > 0 ? bytes : 0));
  return bytes > 0;
}

std::optional<std::string> RunningProgram::read_until(char end, std::size_t most) {
  std::size_t looked = 0;
  for (;;) {
    const std::size_t found = buffer_.find(end, at_ + looked);
    if (found != std::string::npos) {
      std::string out = buffer_.substr(at_, found - at_);
      at_ = found + 1;
      return out;
    }
    looked = buffer_.size() - at_;
    if (looked > most || !fill()) return std::nullopt;
  }
}

std::optional<std::string> RunningProgram::read_bytes(std::size_t count) {
  while (buffer_.size() - at_ < count) {
    if (!fill()) return std::nullopt;
  }
  std::string out = buffer_.substr(at_, count);
  at_ += count;
  return out;
}

std::optional<std::string> RunningProgram::read_all(std::size_t most) {
  while (fill()) {
    if (buffer_.size() - at_ > most) return std::nullopt;
  }
  std::string out = buffer_.substr(at_);
  at_ = buffer_.size();
  return out;
}

void RunningProgram::limit_processor_time(unsigned seconds) {
  const rlimit limit{seconds, seconds};
  if (pid_ > 0) ::prlimit(pid_, RLIMIT_CPU, &limit, nullptr);
}

int RunningProgram::wait() {
  if (pid_ < 0) return -1;
  close_input();
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string RunningProgram::complaints() const {
  std::string text(kBlock, '\0');
  const ssize_t bytes = err_ < 0 ? 0 : ::pread(err_, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(bytes > 0 ? bytes : 0));
  return text;
}

}  // namespace muster
