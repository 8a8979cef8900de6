#include "slurm/submit_plugin.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "slurm/lua_words.h"
#include "slurm/submit_plugin_fields.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

struct LuaSlip {
  std::string_view at;
  std::string message;
};

/// Signs of other languages that are nowhere in Lua.
std::optional<std::string> foreign_sign(std::string_view first, std::string_view second) {
  if (first.data() + first.size() != second.data()) return std::nullopt;
  struct Foreign {
    std::string_view sign;
    std::string_view own;
  };
  constexpr std::array kForeign{Foreign{"!=", "~="}, Foreign{"&&", "and"}, Foreign{"||", "or"},
                                Foreign{"+=", "a = a + b"}, Foreign{"-=", "a = a - b"}};
  const std::string sign = std::string(first) + std::string(second);
  const auto found = std::ranges::find(kForeign, std::string_view(sign), &Foreign::sign);
  if (found == kForeign.end()) return std::nullopt;
  return "`" + sign + "` is no sign of Lua, which writes `" + std::string(found->own) + "`";
}

/// What Lua stops at, as far as signs and the pairs of block and `end` tell. `whole`: every word of it is there.
std::optional<LuaSlip> find_lua_slip(std::string_view text, bool whole) {
  constexpr std::array<std::string_view, 4> kOpening{"do", "function", "if", "repeat"};
  LuaWords words(text);
  std::vector<std::string_view> open;
  std::string_view before;
  std::optional<LuaSlip> slip;
  for (std::string_view word = words.next(); !word.empty() && !slip; before = word, word = words.next()) {
    if (std::optional<std::string> sign = foreign_sign(before, word))
      slip = LuaSlip{std::string_view(before.data(), 2), std::move(*sign)};
    if (!whole) continue;
    if (std::ranges::find(kOpening, word) != kOpening.end()) open.push_back(word);
    if (word != "end" && word != "until") continue;
    if (open.empty() || (open.back() == "repeat") != (word == "until")) {
      slip = LuaSlip{word, "`" + std::string(word) + "` ends nothing that is open here"};
    } else {
      open.pop_back();
    }
  }
  if (words.broken()) return std::nullopt;
  if (!slip && !open.empty()) slip = LuaSlip{open.back(), "`" + std::string(open.back()) + "` has no `end`"};
  return slip;
}

/// The file defines a function of the name, or may get it from another one.
bool may_define(std::string_view text, std::string_view name) {
  LuaWords words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == name || word == "require" || word == "dofile" || word == "loadfile" || word == "load" || word == "_G")
      return true;
  }
  return false;
}

}  // namespace

void check_submit_plugin(std::string_view path, std::string_view text, FileId file, std::vector<Finding>& findings) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name != "job_submit.lua" && name != "job_submit.lua.j2") return;
  const bool filled = name.ends_with(".j2") && (contains(text, "{{") || contains(text, "{%") || contains(text, "{#"));
  const std::string masked = filled ? masked_template_marks(text) : std::string(text);
  const auto say = [&](std::size_t begin, std::size_t size, std::string message) {
    const auto at = static_cast<std::uint32_t>(begin);
    findings.push_back(problem("slurm-submit-plugin-unreadable", {file, at, at + static_cast<std::uint32_t>(size)},
                               std::move(message)));
  };
  if (masked.size() != text.size()) return;
  check_submit_plugin_fields(masked, text, file, findings);
  if (const std::optional<LuaSlip> slip = find_lua_slip(masked, !filled))
    return say(static_cast<std::size_t>(slip->at.data() - masked.data()), slip->at.size(), slip->message);
  if (filled || trim(text).empty()) return;
  for (const std::string_view wanted : {"slurm_job_submit", "slurm_job_modify"}) {
    if (!may_define(masked, wanted))
      return say(0, std::min(text.find('\n'), text.size()), "no function `" + std::string(wanted) + "`");
  }
}

}  // namespace muster
