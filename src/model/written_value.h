#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/located.h"

namespace muster {

/// A piece of a document as plain values, each with its place. Absent where nobody wrote it, unknown where somebody
/// fills it in later. What it holds lies in the block of its object, and so does what a copy of it holds.
struct WrittenValue : Origin {
  enum class Kind : unsigned char { Null, Bool, Int, Text, List, Map };
  Kind kind = Kind::Null;
  bool flag = false;
  unsigned char row = 0;  ///< of a part: which of its description

  std::int64_t number() const;
  std::string_view text() const;  ///< of any scalar
  std::span<const WrittenValue> items() const;
  std::span<const std::string_view> keys() const;  ///< of a map: one an item

  /// A text that is written out.
  bool is_text() const { return state == State::Set && kind == Kind::Text; }
  /// A map of such texts, with something in it.
  bool is_text_map() const;
  /// Whether a map of labels has each label of this one.
  bool selects(const WrittenValue& labels) const;
  /// The last item under that key; nullptr where there is none.
  const WrittenValue* find(std::string_view key) const;
  /// The text of the scalar at a key of a map; empty where there is none.
  std::string_view text_of(std::string_view key) const;

 private:
  friend class ValueBlock;

  std::uint32_t size_ = 0;      ///< of the text, or of the items
  const void* held_ = nullptr;  ///< a text, behind the number where it is one; or items, before them where the keys are
};

/// Where the values of the objects of one file lie, side by side. They stay where they are when the block is moved.
class ValueBlock {
 public:
  ValueBlock() = default;
  ~ValueBlock();
  ValueBlock(ValueBlock&& other) noexcept { swap(other); }
  ValueBlock& operator=(ValueBlock&& other) noexcept;

  std::span<WrittenValue> make_values(std::size_t count);
  std::span<Span> make_places(std::span<const Span> places);
  /// For as long as the block is there; most that are the same are one.
  std::string_view keep(std::string_view text);
  /// No more is coming for a while.
  void close();

  void set_text(WrittenValue& value, std::string_view text);
  void set_bool(WrittenValue& value, std::string_view text, bool flag);
  void set_int(WrittenValue& value, std::string_view text, std::int64_t number);
  /// Absent items, to be filled in.
  std::span<WrittenValue> set_list(WrittenValue& value, std::size_t count);
  std::span<WrittenValue> set_map(WrittenValue& value, std::span<const std::string_view> keys);
  /// Nobody knows it, whatever is written.
  void leave_open(WrittenValue& value, std::string needs);

 private:
  void* allocate(std::size_t bytes);
  /// As keep: objects of one kind have the same keys again and again.
  const std::string_view* keep_keys(std::span<const std::string_view> keys);
  void swap(ValueBlock& other) noexcept;

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* free_ = nullptr;
  std::size_t left_ = 0;
  std::size_t last_chunk_ = 0;
  std::vector<std::string_view> recent_;  ///< texts, each where others like it would be
  std::vector<std::span<const std::string_view>> recent_keys_;
  std::vector<WrittenValue*> open_;  ///< whose words have to be freed
};

}  // namespace muster
