#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::helm {

struct PackedFile {
  std::string path;  ///< NAME/Chart.yaml
  std::string text;
};

/// The files of a packed chart, `NAME-1.2.3.tgz`: a tar archive (POSIX ustar and pax, GNU's long names) in gzip. Empty
/// where it is none, is cut off or holds more than `limit` bytes.
std::vector<PackedFile> unpack_chart(std::string_view packed, std::size_t limit);

}  // namespace muster::helm
