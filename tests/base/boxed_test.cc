#include "base/boxed.h"

#include <algorithm>
#include <string>

#include "support/catch.h"

using namespace muster;

namespace {

struct Large {
  std::string name;
  int count = 0;
};

}  // namespace

TEST_CASE("what is in a boxed list stays where it was made", "[base]") {
  Boxed<Large> list;
  const Large* first = &list.emplace_back();
  for (int i = 0; i < 100; ++i) list.push_back({"n", i});
  CHECK(&list.front() == first);
  Boxed<Large> other;
  other.push_back({"mine", 1});
  other.take(std::move(list));
  CHECK(other.size() == 102);
  CHECK(&other[1] == first);
  CHECK(list.empty());  // NOLINT: what is taken over is empty, not anything
}

TEST_CASE("a boxed list is a range, and a copy of it has objects of its own", "[base]") {
  Boxed<Large> list;
  for (const char* name : {"a", "b", "c"}) list.push_back({name, 0});
  Boxed<Large> copy = list;
  for (Large& one : copy) one.count = 2;
  CHECK(std::ranges::all_of(list, [](const Large& one) { return one.count == 0; }));
  CHECK(std::ranges::count(copy, 2, &Large::count) == 3);
  CHECK(list.erase_if([](const Large& one) { return one.name == "b"; }) == 1);
  CHECK(list.size() == 2);
  CHECK(list.back().name == "c");
  CHECK((list.end() - list.begin()) == 2);
}
