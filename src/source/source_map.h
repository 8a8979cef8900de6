#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// One file: UTF-8 text without byte order mark, as every later stage sees it.
class SourceFile {
 public:
  SourceFile(std::string path, std::string text, std::string name = "");

  /// As shown to users, who can open it from where they stand; `/` between folders.
  const std::string& path() const { return path_; }
  /// What fingerprints are made of: the same wherever one stands outside of the input.
  const std::string& name() const { return name_.empty() ? path_ : name_; }
  std::string_view text() const { return text_; }
  /// Byte offset at which a 1-based line starts; the end of the text for lines beyond the last.
  std::uint32_t line_start(std::uint32_t line) const;
  std::uint32_t line_count() const { return line_count_; }
  /// A line without its line end.
  std::string_view line(std::uint32_t line) const;
  Position position(std::uint32_t offset) const;

 private:
  std::string path_;
  std::string text_;
  std::string name_;
  std::uint32_t code_points_before(std::uint32_t offset) const;

  /// A line, and the byte offset at which it starts.
  struct LineStart {
    std::uint32_t line = 1;
    std::uint32_t begin = 0;
  };
  LineStart line_at(std::uint32_t offset) const;

  std::uint32_t line_count_ = 1;
  /// The line in which each stretch of the text begins: a start for each line would take a sixth of the text's room.
  std::vector<LineStart> stretches_;
  /// Code points before each block of the text: one line may be megabytes long and have thousands of findings.
  std::vector<std::uint32_t> block_starts_;
};

/// Owns the text of all inputs. Files keep their address; ids are dense from 0.
class SourceMap {
 public:
  FileId add(std::string path, std::string text) { return add(path, std::move(text), path); }
  FileId add(std::string path, std::string text, std::string name);
  /// Gives a file another text. Spans that point into the one it had mean nothing any more.
  void replace(FileId id, std::string text);
  /// Forgets the files behind the first `size`.
  void shrink(std::size_t size);
  const SourceFile& file(FileId id) const;
  std::size_t size() const { return files_.size(); }
  /// Place of the first byte of a span.
  Position begin_of(const Span& span) const { return file(span.file).position(span.begin); }
  /// Place just behind the last byte of a span.
  Position end_of(const Span& span) const { return file(span.file).position(span.end); }
  std::string_view text_of(const Span& span) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace muster
