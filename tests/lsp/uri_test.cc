// Paths of file URIs.
#include "lsp/uri.h"

#include "support/catch.h"

using muster::lies_below;
using muster::path_of_uri;
using muster::uri_of_path;

TEST_CASE("the path of a file URI is that of this machine alone", "[lsp]") {
  CHECK(path_of_uri("file:///w/a%20b%C3%A4.yaml") == "/w/a b\xC3\xA4.yaml");
  CHECK(path_of_uri("file://localhost/w/") == "/w");
  CHECK(path_of_uri("FILE:///w/x/../a.yaml?q#f") == "/w/a.yaml");
  CHECK(path_of_uri("file:///w/../../..") == "/");
  CHECK_FALSE(path_of_uri("file://other.host/w/a.yaml"));
  CHECK_FALSE(path_of_uri("untitled:Untitled-1"));
  CHECK_FALSE(path_of_uri("file:///w/a%0"));
  CHECK_FALSE(path_of_uri("file:///w/a%00b"));
  CHECK_FALSE(path_of_uri("file:///w/a%zz"));
  CHECK_FALSE(path_of_uri("file://"));
  CHECK_FALSE(path_of_uri(""));
}

TEST_CASE("a path comes back from its URI", "[lsp]") {
  for (const std::string path : {"/w/a b.yaml", "/w/\xC3\xA4#?%20.yaml", "/a:b@c", "/"}) {
    INFO(uri_of_path(path));
    CHECK(path_of_uri(uri_of_path(path)) == path);
  }
  CHECK(uri_of_path("/w/a b") == "file:///w/a%20b");
}

TEST_CASE("what begins like a folder need not lie in it", "[lsp]") {
  CHECK(lies_below("/w", "/w/a"));
  CHECK(lies_below("/w", "/w"));
  CHECK(lies_below("/", "/w"));
  CHECK_FALSE(lies_below("/w", "/wide/a"));
  CHECK_FALSE(lies_below("/w/a", "/w"));
}
