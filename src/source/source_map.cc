#include "source/source_map.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kBytesOfBlock = 4096;
constexpr std::size_t kBytesOfStretch = 512;

std::uint32_t count_in(std::string_view utf8) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

SourceFile::SourceFile(std::string path, std::string text, std::string name)
    : path_(std::move(path)), text_(std::move(text)), name_(std::move(name)) {
  LineStart line;
  const auto add_stretches = [&](std::size_t before) {
    while (stretches_.size() * kBytesOfStretch < before) stretches_.push_back(line);
  };
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    add_stretches(at + 1);
    line = {line.line + 1, static_cast<std::uint32_t>(at + 1)};
  }
  add_stretches(text_.size() + 1);
  line_count_ = line.line;
  block_starts_.push_back(0);
  for (std::size_t at = 0; at + kBytesOfBlock <= text_.size(); at += kBytesOfBlock) {
    const std::string_view block = std::string_view(text_).substr(at, kBytesOfBlock);
    block_starts_.push_back(block_starts_.back() +
                            (is_ascii(block) ? static_cast<std::uint32_t>(kBytesOfBlock) : count_in(block)));
  }
}

std::uint32_t SourceFile::code_points_before(std::uint32_t offset) const {
  const std::size_t block = offset / kBytesOfBlock;
  return block_starts_[block] +
         count_in(std::string_view(text_).substr(block * kBytesOfBlock, offset - block * kBytesOfBlock));
}

SourceFile::LineStart SourceFile::line_at(std::uint32_t offset) const {
  const std::size_t stretch = offset / kBytesOfStretch;
  LineStart out = stretches_[stretch];
  const std::string_view before = std::string_view(text_).substr(0, offset);
  for (std::size_t at = before.find('\n', stretch * kBytesOfStretch); at != before.npos; at = before.find('\n', at + 1))
    out = {out.line + 1, static_cast<std::uint32_t>(at + 1)};
  return out;
}

std::uint32_t SourceFile::line_start(std::uint32_t line) const {
  if (line > line_count_) return static_cast<std::uint32_t>(text_.size());
  const auto next = std::ranges::lower_bound(stretches_, line, {}, &LineStart::line);
  if (next != stretches_.end() && next->line == line) return next->begin;
  std::size_t at = static_cast<std::size_t>(next - stretches_.begin() - 1) * kBytesOfStretch;
  for (std::uint32_t i = std::prev(next)->line; i < line; ++i) at = text_.find('\n', at) + 1;
  return static_cast<std::uint32_t>(at);
}

std::string_view SourceFile::line(std::uint32_t line) const {
  std::string_view text = std::string_view(text_).substr(line_start(line), line_start(line + 1) - line_start(line));
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Position SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto [line, start] = line_at(offset);
  if (offset - start < kBytesOfBlock)
    return {line, count_in(std::string_view(text_).substr(start, offset - start)) + 1};
  return {line, code_points_before(offset) - code_points_before(start) + 1};
}

FileId SourceMap::add(std::string path, std::string text, std::string name) {
  files_.emplace_back(std::move(path), std::move(text), std::move(name));
  return static_cast<FileId>(files_.size() - 1);
}

void SourceMap::replace(FileId id, std::string text) {
  const SourceFile& old = file(id);
  files_[static_cast<std::size_t>(id)] = SourceFile(old.path(), std::move(text), old.name());
}

void SourceMap::shrink(std::size_t size) {
  while (files_.size() > size) files_.pop_back();
}

const SourceFile& SourceMap::file(FileId id) const {
  const auto index = static_cast<std::size_t>(id);
  MUSTER_CHECK(index < files_.size(), "a span points at a file that was never read");
  return files_[index];
}

std::string_view SourceMap::text_of(const Span& span) const {
  return file(span.file).text().substr(span.begin, span.end - span.begin);
}

}  // namespace muster
