#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// A text that is nearly always empty: a null pointer then, which costs nothing to move and to destroy. The model has
/// some hundred of them for each object.
class RareText {
 public:
  RareText() = default;
  RareText(std::string text) : text_(text.empty() ? nullptr : std::make_unique<std::string>(std::move(text))) {}
  RareText(std::string_view text) : RareText(std::string(text)) {}
  RareText(const char* text) : RareText(std::string(text)) {}
  RareText(RareText&&) = default;
  RareText(const RareText& other) : text_(other.text_ ? std::make_unique<std::string>(*other.text_) : nullptr) {}
  ~RareText() = default;

  RareText& operator=(RareText&&) = default;
  RareText& operator=(const RareText& other) { return *this = RareText(other); }

  bool empty() const { return text_ == nullptr; }
  std::string_view view() const { return text_ ? std::string_view(*text_) : std::string_view(); }
  std::string text() const { return std::string(view()); }
  operator std::string() const { return text(); }
  operator std::string_view() const { return view(); }
  void clear() { text_.reset(); }
  friend bool operator==(const RareText& a, std::string_view b) { return a.view() == b; }

 private:
  std::unique_ptr<std::string> text_;
};

}  // namespace muster
