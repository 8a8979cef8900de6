#include "base/shared_text.h"

#include <cstring>
#include <functional>
#include <new>

namespace muster {

SharedText::SharedText(std::string_view text) {
  if (text.empty()) return;
  void* memory = ::operator new(sizeof(Held) + text.size());
  held_ = new (memory) Held{{1}, static_cast<std::uint32_t>(text.size())};
  std::memcpy(static_cast<void*>(held_ + 1), text.data(), text.size());
}

void SharedText::release() {
  if (held_ == nullptr || held_->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  held_->~Held();
  ::operator delete(held_);
}

SharedText TextPool::like(std::string_view text) {
  SharedText& last = recent_[std::hash<std::string_view>()(text) % recent_.size()];
  if (last != text) last = SharedText(text);
  return last;
}

}  // namespace muster
