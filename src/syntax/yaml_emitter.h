#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace muster {

/// Writes one YAML document byte for byte as libyaml does, and as the emitters of Go that were made from it: two blanks
/// a level, lists as far to the left as their key, no line broken. What begins must end; a mapping has keys and values
/// in turn.
class YamlEmitter {
 public:
  enum class Style : unsigned char { Plain, Quoted, Literal };  ///< what is wanted; another where that is not possible

  YamlEmitter();
  ~YamlEmitter();
  YamlEmitter(const YamlEmitter&) = delete;
  YamlEmitter& operator=(const YamlEmitter&) = delete;

  void begin_mapping();
  void end_mapping();
  void begin_sequence();
  void end_sequence();
  void scalar(std::string_view text, Style style);
  /// How much there is so far. Some of it may be held back.
  std::size_t size() const;
  /// The document, empty where something of it cannot be written: texts that are no UTF-8.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> emitter_;
};

}  // namespace muster
