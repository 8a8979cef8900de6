#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "source/field_name.h"

namespace muster {

/// The name of the field of a value, and, where nobody or only the software as shipped decides it, the words for what
/// would: few values have those, and so they take no room beside the name of the others.
class OriginField {
 public:
  OriginField() = default;
  OriginField(const OriginField& other) : name_(other.name_) {
    if (other.has_needs()) hold(*other.held());
  }
  OriginField(OriginField&& other) noexcept : name_(other.name_) {
    if (has_needs()) other.name_ = held()->name;
  }
  ~OriginField() {
    if (has_needs()) delete held();
  }
  /// The name alone: `a.field = b.field` says nothing about what would decide a.
  OriginField& operator=(FieldName name) {
    (has_needs() ? held()->name : name_) = name;
    return *this;
  }
  OriginField& operator=(const OriginField& other) { return *this = other.name(); }
  /// The words, too.
  void take(const OriginField& other) {
    if (this == &other) return;
    let_go();
    name_ = other.name_;
    if (other.has_needs()) hold(*other.held());
  }
  void take(OriginField&& other) noexcept {
    if (this == &other) return;
    let_go();
    name_ = other.name_;
    if (has_needs()) other.name_ = held()->name;
  }

  FieldName name() const { return has_needs() ? held()->name : name_; }
  std::string_view view() const { return name(); }
  operator FieldName() const { return name(); }
  operator std::string_view() const { return view(); }
  bool empty() const { return name().empty(); }
  friend bool operator==(const OriginField& a, const OriginField& b) { return a.view() == b.view(); }
  friend bool operator==(const OriginField& a, FieldName b) { return a.view() == b.view(); }
  friend bool operator==(const OriginField& a, std::string_view b) { return a.view() == b; }
  friend bool operator==(const OriginField& a, const char* b) { return a.view() == b; }

  /// Empty of most.
  std::string_view needs() const { return has_needs() ? std::string_view(held()->needs) : std::string_view(); }
  void set_needs(std::string needs) {
    let_go();
    if (!needs.empty()) hold({name_, std::move(needs)});
  }

 private:
  struct Held {
    FieldName name;
    std::string needs;
  };
  static constexpr std::uint16_t kHeld = 0xFFFF;  ///< longer than any name: what stands there is held

  void hold(Held words) {
    const Held* const made = new Held(std::move(words));
    std::memcpy(name_.data_, &made, sizeof made);
    name_.size_ = kHeld;
  }
  /// Of the words; the name stays.
  void let_go() {
    if (!has_needs()) return;
    const Held* const old = held();
    name_ = old->name;
    delete old;
  }
  bool has_needs() const { return name_.size_ == kHeld; }
  Held* held() const {
    Held* out = nullptr;
    std::memcpy(&out, name_.data_, sizeof out);
    return out;
  }

  FieldName name_;
};

}  // namespace muster
