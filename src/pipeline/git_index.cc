#include "pipeline/git_index.h"

#include <algorithm>
#include <cstdint>

namespace muster {
namespace {

// ctime, mtime, dev, ino, mode, uid, gid and size stand before the object name.
constexpr std::size_t kStatSize = 40;
constexpr std::uint16_t kExtended = 0x4000;
constexpr std::size_t kMaxPath = 4096;
/// Version 4 can make short entries of long paths: what they grow to is bounded.
constexpr std::size_t kMaxPathBytes = 512u << 20;

Error broken(const char* why) { return {Error::Code::Io, std::string("the index of git is ") + why}; }

class IndexReader {
 public:
  IndexReader(std::string_view bytes, TrackedPaths::HashSize hash)
      : bytes_(bytes), hash_(static_cast<std::size_t>(hash)) {}

  Result<std::vector<std::string>> run() {
    if (bytes_.size() < 12 + hash_ || !bytes_.starts_with("DIRC")) return broken("none");
    version_ = number(4, 4);
    if (version_ < 2 || version_ > 4) return broken("of an unknown version");
    end_ = bytes_.size() - hash_;  // its own hash stands at the end
    at_ = 12;
    std::vector<std::string> paths;
    for (std::uint32_t left = number(8, 4); left > 0; --left) {
      if (!entry()) return broken("cut short");
      grown_ += name_.size();
      if (grown_ > kMaxPathBytes) return broken("too large");
      if (paths.empty() || paths.back() != name_) paths.push_back(name_);  // stages of a merge
    }
    // A split index keeps most entries elsewhere.
    for (; at_ + 8 <= end_; at_ += std::size_t{8} + number(at_ + 4, 4)) {
      if (bytes_.substr(at_, 4) == "link") return broken("split");
    }
    return paths;
  }

 private:
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }

  bool entry() {
    const std::size_t begin = at_;
    const std::size_t flags_at = begin + kStatSize + hash_;
    if (flags_at + 2 > end_) return false;
    const bool extended = version_ >= 3 && (number(flags_at, 2) & kExtended) != 0;
    at_ = flags_at + (extended ? 4 : 2);
    if (at_ > end_ || (version_ == 4 && !keep_beginning())) return false;
    const std::size_t nul = bytes_.substr(0, end_).find('\0', at_);
    if (nul == bytes_.npos || name_.size() * (version_ == 4 ? 1 : 0) + nul - at_ > kMaxPath) return false;
    if (version_ != 4) name_.clear();
    name_ += bytes_.substr(at_, nul - at_);
    // Up to version 3 one to eight NULs fill up to a multiple of eight.
    at_ = version_ == 4 ? nul + 1 : begin + (nul - begin + 8) / 8 * 8;
    return at_ <= end_;
  }

  /// Version 4 says how many bytes of the name before are not part of this one, as a number of `OFS_DELTA`.
  bool keep_beginning() {
    std::uint64_t away = 0;
    for (int bytes = 0;; ++bytes) {
      if (at_ >= end_ || bytes > 4) return false;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      away = bytes == 0 ? byte & 0x7Fu : ((away + 1) << 7 | (byte & 0x7Fu));
      if ((byte & 0x80u) == 0) break;
    }
    if (away > name_.size()) return false;
    name_.resize(name_.size() - static_cast<std::size_t>(away));
    return true;
  }

  std::string_view bytes_;
  std::size_t hash_;
  std::size_t end_ = 0;
  std::size_t at_ = 0;
  std::uint32_t version_ = 0;
  std::size_t grown_ = 0;
  std::string name_;
};

}  // namespace

Result<TrackedPaths> TrackedPaths::read(std::string_view index, HashSize hash) {
  Result<std::vector<std::string>> paths = IndexReader(index, hash).run();
  if (!paths) return paths.error();
  TrackedPaths out;
  out.paths_ = std::move(*paths);
  std::ranges::sort(out.paths_);
  return out;
}

bool TrackedPaths::has(std::string_view path) const { return std::ranges::binary_search(paths_, path, std::less<>()); }

bool TrackedPaths::has_at_or_below(std::string_view path) const {
  if (has(path)) return true;
  const std::string folder = std::string(path) + "/";
  const auto first = std::ranges::lower_bound(paths_, folder);
  return first != paths_.end() && first->starts_with(folder);
}

}  // namespace muster
