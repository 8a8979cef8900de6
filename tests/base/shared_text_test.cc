#include "base/shared_text.h"

#include <sstream>

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
