#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Takes messages out of the bytes of a stream, each behind a header with its `Content-Length`. Source: Language Server
/// Protocol 3.17, "Base Protocol".
class MessageReader {
 public:
  /// Bytes of one header, all of its lines.
  static constexpr std::size_t kMaxHeader = 8 << 10;
  /// Bytes of one message: the largest file that muster reads, written with escapes.
  static constexpr std::size_t kMaxMessage = 128 << 20;

  void feed(std::string_view bytes);
  /// The next whole message; nothing where more bytes are needed or the stream is broken.
  std::optional<std::string> next();
  /// Why nothing can be read any more: nobody knows where the next message begins. Empty as long as all is well.
  const std::string& broken() const { return broken_; }

 private:
  bool read_header();

  std::string buffer_;
  std::optional<std::size_t> length_;  ///< of the message whose header was read
  std::string broken_;
};

/// A message with its header.
std::string framed(std::string_view message);

}  // namespace muster
