#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster {

/// What came of the data of a `.gz` file.
struct Unpacked {
  enum class Verdict {
    Whole,
    TooLarge,  ///< there is more than the limit; `text` is what fits
    CutOff,    ///< it ends before its end: a download or a copy that was broken off
    Damaged,   ///< not gzip, or its checksum says otherwise
  };
  Verdict verdict = Verdict::Whole;
  std::string text;  ///< up to where it went wrong
};

/// For messages: "it is no gzip data, or damaged"; empty for what is whole or too large.
std::string words_of(Unpacked::Verdict verdict);

/// Whether a file's name says that it is packed by itself: `pods.yaml.gz`, but no archive of several, `chart.tar.gz`.
bool is_gzip_name(std::string_view path);

/// The name of what is in it, `pods.yaml`; any other path as it is.
std::string_view without_gzip_ending(std::string_view path);

/// Unpacks gzip data (RFC 1952), also several members behind each other and zeros behind the last, as gzip does. Never
/// takes more memory than `limit` bytes and a little.
Unpacked unpack_gzip(std::string_view packed, std::uint64_t limit);

}  // namespace muster
