// Any text as everything that is read out of a single value: quantities, versions, times, dates, codes.
// Reads: src/base/quantity.cc src/base/version.cc src/base/slurm_units.cc src/base/c_number.cc src/base/base64.cc
// Reads: src/base/utf8.cc src/base/wrap.cc src/source/encoding.cc src/helm/semver.cc src/expr/time_zone.cc
// Reads: src/slurm/number_ranges.cc
// Pick: tests/base/*_test.cc "([^"\n]{1,40})"
// Pick: tests/expr/*_test.cc \("([^"\n]{1,30})"
#include "base/base64.h"
#include "base/c_number.h"
#include "base/quantity.h"
#include "base/slurm_units.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "expr/time_zone.h"
#include "fuzz/fuzz.h"
#include "helm/semver.h"
#include "slurm/number_ranges.h"
#include "source/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  if (const std::optional<Quantity> quantity = Quantity::parse(text)) {
    fuzz::expect(Quantity::parse(quantity->text()) == *quantity, "a quantity reads as another");
    (void)(*quantity + *quantity + Quantity::of(1));
  }
  if (const std::optional<Version> version = Version::parse(text))
    fuzz::expect(Version::parse(version->text()) == version, "a version reads as another");
  if (const auto version = helm::SemanticVersion::parse(text))
    fuzz::expect(helm::SemanticVersion::parse(version->text()).has_value(), "a version of Helm does not read again");
  const std::size_t half = text.find(' ');
  helm::version_fits(text, "1.2.3-rc.1+b");
  if (half != text.npos) helm::version_fits(text.substr(half + 1), text.substr(0, half));
  slurm_memory(text);
  slurm_minutes(text);
  slurm_count(text);
  parse_c_number(text);
  parse_date(text);
  zone_offset(text, 1'750'000'000);
  highest_of(merged(number_ranges(text)));
  fuzz::expect(from_base64(to_base64(text)) == text, "base64 loses something");
  from_base64(text);
  const DecodedText decoded = decode_text(text);
  const bool binary = decoded.verdict == DecodedText::Verdict::Binary;
  fuzz::expect(binary || !first_invalid_utf8(decoded.text), "a decoded text is no UTF-8");
  fuzz::expect(!first_invalid_utf8(printable(text)), "a printable text is no UTF-8");
  count_code_points(text);
  wrapped("- ", text, 4);
  wrapped_lines(text);
  utf16_to_utf8(text, ByteOrder::Big);
  return 0;
}
