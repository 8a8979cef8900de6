#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// A statement of a template of Jinja that has no partner.
struct JinjaSlip {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string message;
};

/// The first of `if`, `for`, `macro` and other blocks that does not pair with its end, as Jinja's parser sees it: not
/// in comments, texts and what stands between raw and endraw. Nothing where a mark is left open.
std::optional<JinjaSlip> find_jinja_slip(std::string_view text);

}  // namespace muster
