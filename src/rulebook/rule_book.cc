#include "rulebook/rule_book.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "embed/assets.h"
#include "rulebook/book_assets.h"
#include "rulebook/load_rule.h"
#include "rulebook/load_slurm_keys.h"
#include "syntax/yaml_reader.h"

namespace muster {

/// One file, read by itself: files share nothing until they join the book.
struct BookFile {
  BookFile(const SourceMap& sources, FileId id, bool ours)
      : source(sources.file(id)), file(id), shipped(ours), reader(sources) {}

  const SourceFile& source;
  FileId file;
  bool shipped;
  BookReader reader;
  std::optional<Document> document;                ///< of what joins lists of the book
  std::variant<std::monostate, Rule, Table> what;  ///< all others
};

namespace {

/// Kinds, schedulers and operators stand beside the rules; who reads gangs reads them.
bool is_rule_file(std::string_view path) {
  return path.find("/kinds/") == path.npos && path.find("/schedulers/") == path.npos &&
         path.find("/operators/") == path.npos;
}

/// What stands behind a key among the marks of a shipped file; a null pointer where it has no such line.
std::string_view marked(const Asset& asset, std::string_view key) {
  for (std::string_view rest = asset.marks; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    if (one.starts_with(key)) return trim(one.substr(key.size()));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return {};
}

/// The first condition of a rule; empty where that is not easily told.
std::string first_condition(const Asset& asset) {
  constexpr std::string_view kWhen = "\nwhen:\n";
  const std::size_t begin = asset.text.find(kWhen);
  if (begin == asset.text.npos) return {};
  const std::size_t list = begin + kWhen.size();
  std::size_t end = list;  // behind the lines that are further in
  while (asset.text.substr(end).starts_with(' ')) end = std::min(asset.text.find('\n', end), asset.text.size() - 1) + 1;
  Document items;
  if (!read_book_text(asset.path, asset.text.substr(list, end - list), items)) return {};
  return items.root().size() > 0 && items.root().is_sequence() ? std::string(items.root().item(0).text())
                                                               : std::string();
}

/// Whether a rule has nothing to say about an input: told by its line `for: g in gangs` and its first condition, since
/// reading all of its YAML is what there is to spare. A finding of C++ asks for its rule by name.
bool is_unneeded(const Asset& asset, const NeededRules& needed) {
  constexpr std::string_view kIn = " in ";
  if (marked(asset, "check:").data() != nullptr) return true;
  const std::string_view loop = marked(asset, "for:");
  const std::size_t in = loop.find(kIn);
  if (in == loop.npos) return false;
  std::string_view name = trim(loop.substr(in + kIn.size()));
  name = name.substr(0, name.find(' '));
  const Collection* collection = find_collection(name);
  if (collection == nullptr) return false;
  if (!needed.collections.contains(name)) return true;
  if (!needed.may_hold) return false;
  const std::string condition = first_condition(asset);
  return !condition.empty() && !needed.may_hold(*collection, trim(loop.substr(0, in)), condition);
}

bool is_table_file(std::string_view path) { return contains(path, "/decide/"); }
bool is_reference_file(std::string_view path) { return contains(path, "/reference/"); }
bool is_rule(std::string_view path) { return !is_table_file(path) && !is_reference_file(path); }

std::string_view id_of(const Rule& rule) { return rule.info.id; }

/// `gang-never-fits` of rules/gang/gang-never-fits.yaml.
std::string_view id_of(const Asset& asset) {
  const std::string_view name = asset.path.substr(asset.path.rfind('/') + 1);  // npos + 1 is 0
  return name.substr(0, name.rfind('.'));
}

/// Without workloads nothing is decided, without sites nobody asks for their keys.
bool is_unasked(std::string_view path, const std::set<std::string_view>& collections) {
  return (is_table_file(path) && !collections.contains("workloads")) ||
         (path.ends_with("/slurm-keys.yaml") && !collections.contains("slurm_sites"));
}

void read_book_file(const ParamValues& params, BookFile& out) {
  const std::vector<Span> documents = split_yaml_documents(out.file, out.source.text());
  if (documents.size() != 1) return out.reader.wrong({out.file, 0, 0}, "expected one YAML document");
  std::vector<Finding> findings;
  Document document;
  const bool good = read_yaml(out.source.text(), documents.front(), document, findings);
  for (const Finding& finding : findings) out.reader.wrong(finding.where, finding.message);
  if (!good) return;
  const Node root = document.root();
  if (root["rows"].exists() || is_table_file(out.source.path())) {
    out.what = load_table(root, out.source.path(), out.reader);
  } else if (root["slurm_keys"].exists() || root["releases"].exists() || is_reference_file(out.source.path())) {
    out.document = std::move(document);
  } else {
    out.what = load_rule(root, out.source.path(), params, out.reader);
  }
}

}  // namespace

class BookLoader {
 public:
  /// `needed`; nullptr: all.
  BookLoader(RuleBook& book, const RuleOverrides& overrides, const NeededRules* needed)
      : book_(book), overrides_(overrides), needed_(needed), reader_(sources_) {}

  void add_shipped(const Asset& asset) {
    if (needed_ != nullptr && is_unasked(asset.path, needed_->collections)) return;
    if (needed_ != nullptr && is_rule(asset.path)) book_.rules_.push_back(name_rule(asset.path));
    if (needed_ != nullptr && is_unneeded(asset, *needed_)) return;
    add(std::string(asset.path), std::string(asset.text));
  }

  void add(std::string path, std::string text) {
    const FileId file = sources_.add(std::move(path), std::move(text));
    files_.emplace_back(sources_, file, shipped_);
  }

  /// What is added from here on changes the shipped book.
  void end_of_shipped() { shipped_ = false; }

  void finish(BookOrigin origin, Proof proof, unsigned threads, ProofStats& stats) {
    in_parallel(files_.size(), threads, [&](std::size_t i) { read_book_file(overrides_.params, files_[i]); });
    for (BookFile& file : files_) join(file);
    sort_rules();
    for (const RowOverride& change : overrides_.rows) override_row(change);
    override_severities();
    link_tables(book_.tables_, reader_);
    if (!reader_.good()) return;
    std::vector<TableInvariants> invariants(book_.tables_.size());
    std::vector<BookReader> readers(invariants.size(), reader_.beside());
    in_parallel(invariants.size(), threads, [&](std::size_t i) {
      invariants[i] = compile_invariants(book_.tables_, book_.tables_[i], readers[i]);
    });
    for (BookReader& reader : readers) reader_.take(std::move(reader));
    if (!reader_.good()) return;
    book_.space_ = std::make_unique<Space>(book_.tables_, cuts_of(invariants));
    // Changes are proved against the shipped book, whose own tables stand proved.
    if (proof == Proof::Run)
      stats = prove_tables(*book_.space_, invariants, origin, reader_,
                           origin == BookOrigin::Shipped ? nullptr : &changed_, threads);
  }

  BookReader& reader() { return reader_; }

 private:
  /// A later file of the same id replaces an earlier one.
  void join(BookFile& file) {
    reader_.take(std::move(file.reader));
    if (auto* table = std::get_if<Table>(&file.what)) {
      if (!file.shipped) changed_.insert(table->id);
      std::size_t& place = places_of_tables_[table->id];
      replace(book_.tables_, place, std::move(*table));
    } else if (auto* rule = std::get_if<Rule>(&file.what); rule != nullptr && needed_ != nullptr) {
      *std::ranges::lower_bound(book_.rules_, id_of(*rule), {}, [](const Rule& one) { return id_of(one); }) =
          std::move(*rule);
    } else if (rule != nullptr) {
      std::size_t& place = places_of_rules_[rule->info.id];
      replace(book_.rules_, place, std::move(*rule));
    } else if (file.document) {
      const Node root = file.document->root();
      root["slurm_keys"].exists() ? load_slurm_keys(root, book_.slurm_keys_, reader_) : read_releases(root);
    }
  }

  /// `place` is one more than the index; 0: it is new.
  template <class T>
  static void replace(std::vector<T>& all, std::size_t& place, T item) {
    if (place == 0) {
      all.push_back(std::move(item));
      place = all.size();
    } else {
      all[place - 1] = std::move(item);
    }
  }

  /// By id. A rule is large: each is moved once.
  void sort_rules() {
    if (needed_ != nullptr) return;  // each was named in its place
    std::vector<Rule*> order;
    for (Rule& rule : book_.rules_) order.push_back(&rule);
    std::ranges::sort(order, {}, [](const Rule* rule) { return id_of(*rule); });
    std::vector<Rule> sorted;
    sorted.reserve(order.size());
    for (Rule* rule : order) sorted.push_back(std::move(*rule));
    book_.rules_ = std::move(sorted);
  }

  void read_releases(const Node& root) {
    const Node releases = root["releases"];
    for (std::size_t i = 0; releases.is_mapping() && i < releases.size(); ++i) {
      std::vector<Version>& versions = book_.releases_[std::string(releases.key(i).text())];
      for (const std::string& text : reader_.texts(releases.value(i))) {
        const std::optional<Version> version = Version::parse(text);
        if (!version) reader_.wrong(releases.value(i).where(), "`" + text + "` is not a version");
        if (version && std::ranges::find(versions, *version) != versions.end()) continue;  // a copy of the shipped ones
        versions.push_back(version.value_or(Version{}));
      }
    }
    const Node since = root["known_since"];
    for (std::size_t i = 0; since.is_mapping() && i < since.size(); ++i) {
      const std::optional<Version> version = Version::parse(since.value(i).text());
      if (!version) reader_.wrong(since.value(i).where(), "not a version");
      book_.known_since_.insert_or_assign(std::string(since.key(i).text()), version.value_or(Version{}));
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
      if (std::ranges::find(known, id) == known.end())
        reader_.wrong("there is no rule `" + id + "`" + did_you_mean(id, known));
    }
  }

  void override_row(const RowOverride& change) {
    const auto wrong = [&](const std::string& message) {
      reader_.add(BookProblem{Severity::Error, "syntax", change.table, message, change.file, change.at, {}});
    };
    std::vector<std::string_view> known;
    for (const Table& table : book_.tables_) known.push_back(table.id);
    const auto table = std::ranges::find(book_.tables_, change.table, &Table::id);
    if (table == book_.tables_.end())
      return wrong("there is no table `" + change.table + "`" + did_you_mean(change.table, known));
    known.clear();
    for (const TableRow& row : table->rows) known.push_back(row.id);
    const auto row = std::ranges::find(table->rows, change.row, &TableRow::id);
    changed_.insert(change.table);
    if (row == table->rows.end())
      return wrong("the table `" + change.table + "` has no row `" + change.row + "`" +
                   did_you_mean(change.row, known));
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
  const NeededRules* needed_;
  bool shipped_ = true;
  std::set<std::string> changed_;  ///< tables
  std::map<std::string, std::size_t> places_of_tables_;
  std::map<std::string, std::size_t> places_of_rules_;
  SourceMap sources_;
  std::deque<BookFile> files_;
  BookReader reader_;
};

/// Shipped rules that were only named, read when they are asked for.
class LateRules {
 public:
  const Rule* read(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    const auto [found, fresh] = rules_.try_emplace(path);
    if (fresh) {
      SourceMap sources;
      BookFile file(sources, sources.add(path, std::string(find_asset(path)->text)), true);
      read_book_file({}, file);
      MUSTER_CHECK(file.reader.good(), file.reader.problems());
      found->second = std::get<Rule>(std::move(file.what));
    }
    return &found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Rule> rules_;  ///< by path
};

void DeleteLateRules::operator()(const LateRules* late) const { delete late; }

Result<RuleBook> RuleBook::embedded(unsigned threads) { return load({}, {}, threads); }

Result<RuleBook> RuleBook::embedded_for(const NeededRules& needed, unsigned threads) {
  BookCheck checked = read({}, {}, BookOrigin::Shipped, Proof::Known, threads, &needed);
  if (checked.book) return std::move(*checked.book);
  return embedded(threads);  // which says what is wrong
}

BookCheck RuleBook::check(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides, BookOrigin origin,
                          Proof proof, unsigned threads) {
  return read(overlay, overrides, origin, proof, threads, nullptr);
}

BookCheck RuleBook::read(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides, BookOrigin origin,
                         Proof proof, unsigned threads, const NeededRules* needed) {
  BookCheck out;
  RuleBook book;
  BookLoader loader(book, overrides, needed);
  book.rules_.reserve(assets_below("rules/").size());
  if (needed != nullptr) book.late_.reset(new LateRules);
  std::vector<std::pair<std::string_view, const Asset*>> shipped;
  for (const Asset& asset : assets_below("rules/")) {
    if (is_rule_file(asset.path)) shipped.emplace_back(id_of(asset), &asset);
  }
  if (needed != nullptr) std::ranges::sort(shipped);
  for (const auto& [id, asset] : shipped) loader.add_shipped(*asset);
  loader.end_of_shipped();
  for (const RuleSource& source : overlay) loader.add(source.path, source.text);
  loader.finish(origin, proof, threads, out.stats);
  out.problems = loader.reader().all();
  if (loader.reader().good()) out.book = std::move(book);
  return out;
}

Result<RuleBook> RuleBook::load(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides,
                                unsigned threads) {
  const bool shipped = overlay.empty() && overrides.rows.empty();
  BookCheck checked = check(overlay, overrides, shipped ? BookOrigin::Shipped : BookOrigin::Site,
                            shipped ? Proof::Known : Proof::Run, threads);
  if (checked.book) return std::move(*checked.book);
  std::vector<std::string> lines;
  for (const BookProblem& problem : checked.problems) {
    if (problem.severity == Severity::Error) lines.push_back(to_text(problem));
  }
  return Error{Error::Code::Rules, "the rules cannot be used:\n" + join(lines, "\n")};
}

const Rule* RuleBook::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(rules_, id, {}, [](const Rule& rule) { return id_of(rule); });
  if (found == rules_.end() || found->info.id != id) return nullptr;
  return found->named_only ? late_->read(found->file) : &*found;
}

const Table* RuleBook::find_table(std::string_view id) const {
  const auto found = std::ranges::find(tables_, id, &Table::id);
  return found == tables_.end() ? nullptr : &*found;
}

const Version* RuleBook::known_since(const std::string& target) const {
  const auto found = known_since_.find(target);
  return found == known_since_.end() ? nullptr : &found->second;
}

const std::vector<Version>& RuleBook::releases(const std::string& target) const {
  static const std::vector<Version> kNone;
  const auto found = releases_.find(target);
  return found == releases_.end() ? kNone : found->second;
}

}  // namespace muster
