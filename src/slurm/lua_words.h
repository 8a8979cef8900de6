#pragma once

#include <cstddef>
#include <string_view>

namespace muster {

/// Words and signs of Lua, without comments and texts.
class LuaWords {
 public:
  explicit LuaWords(std::string_view text);

  /// The next one; empty at the end.
  std::string_view next();
  /// Some text or comment is open at the end: what is within it, nobody can tell.
  bool broken() const { return broken_; }

 private:
  std::string_view word();
  void skip_quoted(char quote);
  bool skip_long();

  std::string_view text_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

}  // namespace muster
