// What muster is handed out as, where scripts/packages has built it.
#include <cstdlib>

#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

TEST_CASE("each package installs and runs as its user would have it", "[.][packages]") {
  const std::string root = muster::test::source_dir();
  if (!muster::test::is_folder(root + "/build/packages"))
    return muster::test::skip("packages", "scripts/packages has not built any");
  CHECK(std::system(("'" + root + "/packaging/check' '" + root + "/build/packages'").c_str()) == 0);
}
