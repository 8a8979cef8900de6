#include "pipeline/playbook_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "syntax/fill_template.h"

namespace muster {
namespace {

/// `NAME: value` of a playbook or `NAME=value` of an inventory.
struct Definition {
  FileId file = FileId::None;
  bool readable = false;
  FilledValue value;
};

/// A template and the role it lies in: what stands before `/templates/`.
struct RoleTemplate {
  std::size_t index = 0;
  std::string role;
};

bool has_part(std::string_view path, std::string_view part) {
  return path.starts_with(std::string(part) + "/") || contains(path, "/" + std::string(part) + "/");
}

/// What a role is tried with says nothing about those who use it.
bool is_trial(std::string_view path, std::string_view role) {
  constexpr std::array<std::string_view, 6> kTrials{"molecule", "tests", "test", ".github", "examples", "docs"};
  return std::ranges::any_of(kTrials,
                             [&](std::string_view part) { return has_part(path, part) && !has_part(role, part); });
}

bool is_variables_file(std::string_view path) { return path.ends_with(".yml") || path.ends_with(".yaml"); }
bool is_inventory(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (path.ends_with(".ini")) return true;
  if (name.find('.') != name.npos) return false;
  return name == "hosts" || name == "inventory" || has_part(path, "inventory") || has_part(path, "inventories") ||
         has_part(path, "group_vars") || has_part(path, "host_vars");
}

std::optional<std::string> role_of(std::string_view path) {
  for (const std::string_view part : {"templates/", "files/"}) {
    const std::size_t at = path.rfind(part);
    if (at == path.npos || (at > 0 && path[at - 1] != '/')) continue;
    return std::string(path.substr(0, at));
  }
  return std::nullopt;
}

bool is_jinja(const ParsedFile& file) {
  return file.template_kind == TemplateKind::Jinja || file.template_kind == TemplateKind::DoubleBraces;
}

class Playbooks {
 public:
  Playbooks(std::vector<ParsedFile>& parsed, const Inputs& inputs) : parsed_(parsed), inputs_(inputs) {}

  void run() {
    find_templates();
    if (templates_.empty()) return;
    for (std::size_t i = 0; i < parsed_.size(); ++i) read_definitions(i);
    for (const RoleTemplate& one : templates_) fill(one);
  }

 private:
  std::string_view text_of(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }
  const std::string& path_of(std::size_t i) const { return inputs_.files[i].context.path; }

  void find_templates() {
    for (std::size_t i = 0; i < parsed_.size(); ++i) {
      const bool ours = is_jinja(parsed_[i]) && !parsed_[i].artifacts.empty() && parsed_[i].artifacts.back().in_part;
      const std::optional<std::string> role = ours ? role_of(path_of(i)) : std::nullopt;
      if (!role) continue;
      templates_.push_back({i, *role});
      for (std::string& name : names_taken_by(text_of(i))) wanted_.insert(std::move(name));
    }
  }

  void read_definitions(std::size_t i) {
    const std::string& path = path_of(i);
    const bool inventory = is_inventory(path);
    if (!is_variables_file(path) && !inventory) return;
    const std::string_view text = text_of(i);
    const bool flat = has_part(path, "defaults") || has_part(path, "vars") || has_part(path, "group_vars") ||
                      has_part(path, "host_vars");
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(i, begin, text.substr(begin, end - begin), flat);
      begin = end + 1;
    }
  }

  void read_line(std::size_t i, std::size_t begin, std::string_view line, bool flat) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == line.npos || (flat && at > 0)) return;
    if (line.substr(at).starts_with("- ")) at = std::min(line.find_first_not_of(" \t", at + 2), line.size());
    const std::size_t end = std::min(line.find_first_of(" :=\t", at), line.size());
    const auto name = wanted_.find(line.substr(at, end - at));
    if (name == wanted_.end()) return;
    const std::size_t sign = line.find_first_not_of(" \t", end);
    if (sign == line.npos || (line[sign] != ':' && line[sign] != '=')) return;
    const std::size_t from = std::min(line.find_first_not_of(" \t", sign + 1), line.size());
    const std::string_view scalar = trim(line.substr(from));
    Definition found;
    found.file = static_cast<FileId>(i);
    found.readable = read_filled_value(scalar, found.value);
    found.value.where = {found.file, static_cast<std::uint32_t>(begin + from),
                         static_cast<std::uint32_t>(begin + from + scalar.size())};
    definitions_[*name].push_back(std::move(found));
  }

  /// What all of them say.
  static std::optional<FilledValue> common(const std::vector<const Definition*>& all) {
    if (all.empty() || !all.front()->readable) return std::nullopt;
    const bool same = std::ranges::all_of(all, [&](const Definition* one) {
      return one->readable && one->value.text == all.front()->value.text && one->value.kind == all.front()->value.kind;
    });
    return same ? std::optional(all.front()->value) : std::nullopt;
  }

  /// The value of a variable in a role; `open` where it is given, but nobody can tell what.
  std::optional<FilledValue> value_in(const std::vector<Definition>& all, const std::string& role, bool& open) const {
    std::vector<const Definition*> defaults, vars, others;
    for (const Definition& one : all) {
      const std::string& path = path_of(static_cast<std::size_t>(one.file));
      if (path.starts_with(role + "defaults/")) {
        defaults.push_back(&one);
      } else if (path.starts_with(role + "vars/")) {
        vars.push_back(&one);
      } else if (is_trial(path, role)) {
        continue;
      } else if (!has_part(path, "roles") || !(has_part(path, "defaults") || has_part(path, "vars"))) {
        others.push_back(&one);
      }
    }
    const std::vector<const Definition*>& strongest = !others.empty() ? others : !vars.empty() ? vars : defaults;
    std::optional<FilledValue> out = common(strongest);
    // A role that gives nothing leaves the word to those who use it.
    if (out && out->text.empty() && &strongest == &defaults) out.reset();
    open = !strongest.empty() && !out;
    return out;
  }

  void fill(const RoleTemplate& one) {
    FilledValues values;
    std::set<std::string> left_open;
    for (const auto& [name, all] : definitions_) {
      bool open = false;
      if (std::optional<FilledValue> value = value_in(all, one.role, open)) values[name] = std::move(*value);
      if (open) left_open.insert(name);
    }
    const FilledTemplate filled = fill_template(text_of(one.index), values, left_open);
    if (!filled.filled_any()) return;
    ParsedFile& file = parsed_[one.index];
    file.lines = read_slurm_conf(file.file, literal_lines(filled.text));
    file.filled = read_slurm_conf(file.file, masked_template_marks(filled.text));
    place(file.lines, file.file, filled);
    place(file.filled, file.file, filled);
  }

  /// Puts lines of the filled text back where they stand in the template; values where they were given.
  static void place(std::vector<ConfLine>& lines, FileId file, const FilledTemplate& filled) {
    const auto back = [&](Span& where) {
      if (where.placed()) where = filled.source_of(file, where.begin, where.end);
    };
    for (ConfLine& line : lines) {
      back(line.where);
      back(line.rest_where);
      for (ConfPair& pair : line.pairs) {
        back(pair.key_where);
        const Span given = filled.value_at(pair.value_where.begin, pair.value_where.end);
        if (given.placed()) {
          pair.value_where = given;
        } else {
          back(pair.value_where);
        }
      }
    }
  }

  std::vector<ParsedFile>& parsed_;
  const Inputs& inputs_;
  std::vector<RoleTemplate> templates_;
  std::set<std::string, std::less<>> wanted_;
  std::map<std::string, std::vector<Definition>> definitions_;
};

}  // namespace

void fill_from_playbooks(std::vector<ParsedFile>& parsed, const Inputs& inputs) { Playbooks(parsed, inputs).run(); }

}  // namespace muster
