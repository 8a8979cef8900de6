#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace muster {

/// A list of large objects that stay where they were made: growing moves no more than pointers, another list takes them
/// over as they are, and an empty one costs nothing. A model has a hundred thousand of some kilobytes each.
template <class T>
class Boxed {
  template <class Item>
  class Place {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Item*;
    using reference = Item&;

    Place() = default;
    explicit Place(const std::unique_ptr<T>* at) : at_(at) {}
    operator Place<const T>() const { return Place<const T>(at_); }

    Item& operator*() const { return **at_; }
    Item* operator->() const { return at_->get(); }
    Item& operator[](difference_type n) const { return *at_[n]; }
    Place& operator++() { return *this += 1; }
    Place& operator--() { return *this -= 1; }
    Place operator++(int) { return Place(at_++); }
    Place operator--(int) { return Place(at_--); }
    Place& operator+=(difference_type n) {
      at_ += n;
      return *this;
    }
    Place& operator-=(difference_type n) { return *this += -n; }
    friend Place operator+(Place a, difference_type n) { return a += n; }
    friend Place operator+(difference_type n, Place a) { return a += n; }
    friend Place operator-(Place a, difference_type n) { return a -= n; }
    friend difference_type operator-(const Place& a, const Place& b) { return a.at_ - b.at_; }
    friend auto operator<=>(const Place&, const Place&) = default;

   private:
    const std::unique_ptr<T>* at_ = nullptr;
  };

 public:
  using value_type = T;
  using iterator = Place<T>;
  using const_iterator = Place<const T>;

  Boxed() = default;
  Boxed(Boxed&&) = default;
  Boxed(const Boxed& other) {
    items_.reserve(other.size());
    for (const T& item : other) push_back(item);
  }
  ~Boxed() = default;
  Boxed& operator=(Boxed&&) = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }

  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    return *items_.emplace_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  }
  void push_back(const T& item) { emplace_back(item); }
  void push_back(T&& item) { emplace_back(std::move(item)); }
  /// Takes over all of another list, which is empty then.
  void take(Boxed&& other) {
    if (items_.empty()) {
      items_ = std::move(other.items_);
    } else {
      items_.insert(items_.end(), std::make_move_iterator(other.items_.begin()),
                    std::make_move_iterator(other.items_.end()));
    }
    other.clear();
  }
  template <class Condition>
  std::size_t erase_if(Condition condition) {
    return std::erase_if(items_, [&](const std::unique_ptr<T>& item) { return condition(std::as_const(*item)); });
  }
  void pop_back() { items_.pop_back(); }
  void clear() { std::vector<std::unique_ptr<T>>().swap(items_); }
  void reserve(std::size_t count) { items_.reserve(count); }

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  T& operator[](std::size_t i) { return *items_[i]; }
  const T& operator[](std::size_t i) const { return *items_[i]; }
  T& at(std::size_t i) { return *items_.at(i); }
  const T& at(std::size_t i) const { return *items_.at(i); }
  T& front() { return *items_.front(); }
  const T& front() const { return *items_.front(); }
  T& back() { return *items_.back(); }
  const T& back() const { return *items_.back(); }

  iterator begin() { return iterator(items_.data()); }
  iterator end() { return iterator(items_.data() + items_.size()); }
  const_iterator begin() const { return const_iterator(items_.data()); }
  const_iterator end() const { return const_iterator(items_.data() + items_.size()); }

 private:
  std::vector<std::unique_ptr<T>> items_;
};

}  // namespace muster
