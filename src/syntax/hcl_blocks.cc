#include "syntax/hcl_blocks.h"

#include "base/strings.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

/// `name` or `"name"`, and behind it; empty: none.
std::string_view hcl_key_at(HclReader& in, std::string_view text) {
  const bool quoted = in.here() == '"';
  const std::size_t begin = in.at + (quoted ? 1 : 0);
  if (quoted) in.skip_text();
  while (!quoted && !in.ended() && is_hcl_letter(in.here())) ++in.at;
  const std::size_t end = in.at - (quoted && in.at > begin ? 1 : 0);
  return end > begin ? text.substr(begin, end - begin) : std::string_view{};
}

std::string_view value_between(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view value = trim(text.substr(begin, end - begin));
  return value.starts_with('{') || value.starts_with('[') ? value : without_hcl_comment(value);
}

}  // namespace

std::string_view HclBlock::attribute(std::string_view name) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? std::string_view() : found->second;
}

HclBlock read_hcl_block(std::string_view text, std::size_t brace, std::size_t& left) {
  HclBlock out;
  HclReader in(text, left);
  in.at = brace + 1;
  for (in.skip(true); !in.ended() && in.here() != '}'; in.skip(true)) {
    const std::size_t begin = in.at;
    if (in.here() == ',') {
      ++in.at;
      continue;
    }
    std::string_view key = hcl_key_at(in, text);
    in.skip(false);
    const bool attribute = !key.empty() && (in.here() == '=' || in.here() == ':');
    const bool dynamic = key == "dynamic";
    if (attribute) ++in.at;
    in.skip(attribute);
    while (!attribute && in.here() == '"') {  // labels of a block
      const std::string_view label = hcl_key_at(in, text);
      if (dynamic) key = label;
      in.skip(false);
    }
    const std::size_t value = in.at;
    out.open = out.open || key.empty() || (!attribute && in.here() != '{');
    if (!attribute && in.here() == '{') out.blocks.push_back({key, value, dynamic});
    in.skip_expression();
    if (attribute) out.attributes.try_emplace(key, value_between(text, value, in.at));
    if (in.at == begin) break;
  }
  out.open = out.open || left == 0;
  return out;
}

std::vector<std::string_view> read_hcl_list(std::string_view text, std::size_t bracket, std::size_t& left) {
  std::vector<std::string_view> out;
  HclReader in(text, left);
  in.at = bracket + 1;
  for (in.skip(true); !in.ended() && in.here() != ']'; in.skip(true)) {
    const std::size_t begin = in.at;
    if (in.here() == ',') {
      ++in.at;
      continue;
    }
    in.skip_expression();
    if (in.at == begin) ++in.at;  // a bracket that nothing opens
    out.push_back(value_between(text, begin, in.at));
  }
  return out;
}

std::vector<HclTopBlock> top_hcl_blocks(std::string_view text, std::size_t& left) {
  std::vector<HclTopBlock> out;
  HclReader in(text, left);
  for (in.skip(true); !in.ended(); in.skip(true)) {
    const std::size_t begin = in.at;
    HclTopBlock block;
    while (!in.ended() && is_hcl_letter(in.here())) ++in.at;
    block.word = text.substr(begin, in.at - begin);
    in.skip(false);
    for (std::size_t i = 0; in.here() == '"' && i < block.labels.size(); ++i) {
      block.labels[i] = hcl_key_at(in, text);
      in.skip(false);
    }
    block.brace = in.at;
    if (!block.word.empty() && in.here() == '{') out.push_back(block);
    in.skip_expression();
    if (in.at == begin) ++in.at;  // a bracket that nothing opens
  }
  return out;
}

std::string_view unquoted_hcl(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  const std::string_view inner = text.substr(1, text.size() - 2);
  const bool interpolated = inner.starts_with("${") && inner.find('}') == inner.size() - 1;
  return interpolated ? trim(inner.substr(2, inner.size() - 3)) : inner;
}

}  // namespace muster
