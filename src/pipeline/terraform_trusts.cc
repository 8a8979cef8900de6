#include "pipeline/terraform_trusts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/hcl_blocks.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

constexpr std::string_view kSubject = "system:serviceaccount:";
constexpr std::size_t kMostTrusts = 200;  // of one folder

/// `kube-system` of `"kube-system"`; empty: it is no text that is written out.
std::string_view literal(std::string_view value) {
  if (value.size() < 3 || value.front() != '"' || value.back() != '"') return {};
  value = value.substr(1, value.size() - 2);
  return value.find_first_of("\"${}*") == value.npos ? value : std::string_view();
}

bool is_terraform(std::string_view path) { return path.ends_with(".tf") || path.ends_with(".tofu"); }

class TerraformTrusts {
 public:
  TerraformTrusts(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {
    std::set<std::string_view> trusting;
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      if (is_terraform(path) && contains(text(i), kSubject)) trusting.insert(folder_of(path));
    }
    for (std::size_t i = 0; i < inputs.files.size() && !trusting.empty(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      if (is_terraform(path) && trusting.contains(folder_of(path))) folders_[folder_of(path)].push_back(i);
    }
  }

  void run() {
    for (const auto& [name, files] : folders_) look_at(name, files);
  }

 private:
  struct Trust {
    std::size_t file = 0;
    std::string_view space;    ///< where it stands
    std::string_view account;  ///< as written, `${var.name}` too
  };
  struct Folder {
    std::string_view name;
    std::vector<HclBlock> releases;
    std::map<std::string_view, std::string_view> defaults;  ///< of its variables, as written
    std::vector<Trust> trusts;
    std::vector<std::string_view> named;  ///< lines that tell a chart the name of its account
    bool open = false;                    ///< something in it is not understood
  };

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void look_at(std::string_view name, const std::vector<std::size_t>& files) {
    Folder folder;
    folder.name = name;
    for (const std::size_t i : files) {
      read_blocks(i, folder);
      if (folder.open || folder.releases.size() > 1) return;
    }
    if (folder.releases.empty()) return;
    for (const std::size_t i : files) {
      read_trusts(i, folder);
      if (folder.open) return;
    }
    if (!folder.trusts.empty()) judge(folder);
  }

  void read_blocks(std::size_t i, Folder& folder) const {
    const std::string_view all = text(i);
    std::size_t left = hcl_steps(all);
    for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
      if (one.word == "resource" && one.labels[0] == "helm_release")
        folder.releases.push_back(read_hcl_block(all, one.brace, left));
      if (one.word == "variable")
        folder.defaults.try_emplace(one.labels[0], read_hcl_block(all, one.brace, left).attribute("default"));
    }
    folder.open = folder.open || left == 0;
    some_line_with(all, "serviceAccount.name", [&](std::string_view line) {
      const std::string_view written = trim(line);
      if (!written.starts_with('#') && !written.starts_with("//")) folder.named.push_back(written);
      return false;
    });
  }

  /// Subjects stand in texts: one in a comment trusts nobody.
  void read_trusts(std::size_t i, Folder& folder) const {
    const std::string_view all = text(i);
    if (!contains(all, kSubject)) return;
    std::size_t left = hcl_steps(all);
    HclReader in(all, left);
    for (in.skip(true); !in.ended() && !folder.open; in.skip(true)) {
      const std::size_t begin = in.at;
      if (in.here() == '"') {
        in.skip_text();
      } else if (!in.here_document()) {
        ++in.at;
        continue;
      }
      subjects_in(i, begin, in.at, folder);
    }
    folder.open = folder.open || left == 0;
  }

  void subjects_in(std::size_t i, std::size_t from, std::size_t to, Folder& folder) const {
    const std::string_view all = text(i);
    for (std::size_t at = find_part(all.substr(0, to), kSubject, from); at != all.npos && !folder.open;
         at = find_part(all.substr(0, to), kSubject, at + 1)) {
      const std::size_t begin = at + kSubject.size();
      const std::size_t colon = all.find(':', begin);
      const std::size_t end = all.find('"', begin);
      folder.open = colon == all.npos || end == all.npos || colon > end || folder.trusts.size() >= kMostTrusts;
      if (!folder.open)
        folder.trusts.push_back({i, all.substr(begin, colon - begin), all.substr(colon + 1, end - colon - 1)});
    }
  }

  void judge(const Folder& folder) {
    const Trust& first = folder.trusts.front();
    if (first.space.find_first_of("$*{ ") != first.space.npos) return;
    std::set<std::string_view> accounts;
    for (const Trust& trust : folder.trusts) {
      const bool known = !accounts.insert(trust.account).second;
      if (trust.space != first.space || (!known && !is_of_release(trust.account, folder))) return;
    }
    const std::string_view space = value_of(folder.releases.front().attribute("namespace"), folder);
    if (space.empty() || space == first.space) return;
    findings_.push_back(problem("terraform-trust-of-other-namespace",
                                span_of_part(static_cast<FileId>(first.file), text(first.file), first.space),
                                "the role trusts a service account of `" + std::string(first.space) +
                                    "`, and the release goes to `" + std::string(space) + "`"));
  }

  /// A text, or the default of a variable that calls of the module leave alone.
  std::string_view value_of(std::string_view value, const Folder& folder) {
    if (!value.starts_with("var.")) return literal(value);
    const std::string_view name = value.substr(4);
    if (!std::ranges::all_of(name, is_word_char) || is_set(folder.name, name)) return {};
    const auto found = folder.defaults.find(name);
    return found == folder.defaults.end() ? std::string_view() : literal(found->second);
  }

  /// By calls of the module, or by a file of variables, also where nothing calls the module.
  bool is_set(std::string_view folder, std::string_view name) {
    if (!others_) read_others();
    if (others_->given.contains(name)) return true;
    const auto calls = others_->calls.find(last_part(folder));
    if (calls == others_->calls.end()) return true;
    const auto [at, first] = others_->set.try_emplace({last_part(folder), name});
    if (first)
      at->second = std::ranges::any_of(calls->second, [&](const HclBlock& call) {
        return call.open || !call.attribute(name).empty() || !call.attribute("for_each").empty();
      });
    return at->second;
  }

  /// Calls of modules by the last part of where they are from, and names in files of variables: once for the input.
  void read_others() {
    others_.emplace();
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view all = text(i);
      for (std::size_t at = 0; path.ends_with(".tfvars") && at < all.size(); ++at) {
        const std::size_t begin = at;
        while (at < all.size() && is_hcl_letter(all[at])) ++at;
        if (at > begin) others_->given.insert(all.substr(begin, at - begin));
      }
      if (!is_terraform(path) || !contains(all, "module")) continue;
      std::size_t left = hcl_steps(all);
      for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
        if (one.word != "module") continue;
        HclBlock call = read_hcl_block(all, one.brace, left);
        const std::string_view written = unquoted_hcl(call.attribute("source"));
        const std::string_view source = written.substr(0, written.find('?'));
        if (contains(source, "/")) others_->calls[last_part(source)].push_back(std::move(call));
      }
    }
  }

  /// Whether the account is that of the release: its chart is told the name, or it is called like the release.
  bool is_of_release(std::string_view account, const Folder& folder) {
    if (account.starts_with("${") && account.ends_with('}')) account = account.substr(2, account.size() - 3);
    if (account.empty()) return false;
    const HclBlock& release = folder.releases.front();
    const std::string_view known = account.starts_with("var.") ? value_of(account, folder) : account;
    if (known == literal(release.attribute("name")) || known == literal(release.attribute("chart")))
      return !known.empty();
    return std::ranges::any_of(folder.named, [&](std::string_view line) { return contains(line, account); });
  }

  struct Others {
    std::map<std::string_view, std::vector<HclBlock>> calls;
    std::set<std::string_view> given;
    std::map<std::pair<std::string_view, std::string_view>, bool> set;
  };

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, std::vector<std::size_t>> folders_;
  std::optional<Others> others_;
};

}  // namespace

void find_terraform_trusts(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformTrusts(inputs, findings).run();
}

}  // namespace muster
