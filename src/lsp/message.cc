#include "lsp/message.h"

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kEnd = "\r\n\r\n";

/// Digits and nothing else; nothing where there are more than a length has.
std::optional<std::size_t> parse_length(std::string_view text) {
  if (text.empty() || text.size() > 12) return std::nullopt;
  std::size_t out = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    out = out * 10 + static_cast<std::size_t>(c - '0');
  }
  return out;
}

}  // namespace

void MessageReader::feed(std::string_view bytes) {
  if (broken_.empty()) buffer_ += bytes;
}

std::optional<std::string> MessageReader::next() {
  if (!length_ && !read_header()) return std::nullopt;
  if (buffer_.size() < *length_) return std::nullopt;
  std::string out = buffer_.substr(0, *length_);
  buffer_.erase(0, *length_);
  length_.reset();
  return out;
}

/// Whether there is a whole one.
bool MessageReader::read_header() {
  if (!broken_.empty()) return false;
  const std::size_t end = buffer_.find(kEnd);
  if (end == buffer_.npos || end > kMaxHeader) {
    if (buffer_.size() > kMaxHeader) broken_ = "a header without an end";
    return false;
  }
  for (std::string_view line : split(std::string_view(buffer_).substr(0, end), '\n')) {
    line = trim(line);
    const std::size_t colon = line.find(':');
    if (colon == line.npos) {
      broken_ = "a header line without `:`";
      return false;
    }
    if (!equals_ignoring_case(trim(line.substr(0, colon)), "Content-Length")) continue;
    length_ = parse_length(trim(line.substr(colon + 1)));
    if (!length_ || *length_ > kMaxMessage) {
      broken_ = length_ ? "a message of " + std::to_string(*length_) + " bytes" : "a Content-Length that is no number";
      length_.reset();
      return false;
    }
  }
  if (!length_) {
    broken_ = "a header without Content-Length";
    return false;
  }
  buffer_.erase(0, end + kEnd.size());
  return true;
}

std::string framed(std::string_view message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + std::string(message);
}

}  // namespace muster
