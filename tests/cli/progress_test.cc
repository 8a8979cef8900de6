#include "cli/progress.h"

#include <chrono>
#include <sstream>
#include <thread>

#include "support/catch.h"

TEST_CASE("progress shows only where it may and only when it takes long", "[cli]") {
  using namespace std::chrono_literals;
  std::ostringstream hidden;
  std::ostringstream quick;
  std::ostringstream slow;
  {
    muster::ProgressLine a(hidden, false);
    muster::ProgressLine b(slow, true);
    {
      muster::ProgressLine c(quick, true);
      c.tell("parsing");
    }
    a.tell("parsing");
    b.tell("parsing");
    std::this_thread::sleep_for(900ms);
  }
  CHECK(hidden.str().empty());
  CHECK(quick.str().empty());
  CHECK(slow.str() == "\r\x1b[Kparsing ...\r\x1b[K");
}
