#include <map>

#include "base/strings.h"
#include "review/fill.h"

namespace muster {
namespace {

void add_words(std::string& to, const std::string& words) { to += (to.empty() ? "" : "; ") + words; }

std::string count_in_groups(std::int64_t value) {
  return value < 0 ? std::to_string(value) : with_thousands(static_cast<std::uint64_t>(value));
}

std::string tenant_words(const Tenant& tenant) {
  std::string out;
  if (tenant.guaranteed_gpus.known()) add_words(out, count_in_groups(tenant.guaranteed_gpus.value) + " guaranteed");
  if (tenant.limit_gpus.known()) add_words(out, "at most " + count_in_groups(tenant.limit_gpus.value));
  return out.empty() ? "named" : out;
}

std::string account_words(const SlurmAccount& account) {
  std::string out;
  if (account.fair_share.known()) add_words(out, "fair share " + std::to_string(account.fair_share.value));
  if (account.gpus.known()) add_words(out, "at most " + count_in_groups(account.gpus.value));
  if (account.qos.known()) add_words(out, "only with QOS " + account.qos.value);
  return out.empty() ? "named" : out;
}

std::string qos_words(const SlurmQos& qos) {
  std::string out;
  if (qos.gpus.known()) add_words(out, "at most " + count_in_groups(qos.gpus.value));
  if (qos.gpus_each.known()) add_words(out, "at most " + count_in_groups(qos.gpus_each.value) + " an account");
  return out.empty() ? out : "QOS " + out;
}

std::string written(const Located<std::string>& step) { return step.is_set() ? step.value : ""; }

void fill_shares(const Model& model, Review& review) {
  std::map<std::string, ReviewShare> rows;
  if (const Fleet* fleet = only_fleet(model)) {
    for (const Tenant& tenant : fleet->tenants) add_words(rows[tenant.name.value].fleet, tenant_words(tenant));
  }
  for (const SlurmAccount& account : model.slurm_accounts)
    add_words(rows[account.name.value].account, account_words(account));
  for (const SlurmQos& qos : model.slurm_qos) {
    if (const std::string words = qos_words(qos); !words.empty()) add_words(rows[qos.name.value].account, words);
  }
  for (std::size_t q = 0; q < model.queues.size(); ++q) {
    const Queue& queue = model.queues[q];
    if (queue.local || !queue.name.is_set()) continue;
    const std::string& limits = review.queues[q].limits;
    add_words(rows[queue.name.value].queue, std::string(name_of(queue.system)) + (limits.empty() ? "" : ": " + limits));
  }
  bool meets = false;
  for (const auto& [name, row] : rows) {
    const int planes = (row.fleet.empty() ? 0 : 1) + (row.account.empty() ? 0 : 1) + (row.queue.empty() ? 0 : 1);
    meets = meets || planes > 1;
  }
  for (auto& [name, row] : rows) {
    if (!meets) return;
    row.name = name;
    review.shares.push_back(std::move(row));
  }
}

}  // namespace

void fill_planes(const ReviewSubject& subject, Review& review) {
  fill_shares(subject.model, review);
  for (const DrainChain& chain : subject.model.drain_chains) {
    review.chains.push_back({chain.name.value, written(chain.detect), written(chain.quarantine), written(chain.drain),
                             written(chain.resume), written(chain.spare)});
  }
}

}  // namespace muster
