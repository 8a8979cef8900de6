#include "pipeline/playbook_values.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "pipeline/playbook_files.h"
#include "pipeline/playbook_maps.h"
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
      const std::optional<std::string> role = ours ? playbook_role_of(path_of(i)) : std::nullopt;
      if (!role) continue;
      templates_.push_back({i, *role});
      for (std::string& name : names_taken_by(text_of(i))) wanted_.insert(std::move(name));
    }
  }

  void read_definitions(std::size_t i) {
    const std::string& path = path_of(i);
    if (!may_set_variables(path)) return;
    const std::string_view text = text_of(i);
    const bool flat = has_variables_alone(path);
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
    PlaybookRank rank = PlaybookRank::None;
    std::vector<const Definition*> strongest;
    for (const Definition& one : all) {
      const PlaybookRank here = playbook_rank(path_of(static_cast<std::size_t>(one.file)), role);
      if (here == PlaybookRank::None || here < rank) continue;
      if (here > rank) strongest.clear();
      rank = here;
      strongest.push_back(&one);
    }
    std::optional<FilledValue> out = common(strongest);
    // A role that gives nothing leaves the word to those who use it.
    if (out && out->text.empty() && rank == PlaybookRank::Defaults) out.reset();
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
    ParsedFile& file = parsed_[one.index];
    const FilledTemplate filled = fill_template(text_of(one.index), values, left_open);
    if (filled.filled_any()) {
      file.lines = read_slurm_conf(file.file, literal_lines(filled.text));
      file.filled = read_slurm_conf(file.file, masked_template_marks(filled.text));
      place(file.lines, file.file, filled);
      place(file.filled, file.file, filled);
    }
    fill_loops(one, file);
  }

  /// `{% for key in slurm_config %}`: what it writes where the input has that map.
  void fill_loops(const RoleTemplate& one, ParsedFile& file) {
    for (const MapLoop& loop : map_loops_of(text_of(one.index))) {
      std::optional<WrittenMap> written = write_maps(loop, one.role, inputs_);
      if (!written) continue;
      if (!written->open) std::erase_if(file.filled, [&](const ConfLine& line) { return loop.writes(line.where); });
      std::ranges::move(written->known, std::back_inserter(file.lines));
      std::ranges::move(written->all, std::back_inserter(file.filled));
    }
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
