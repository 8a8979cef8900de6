#include "source/file_system.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace muster {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& path, const std::string& why) {
  return {Error::Code::Io, "cannot read `" + path + "`: " + why};
}

FileSystem::Kind kind_of(fs::file_status status) {
  switch (status.type()) {
    case fs::file_type::regular: return FileSystem::Kind::File;
    case fs::file_type::directory: return FileSystem::Kind::Folder;
    case fs::file_type::none:
    case fs::file_type::not_found: return FileSystem::Kind::Missing;
    default: return FileSystem::Kind::Other;
  }
}

/// `./a//b/` as a key of the files in memory: `a/b`; the folder that holds them all is empty.
std::string key_of(const std::string& path) {
  std::string key = fs::path(path).lexically_normal().generic_string();
  while (key.ends_with('/')) key.pop_back();
  return key == "." ? "" : key;
}

}  // namespace

FileSystem::Kind DiskFileSystem::kind(const std::string& path) const {
  std::error_code error;
  return kind_of(fs::status(path, error));
}

std::uint64_t DiskFileSystem::size(const std::string& path) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

Result<std::string> FileSystem::read_start(const std::string& path, std::size_t bytes) const {
  Result<std::string> text = read(path);
  if (text && text->size() > bytes) text->resize(bytes);
  return text;
}

Result<std::string> DiskFileSystem::read(const std::string& path) const {
  return read_start(path, static_cast<std::size_t>(size(path)));
}

Result<std::string> DiskFileSystem::read_start(const std::string& path, std::size_t bytes) const {
  // Opening a pipe waits for somebody to write into it.
  if (kind(path) == Kind::Other) return io_error(path, "it is neither a file nor a folder; a pipe is read as `-`");
  std::ifstream in(path, std::ios::binary);
  if (!in) return io_error(path, "permission denied or no such file");
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return io_error(path, "the disk reported an error");
  return text;
}

Result<std::vector<FileSystem::Entry>> DiskFileSystem::list(const std::string& path) const {
  std::error_code error;
  std::vector<Entry> entries;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code entry_error;
    Kind kind = kind_of(it->status(entry_error));
    const bool link = it->is_symlink(entry_error);
    if (kind == Kind::Folder && link) kind = Kind::Other;
    entries.push_back({it->path().filename().string(), kind, link});
  }
  if (error) return io_error(path, error.message());
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

std::string DiskFileSystem::absolute(const std::string& path) const {
  std::error_code error;
  // From the working folder on: of a relative path of which nothing exists weakly_canonical makes no absolute one.
  const fs::path written = fs::absolute(path, error);
  const fs::path canonical = fs::weakly_canonical(written, error);
  const fs::path absolute = error ? written.lexically_normal() : canonical;
  std::string text = (absolute.empty() ? fs::path(path) : absolute).generic_string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> DiskFileSystem::read_standard_input(std::uint64_t limit) const {
  std::string text;
  std::string block(1 << 16, '\0');
  while (std::cin.read(block.data(), static_cast<std::streamsize>(block.size())) || std::cin.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > limit) return io_error("-", "more than " + std::to_string(limit) + " bytes");
  }
  return text;
}

FileSystem::Kind MemoryFileSystem::kind(const std::string& path) const {
  const std::string name = key_of(path);
  if (files_.contains(name)) return Kind::File;
  const std::string prefix = name.empty() ? "" : name + "/";
  const auto below = files_.lower_bound(prefix);
  return below != files_.end() && below->first.starts_with(prefix) ? Kind::Folder : Kind::Missing;
}

std::uint64_t MemoryFileSystem::size(const std::string& path) const {
  const auto found = files_.find(key_of(path));
  return found == files_.end() ? 0 : found->second.size();
}

Result<std::string> MemoryFileSystem::read(const std::string& path) const {
  const auto found = files_.find(key_of(path));
  if (found == files_.end()) return io_error(path, "no such file");
  return found->second;
}

Result<std::vector<FileSystem::Entry>> MemoryFileSystem::list(const std::string& path) const {
  const std::string folder = key_of(path);
  const std::string prefix = folder.empty() ? "" : folder + "/";
  std::vector<Entry> entries;
  for (auto it = files_.lower_bound(prefix); it != files_.end() && it->first.starts_with(prefix); ++it) {
    const std::string rest = it->first.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('/'));
    if (!entries.empty() && entries.back().name == name) continue;
    entries.push_back({name, name == rest ? Kind::File : Kind::Folder});
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

std::string MemoryFileSystem::absolute(const std::string& path) const {
  const fs::path normal = (fs::path("/") / path).lexically_normal();
  std::string text = normal.generic_string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> MemoryFileSystem::read_standard_input(std::uint64_t) const { return io_error("-", "no input"); }

}  // namespace muster
