#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace muster {

/// A block within another, `taint {` or `dynamic "taint" {`, by where its bracket stands.
struct HclInnerBlock {
  std::string_view name;  ///< of a dynamic one: its label
  std::size_t brace = 0;
  bool dynamic = false;
};

/// Attributes of a block or an object as they are written, without comments behind them, and the blocks in it.
struct HclBlock {
  std::map<std::string_view, std::string_view> attributes;  ///< the first of each name
  std::vector<HclInnerBlock> blocks;
  bool open = false;  ///< it has a key that is worked out

  /// Empty: it has none of that name.
  std::string_view attribute(std::string_view name) const;
};

/// `resource "TYPE" "NAME" {` at the top of a text.
struct HclTopBlock {
  std::string_view word;
  std::array<std::string_view, 2> labels;
  std::size_t brace = 0;
};

/// Steps that do for all readers of a text, however often each goes over it.
constexpr std::size_t hcl_steps(std::string_view text) { return 16 * text.size() + 1000; }

/// What stands in brackets; `left` are the steps that all readers of a text share (syntax/hcl_reader.h).
HclBlock read_hcl_block(std::string_view text, std::size_t brace, std::size_t& left);

/// Items of `[a, b]` as they are written, without comments.
std::vector<std::string_view> read_hcl_list(std::string_view text, std::size_t bracket, std::size_t& left);

/// Those of a whole file, none of them within a comment or a text.
std::vector<HclTopBlock> top_hcl_blocks(std::string_view text, std::size_t& left);

/// `"a"` -> a, and `"${var.a}"` -> var.a; anything else as it is.
std::string_view unquoted_hcl(std::string_view text);

}  // namespace muster
