#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// What nlohmann's reader stopped at, without its codes: "syntax error while parsing value ...".
struct JsonError {
  std::string message;
  std::size_t at = 0;  ///< byte
};

/// `position` counts the bytes that were read.
inline JsonError json_error(std::size_t position, const std::exception& error) {
  // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while ...": keep the end;
  // "[json.exception.out_of_range.406] number overflow parsing '1e400'": keep the words.
  std::string message = error.what();
  message.erase(0, message.find("] ") + 2);
  if (message.starts_with("parse error")) message.erase(0, message.find(": ") + 2);
  return {std::move(message), position > 0 ? position - 1 : 0};
}

/// nlohmann's reader takes a zero byte behind a value for the end of the text; no message where there is none.
inline JsonError zero_byte_in(std::string_view text) {
  const std::size_t at = text.find('\0');
  return at == text.npos ? JsonError{} : JsonError{"syntax error: a zero byte stands behind the value", at};
}

}  // namespace muster
