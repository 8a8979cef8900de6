#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace muster {

/// The name of a source field in ten bytes without padding around them: the model has some hundred of them for each
/// object. It does not hold its text, which therefore has to last; so a literal becomes one by itself, and nothing else
/// does unasked.
class FieldName {
 public:
  FieldName() = default;
  FieldName(const char* literal) : FieldName(std::string_view(literal)) {}
  /// Of a text that lasts as long as what has the name: a row of a table, of the kinds or of the rules, or a value of
  /// the model. Texts of documents do not, for their trees are let go.
  explicit FieldName(std::string_view lasting)
      : size_(static_cast<std::uint16_t>(std::min<std::size_t>(lasting.size(), kMost))) {
    const char* data = lasting.data();
    std::memcpy(data_, &data, sizeof data);
  }

  std::string_view view() const {
    const char* data = nullptr;
    std::memcpy(&data, data_, sizeof data);
    return {data, size_};
  }
  operator std::string_view() const { return view(); }
  bool empty() const { return size_ == 0; }
  friend bool operator==(const FieldName& a, const FieldName& b) { return a.view() == b.view(); }
  friend bool operator==(const FieldName& a, std::string_view b) { return a.view() == b; }
  friend bool operator==(const FieldName& a, const char* b) { return a.view() == b; }

 private:
  friend class OriginField;
  static constexpr std::size_t kMost = 0xFFFE;

  alignas(2) unsigned char data_[sizeof(const char*)] = {};
  std::uint16_t size_ = 0;
};

}  // namespace muster
