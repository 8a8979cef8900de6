#include "source/source_map.h"

#include <algorithm>

#include "base/check.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kBytesOfBlock = 4096;

std::uint32_t count_in(std::string_view utf8) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

SourceFile::SourceFile(std::string path, std::string text, std::string name)
    : path_(std::move(path)), text_(std::move(text)), name_(std::move(name)) {
  line_starts_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
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

std::uint32_t SourceFile::line_start(std::uint32_t line) const {
  return line <= line_starts_.size() ? line_starts_[line - 1] : static_cast<std::uint32_t>(text_.size());
}

std::string_view SourceFile::line(std::uint32_t line) const {
  std::string_view text = std::string_view(text_).substr(line_start(line), line_start(line + 1) - line_start(line));
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Position SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::ranges::upper_bound(line_starts_, offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  const std::uint32_t start = line_starts_[line - 1];
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
