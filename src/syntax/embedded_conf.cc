#include "syntax/embedded_conf.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/strings.h"
#include "syntax/here_documents.h"

namespace muster {
namespace {

constexpr std::size_t kMostAround = 20;      // lines of a mapping that are looked through for the path
constexpr std::size_t kLongestLine = 4'096;  // a longer one is no command that writes a file

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  const bool quotes = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quotes ? text.substr(1, text.size() - 2) : text;
}

/// `key: value` of a block mapping; the column is that of the key, behind the dash of an item.
struct Member {
  std::string_view key;
  std::string_view value;
  std::size_t column = 0;
  bool item = false;  ///< it begins an item of a list
};

Member member_of(const TextLine& line) {
  Member out;
  out.column = line.indent();
  std::string_view rest = line.text.substr(out.column);
  while (rest.starts_with("- ")) {
    const std::size_t dash = std::min(rest.find_first_not_of(' ', 1), rest.size());
    out.item = true;
    out.column += dash;
    rest.remove_prefix(dash);
  }
  const std::size_t colon = rest.find(':');
  if (colon == rest.npos || rest.starts_with('#')) return out;
  out.key = unquoted(rest.substr(0, colon));
  out.value = trim(rest.substr(colon + 1));
  return out;
}

/// `|`, `|-`, `|2+`: how many blanks it says, 0 for what its first line has; nothing where it is no literal block.
std::optional<std::size_t> literal_block(std::string_view value) {
  if (!value.starts_with('|')) return std::nullopt;
  value = trim(value.substr(1, value.find(" #", 1) == value.npos ? value.npos : value.find(" #", 1) - 1));
  std::size_t said = 0;
  for (const char c : value) {
    if (c >= '1' && c <= '9') said = static_cast<std::size_t>(c - '0');
    if (std::string_view("123456789+-").find(c) == std::string_view::npos) return std::nullopt;
  }
  return said;
}

class Finder {
 public:
  Finder(std::string_view text, std::span<const std::string_view> names) : lines_(lines_of(text)), names_(names) {
    for (const TextLine& line : lines_) {
      const std::size_t equals = line.text.find('=');
      if (equals == line.text.npos || equals == 0 || line.text.size() > kLongestLine) continue;
      const std::string_view value = unquoted(line.text.substr(equals + 1));
      const bool path = std::ranges::any_of(names, [&](std::string_view name) { return value.ends_with(name); });
      if (path) set_.try_emplace(trim(line.text.substr(0, equals)), value);
    }
  }

  std::vector<EmbeddedConf> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].text.size() > kLongestLine) continue;
      if (contains(lines_[i].text, "<<")) {
        here_document(i);
      } else if (contains(lines_[i].text, ": |")) {
        block(i);
      }
    }
    return std::move(out_);
  }

 private:
  /// The name at the end of a path, where it is one that is looked for, also behind a variable that the text sets.
  std::string_view name_in(std::string_view path) const {
    path = unquoted(path);
    if (path.starts_with('$')) {
      std::string_view variable = path.substr(path.starts_with("${") ? 2 : 1);
      if (path.starts_with("${") && variable.ends_with('}')) variable.remove_suffix(1);
      const auto set = set_.find(variable);
      if (set != set_.end()) path = set->second;
    }
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::ranges::find(names_, name) == names_.end() ? std::string_view() : name;
  }

  void block(std::size_t& at) {
    const Member member = member_of(lines_[at]);
    const std::optional<std::size_t> said = literal_block(member.value);
    if (!said) return;
    std::size_t end = at + 1;
    while (end < lines_.size() && (lines_[end].blank() || lines_[end].indent() > member.column)) ++end;
    std::string_view name = name_in(member.key);
    if (name.empty() && member.key == "content") name = name_beside(at, end, member);
    if (name.empty()) return;
    std::size_t first = at + 1;
    while (first < end && lines_[first].blank()) ++first;
    if (first == end) return;
    take(name, at + 1, end, *said > 0 ? member.column + *said : lines_[first].indent(), false, false);
    at = end - 1;
  }

  /// The path that the same mapping has, above the block or below.
  std::string_view name_beside(std::size_t at, std::size_t end, const Member& content) const {
    const auto path = [&](const Member& one) {
      const bool names = one.column == content.column && (one.key == "path" || one.key == "dest");
      return names ? name_in(one.value) : std::string_view();
    };
    bool begins = content.item;
    for (std::size_t i = at; i-- > 0 && !begins && at - i < kMostAround;) {
      const Member one = member_of(lines_[i]);
      if (lines_[i].blank() || one.column > content.column) continue;
      if (one.column < content.column) break;
      if (const std::string_view name = path(one); !name.empty()) return name;
      begins = one.item;
    }
    for (std::size_t i = end; i < lines_.size() && i - end < kMostAround; ++i) {
      const Member one = member_of(lines_[i]);
      if (lines_[i].blank() || one.column > content.column) continue;
      if (one.column < content.column || one.item) break;
      if (const std::string_view name = path(one); !name.empty()) return name;
    }
    return {};
  }

  void here_document(std::size_t& at) {
    const std::optional<HereDocument> here = here_documents_.at(at);
    if (!here) return;
    bool appended = false;
    const std::string_view name = target_of(lines_[at].text, appended);
    if (name.empty()) return;
    take(name, here->first, here->end, here->indent, appended, here->expanded);
    at = here->end;
  }

  /// The file that a command writes its input to.
  std::string_view target_of(std::string_view line, bool& appended) const {
    for (const std::string_view word : {">", "tee "}) {
      for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
        std::string_view rest = line.substr(at + word.size());
        appended = rest.starts_with('>');
        if (appended) rest.remove_prefix(1);
        rest = trim(rest);
        while (rest.starts_with('-')) {
          appended = appended || rest.starts_with("-a") || rest.starts_with("--append");
          rest = trim(rest.substr(std::min(rest.find(' '), rest.size())));
        }
        const std::string_view path = rest.substr(0, rest.find_first_of(" \t;|&<>)'\"", 1));
        const std::string_view name = name_in(path.substr(path.find_first_not_of("'\"") == 1 ? 1 : 0));
        if (!name.empty()) return name;
      }
    }
    return {};
  }

  void take(std::string_view name, std::size_t first, std::size_t end, std::size_t indent, bool appended,
            bool expanded) {
    EmbeddedConf conf;
    conf.name = name;
    conf.appended = appended;
    for (std::size_t i = first; i < end; ++i) {
      const std::string_view line = lines_[i].text.substr(std::min(indent, lines_[i].indent()));
      conf.add(lines_[i], indent, expanded ? with_shell_marks(line) : std::string(line));
    }
    out_.push_back(std::move(conf));
  }

  std::vector<TextLine> lines_;
  std::span<const std::string_view> names_;
  std::vector<EmbeddedConf> out_;
  HereDocuments here_documents_{lines_};
  std::map<std::string_view, std::string_view> set_;  ///< SLURM_CONF="$DIR/slurm.conf": its value
};

}  // namespace

std::vector<EmbeddedConf> find_embedded_confs(std::string_view text, std::span<const std::string_view> names) {
  return Finder(text, names).run();
}

void move_places(const EmbeddedConf& conf, std::vector<ConfLine>& lines) {
  for (ConfLine& line : lines) {
    line.where = conf.place(line.where);
    line.rest_where = conf.place(line.rest_where);
    for (ConfPair& pair : line.pairs) {
      pair.key_where = conf.place(pair.key_where);
      pair.value_where = conf.place(pair.value_where);
    }
  }
}

}  // namespace muster
