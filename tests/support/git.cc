#include "support/git.h"

#include <cstdlib>

#include "support/catch.h"
#include "support/skip.h"

namespace muster::test {

bool has_git() {
  if (std::system("git --version >/dev/null 2>&1") == 0) return true;  // NOLINT
  skip("git", "there is none");
  return false;
}

Repository::Repository(const std::string& init) { REQUIRE(git("init -q -b main " + init)); }

bool Repository::git(const std::string& words) const {
  return std::system(("git -C '" + path() +
                      "' -c user.name=x -c user.email=x@example.com -c protocol.file.allow=always " + words +
                      " >/dev/null 2>&1")
                         .c_str()) == 0;  // NOLINT
}

void Repository::commit(const std::string& subject) const {
  REQUIRE(git("add -A"));
  REQUIRE(git("commit -q -m '" + subject + "'"));
}

}  // namespace muster::test
