#include "base/shared_text.h"

#include <sstream>

#include "base/maybe_index.h"
#include "base/rare_list.h"
#include "support/catch.h"

using namespace muster;

TEST_CASE("copies of a shared text are one text, and it reads as any other", "[base]") {
  const SharedText text("volcano");
  const SharedText copy = text;
  CHECK(copy.view().data() == text.view().data());
  CHECK(text == "volcano");
  CHECK(std::string("a ") + text + "!" == "a volcano!");
  CHECK(text < SharedText("yunikorn"));
  CHECK(text.starts_with("vol"));
  std::ostringstream out;
  out << text;
  CHECK(out.str() == "volcano");
  CHECK(SharedText("").empty());
  CHECK(SharedText() == "");
}

TEST_CASE("a shared text that is added to leaves its copies as they are", "[base]") {
  SharedText text("kai");
  const SharedText copy = text;
  text += "-scheduler";
  CHECK(text == "kai-scheduler");
  CHECK(copy == "kai");
  text.clear();
  CHECK(text.empty());
}

TEST_CASE("a pool gives out once more what it gave out a while ago", "[base]") {
  TextPool pool;
  const SharedText first = pool.like("fix it");
  CHECK(pool.like("fix it").view().data() == first.view().data());
  CHECK(pool.like("leave it") == "leave it");
  CHECK(first == "fix it");
  CHECK(SharedText::like(first, "fix it").view().data() == first.view().data());
  CHECK(SharedText::like(first, "other") == "other");
}

TEST_CASE("a rare list is a pointer until it holds something", "[base]") {
  RareList<std::string> list;
  CHECK(sizeof list == sizeof(void*));
  CHECK(list.empty());
  list.push_back("a");
  RareList<std::string> copy = list;
  copy.push_back("b");
  CHECK(list.list() == std::vector<std::string>{"a"});
  CHECK(copy.size() == 2);
  RareValue<int> none;
  CHECK(!none);
  none = 3;
  const RareValue<int> other = none;
  CHECK(*other == 3);
}

TEST_CASE("a rare map reads as any other", "[base]") {
  RareMap<std::string, int> map;
  CHECK(map.empty());
  CHECK(map.find("a") == map.end());
  const RareMap<std::string, int> before = map;
  map["a"] = 1;
  const std::map<std::string, int> more{{"a", 2}, {"b", 3}};
  map.insert(more.begin(), more.end());
  CHECK(map.size() == 2);
  CHECK(map.find("a")->second == 1);
  CHECK(map == RareMap<std::string, int>({{"a", 1}, {"b", 3}}));
  CHECK(before.empty());
}

TEST_CASE("an index that may be missing is as an optional one", "[base]") {
  MaybeIndex index;
  CHECK(!index);
  CHECK(index == std::nullopt);
  CHECK(std::optional<std::size_t>(index) == std::nullopt);
  index = std::size_t{7};
  CHECK(index.has_value());
  CHECK(*index == 7);
  CHECK(index.value_or(3) == 7);
  CHECK(index == std::optional<std::size_t>(7));
  index = std::optional<std::size_t>();
  CHECK(index.value_or(3) == 3);
}
