#include "base/c_number.h"

#include <charconv>

namespace muster {

std::optional<std::uint64_t> parse_c_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace muster
