#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace muster {

/// Writes YAML value by value; yaml-cpp quotes and indents. Texts are written so that readers of YAML 1.1 and
/// 1.2 take them for those texts: what might be a number, a boolean or null is quoted.
class YamlWriter {
 public:
  enum class Layout { Block, Flow };  ///< a value a line, or all of them on one

  YamlWriter();
  ~YamlWriter();
  YamlWriter(const YamlWriter&) = delete;
  YamlWriter& operator=(const YamlWriter&) = delete;

  YamlWriter& begin_mapping(Layout layout = Layout::Block);
  YamlWriter& end_mapping();
  YamlWriter& begin_sequence(Layout layout = Layout::Block);
  YamlWriter& end_sequence();
  YamlWriter& key(std::string_view name);
  YamlWriter& quoted_key(std::string_view name);
  YamlWriter& text(std::string_view value);
  YamlWriter& quoted(std::string_view value);  ///< in quotes, even where it could stand without
  YamlWriter& word(std::string_view value);    ///< as it is: a word, boolean or number of ours
  YamlWriter& number(std::int64_t value);
  YamlWriter& null();

  /// The document with a line end behind it. What was begun has to be ended.
  std::string finish() const;

 private:
  struct Emitter;
  std::unique_ptr<Emitter> emitter_;
};

/// One text as a scalar of a flow or block collection, for files with comments, which are written line by line.
std::string yaml_text(std::string_view value);
std::string quoted_yaml_text(std::string_view value);

}  // namespace muster
