#include "rulebook/rule_book.h"

#include <algorithm>

#include "base/strings.h"
#include "embed/assets.h"
#include "rulebook/load_rule.h"
#include "rulebook/load_slurm_keys.h"
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
      if (documents.size() == 1) reader_.wrong(findings.front().where, findings.front().message);
      if (documents.size() != 1) reader_.wrong({file, 0, 0}, "expected one YAML document");
      return;
    }
    for (const Finding& finding : findings) reader_.wrong(finding.where, finding.message);
    const Node root = document.root();
    if (root["rows"].exists() || contains(source.path(), "/decide/")) {
      Table table = load_table(root, source.path(), reader_);
      if (!shipped_) changed_.insert(table.id);
      replace(book_.tables_, std::move(table), [](const Table& other) -> const std::string& { return other.id; });
    } else if (root["slurm_keys"].exists()) {
      load_slurm_keys(root, book_.slurm_keys_, reader_);
    } else if (root["releases"].exists() || contains(source.path(), "/reference/")) {
      read_releases(root);
    } else {
      replace(book_.rules_, load_rule(root, source.path(), overrides_.params, book_.texts_, reader_), [](const Rule& rule) -> const std::string& { return rule.info.id; });
    }
  }

  /// What is added from here on changes the shipped book.
  void end_of_shipped() { shipped_ = false; }

  void finish(BookOrigin origin, Proof proof, ProofStats& stats) {
    std::ranges::sort(book_.rules_, {}, [](const Rule& rule) { return rule.info.id; });
    for (const RowOverride& change : overrides_.rows) override_row(change);
    override_severities();
    link_tables(book_.tables_, reader_);
    if (!reader_.good()) return;
    std::vector<Cut> cuts;
    std::vector<TableInvariants> invariants;
    for (const Table& table : book_.tables_) invariants.push_back(compile_invariants(book_.tables_, table, reader_, cuts));
    if (!reader_.good()) return;
    book_.space_ = std::make_unique<Space>(book_.tables_, cuts);
    // Changes are proved against the shipped book, whose own tables stand proved.
    if (proof == Proof::Run) stats = prove_tables(*book_.space_, invariants, origin, reader_, changed_.empty() ? nullptr : &changed_);
  }

  BookReader& reader() { return reader_; }

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

  void override_row(const RowOverride& change) {
    const auto wrong = [&](const std::string& message) { reader_.add(BookProblem{Severity::Error, "syntax", change.table, message, change.file, change.at, {}}); };
    std::vector<std::string_view> known;
    for (const Table& table : book_.tables_) known.push_back(table.id);
    const auto table = std::ranges::find(book_.tables_, change.table, &Table::id);
    if (table == book_.tables_.end()) return wrong("there is no table `" + change.table + "`" + did_you_mean(change.table, known));
    known.clear();
    for (const TableRow& row : table->rows) known.push_back(row.id);
    const auto row = std::ranges::find(table->rows, change.row, &TableRow::id);
    changed_.insert(change.table);
    if (row == table->rows.end()) return wrong("the table `" + change.table + "` has no row `" + change.row + "`" + did_you_mean(change.row, known));
    if (change.off) {
      table->rows.erase(row);
      return;
    }
    for (const auto& [input, texts] : change.when) {
      if (const std::string problem = read_row_cell(*table, *row, input, texts, {}); !problem.empty()) wrong(problem);
    }
    for (const auto& [output, word] : change.then) {
      if (const std::string problem = read_row_word(*table, *row, output, word); !problem.empty()) wrong(problem);
    }
    row->because = change.reason;
  }

  RuleBook& book_;
  const RuleOverrides& overrides_;
  bool shipped_ = true;
  std::set<std::string> changed_;  ///< tables
  SourceMap sources_;
  std::deque<Document> documents_;
  BookReader reader_;
};

Result<RuleBook> RuleBook::embedded() { return load({}, {}); }

BookCheck RuleBook::check(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides, BookOrigin origin, Proof proof) {
  BookCheck out;
  RuleBook book;
  BookLoader loader(book, overrides);
  for (const Asset& asset : assets_below("rules/")) loader.add(std::string(asset.path), std::string(asset.text));
  loader.end_of_shipped();
  for (const RuleSource& source : overlay) loader.add(source.path, source.text);
  loader.finish(origin, proof, out.stats);
  out.problems = loader.reader().all();
  if (loader.reader().good()) out.book = std::move(book);
  return out;
}

Result<RuleBook> RuleBook::load(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides) {
  const bool shipped = overlay.empty() && overrides.rows.empty();
  BookCheck checked = shipped ? check(overlay, overrides, BookOrigin::Shipped, Proof::Known) : check(overlay, overrides, BookOrigin::Site);
  if (checked.book) return std::move(*checked.book);
  std::vector<std::string> lines;
  for (const BookProblem& problem : checked.problems) {
    if (problem.severity == Severity::Error) lines.push_back(to_text(problem));
  }
  return Error{Error::Code::Rules, "the rules cannot be used:\n" + join(lines, "\n")};
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
