#include "slurm/stated_release.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kReach = 200;  // bytes around a name that are looked at: lines may be long
// What states a release, the most reliable first.
constexpr std::string_view kOfName = "version";
constexpr std::string_view kOfArchive = "archive";
constexpr std::string_view kOfVariable = "variable";
constexpr std::string_view kOfPlatform = "platform";
constexpr std::array<std::string_view, 5> kRanks{kOfName, kOfArchive, kOfVariable, kOfPlatform, kOfPaths};
constexpr std::array<std::string_view, 4> kWords{"version", "release", "tag", "ver"};
constexpr std::size_t kYearAndMonth = 5;  // 24.05
constexpr std::array<std::string_view, 20> kReleases{"14.03", "14.11", "15.08", "16.05", "17.02", "17.11", "18.08",
                                                     "19.05", "20.02", "20.11", "21.08", "22.05", "23.02", "23.11",
                                                     "24.05", "24.11", "25.05", "25.11", "26.05", "26.11"};

struct Distribution {
  std::string_view name;
  std::string_view version;
  std::string_view code_name;
  std::string_view release;  ///< of Slurm, in its packages
};
// Source: packages.ubuntu.com and packages.debian.org, slurm-wlm (slurm-llnl before Debian 11).
constexpr std::array<Distribution, 9> kDistributions{{
    {"ubuntu", "16.04", "xenial", "15.08.7"},
    {"ubuntu", "18.04", "bionic", "17.11.2"},
    {"ubuntu", "20.04", "focal", "19.05.5"},
    {"ubuntu", "22.04", "jammy", "21.08.5"},
    {"ubuntu", "24.04", "noble", "23.11.4"},
    {"debian", "10", "buster", "18.08.5"},
    {"debian", "11", "bullseye", "20.11.7"},
    {"debian", "12", "bookworm", "22.05.8"},
    {"debian", "13", "trixie", "24.11.5"},
}};

/// Whether a text in lower case has the name with the version behind it: `ubuntu:22.04`, `ubuntu22.04`,
/// `ubuntu-2204-lts`, "ubuntu 22.04".
bool names_with_version(std::string_view text, const Distribution& one) {
  const std::string short_version = replace_all(std::string(one.version), ".", "");
  for (std::size_t at = text.find(one.name); at != text.npos; at = text.find(one.name, at + 1)) {
    std::string_view behind = text.substr(at + one.name.size());
    if (behind.find_first_of(":- /") == 0) behind.remove_prefix(1);
    for (const std::string_view version : {one.version, std::string_view(short_version)}) {
      if (behind.starts_with(version) && (behind.size() == version.size() || !is_digit(behind[version.size()])))
        return true;
    }
  }
  return false;
}

/// The distribution that a line names, in lower case: also `ubuntu-jammy-22.04-arm64`, `debian/bookworm64`.
const Distribution* distribution_in(std::string_view line) {
  const auto is_letter = [&](std::size_t at) { return at < line.size() && line[at] >= 'a' && line[at] <= 'z'; };
  const auto is_named = [&](const Distribution& one) {
    for (std::size_t at = line.find(one.code_name); at != line.npos; at = line.find(one.code_name, at + 1)) {
      if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + one.code_name.size())) return true;
    }
    return names_with_version(line, one);
  };
  const auto found = std::ranges::find_if(kDistributions, is_named);
  return found == kDistributions.end() ? nullptr : &*found;
}

bool is_comment(std::string_view line_start) {
  const std::string_view words = trim(line_start);
  return words.starts_with('#') || words.starts_with("//");
}

/// `slurm_version`, `SLURM_TAG`, `SlurmVersion`: where the name ends that begins with `slurm`; 0: it is another.
std::size_t end_of_name(std::string_view line) {
  std::size_t end = 5;
  if (end < line.size() && (line[end] == '_' || line[end] == '-')) ++end;
  for (const std::string_view word : kWords) {
    if (!equals_ignoring_case(line.substr(end, word.size()), word)) continue;
    end += word.size();
    // `slurm_version_string`: what of it is the release stands in the value.
    for (const std::string_view more : {"_string", "_full"}) {
      if (equals_ignoring_case(line.substr(end, more.size()), more)) end += more.size();
    }
    return end < line.size() && is_word_char(line[end]) ? 0 : end;
  }
  return 0;
}

/// A number of so many digits, and what separates it from the next; empty where there is none.
std::string_view take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits < least || digits > most) return {};
  const std::string_view number = text.substr(0, digits);
  text.remove_prefix(digits);
  if (!text.empty() && (text.front() == '.' || text.front() == '-')) text.remove_prefix(1);
  return number;
}

/// `slurm-21-08-6-1`, `v23.02.7`, `22.05`: year, month and micro release. What follows is of a package.
std::string release_of(std::string_view text) {
  if (text.starts_with("slurm-")) text.remove_prefix(6);
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::string_view year = take_number(text, 2, 2);
  const std::string_view month = year.empty() ? year : take_number(text, 2, 2);
  if (year < "10" || month < "01" || month > "12") return "";
  const std::string_view micro = take_number(text, 1, 2);
  return std::string(year) + "." + std::string(month) + (micro.empty() ? "" : "." + std::string(micro));
}

/// The value that a line gives to the name that ends at `at`: behind `:`, `=` or, as Docker's ENV has it, a blank.
std::string_view value_behind(std::string_view line, std::size_t at) {
  const auto skip = [&](std::string_view any) { at = std::min(line.find_first_not_of(any, at), line.size()); };
  const std::size_t name_end = at;
  skip("\"' \t");
  const bool assigns = at < line.size() && (line[at] == ':' || line[at] == '=');
  if (!assigns && (at == name_end || line[name_end] != ' ')) return {};
  if (assigns) ++at;
  if (at < line.size() && line[at] == '=' && line[at - 1] == ':') ++at;  // make's `:=`
  if (at < line.size() && line[at] == '=') return {};
  skip("\"' \t");
  // `${SLURM_VERSION:-19.05.5}`, unless somebody says another.
  if (line.substr(at).starts_with("${")) {
    const std::size_t fallback = line.find(":-", at);
    if (fallback != line.npos && line.find('}', at) > fallback) at = fallback + 2;
  }
  return line.substr(at);
}

bool is_release(std::string_view year_and_month) {
  return std::ranges::find(kReleases, year_and_month) != kReleases.end();
}

/// `slurm-20.11.0.tar.bz2`, `slurm-17-11-7-1.tar.gz`, `slurm-21.08.6/`, `slurm-20.11.8-1.el7.x86_64.rpm`: what is
/// downloaded or unpacked.
std::string release_of_archive(std::string_view word) {
  if (!word.starts_with("slurm-")) return "";
  const std::size_t end = word.find_first_not_of("0123456789.-", 6);
  const std::size_t tar = word.find(".tar");
  const bool packed = tar != word.npos && (end == tar || end == tar + 1);
  if (!packed && (word.size() < 12 || word[8] != '.')) return "";
  const std::string release = release_of(packed ? word.substr(0, tar) : word);
  return release.size() > kYearAndMonth && is_release(release.substr(0, kYearAndMonth)) ? release : "";
}

/// `slurm-$VER.tar.bz2`, `slurm-${VER}.x86_64.rpm`: the variable; empty where there is none.
std::string_view variable_of_archive(std::string_view word) {
  if (!word.starts_with("slurm-$")) return {};
  const bool braced = word.substr(7).starts_with('{');
  const std::size_t begin = braced ? 8 : 7;
  std::size_t end = begin;
  while (end < word.size() && is_word_char(word[end])) ++end;
  const std::string_view behind = word.substr(end);
  const std::string_view rest = braced && !behind.empty() ? behind.substr(1) : behind;
  const bool package = contains(rest.substr(0, rest.find_first_of(" \t\n;)")), ".rpm");
  const bool named = braced ? behind.starts_with('}') : true;
  return named && (rest.starts_with(".tar") || package) ? word.substr(begin, end - begin) : std::string_view{};
}

/// `export VER=21.08.6`: what a script sets the variable to. Of two such lines in a row the second counts, and indented
/// ones, which are of some branch, only where no other is.
std::vector<Located<std::string>> releases_assigned(FileId file, std::string_view text, std::string_view name) {
  std::vector<Located<std::string>> out;
  std::vector<Located<std::string>> of_branches;
  std::string_view before;
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size(); at = next) {
    next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const bool branch = text[at] == ' ' || text[at] == '\t';
    std::string_view line = trim(text.substr(at, next - at));
    for (const std::string_view word : {"export ", "ARG ", "ENV "}) {
      if (line.starts_with(word)) line = trim(line.substr(word.size()));
    }
    const bool assigns = line.starts_with(name) && line.substr(name.size()).starts_with('=');
    const std::string release = assigns ? release_of(value_behind(line, name.size())) : "";
    if (!release.empty() && is_release(release.substr(0, kYearAndMonth))) {
      std::vector<Located<std::string>>& same = branch ? of_branches : out;
      if (before == name && !same.empty()) same.pop_back();
      same.push_back(set_to(release, span_of_part(file, text, line.substr(0, name.size())), FieldName(kOfVariable)));
    }
    if (!line.empty()) before = release.empty() ? std::string_view{} : name;
  }
  return out.empty() ? of_branches : out;
}

/// `git clone -b slurm-21-08-6-1`: the tags of Slurm's repository.
std::string release_of_tag(std::string_view before, std::string_view line) {
  const std::string_view word = line.substr(0, line.find_first_of(" \t\"'"));
  const bool four = std::ranges::count(word, '-') == 4 && word.find_first_not_of("0123456789-", 6) == word.npos;
  return four && (before.ends_with(' ') || before.ends_with("/tags/")) && word.starts_with("slurm-") ? release_of(word)
                                                                                                     : "";
}

/// `slurm-wlm=17.11.2-1build1`: what apt is told to install.
std::string release_of_package(std::string_view word) {
  for (const std::string_view package : {"slurm-wlm=", "slurmctld=", "slurmdbd=", "slurmd=", "slurm-client="}) {
    if (word.starts_with(package)) return release_of(word.substr(package.size()));
  }
  return "";
}

/// Whether apt is told to install Slurm as the distribution has it.
bool takes_packages(std::string_view text) {
  if (!contains(text, " slurm") || !contains(text, "apt")) return false;
  if (contains(text, "ppa:") || contains(text, "schedmd") || contains(text, "SchedMD")) return false;
  return std::ranges::any_of(
      std::array{" slurm-wlm", " slurmctld", " slurmd", " slurm-client", " slurm-llnl", " slurmdbd"},
      [&](const char* one) { return contains(text, one); });
}

/// A Dockerfile that takes Slurm from the packages of its image.
Located<std::string> release_of_image(FileId file, std::string_view text) {
  Located<std::string> out;
  const std::size_t from = text.starts_with("FROM ") ? 0 : text.find("\nFROM ");
  if (from == text.npos || !takes_packages(text)) return out;
  std::string_view release;
  for (std::size_t at = from; at != text.npos; at = text.find("\nFROM ", at + 1)) {
    const std::size_t begin = at + (text[at] == '\n' ? 1 : 0);
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    const Distribution* image = distribution_in(to_lower(line));
    if (image == nullptr) continue;
    if (!release.empty() && release != image->release) return {};
    release = image->release;
    const auto offset = static_cast<std::uint32_t>(begin);
    out = set_to(std::string(release), Span{file, offset, offset + 4}, FieldName(kOfPlatform));
  }
  return out;
}

/// A guide that installs the packages of the one distribution that it names a version of.
Located<std::string> release_of_guide(FileId file, std::string_view prose) {
  if (!takes_packages(prose) || contains(prose, "yum ") || contains(prose, "dnf ")) return {};
  const std::string text = to_lower(prose);
  const Distribution* named = nullptr;
  for (const Distribution& one : kDistributions) {
    if (!names_with_version(text, one)) continue;
    if (named != nullptr) return {};
    named = &one;
  }
  if (named == nullptr) return {};
  return set_to(std::string(named->release), Span{file, 0, 0}, FieldName(kOfPlatform));
}

/// `/etc/slurm-llnl` and its like, but not where `/etc/slurm` stands, too: a script that knows both says nothing.
Located<std::string> release_of_folders(FileId file, std::string_view text) {
  for (const std::string_view other : {"/etc/slurm/", "/etc/slurm ", "/etc/slurm\n", "/etc/slurm\"", "/etc/slurm'"}) {
    if (contains(text, other)) return {};
  }
  constexpr std::string_view kFolder = "slurm-llnl";
  for (std::size_t at = text.find(kFolder); at != text.npos; at = text.find(kFolder, at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    if (is_comment(text.substr(begin, at - begin))) continue;
    const auto offset = static_cast<std::uint32_t>(at);
    return set_to(std::string(kLastLlnl), Span{file, offset, offset + 10}, FieldName(kOfPaths));
  }
  return {};
}

/// `ohpc-release-1.3-1.el7.x86_64.rpm`: OpenHPC 1 ended with Slurm 18.08.8 in 1.3.9.
/// Source: github.com/openhpc/ohpc/issues/1024
Located<std::string> release_of_open_hpc(FileId file, std::string_view text) {
  const std::size_t at = text.find("ohpc-release-1.");
  if (at == text.npos) return {};
  const auto offset = static_cast<std::uint32_t>(at);
  return set_to(std::string("18.08.8"), Span{file, offset, offset + 14}, FieldName(kOfPlatform));
}

/// `repository: ghcr.io/slinkyproject/slurmd` and `tag: 25.11-ubuntu24.04` below it, or both in one word.
/// Source: github.com/SlinkyProject/containers: images slurmctld, slurmd, slurmdbd, slurmrestd, login, sackd.
Located<std::string> release_of_slinky_image(FileId file, std::string_view text) {
  constexpr std::string_view kOwner = "slinkyproject/";
  constexpr std::array<std::string_view, 6> kImages{"slurmctld", "slurmd", "slurmdbd", "slurmrestd", "login", "sackd"};
  for (std::size_t at = text.find(kOwner); at != text.npos; at = text.find(kOwner, at + 1)) {
    const std::string_view name = text.substr(at + kOwner.size(), kReach);
    if (std::ranges::none_of(kImages, [&](std::string_view one) { return name.starts_with(one); })) continue;
    std::size_t sign = name.find_first_of(":\n\"' ");
    if (sign == name.npos) continue;
    if (name[sign] != ':') {
      const std::size_t tag = name.find("tag:", sign);
      if (tag == name.npos || std::ranges::count(name.substr(sign, tag - sign), '\n') > 1) continue;
      sign = tag + 3;
    }
    std::string_view value = trim(name.substr(sign + 1, name.find('\n', sign) - sign - 1));
    if (!value.empty() && (value.front() == '"' || value.front() == '\'')) value.remove_prefix(1);
    std::string release = release_of(value);
    if (release.empty() || !is_release(release.substr(0, kYearAndMonth))) continue;
    const auto offset = static_cast<std::uint32_t>(at);
    return set_to(std::move(release), Span{file, offset, offset + static_cast<std::uint32_t>(kOwner.size())},
                  FieldName(kOfPlatform));
  }
  return {};
}

/// `IMAGE_FAMILY=ubuntu-2204-lts`, `az vm create --image Ubuntu2204`: of a script in lower case. What Docker runs is no
/// machine.
bool names_machine_image(std::string_view line) {
  return contains(line, "image") && !contains(line, "docker") && !contains(line, "podman");
}

}  // namespace

std::string release_in_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash + 1);  // npos + 1 is 0
  if (!contains(name, ".conf")) return "";
  if (slash != path.npos) {
    const std::string_view above = path.substr(0, slash);
    std::string_view folder = above.substr(above.rfind('/') + 1);
    const bool of_slurm = folder.starts_with("slurm-");  // `20.11` alone may as well be a date
    if (of_slurm) folder.remove_prefix(6);
    if (folder.starts_with('v')) folder.remove_prefix(1);
    const std::string release = release_of(folder);
    const bool exact = of_slurm || release.size() > kYearAndMonth;
    if (exact && release == folder && is_release(release.substr(0, kYearAndMonth))) return release;
  }
  for (std::size_t at = 1; at < name.size(); ++at) {
    if (!is_digit(name[at]) || is_digit(name[at - 1]) || std::string_view(".-_v").find(name[at - 1]) == name.npos)
      continue;
    const std::string release = release_of(name.substr(at));
    if (!release.empty() && is_release(release.substr(0, kYearAndMonth))) return release;
  }
  return "";
}

Located<std::string> slurm_release_of_folders(FileId file, std::string_view path, std::string_view text) {
  if (contains(path, "slurm-llnl/")) return set_to(std::string(kLastLlnl), Span{file, 0, 0}, FieldName(kOfPaths));
  return release_of_folders(file, text);
}

std::vector<Located<std::string>> slurm_releases_stated_in(FileId file, std::string_view text) {
  std::vector<Located<std::string>> out;
  std::string_view variable;  // the first that an archive is named with
  std::size_t small = 0;
  std::size_t capital = 0;
  const auto next = [&](std::size_t from) {
    if (small != text.npos && small < from) small = find_part(text, "lurm", from);
    if (capital != text.npos && capital < from) capital = find_part(text, "LURM", from);
    return std::min(small, capital);
  };
  for (std::size_t at = 0; (at = next(at + 1)) != text.npos;) {
    if (text[at - 1] != 's' && text[at - 1] != 'S') continue;
    const std::string_view before = text.substr(at - 1 - std::min(at - 1, kReach), std::min(at - 1, kReach));
    if (is_comment(before.substr(before.rfind('\n') + 1))) continue;  // npos + 1 is 0
    const std::string_view behind = text.substr(at - 1, kReach);
    const std::string_view line = behind.substr(0, behind.find('\n'));
    const std::size_t end = end_of_name(line);
    std::string release = end == 0 ? release_of_package(line) : release_of(value_behind(line, end));
    const bool archive = release.empty();
    if (archive) release = release_of_archive(line);
    if (variable.empty()) variable = variable_of_archive(line);
    if (release.empty()) release = release_of_tag(before, line);
    if (release.empty()) continue;
    const auto offset = static_cast<std::uint32_t>(at - 1);
    out.push_back(
        set_to(std::move(release), Span{file, offset, offset + 5}, FieldName(archive ? kOfArchive : kOfName)));
  }
  if (!variable.empty()) std::ranges::move(releases_assigned(file, text, variable), std::back_inserter(out));
  for (Located<std::string> one : {release_of_image(file, text), release_of_open_hpc(file, text),
                                   release_of_folders(file, text), release_of_slinky_image(file, text)}) {
    if (one.is_set()) out.push_back(std::move(one));
  }
  return out;
}

void MachinePackages::look_at(FileId file, std::string_view path, std::string_view text) {
  packages_ = packages_ || takes_packages(text);
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const bool script = name.ends_with(".sh");
  if (!script && !name.ends_with(".tf") && !name.ends_with(".pkr.hcl") && name != "Vagrantfile") return;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = to_lower(text.substr(at, next - at));
    if (is_comment(line) || (script && !names_machine_image(line))) continue;
    const Distribution* image = distribution_in(line);
    if (image == nullptr) continue;
    differ_ = differ_ || (release_.is_set() && release_.value != image->release);
    const auto offset = static_cast<std::uint32_t>(at);
    release_ = set_to(std::string(image->release), Span{file, offset, offset + 1}, FieldName(kOfPlatform));
  }
}

Located<std::string> MachinePackages::release() const {
  return packages_ && !differ_ ? release_ : Located<std::string>{};
}

std::vector<Located<std::string>> slurm_releases_installed_in(FileId file, std::string_view prose) {
  std::vector<Located<std::string>> out = slurm_releases_stated_in(file, prose);
  std::erase_if(out, [](const Located<std::string>& one) { return one.field == kOfName || one.field == kOfPaths; });
  if (Located<std::string> release = release_of_guide(file, prose); release.is_set()) out.push_back(std::move(release));
  return out;
}

Located<std::string> common_release(const std::vector<Located<std::string>>& stated) {
  Located<std::string> out;
  const auto rank = [](const Located<std::string>& one) { return std::ranges::find(kRanks, one.field.view()); };
  const auto best = std::ranges::min_element(stated, {}, rank);
  for (const Located<std::string>& one : stated) {
    if (rank(one) != rank(*best)) continue;
    const int order = out.is_set() ? one.value.substr(0, kYearAndMonth).compare(out.value.substr(0, kYearAndMonth)) : 1;
    const bool old = std::max(one.value, out.value) < kFirstKnownSlurm;
    if (out.is_set() && order != 0 && !old) return {};
    if (order > 0 || (order == 0 && one.value.size() > out.value.size())) out = one;
  }
  return out;
}

}  // namespace muster
