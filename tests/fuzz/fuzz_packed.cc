// Any bytes as a packed chart and as a packed file: nothing is larger than its limit.
// Reads: src/helm/packed_chart.cc src/source/gzip.cc
#include <zlib.h>

#include "fuzz/fuzz.h"
#include "helm/packed_chart.h"
#include "source/gzip.h"

namespace {

/// In gzip, without its checksums in the way.
std::string packed(const std::string& text) {
  std::string out(text.size() + text.size() / 100 + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void look(const std::string& bytes) {
  constexpr std::size_t kLimit = 1 << 16;
  muster::fuzz::expect(muster::unpack_gzip(bytes, kLimit).text.size() <= kLimit, "it unpacks to more than it may");
  std::size_t all = 0;
  for (const muster::helm::PackedFile& file : muster::helm::unpack_chart(bytes, kLimit)) all += file.text.size();
  muster::fuzz::expect(all <= kLimit, "a chart holds more than it may");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = muster::fuzz::text_of(data, size);
  look(bytes);
  look(packed(bytes));  // as what is in it
  look(packed(bytes) + bytes);
  muster::words_of(muster::unpack_gzip(bytes, 100).verdict);
  muster::without_gzip_ending(bytes);
  return 0;
}
