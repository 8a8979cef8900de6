#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace muster {

/// Why muster cannot do its job. Bad input is a Finding, not an Error.
struct Error {
  enum class Code { Io, Usage, Rules };
  Code code = Code::Usage;
  std::string message;
};

/// A T, or the reason why there is none.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor): returns read as values
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T& operator*() {
    MUSTER_CHECK(*this, "a failed result was read");
    return std::get<T>(state_);
  }
  const T& operator*() const {
    MUSTER_CHECK(*this, "a failed result was read");
    return std::get<T>(state_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  const Error& error() const {
    MUSTER_CHECK(!*this, "a good result has no error");
    return std::get<Error>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace muster
