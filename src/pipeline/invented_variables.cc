#include "pipeline/invented_variables.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

struct Invented {
  std::string_view name;
  std::string_view instead;
};

// None of them is in NVIDIA/nccl:src (2.28) or the page of its variables; PyTorch has its timeout from
// init_process_group.
constexpr std::string_view kOfPyTorch = "how long PyTorch waits says `timeout` of init_process_group";
constexpr std::array<Invented, 11> kInvented{{
    {"NCCL_COMM_TIMEOUT", kOfPyTorch},
    {"NCCL_CONNECT_TIMEOUT", kOfPyTorch},
    {"NCCL_DEBUG_LEVEL", "it is called NCCL_DEBUG"},
    {"NCCL_IB_ENABLE", "InfiniBand is taken where it is there, unless NCCL_IB_DISABLE is 1"},
    {"NCCL_LOG_LEVEL", "it is called NCCL_DEBUG"},
    {"NCCL_P2P_ENABLE", "peer access is taken where it is there, unless NCCL_P2P_DISABLE is 1"},
    {"NCCL_RDMA_ENABLE", "InfiniBand is taken where it is there, unless NCCL_IB_DISABLE is 1"},
    {"NCCL_SOCKET_TIMEOUT", kOfPyTorch},
    {"NCCL_TIMEOUT", kOfPyTorch},
    {"NCCL_TIMEOUT_MS", kOfPyTorch},
    {"NCCL_TIMEOUT_SEC", kOfPyTorch},
}};
constexpr std::string_view kHost = "NCCL_IP_LOCAL_";
constexpr std::string_view kMca = "OMPI_MCA_";

bool has_word(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word_char(text[at - 1])) && (end == text.size() || !is_word_char(text[end]))) return true;
  }
  return false;
}

/// What was asked before, by name.
using Asked = std::map<std::string, bool, std::less<>>;

bool is_in_program(const Inputs& inputs, std::string_view name) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const std::string_view path = inputs.files[i].context.path;
    const bool prose = path.ends_with(".md") || path.ends_with(".rst");
    if (!prose && !begins_with_shell(text) && has_word(text, name)) return true;
  }
  return false;
}

/// Whether a file that is no shell script has the name: a program of the input may read it.
bool is_read(const Inputs& inputs, std::string_view name, Asked& asked) {
  constexpr std::size_t kMostAsked = 50;
  const auto known = asked.find(name);
  if (known != asked.end()) return known->second;
  return asked.size() >= kMostAsked || asked.emplace(name, is_in_program(inputs, name)).first->second;
}

void find_in_script(const Inputs& inputs, Asked& asked, FileId file, std::string_view text,
                    std::vector<Finding>& findings) {
  for (const ShellCommand& command : read_shell(text)) {
    for (const ShellWord& word : command.words) {
      const std::string_view name = assigned_name(word);
      if (!name.starts_with("NCCL_")) continue;
      const auto known = std::ranges::find(kInvented, name, &Invented::name);
      if ((known == kInvented.end() && !name.starts_with(kHost)) || is_read(inputs, name, asked)) continue;
      std::string message = "NCCL reads no `" + std::string(name) + "`";
      if (known != kInvented.end()) message += ": " + std::string(known->instead);
      findings.push_back(problem("script-nccl-variable-unread",
                                 {file, word.begin, word.begin + static_cast<std::uint32_t>(name.size())},
                                 std::move(message)));
      return;
    }
  }
}

/// A variable of the script's own: it holds options, or the script reads it, or sets the small one from it.
bool is_own_variable(std::string_view text, const ShellWord& word, std::string_view name, std::string_view rest) {
  constexpr std::array<std::string_view, 6> kOptions{"ARGS", "CMD", "FLAGS", "OPTIONS", "OPTS", "PARAMS"};
  if (std::ranges::any_of(kOptions, [&](std::string_view one) { return rest.ends_with(one); })) return true;
  std::string_view value = text.substr(std::min<std::size_t>(text.size(), word.begin + name.size() + 1));
  if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
  return value.starts_with('-') || contains(text, "$" + std::string(name)) ||
         contains(text, "${" + std::string(name)) || contains(text, std::string(kMca) + to_lower(rest) + "=");
}

/// `export OMPI_MCA_PML=ucx`: parameters are called as they are, in small letters. One a script.
void find_capitals(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr int kMostAsked = 20;
  int asked = 0;
  for (const ShellCommand& command : read_shell(text)) {
    for (const ShellWord& word : command.words) {
      const std::string_view name = assigned_name(word);
      if (!name.starts_with(kMca) || name.size() < kMca.size() + 3) continue;
      const std::string_view rest = name.substr(kMca.size());
      const bool capitals = std::ranges::none_of(rest, [](char c) { return c >= 'a' && c <= 'z'; });
      if (rest == "PARAM_FILES" || to_lower(rest) == rest || !capitals) continue;
      if (++asked > kMostAsked) return;
      if (is_own_variable(text, word, name, rest)) continue;
      findings.push_back(problem(
          "script-mca-name-in-capitals", {file, word.begin, word.begin + static_cast<std::uint32_t>(name.size())},
          "Open MPI reads `" + std::string(kMca) + to_lower(rest) + "`, not `" + std::string(name) + "`"));
      return;
    }
  }
}

}  // namespace

void find_invented_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  Asked asked;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!begins_with_shell(text)) continue;
    if (contains(text, kMca)) find_capitals(file, text, findings);
    if (!contains(text, "NCCL_")) continue;
    const bool any = contains(text, kHost) ||
                     std::ranges::any_of(kInvented, [&](const Invented& one) { return contains(text, one.name); });
    if (any) find_in_script(inputs, asked, file, text, findings);
  }
}

}  // namespace muster
