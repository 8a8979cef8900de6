#include "rulebook/rule_book.h"

#include <algorithm>

#include "base/strings.h"
#include "embed/assets.h"
#include "rulebook/load_rule.h"
#include "syntax/yaml_reader.h"

namespace muster {

class BookLoader {
 public:
  BookLoader(RuleBook& book, const RuleOverrides& overrides) : book_(book), overrides_(overrides), reader_(sources_) {}

  /// A later file of the same id replaces an earlier one.
  void add(std::string path, std::string text) {
    const FileId file = sources_.add(std::move(path), std::move(text));
    const SourceFile& source = sources_.file(file);
    const std::vector<Span> documents = split_yaml_documents(file, source.text());
    std::vector<Finding> findings;
    Document& document = documents_.emplace_back();
    if (documents.size() != 1 || !read_yaml(source.text(), documents.front(), document, findings)) {
      reader_.wrong({file, 0, 0}, documents.size() == 1 ? findings.front().message : "expected one YAML document");
      return;
    }
    for (const Finding& finding : findings) reader_.wrong(finding.where, finding.message);
    const Node root = document.root();
    if (contains(source.path(), "/decide/")) {
      replace(book_.tables_, load_table(root, source.path(), reader_), [](const Table& table) -> const std::string& { return table.id; });
    } else if (contains(source.path(), "/reference/")) {
      read_releases(root);
    } else {
      replace(book_.rules_, load_rule(root, source.path(), overrides_.params, book_.texts_, reader_), [](const Rule& rule) -> const std::string& { return rule.info.id; });
    }
  }

  std::optional<Error> finish() {
    std::ranges::sort(book_.rules_, {}, [](const Rule& rule) { return rule.info.id; });
    order_tables();
    override_severities();
    if (reader_.good()) return std::nullopt;
    return Error{Error::Code::Rules, "the rules cannot be used:\n" + reader_.problems()};
  }

 private:
  template <class T, class Id>
  static void replace(std::vector<T>& all, T item, Id id) {
    const auto same = std::ranges::find_if(all, [&](const T& other) { return id(other) == id(item); });
    if (same == all.end()) {
      all.push_back(std::move(item));
    } else {
      *same = std::move(item);
    }
  }

  void read_releases(const Node& root) {
    const Node releases = root["releases"];
    for (std::size_t i = 0; releases.is_mapping() && i < releases.size(); ++i) {
      std::vector<Version>& versions = book_.releases_[std::string(releases.key(i).text())];
      for (const std::string& text : reader_.texts(releases.value(i))) {
        const std::optional<Version> version = Version::parse(text);
        if (!version) reader_.wrong(releases.value(i).where(), "`" + text + "` is not a version");
        versions.push_back(version.value_or(Version{}));
      }
    }
  }

  void override_severities() {
    std::vector<std::string_view> known;
    for (const Rule& rule : book_.rules_) known.push_back(rule.info.id);
    for (const auto& [id, severity] : overrides_.severities) {
      const auto rule = std::ranges::find(book_.rules_, id, [](const Rule& other) { return other.info.id; });
      if (rule == book_.rules_.end()) {
        reader_.wrong("there is no rule `" + id + "`" + did_you_mean(id, known));
        continue;
      }
      rule->enabled = severity.has_value();
      if (!severity) continue;
      rule->info.severity = *severity;
      rule->severity.cases.clear();
      rule->severity.cases.push_back({std::nullopt, *severity});
    }
    for (const auto& [id, params] : overrides_.params) {
      if (std::ranges::find(known, id) == known.end()) reader_.wrong("there is no rule `" + id + "`" + did_you_mean(id, known));
    }
  }

  /// Tables that feed others come first.
  void order_tables() {
    std::vector<Table> ordered;
    std::vector<Table>& open = book_.tables_;
    const auto ready = [&](const Table& table) {
      return std::ranges::all_of(table.inputs, [&](const TableInput& input) {
        return input.from.empty() || std::ranges::any_of(ordered, [&](const Table& other) { return other.id == input.from; });
      });
    };
    while (!open.empty()) {
      const auto next = std::ranges::find_if(open, ready);
      if (next == open.end()) {
        reader_.wrong("the tables feed each other in a cycle, or from a table that does not exist: " + open.front().id);
        break;
      }
      ordered.push_back(std::move(*next));
      open.erase(next);
    }
    book_.tables_ = std::move(ordered);
  }

  RuleBook& book_;
  const RuleOverrides& overrides_;
  SourceMap sources_;
  std::deque<Document> documents_;
  BookReader reader_;
};

Result<RuleBook> RuleBook::embedded() { return load({}, {}); }

Result<RuleBook> RuleBook::load(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides) {
  RuleBook book;
  BookLoader loader(book, overrides);
  for (const Asset& asset : assets_below("rules/")) loader.add(std::string(asset.path), std::string(asset.text));
  for (const RuleSource& source : overlay) loader.add(source.path, source.text);
  if (std::optional<Error> error = loader.finish()) return *error;
  return book;
}

const Rule* RuleBook::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(rules_, id, {}, [](const Rule& rule) -> std::string_view { return rule.info.id; });
  return found == rules_.end() || found->info.id != id ? nullptr : &*found;
}

const Table* RuleBook::find_table(std::string_view id) const {
  const auto found = std::ranges::find(tables_, id, &Table::id);
  return found == tables_.end() ? nullptr : &*found;
}

const std::vector<Version>& RuleBook::releases(const std::string& target) const {
  static const std::vector<Version> kNone;
  const auto found = releases_.find(target);
  return found == releases_.end() ? kNone : found->second;
}

}  // namespace muster
