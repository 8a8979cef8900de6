#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/functions.h"

namespace muster {
namespace {

using Kind = Value::Kind;

template <class T>
Order order_of(const T& a, const T& b) {
  return a < b ? Order::Less : b < a ? Order::Greater : Order::Equal;
}

Order reversed(Order order) {
  return order == Order::Less ? Order::Greater : order == Order::Greater ? Order::Less : order;
}

/// Beyond what a double tells apart an int meets the nearest double, as in the conformance cases of the specification.
Order compare_doubles(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? Order::Incomparable : order_of(a, b);
}

Order compare_numbers(const Value& a, const Value& b) {
  if (a.is(Kind::Int) && b.is(Kind::Int)) return order_of(a.as_int(), b.as_int());
  if (a.is(Kind::Uint) && b.is(Kind::Uint)) return order_of(a.as_uint(), b.as_uint());
  if (a.is(Kind::Double) && b.is(Kind::Double)) return compare_doubles(a.as_double(), b.as_double());
  if (a.is(Kind::Int) && b.is(Kind::Uint)) {
    return a.as_int() < 0 ? Order::Less : order_of(static_cast<std::uint64_t>(a.as_int()), b.as_uint());
  }
  if (a.is(Kind::Int) && b.is(Kind::Double)) return compare_doubles(static_cast<double>(a.as_int()), b.as_double());
  if (a.is(Kind::Uint) && b.is(Kind::Double)) return compare_doubles(static_cast<double>(a.as_uint()), b.as_double());
  return reversed(compare_numbers(b, a));
}

Equality equal_lists(const ListData& a, const ListData& b) {
  if (a.size != b.size) return Equality::No;
  Equality out = Equality::Yes;
  for (std::size_t i = 0; i < a.size; ++i) {
    const Equality each = equality(a.at(a.base, i), b.at(b.base, i));
    if (each == Equality::No) return each;
    if (each == Equality::Open) out = each;
  }
  return out;
}

Equality equal_maps(const MapData& a, const MapData& b) {
  if (a.entries.size() != b.entries.size()) return Equality::No;
  Equality out = Equality::Yes;
  for (const MapEntry& entry : a.entries) {
    const auto other =
        std::ranges::find_if(b.entries, [&](const MapEntry& candidate) { return equal(entry.key, candidate.key); });
    if (other == b.entries.end()) return Equality::No;
    const Equality each = equality(entry.value, other->value);
    if (each == Equality::No) return each;
    if (each == Equality::Open) out = each;
  }
  return out;
}

Equality equal_hostlists(const Hostlist& a, const Hostlist& b) {
  if (&a == &b) return Equality::Yes;
  if (a.size() != b.size() || a.functions() != b.functions()) return Equality::No;
  for (std::uint64_t i = 0; i < a.size(); ++i) {
    if (a.name(i) != b.name(i)) return Equality::No;
  }
  return Equality::Yes;
}

Equality decided(bool equal) { return equal ? Equality::Yes : Equality::No; }

}  // namespace

Order compare(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  if (a.is(Kind::Quantity) && b.is(Kind::Int)) return order_of(a.as_quantity(), Quantity::of(b.as_int()));
  if (a.is(Kind::Int) && b.is(Kind::Quantity)) return order_of(Quantity::of(a.as_int()), b.as_quantity());
  if (a.kind() != b.kind()) return Order::Incomparable;
  switch (a.kind()) {
    case Kind::Bool: return order_of(a.as_bool(), b.as_bool());
    case Kind::String:
    case Kind::Bytes: return order_of(a.as_text(), b.as_text());
    case Kind::Quantity: return order_of(a.as_quantity(), b.as_quantity());
    case Kind::Semver: return compare_semver(a.as_semver(), b.as_semver());
    case Kind::Version: return order_of(a.as_version(), b.as_version());
    case Kind::Duration:
    case Kind::Timestamp: {
      const TimeData& x = a.as_time();
      const TimeData& y = b.as_time();
      return x.seconds != y.seconds ? order_of(x.seconds, y.seconds) : order_of(x.nanos, y.nanos);
    }
    case Kind::Absent:
    case Kind::Unknown:
    case Kind::Error:
    case Kind::Null:
    case Kind::Int:
    case Kind::Uint:
    case Kind::Double:
    case Kind::List:
    case Kind::Map:
    case Kind::Type:
    case Kind::Optional:
    case Kind::Object:
    case Kind::Hostlist: break;
  }
  return Order::Incomparable;
}

bool equal(const Value& a, const Value& b) { return equality(a, b) == Equality::Yes; }

Equality equality(const Value& a, const Value& b) {
  if (a.is(Kind::String) && b.is(Kind::String)) return decided(a.as_text() == b.as_text());
  if (a.stops() || b.stops()) return Equality::Open;
  const Order order = compare(a, b);
  if (order != Order::Incomparable) return decided(order == Order::Equal);
  if (a.kind() != b.kind()) return Equality::No;
  switch (a.kind()) {
    case Kind::Null: return Equality::Yes;
    case Kind::Type: return decided(a.as_text() == b.as_text());
    case Kind::List: return equal_lists(a.as_list(), b.as_list());
    case Kind::Map: return equal_maps(a.as_map(), b.as_map());
    case Kind::Optional:
      if (a.as_optional() == nullptr || b.as_optional() == nullptr) return decided(a.as_optional() == b.as_optional());
      return equality(*a.as_optional(), *b.as_optional());
    case Kind::Object: return decided(a.object_type() == b.object_type() && a.object_data() == b.object_data());
    case Kind::Hostlist: return equal_hostlists(a.as_hostlist(), b.as_hostlist());
    case Kind::Absent:
    case Kind::Unknown:
    case Kind::Error:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Uint:
    case Kind::Double:
    case Kind::String:
    case Kind::Bytes:
    case Kind::Duration:
    case Kind::Timestamp:
    case Kind::Quantity:
    case Kind::Version:
    case Kind::Semver: break;
  }
  return Equality::No;
}

}  // namespace muster
