#include "helm/packed_chart.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "source/gzip.h"

namespace muster::helm {
namespace {

constexpr std::size_t kBlock = 512;

/// A field of a header up to its first zero byte.
std::string_view field(std::string_view header, std::size_t at, std::size_t size) {
  const std::string_view whole = header.substr(at, size);
  return whole.substr(0, whole.find('\0'));
}

std::optional<std::size_t> octal(std::string_view digits) {
  std::size_t out = 0;
  for (const char c : trim(digits)) {
    if (c < '0' || c > '7' || out > (std::size_t{1} << 40)) return std::nullopt;
    out = out * 8 + static_cast<std::size_t>(c - '0');
  }
  return out;
}

/// `path` of a pax header: lines `SIZE key=value`.
std::string pax_path(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank != line.npos && line.substr(blank + 1).starts_with("path=")) return std::string(line.substr(blank + 6));
  }
  return {};
}

}  // namespace

std::vector<PackedFile> unpack_chart(std::string_view packed, std::size_t limit) {
  std::vector<PackedFile> out;
  const Unpacked tar = unpack_gzip(packed, limit);
  if (tar.verdict != Unpacked::Verdict::Whole) return out;
  const std::string_view text = tar.text;
  std::string long_name;
  for (std::size_t at = 0; at + kBlock <= text.size();) {
    const std::string_view header = text.substr(at, kBlock);
    const std::optional<std::size_t> size = octal(field(header, 124, 12));
    at += kBlock;
    if (header[0] == '\0') break;
    if (!size || *size > text.size() - at) return {};
    const std::string_view content = text.substr(at, *size);
    at = std::min(text.size(), at + (*size + kBlock - 1) / kBlock * kBlock);
    const char type = header[156];
    if (type == 'L') long_name = field(content, 0, content.size());
    if (type == 'x') long_name = pax_path(content);
    if (type == 'L' || type == 'x' || type == 'g') continue;
    std::string path(field(header, 0, 100));
    const std::string_view prefix = header.substr(257, 5) == "ustar" ? field(header, 345, 155) : std::string_view();
    if (!prefix.empty()) path = std::string(prefix) + "/" + path;
    if (!long_name.empty()) path = std::move(long_name);
    long_name.clear();
    if (path.starts_with("./")) path.erase(0, 2);
    if (type == '0' || type == '\0') out.push_back({std::move(path), std::string(content)});
  }
  return out;
}

}  // namespace muster::helm
