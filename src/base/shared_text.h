#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// A text that copies share; it is not changed but replaced. An empty one costs a null pointer. Many findings and
/// objects say the same of a hundred thousand things.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string_view text);
  SharedText(const std::string& text) : SharedText(std::string_view(text)) {}
  SharedText(const char* text) : SharedText(std::string_view(text)) {}
  SharedText(const SharedText& other) : held_(other.held_) {
    if (held_ != nullptr) held_->users.fetch_add(1, std::memory_order_relaxed);
  }
  SharedText(SharedText&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  ~SharedText() { release(); }
  SharedText& operator=(SharedText other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  SharedText& operator+=(std::string_view more) { return *this = SharedText(str() + std::string(more)); }

  /// `other` where that says it.
  static SharedText like(const SharedText& other, std::string_view text) {
    return other == text ? other : SharedText(text);
  }

  std::string_view view() const {
    return held_ == nullptr ? std::string_view()
                            : std::string_view(reinterpret_cast<const char*>(held_ + 1), held_->size);
  }
  std::string str() const { return std::string(view()); }
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }

  bool empty() const { return held_ == nullptr; }
  std::size_t size() const { return view().size(); }
  const char* begin() const { return view().data(); }
  const char* end() const { return begin() + size(); }
  char front() const { return view().front(); }
  char back() const { return view().back(); }
  std::size_t find(std::string_view text, std::size_t from = 0) const { return view().find(text, from); }
  std::size_t find(char c, std::size_t from = 0) const { return view().find(c, from); }
  std::size_t rfind(char c) const { return view().rfind(c); }
  std::string substr(std::size_t from, std::size_t count = std::string_view::npos) const {
    return std::string(view().substr(from, count));
  }
  bool starts_with(std::string_view text) const { return view().starts_with(text); }
  bool ends_with(std::string_view text) const { return view().ends_with(text); }
  void clear() { *this = SharedText(); }
  static constexpr std::size_t npos = std::string_view::npos;

  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  friend bool operator==(const SharedText& a, const Text& b) { return a.view() == std::string_view(b); }
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  friend std::strong_ordering operator<=>(const SharedText& a, const Text& b) {
    return a.view() <=> std::string_view(b);
  }

  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  friend std::string operator+(const SharedText& a, const Text& b) { return a.str().append(std::string_view(b)); }
  friend std::string operator+(std::string a, const SharedText& b) { return std::move(a.append(b.view())); }
  friend std::string operator+(const char* a, const SharedText& b) { return std::string(a).append(b.view()); }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.view(); }

 private:
  struct Held {
    std::atomic<std::uint32_t> users;
    std::uint32_t size;
  };
  void release();

  Held* held_ = nullptr;  ///< its characters stand behind it
};

/// Gives out texts that were made a while ago once more: what many findings of a run say is one.
class TextPool {
 public:
  SharedText like(std::string_view text);

 private:
  std::array<SharedText, 512> recent_;
};

}  // namespace muster
