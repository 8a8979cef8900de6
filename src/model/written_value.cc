#include "model/written_value.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace muster {
namespace {

constexpr std::size_t kFirstChunk = 1024;
constexpr std::size_t kMostChunk = 4 * 1024;  // half of one is left over in each file
constexpr std::size_t kRecent = 256;
constexpr std::size_t kRecentKeys = 64;

std::size_t place_of_text(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  return text.empty() ? 0 : (text.size() * 31 + at(0) * 7 + at(text.size() / 2) * 17 + at(text.size() - 1)) % kRecent;
}

}  // namespace

static_assert(std::is_trivially_destructible_v<std::string_view>, "a block destroys none of its keys");

std::int64_t WrittenValue::number() const {
  std::int64_t out = 0;
  if (kind == Kind::Int) std::memcpy(&out, held_, sizeof out);
  return out;
}

std::string_view WrittenValue::text() const {
  if (kind == Kind::List || kind == Kind::Map || held_ == nullptr) return {};
  return {static_cast<const char*>(held_) + (kind == Kind::Int ? sizeof(std::int64_t) : 0), size_};
}

std::span<const WrittenValue> WrittenValue::items() const {
  if (kind != Kind::List && kind != Kind::Map) return {};
  return {static_cast<const WrittenValue*>(held_), size_};
}

std::span<const std::string_view> WrittenValue::keys() const {
  if (kind != Kind::Map || size_ == 0) return {};
  const std::string_view* keys = nullptr;
  std::memcpy(&keys, static_cast<const std::byte*>(held_) - sizeof keys, sizeof keys);
  return {keys, size_};
}

const WrittenValue* WrittenValue::find(std::string_view key) const {
  const std::span<const std::string_view> all = keys();
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i] == key) return &items()[i];
  }
  return nullptr;
}

std::string_view WrittenValue::text_of(std::string_view key) const {
  const WrittenValue* found = find(key);
  return found == nullptr ? std::string_view() : found->text();
}

bool WrittenValue::is_text_map() const {
  return state == State::Set && kind == Kind::Map && size_ > 0 && std::ranges::all_of(items(), &WrittenValue::is_text);
}

bool WrittenValue::selects(const WrittenValue& labels) const {
  for (std::size_t i = 0; i < keys().size(); ++i) {
    const WrittenValue* label = labels.find(keys()[i]);
    if (label == nullptr || label->text() != items()[i].text()) return false;
  }
  return true;
}

ValueBlock::~ValueBlock() {
  for (WrittenValue* value : open_) value->set_needs({});
}

ValueBlock& ValueBlock::operator=(ValueBlock&& other) noexcept {
  ValueBlock gone(std::move(other));
  swap(gone);
  return *this;
}

void ValueBlock::swap(ValueBlock& other) noexcept {
  std::swap(chunks_, other.chunks_);
  std::swap(free_, other.free_);
  std::swap(left_, other.left_);
  std::swap(last_chunk_, other.last_chunk_);
  std::swap(recent_, other.recent_);
  std::swap(recent_keys_, other.recent_keys_);
  std::swap(open_, other.open_);
}

void ValueBlock::close() {
  std::vector<std::string_view>().swap(recent_);
  std::vector<std::span<const std::string_view>>().swap(recent_keys_);
}

void* ValueBlock::allocate(std::size_t bytes) {
  bytes = (bytes + alignof(WrittenValue) - 1) / alignof(WrittenValue) * alignof(WrittenValue);
  if (left_ < bytes) {
    last_chunk_ = std::clamp(2 * last_chunk_, kFirstChunk, kMostChunk);
    left_ = std::max(bytes, last_chunk_);
    free_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(left_)).get();
  }
  void* out = free_;
  free_ += bytes;
  left_ -= bytes;
  return out;
}

std::span<WrittenValue> ValueBlock::make_values(std::size_t count) {
  if (count == 0) return {};
  auto* first = static_cast<WrittenValue*>(allocate(count * sizeof(WrittenValue)));
  std::uninitialized_value_construct_n(first, count);
  return {first, count};
}

std::span<Span> ValueBlock::make_places(std::span<const Span> places) {
  if (places.empty()) return {};
  auto* first = static_cast<Span*>(allocate(places.size_bytes()));
  std::uninitialized_copy(places.begin(), places.end(), first);
  return {first, places.size()};
}

std::string_view ValueBlock::keep(std::string_view text) {
  if (text.empty()) return {};
  recent_.resize(kRecent);
  std::string_view& last = recent_[place_of_text(text)];
  if (last == text) return last;
  auto* kept = static_cast<char*>(allocate(text.size()));
  std::memcpy(kept, text.data(), text.size());
  return last = {kept, text.size()};
}

const std::string_view* ValueBlock::keep_keys(std::span<const std::string_view> keys) {
  recent_keys_.resize(kRecentKeys);
  const std::size_t place = keys.size() * 5 + place_of_text(keys.front()) * 3 + place_of_text(keys.back());
  std::span<const std::string_view>& last = recent_keys_[place % kRecentKeys];
  if (std::ranges::equal(last, keys)) return last.data();
  auto* kept = static_cast<std::string_view*>(allocate(keys.size_bytes()));
  for (std::size_t i = 0; i < keys.size(); ++i) new (kept + i) std::string_view(keep(keys[i]));
  last = {kept, keys.size()};
  return kept;
}

void ValueBlock::set_text(WrittenValue& value, std::string_view text) {
  value.kind = WrittenValue::Kind::Text;
  value.held_ = keep(text).data();
  value.size_ = static_cast<std::uint32_t>(text.size());
}

void ValueBlock::set_bool(WrittenValue& value, std::string_view text, bool flag) {
  set_text(value, text);
  value.kind = WrittenValue::Kind::Bool;
  value.flag = flag;
}

void ValueBlock::set_int(WrittenValue& value, std::string_view text, std::int64_t number) {
  auto* held = static_cast<char*>(allocate(sizeof number + text.size()));
  std::memcpy(held, &number, sizeof number);
  std::memcpy(held + sizeof number, text.data(), text.size());
  value.kind = WrittenValue::Kind::Int;
  value.held_ = held;
  value.size_ = static_cast<std::uint32_t>(text.size());
}

std::span<WrittenValue> ValueBlock::set_list(WrittenValue& value, std::size_t count) {
  const std::span<WrittenValue> out = make_values(count);
  value.kind = WrittenValue::Kind::List;
  value.held_ = out.data();
  value.size_ = static_cast<std::uint32_t>(count);
  return out;
}

std::span<WrittenValue> ValueBlock::set_map(WrittenValue& value, std::span<const std::string_view> keys) {
  value.kind = WrittenValue::Kind::Map;
  value.held_ = nullptr;
  value.size_ = static_cast<std::uint32_t>(keys.size());
  if (keys.empty()) return {};
  const std::string_view* const kept = keep_keys(keys);
  auto* held = static_cast<std::byte*>(allocate(sizeof kept + keys.size() * sizeof(WrittenValue)));
  std::memcpy(held, &kept, sizeof kept);
  auto* items = reinterpret_cast<WrittenValue*>(held + sizeof kept);
  std::uninitialized_value_construct_n(items, keys.size());
  value.held_ = items;
  return {items, keys.size()};
}

void ValueBlock::leave_open(WrittenValue& value, std::string needs) {
  value.state = State::Unknown;
  value.set_needs(std::move(needs));
  open_.push_back(&value);
}

}  // namespace muster
