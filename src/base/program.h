#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

/// What a program is started with. No shell sees any of it.
struct ProgramCall {
  std::string path;                      ///< absolute
  std::vector<std::string> arguments;    ///< without the program itself
  std::vector<std::string> environment;  ///< NAME=VALUE; nothing is inherited
};

/// The absolute path of a program in the folders of PATH. Relative ones are passed over: what stands in the working
/// folder is input.
std::optional<std::string> find_program(const std::string& name);

/// A program that answers on its standard output what it is asked on its standard input. What it says on standard error
/// is kept. It is waited for when the object goes; closing its input tells it to end.
class RunningProgram {
 public:
  static Result<RunningProgram> start(const ProgramCall& call);
  RunningProgram(RunningProgram&& other) noexcept;
  RunningProgram& operator=(RunningProgram&&) = delete;
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  /// False when it does not read any more.
  bool write(std::string_view text);
  void close_input();
  /// Up to a byte `end`, which is left out; nothing at its end of output or after `most` bytes.
  std::optional<std::string> read_until(char end, std::size_t most);
  /// Exactly so many bytes; nothing when there are fewer.
  std::optional<std::string> read_bytes(std::size_t count);
  /// Everything to its end; nothing when that is more than `most` bytes.
  std::optional<std::string> read_all(std::size_t most);
  /// It is killed when it has used so many seconds of a processor.
  void limit_processor_time(unsigned seconds);
  /// Waits for it: its exit code, -1 when it was killed.
  int wait();
  /// What it said on standard error so far, at most 64 KiB.
  std::string complaints() const;

 private:
  RunningProgram(pid_t pid, int in, int out, int err) : pid_(pid), in_(in), out_(out), err_(err) {}
  bool fill();

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;  ///< a file without a name
  std::string buffer_;
  std::size_t at_ = 0;  ///< of the buffer
};

}  // namespace muster
