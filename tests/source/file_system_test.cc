#include "source/file_system.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "pipeline/check.h"
#include "support/catch.h"
#include "support/files.h"

using namespace muster;
namespace fs = std::filesystem;

namespace {

/// Paths below the folder of what a check of the folder reads.
std::vector<std::string> files_read(const std::string& folder, const std::vector<std::string>& excludes = {}) {
  std::vector<Finding> findings;
  const Result<Inputs> inputs =
      discover({{folder}, {}, excludes, DiskFileSystem{}.absolute(folder)}, DiskFileSystem{}, findings);
  REQUIRE(inputs);
  CHECK(findings.empty());
  std::vector<std::string> out;
  for (const InputFile& file : inputs->files) out.push_back(file.rooted);
  return out;
}

}  // namespace

TEST_CASE("links are followed to files within the folder and nowhere else", "[source]") {
  const test::TemporaryFolder outer;
  const std::string folder = outer.path() + "/in";
  test::write_file(outer.path() + "/secret.yaml", "a: 1\n");
  test::write_file(folder + "/a.yaml", "a: 1\n");
  test::write_file(folder + "/sub/b.yaml", "b: 1\n");
  fs::create_symlink("../a.yaml", folder + "/sub/link.yaml");
  fs::create_symlink("../../secret.yaml", folder + "/sub/out.yaml");
  fs::create_symlink("..", folder + "/sub/loop");
  fs::create_symlink("self", folder + "/self");
  fs::create_symlink("nowhere", folder + "/dangling");
  fs::create_symlink("/dev/zero", folder + "/zero.yaml");
  CHECK(files_read(folder) == std::vector<std::string>{"a.yaml", "sub/b.yaml", "sub/link.yaml"});
}

TEST_CASE("pipes, sockets and devices are not opened", "[source]") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() + "/a.yaml", "a: 1\n");
  REQUIRE(mkfifo((folder.path() + "/pipe.yaml").c_str(), 0600) == 0);
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder.path() + "/s.yaml";
  REQUIRE(name.size() < sizeof address.sun_path);
  std::copy(name.begin(), name.end(), address.sun_path);
  REQUIRE(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(files_read(folder.path()) == std::vector<std::string>{"a.yaml"});
  close(socket_file);
  const DiskFileSystem disk;
  CHECK(disk.kind(folder.path() + "/pipe.yaml") == FileSystem::Kind::Other);
  CHECK(disk.kind("/dev/null") == FileSystem::Kind::Other);
}

TEST_CASE("a pipe or device that is named is refused, not read", "[source]") {
  const test::TemporaryFolder folder;
  REQUIRE(mkfifo((folder.path() + "/pipe.yaml").c_str(), 0600) == 0);
  std::vector<Finding> findings;
  const Result<Inputs> inputs = discover({{folder.path() + "/pipe.yaml"}, {}, {}}, DiskFileSystem{}, findings);
  REQUIRE_FALSE(inputs);
  CHECK(inputs.error().message ==
        "cannot read `" + folder.path() + "/pipe.yaml`: it is neither a file nor a folder; a pipe is read as `-`");
}

TEST_CASE("excluded files and folders are not read", "[source]") {
  const test::TemporaryFolder folder;
  for (const char* name : {"/a.yaml", "/skip/b.yaml", "/deep/skip/c.yaml", "/deep/d.conf"})
    test::write_file(folder.path() + name, "x: 1\n");
  CHECK(files_read(folder.path(), {"skip/**"}) ==
        std::vector<std::string>{"a.yaml", "deep/d.conf", "deep/skip/c.yaml"});
  CHECK(files_read(folder.path(), {"**/skip/**", "*.conf"}) == std::vector<std::string>{"a.yaml", "deep/d.conf"});
  CHECK(files_read(folder.path(), {"deep"}) == std::vector<std::string>{"a.yaml", "skip/b.yaml"});
}

TEST_CASE("the disk's files are listed in the order of their bytes with their kinds", "[source]") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() + "/b", "12345");
  test::write_file(folder.path() + "/B", "");
  test::write_file(folder.path() + "/a/x", "");
  const DiskFileSystem disk;
  const auto entries = disk.list(folder.path());
  REQUIRE(entries);
  REQUIRE(entries->size() == 3);
  CHECK(((*entries)[0].name == "B" && (*entries)[0].kind == FileSystem::Kind::File));
  CHECK(((*entries)[1].name == "a" && (*entries)[1].kind == FileSystem::Kind::Folder));
  CHECK(((*entries)[2].name == "b" && (*entries)[2].kind == FileSystem::Kind::File));
  CHECK(disk.size(folder.path() + "/b") == 5);
  CHECK(disk.kind(folder.path() + "/missing") == FileSystem::Kind::Missing);
  CHECK_FALSE(disk.read(folder.path() + "/missing"));
  CHECK_FALSE(disk.list(folder.path() + "/missing"));
  CHECK(disk.absolute(folder.path() + "/a/../b/.") == disk.absolute(folder.path() + "/b"));
}

TEST_CASE("files in memory answer as files on disk do", "[source]") {
  const MemoryFileSystem disk({{"a/b.yaml", "12"}, {"a/c/d", "345"}, {"z", ""}});
  CHECK(disk.kind(".") == FileSystem::Kind::Folder);
  CHECK(disk.kind("a/") == FileSystem::Kind::Folder);
  CHECK(disk.kind("./a//b.yaml") == FileSystem::Kind::File);
  CHECK(disk.kind("a/b") == FileSystem::Kind::Missing);
  CHECK(disk.size("a/c/d") == 3);
  CHECK(*disk.read("a/../a/b.yaml") == "12");
  const auto entries = disk.list("a");
  REQUIRE(entries);
  REQUIRE(entries->size() == 2);
  CHECK(((*entries)[0].name == "b.yaml" && (*entries)[0].kind == FileSystem::Kind::File));
  CHECK(((*entries)[1].name == "c" && (*entries)[1].kind == FileSystem::Kind::Folder));
}
