#include "source/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace muster {
namespace {

constexpr std::string_view kEnding = ".gz";
constexpr int kGzipAlone = 15 + 16;  // the largest window, and a header of gzip: zlib.h, inflateInit2
constexpr std::size_t kInflated = 1 << 16;

class Unpacker {
 public:
  Unpacker(std::string_view packed, std::uint64_t limit) : limit_(limit) {
    // zlib does not write there; its declaration is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    ready_ = inflateInit2(&stream_, kGzipAlone) == Z_OK;
  }
  ~Unpacker() {
    if (ready_) inflateEnd(&stream_);
  }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  Unpacked run() {
    if (!ready_) return end(Unpacked::Verdict::Damaged);
    while (true) {
      stream_.next_out = block_.data();
      stream_.avail_out = static_cast<uInt>(block_.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t bytes = block_.size() - stream_.avail_out;
      const std::size_t room = static_cast<std::size_t>(limit_ - text_.size());
      text_.append(reinterpret_cast<const char*>(block_.data()), std::min(bytes, room));
      if (bytes > room) return end(Unpacked::Verdict::TooLarge);
      if (code == Z_STREAM_END) {
        skip_zeros();
        if (stream_.avail_in == 0) return end(Unpacked::Verdict::Whole);
        if (inflateReset(&stream_) != Z_OK) return end(Unpacked::Verdict::Damaged);
      } else if (code == Z_BUF_ERROR || (code == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) {
        return end(Unpacked::Verdict::CutOff);
      } else if (code != Z_OK) {
        return end(Unpacked::Verdict::Damaged);
      }
    }
  }

 private:
  Unpacked end(Unpacked::Verdict verdict) { return {verdict, std::move(text_)}; }

  void skip_zeros() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
  }

  std::uint64_t limit_;
  std::string text_;
  z_stream stream_{};
  bool ready_ = false;
  std::array<Bytef, kInflated> block_{};
};

}  // namespace

std::string words_of(Unpacked::Verdict verdict) {
  switch (verdict) {
    case Unpacked::Verdict::Whole:
    case Unpacked::Verdict::TooLarge: return "";
    case Unpacked::Verdict::CutOff: return "its gzip data breaks off before its end";
    case Unpacked::Verdict::Damaged: return "it is no gzip data, or damaged";
  }
  return "";
}

bool is_gzip_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return name.size() > kEnding.size() && name.ends_with(kEnding) && !name.ends_with(".tar.gz");
}

std::string_view without_gzip_ending(std::string_view path) {
  return is_gzip_name(path) ? path.substr(0, path.size() - kEnding.size()) : path;
}

Unpacked unpack_gzip(std::string_view packed, std::uint64_t limit) { return Unpacker(packed, limit).run(); }

}  // namespace muster
