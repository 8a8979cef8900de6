#include "support/fake_disk.h"

#include <filesystem>

namespace muster::test {
namespace {

Error refused(const std::string& path) { return {Error::Code::Io, "cannot read `" + path + "`: permission denied"}; }

}  // namespace

std::string FakeDisk::absolute(const std::string& path) const {
  const std::filesystem::path normal = (std::filesystem::path(working_folder) / path).lexically_normal();
  std::string text = normal.generic_string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  const auto link = links.find(text.substr(1));
  return link == links.end() ? text : "/" + link->second;
}

std::string FakeDisk::key(const std::string& path) const { return absolute(path).substr(1); }

FileSystem::Kind FakeDisk::kind(const std::string& path) const {
  const std::string name = key(path);
  if (pipes.contains(name)) return Kind::Other;
  if (files.contains(name)) return Kind::File;
  const std::string prefix = name.empty() ? "" : name + "/";
  if (unreadable.contains(name)) return Kind::Folder;
  const auto below = files.lower_bound(prefix);
  return below != files.end() && below->first.starts_with(prefix) ? Kind::Folder : Kind::Missing;
}

std::uint64_t FakeDisk::size(const std::string& path) const {
  const auto found = files.find(key(path));
  return found == files.end() ? 0 : found->second.size();
}

Result<std::string> FakeDisk::read(const std::string& path) const {
  const std::string name = key(path);
  if (unreadable.contains(name)) return refused(path);
  const auto found = files.find(name);
  if (found == files.end()) return Error{Error::Code::Io, "cannot read `" + path + "`: no such file"};
  return found->second;
}

Result<std::vector<FileSystem::Entry>> FakeDisk::list(const std::string& path) const {
  const std::string folder = key(path);
  if (unreadable.contains(folder)) return refused(path);
  if (kind(path) != Kind::Folder) return Error{Error::Code::Io, "cannot read `" + path + "`: no such folder"};
  const std::string prefix = folder.empty() ? "" : folder + "/";
  std::map<std::string, Entry> entries;
  const auto add = [&](const std::string& name, bool link) {
    if (!name.starts_with(prefix) || name == prefix) return;
    const std::string rest = name.substr(prefix.size());
    const std::string first = rest.substr(0, rest.find('/'));
    const bool below = first != rest || (unreadable.contains(name) && !files.contains(name));
    entries[first] = {first, below ? Kind::Folder : Kind::File, link && !below};
  };
  for (const auto& [name, text] : files) add(name, false);
  for (const std::string& name : unreadable) add(name, false);
  for (const auto& [name, target] : links) add(name, true);
  std::vector<Entry> out;
  for (const auto& [name, entry] : entries) out.push_back(entry);
  return out;
}

Result<std::string> FakeDisk::read_standard_input(std::uint64_t) const { return standard_input; }

}  // namespace muster::test
