#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace muster {

/// A list that is nearly always empty: a null pointer then.
template <class T>
class RareList {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  RareList() = default;
  RareList(std::vector<T> items)
      : items_(items.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(items))) {}
  RareList(std::initializer_list<T> items) : RareList(std::vector<T>(items)) {}
  RareList(RareList&&) = default;
  RareList(const RareList& other) : RareList(other.list()) {}
  ~RareList() = default;
  RareList& operator=(RareList&&) = default;
  RareList& operator=(const RareList& other) { return *this = RareList(other); }

  const std::vector<T>& list() const {
    static const std::vector<T> kNone;
    return items_ ? *items_ : kNone;
  }
  operator const std::vector<T>&() const { return list(); }

  bool empty() const { return list().empty(); }
  const T* data() const { return list().data(); }
  std::size_t size() const { return list().size(); }
  const_iterator begin() const { return list().begin(); }
  const_iterator end() const { return list().end(); }
  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  const T& operator[](std::size_t i) const { return list()[i]; }
  T& operator[](std::size_t i) { return own()[i]; }
  const T& front() const { return list().front(); }
  const T& back() const { return list().back(); }
  T& front() { return own().front(); }
  T& back() { return own().back(); }
  void push_back(T item) { own().push_back(std::move(item)); }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    return own().emplace_back(std::forward<Arguments>(arguments)...);
  }
  void clear() { items_.reset(); }
  friend bool operator==(const RareList& a, const RareList& b) { return a.list() == b.list(); }

 private:
  std::vector<T>& own() {
    if (!items_) items_ = std::make_unique<std::vector<T>>();
    return *items_;
  }

  std::unique_ptr<std::vector<T>> items_;
};

/// A map that is nearly always empty: a null pointer then.
template <class Key, class T>
class RareMap {
 public:
  using Map = std::map<Key, T>;

  RareMap() = default;
  RareMap(Map entries) : entries_(entries.empty() ? nullptr : std::make_unique<Map>(std::move(entries))) {}
  RareMap(RareMap&&) = default;
  RareMap(const RareMap& other) : RareMap(other.map()) {}
  ~RareMap() = default;
  RareMap& operator=(RareMap&&) = default;
  RareMap& operator=(const RareMap& other) { return *this = RareMap(other); }

  const Map& map() const {
    static const Map kNone;
    return entries_ ? *entries_ : kNone;
  }
  operator const Map&() const { return map(); }

  bool empty() const { return map().empty(); }
  std::size_t size() const { return map().size(); }
  typename Map::const_iterator begin() const { return map().begin(); }
  typename Map::const_iterator end() const { return map().end(); }
  typename Map::const_iterator find(const Key& key) const { return map().find(key); }
  T& operator[](const Key& key) { return own()[key]; }
  template <class Iterator>
  void insert(Iterator first, Iterator last) {
    if (first != last) own().insert(first, last);
  }
  friend bool operator==(const RareMap& a, const RareMap& b) { return a.map() == b.map(); }

 private:
  Map& own() {
    if (!entries_) entries_ = std::make_unique<Map>();
    return *entries_;
  }

  std::unique_ptr<Map> entries_;
};

/// A value that is nearly always absent: a null pointer then. Else as std::optional.
template <class T>
class RareValue {
 public:
  RareValue() = default;
  RareValue(std::nullopt_t) {}
  RareValue(T value) : value_(std::make_unique<T>(std::move(value))) {}
  RareValue(std::optional<T> value) : value_(value ? std::make_unique<T>(std::move(*value)) : nullptr) {}
  RareValue(RareValue&&) = default;
  RareValue(const RareValue& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  ~RareValue() = default;
  RareValue& operator=(RareValue&&) = default;
  RareValue& operator=(const RareValue& other) { return *this = RareValue(other); }

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  T* operator->() { return value_.get(); }
  void reset() { value_.reset(); }
  friend bool operator==(const RareValue& a, const RareValue& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace muster
