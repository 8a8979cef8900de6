// The flat file of `sacctmgr dump` and `sacctmgr load`: who may use how much of a cluster of Slurm.
// Source: https://slurm.schedmd.com/sacctmgr.html, FLAT FILE DUMP AND LOAD (25.11).
#include "slurm/accounts.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/strings.h"
#include "input/kind.h"

namespace muster {
namespace {

/// `Account - 'ml':Fairshare=10:GrpTRES=gres/gpu=64`, cut at the colons outside of quotes. A quoted word may have any.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && (line[i] == '\'' || line[i] == '"')) {
      if (quote == 0)
        quote = line[i];
      else if (quote == line[i])
        quote = 0;
    }
    if (i < line.size() && (line[i] != ':' || quote != 0)) continue;
    out.push_back(trim(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

std::string_view unquoted(std::string_view word) {
  word = trim(word);
  const bool quoted = word.size() >= 2 && (word.front() == '\'' || word.front() == '"') && word.back() == word.front();
  return quoted ? word.substr(1, word.size() - 2) : word;
}

/// What stands behind `Word - `, of a line that begins so.
std::optional<std::string_view> behind_word(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  std::string_view rest = trim(line.substr(word.size()));
  if (!rest.starts_with("-")) return std::nullopt;
  return trim(rest.substr(1));
}

/// Visits each line that says something, with its place in the text.
void each_account_line(std::string_view text, const auto& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(text.substr(begin, end - begin));
    if (!line.empty() && !line.starts_with('#') && !visit(line)) return;
    begin = end + 1;
  }
}

class AccountReader {
 public:
  AccountReader(const Artifact& artifact, const NormaliseContext& context)
      : file_(artifact.file), text_(context.sources.file(artifact.file).text()), context_(context) {}

  void run() {
    each_account_line(text_, [&](std::string_view line) {
      if (const auto rest = behind_word(line, "Cluster")) cluster_ = unquoted(fields_of(*rest).front());
      if (const auto rest = behind_word(line, "Parent")) parent_ = set_to(std::string(unquoted(*rest)), place(*rest));
      if (const auto rest = behind_word(line, "Account")) read_account(*rest);
      if (const auto rest = behind_word(line, "User")) read_user(*rest);
      return context_.model.slurm_accounts.size() < kMostAccounts;
    });
    for (SlurmAccount& account : context_.model.slurm_accounts) {
      const bool here = account.where.file == file_;
      if (here && own_qos_.contains({account.cluster, account.name.value})) account.qos = {};
    }
  }

 private:
  static constexpr std::size_t kMostAccounts = 100'000;

  Span place(std::string_view piece) const { return span_of_part(file_, text_, piece); }

  void read_account(std::string_view rest) {
    const std::vector<std::string_view> fields = fields_of(rest);
    SlurmAccount account;
    account.name = set_to(std::string(unquoted(fields.front())), place(fields.front()), "Account");
    account.id = "sacctmgr/" + cluster_ + "/" + account.name.value;
    account.kind = "Account";
    account.where = account.name.where;
    account.file = context_.file.path;
    account.bundle = context_.file.bundle;
    account.cluster = cluster_;
    account.parent = parent_;
    for (const std::string_view field : fields) {
      const std::size_t equals = field.find('=');
      if (equals == field.npos) continue;
      const std::string_view value = unquoted(field.substr(equals + 1));
      if (equals_ignoring_case(field.substr(0, equals), "Fairshare")) account.fair_share = number(value, "Fairshare");
      if (equals_ignoring_case(field.substr(0, equals), "GrpTRES")) read_limit(value, account);
      // One alone: `+a` and `-a` are changes of a list that stands elsewhere.
      const bool one = !value.empty() && value.find_first_of(",+-") == value.npos;
      if (one && equals_ignoring_case(field.substr(0, equals), "QOS"))
        account.qos = set_to(std::string(value), place(value), "QOS");
    }
    context_.model.slurm_accounts.push_back(std::move(account));
  }

  /// Users of an account may have a QOS of their own.
  void read_user(std::string_view rest) {
    const std::vector<std::string_view> fields = fields_of(rest);
    const bool own = std::ranges::any_of(fields, [](std::string_view field) {
      const std::string_view key = field.substr(0, std::min(field.find('='), field.size()));
      return equals_ignoring_case(key, "QOS");
    });
    if (own) own_qos_.emplace(cluster_, parent_.value);
  }

  void read_limit(std::string_view value, SlurmAccount& account) const {
    for (const std::string_view one : split(value, ',')) {
      constexpr std::string_view kGpus = "gres/gpu=";
      if (one.starts_with(kGpus)) account.gpus = number(one.substr(kGpus.size()), "GrpTRES");
    }
  }

  /// -1 takes a limit away; `parent` is a share of another's.
  Located<std::int64_t> number(std::string_view text, FieldName field) const {
    const std::optional<std::int64_t> value = parse_int(text);
    return value && *value >= 0 ? set_to(*value, place(text), field) : Located<std::int64_t>{};
  }

  FileId file_;
  std::string_view text_;
  const NormaliseContext& context_;
  std::string cluster_;
  Located<std::string> parent_;
  std::set<std::pair<std::string, std::string>>
      own_qos_;  ///< accounts, by cluster and name, whose users have their own
};

}  // namespace

bool is_account_file(std::string_view text) {
  bool cluster = false;
  bool account = false;
  each_account_line(text, [&](std::string_view line) {
    if (!cluster) {
      cluster = behind_word(line, "Cluster").has_value();
      return cluster;  // the first line names it
    }
    account = behind_word(line, "Account").has_value();
    return !account;
  });
  return account;
}

namespace slurm_accounts {

/// Found by its lines alone: kinds/recognise_conf.
bool recognises(const Artifact&) { return false; }

void normalise(const Artifact& artifact, const NormaliseContext& context) { AccountReader(artifact, context).run(); }

}  // namespace slurm_accounts
}  // namespace muster
