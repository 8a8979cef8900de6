#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace muster {

/// The name of a source field: a text of static storage in ten bytes without padding around them. The model has some
/// hundred of them for each object.
class FieldName {
 public:
  FieldName() = default;
  FieldName(std::string_view text) : size_(static_cast<std::uint16_t>(text.size())) {
    const char* data = text.data();
    std::memcpy(data_, &data, sizeof data);
  }
  FieldName(const char* text) : FieldName(std::string_view(text)) {}

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
  alignas(2) unsigned char data_[sizeof(const char*)] = {};
  std::uint16_t size_ = 0;
};

}  // namespace muster
