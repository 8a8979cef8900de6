#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

bool is_ascii(std::string_view text);
/// Offset of the first byte that is not valid UTF-8 (surrogates and overlong forms count as invalid).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);
/// Code points in valid UTF-8; an invalid byte counts as one.
std::size_t count_code_points(std::string_view text);
/// Bytes of the code point that starts at `at`; at least 1, never past the end.
std::size_t code_point_length(std::string_view text, std::size_t at);
void append_utf8(std::string& out, char32_t code_point);

/// UTF-16 to UTF-8; unpaired surrogates become U+FFFD. An odd last byte is dropped.
enum class ByteOrder { Little, Big };
std::string utf16_to_utf8(std::string_view bytes, ByteOrder order);

/// Fit for a terminal or a log line: control characters, line ends, invalid bytes and the invisible characters that
/// reorder text (bidirectional overrides) become visible escapes such as \x1b and \u202e. So do `##[` and `##vso[`,
/// which the runners of GitHub and Azure take for commands wherever they stand in a line (actions/runner
/// ActionCommand.cs).
std::string printable(std::string_view text);

}  // namespace muster
