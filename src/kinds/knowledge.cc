#include "kinds/knowledge.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "gang/load_scheduler.h"
#include "rulebook/book_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

using What = KnowledgeSource::What;

template <class Row>
std::vector<std::string_view> ids_of(const std::vector<Row>& rows) {
  std::vector<std::string_view> out;
  for (const Row& row : rows) out.push_back(row.id);
  return out;
}

template <class Row>
void put(std::vector<Row>& rows, Row row) {
  std::erase_if(rows, [&](const Row& other) { return other.id == row.id; });
  rows.insert(std::ranges::upper_bound(rows, row.id, {}, &Row::id), std::move(row));
}

/// `batch/v1 Job`, one a version.
std::vector<std::string> apis_of(std::string_view group, std::string_view versions, std::string_view kind) {
  std::vector<std::string> out;
  for (const std::string_view version : split_blanks(versions))
    out.push_back((group.empty() ? "" : std::string(group) + "/") + std::string(version) + " " + std::string(kind));
  return out;
}
std::vector<std::string> apis_of(const KindHead& kind) { return apis_of(kind.group, kind.versions, kind.kind); }

/// Lays a site's files over the shipped ones. Schedulers and operators come first: kinds speak of them.
class KnowledgeLoader {
 public:
  explicit KnowledgeLoader(const std::vector<KnowledgeSource>& files) : files_(files), reader_(sources_) {
    for (const DescribedKind& kind : shipped_kinds()) described_[kind.head().id] = &kind;
    for (const Kind& kind : KindTable::shipped().all()) {
      for (const std::string& api : apis_of(kind.group, kind.versions, kind.object_kind))
        apis_.emplace(api, std::string(kind.id));
    }
    schedulers = SchedulerBook::shipped();
  }

  void run() {
    for (const KnowledgeSource& file : files_) read(file);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (roots_[i].exists() && files_[i].what == What::Scheduler)
        put(schedulers.schedulers, load_scheduler(roots_[i], reader_));
      if (roots_[i].exists() && files_[i].what == What::Operator)
        put(schedulers.operators, load_operator(roots_[i], reader_));
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (roots_[i].exists() && files_[i].what == What::Scheduler) check_scheduler(roots_[i]);
    }
    if (reader_.good()) inherit(schedulers);
    check_shipped_kinds();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (roots_[i].exists() && files_[i].what == What::Kind) add_kind(roots_[i]);
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!roots_[i].exists() || files_[i].what != What::Kind) continue;
      check_makes(roots_[i]["pods"]["makes"]);
      check_makes(roots_[i]["used_by"]);
    }
  }

  std::vector<const DescribedKind*> described() const {
    std::vector<const DescribedKind*> out;
    for (const auto& [id, kind] : described_) out.push_back(kind);
    return out;
  }
  BookReader& reader() { return reader_; }

  std::deque<DescribedKind> own;
  SchedulerBook schedulers;

 private:
  void read(const KnowledgeSource& source) {
    const FileId file = sources_.add(source.path, source.text);
    const std::string_view text = sources_.file(file).text();
    std::vector<Finding> findings;
    const std::vector<Span> documents = split_yaml_documents(file, text);
    documents_.emplace_back();
    roots_.emplace_back();
    if (documents.size() != 1) return reader_.wrong({file, 0, 0}, "expected one YAML document");
    const bool good = read_yaml(text, documents.front(), documents_.back(), findings);
    for (const Finding& finding : findings) reader_.wrong(finding.where, finding.message);
    if (!good) return;
    const Node root = documents_.back().root();
    if (!root.is_mapping()) return reader_.wrong(root.where(), "expected `key: value` lines");
    if (is_named_well(root) && is_alone(source, root)) roots_.back() = root;
  }

  bool is_named_well(const Node& root) {
    const std::string_view id = root["id"].text();
    const bool good = !id.empty() && id.front() >= 'a' && id.front() <= 'z' &&
                      id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == id.npos;
    if (!good) reader_.wrong(root["id"].where(), "an `id` has small letters, digits and -, and begins with a letter");
    return good;
  }

  bool is_alone(const KnowledgeSource& source, const Node& root) {
    const std::string id(root["id"].text());
    const auto [first, fresh] = first_of_.try_emplace({source.what, source.folder, id}, source.path);
    if (!fresh)
      reader_.wrong(root["id"].where(), "there are two " + std::string(name_of(source.what)) + "s called `" + id +
                                            "`: the other stands in " + first->second);
    return fresh;
  }

  void check_scheduler(const Node& root) {
    const Scheduler* row = schedulers.find(root["id"].text());
    if (row == nullptr) return;
    const Node like = root["like"];
    const Scheduler* model = like.exists() ? schedulers.find(like.text()) : nullptr;
    if (like.exists() && model == nullptr)
      reader_.wrong(like.where(), "there is no scheduler `" + std::string(like.text()) + "`" +
                                      did_you_mean(like.text(), ids_of(schedulers.schedulers)));
    if (model != nullptr && !model->like.empty())
      reader_.wrong(like.where(),
                    "`" + model->id + "` is like `" + model->like + "` itself: write `like: " + model->like + "`");
    if (!row->queue_object.empty() && row->like.empty() && !enum_of<GangSystem>(row->id))
      reader_.wrong(root["queue"]["object"].where(), "muster reads no queues of `" + row->id + "`: leave `object` out");
    for (const Scheduler& other : schedulers.schedulers) {
      for (const std::string& name : row->names) {
        if (other.id != row->id && std::ranges::find(other.names, name) != other.names.end())
          reader_.wrong(root["names"].where(), "`" + name + "` is the schedulerName of scheduler `" + other.id + "`");
      }
    }
  }

  /// An operator that a site replaces has to keep what the shipped kinds ask it for.
  void check_shipped_kinds() {
    const auto must_keep = [&](const std::string& which, const std::string& setting, const std::string& who) {
      const Operator* row = schedulers.find_operator(which);
      if (row == nullptr || row->find(setting) == nullptr)
        reader_.wrong("operator `" + which + "` must keep its setting `" + setting + "`: " + who + "` rests on it");
    };
    for (const auto& [id, kind] : described_) {
      for (const std::optional<KindOperator>* setting : {&kind->file().operator_setting, &kind->file().once_stated}) {
        if (*setting) must_keep((*setting)->id, (*setting)->option, "the kind `" + id);
      }
    }
    for (const Scheduler& row : schedulers.schedulers) {
      const SettingName& reads = row.group_under_default;
      if (!reads.empty()) must_keep(reads.of, reads.setting, "the scheduler `" + row.id);
    }
  }

  void add_kind(const Node& root) {
    const DescribedKind& kind = own.emplace_back(load_kind(root, reader_));
    check_kind(kind, root);
    const std::string& id = kind.head().id;
    if (const auto replaced = described_.find(id); replaced != described_.end()) {
      for (const std::string& api : apis_of(replaced->second->head())) apis_.erase(api);
    }
    for (const std::string& api : apis_of(kind.head())) apis_.emplace(api, id);
    described_[id] = &kind;
  }

  void check_kind(const DescribedKind& described, const Node& root) {
    const KindFile& kind = described.file();
    const Kind* built_in = KindTable::shipped().find(kind.id);
    if (built_in != nullptr && built_in->described == nullptr)
      reader_.wrong(root["id"].where(), "`" + kind.id + "` is a kind with a reader of its own, which no file replaces");
    for (const std::string& api : apis_of(described.head())) {
      const auto other = apis_.find(api);
      if (other != apis_.end() && other->second != kind.id)
        reader_.wrong(root["kind"].where(),
                      "`" + api + "` is the kind `" + other->second + "`: only a file of that id replaces it");
    }
    check_gang(root, kind);
    const Node parts = root["parts"];  // none of its own where it is like another kind
    for (std::size_t i = 0; parts.is_sequence() && i < std::min(parts.size(), kind.parts.size()); ++i)
      check_gang(parts.item(i), kind.parts[i].form);
  }

  void check_gang(const Node& root, const KindFile& kind) {
    const Node together = root["together"];
    for (std::size_t i = 0; together.is_mapping() && i < together.size(); ++i) {
      const std::string_view name = together.key(i).text();
      if (schedulers.find(name) == nullptr)
        reader_.wrong(together.key(i).where(), "there is no scheduler `" + std::string(name) + "`" +
                                                   did_you_mean(name, ids_of(schedulers.schedulers)));
    }
    check_operator(root["operator"], kind.operator_setting);
    check_operator(root["once_stated"], kind.once_stated);
  }

  /// When all kinds are known: they may make each other's objects.
  void check_makes(const Node& makes) {
    std::vector<std::string_view> known;
    for (const auto& [id, kind] : described_) known.push_back(id);
    const auto check = [&](const Node& made) {
      if (!described_.contains(made.text()))
        reader_.wrong(made.where(),
                      "there is no kind `" + std::string(made.text()) + "`" + did_you_mean(made.text(), known));
    };
    if (makes.is_scalar()) check(makes);
    for (std::size_t i = 0; makes.is_sequence() && i < makes.size(); ++i) check(makes.item(i));
  }

  void check_operator(const Node& node, const std::optional<KindOperator>& setting) {
    if (!setting) return;
    const Operator* which = schedulers.find_operator(setting->id);
    if (which == nullptr)
      return reader_.wrong(node["id"].where(), "there is no operator `" + setting->id + "`" +
                                                   did_you_mean(setting->id, ids_of(schedulers.operators)));
    std::vector<std::string_view> known;
    for (const OperatorOption& option : which->settings) known.push_back(option.name);
    if (which->find(setting->option) == nullptr)
      reader_.wrong(node["setting"].where(),
                    which->id + " has no setting `" + setting->option + "`" + did_you_mean(setting->option, known));
  }

  const std::vector<KnowledgeSource>& files_;
  SourceMap sources_;
  BookReader reader_;
  std::deque<Document> documents_;
  std::vector<Node> roots_;  ///< one a file; of those that can be read
  std::map<std::tuple<What, std::size_t, std::string>, std::string> first_of_;  ///< its path
  std::map<std::string, const DescribedKind*, std::less<>> described_;
  std::map<std::string, std::string> apis_;  ///< which kind has them
};

}  // namespace

Knowledge::Knowledge(std::deque<DescribedKind> own, std::vector<const DescribedKind*> described,
                     SchedulerBook schedulers)
    : own_(std::move(own)),
      described_(std::move(described)),
      schedulers_(std::move(schedulers)),
      table_(described_, schedulers_) {}

const Knowledge& Knowledge::shipped() {
  static const Knowledge kShipped = [] {
    std::vector<const DescribedKind*> described;
    for (const DescribedKind& kind : shipped_kinds()) described.push_back(&kind);
    return Knowledge({}, std::move(described), SchedulerBook::shipped());
  }();
  return kShipped;
}

std::vector<const KindFile*> Knowledge::described() const {
  std::vector<const KindFile*> out;
  for (const DescribedKind* kind : described_) out.push_back(&kind->file());
  return out;
}

std::unique_ptr<const Knowledge> Knowledge::load(const std::vector<KnowledgeSource>& files,
                                                 std::vector<BookProblem>& problems) {
  KnowledgeLoader loader(files);
  loader.run();
  const std::vector<BookProblem>& found = loader.reader().all();
  problems.insert(problems.end(), found.begin(), found.end());
  if (!loader.reader().good()) return nullptr;
  std::vector<const DescribedKind*> described = loader.described();
  return std::unique_ptr<const Knowledge>(
      new Knowledge(std::move(loader.own), std::move(described), std::move(loader.schedulers)));
}

}  // namespace muster
