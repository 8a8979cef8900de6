#pragma once

#include <memory>
#include <utility>

#include "source/located.h"

namespace muster {

/// A located value that nearly every object lacks: a null pointer then, where the value itself would take 72 bytes in
/// each of a hundred thousand objects. Reads as one that is absent and stands nowhere.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(Located<T> value)
      : value_(value.state == State::Absent ? nullptr : std::make_unique<Located<T>>(std::move(value))) {}
  Rare(Rare&&) = default;
  Rare(const Rare& other) : Rare(other.located()) {}
  ~Rare() = default;

  Rare& operator=(Rare&&) = default;
  Rare& operator=(const Rare& other) { return *this = Rare(other); }

  const Located<T>& located() const {
    static const Located<T> kNone;
    return value_ ? *value_ : kNone;
  }
  const Located<T>* operator->() const { return &located(); }
  operator const Located<T>&() const { return located(); }
  bool is_set() const { return located().is_set(); }

 private:
  std::unique_ptr<Located<T>> value_;
};

/// Many rare values of which nearly every object lacks all: one null pointer then. Reads as a T in which nothing is.
template <class T>
class RareParts {
 public:
  RareParts() = default;
  RareParts(RareParts&&) = default;
  RareParts(const RareParts& other) : parts_(other.parts_ ? std::make_unique<T>(*other.parts_) : nullptr) {}
  ~RareParts() = default;

  RareParts& operator=(RareParts&&) = default;
  RareParts& operator=(const RareParts& other) { return *this = RareParts(other); }

  const T& operator*() const {
    static const T kNone;
    return parts_ ? *parts_ : kNone;
  }
  const T* operator->() const { return &**this; }
  /// To be written to; from here on the object has them.
  T& own() {
    if (!parts_) parts_ = std::make_unique<T>();
    return *parts_;
  }

 private:
  std::unique_ptr<T> parts_;
};

}  // namespace muster
