#include <algorithm>

#include "base/strings.h"
#include "review/fill.h"

namespace muster {
namespace {

/// As it is written, whole numbers with a comma behind the thousands.
std::string grouped(const Quantity& quantity) {
  const std::string text = quantity.text();
  const bool plain = text.size() < 19 && text.find_first_not_of("0123456789") == text.npos;
  return plain && !text.empty() ? with_thousands(static_cast<std::uint64_t>(quantity.whole)) : text;
}

/// "nvidia.com/gpu: 16 of flavor `l40s`, 8 may be borrowed".
std::string quota_words(const Quota& quota, bool kai) {
  std::string out;
  // Nothing below 0 is a number of KAI's: -1 stands for no bound.
  const auto is_open = [&](const Located<Quantity>& value) { return kai && value.known() && value.value.whole < 0; };
  const auto add = [&](const Located<Quantity>& value, std::string_view before, std::string_view behind) {
    if (value.known() && !is_open(value))
      out += (out.empty() ? "" : ", ") + std::string(before) + grouped(value.value) + std::string(behind);
  };
  if (is_open(quota.limit)) out = is_open(quota.deserved) ? "unlimited" : "no limit";
  add(quota.limit, "at most ", "");
  add(quota.guarantee, "", " guaranteed");
  add(quota.deserved, "", " deserved");
  add(quota.borrowing, "", " may be borrowed");
  if (out.empty()) return "";
  return "`" + quota.resource + "` " + out + (quota.flavor.empty() ? "" : " of `" + quota.flavor + "`");
}

ReviewQueue queue_of(const Model& model, std::size_t at, const SourceMap& sources) {
  const Queue& queue = model.queues[at];
  ReviewQueue out;
  out.name = queue.space.empty() ? queue.name.value : queue.space + "/" + queue.name.value;
  out.system = std::string(name_of(queue.system));
  for (const Located<std::string>* above : {&queue.cluster_queue, &queue.parent, &queue.cohort}) {
    if (out.below.empty() && above->known()) out.below = above->value;
  }
  for (const Quota& quota : queue.quotas) {
    if (const std::string words = quota_words(quota, queue.system == GangSystem::Kai); !words.empty())
      out.limits += (out.limits.empty() ? "" : "; ") + words;
  }
  if (queue.weight.known()) out.limits += (out.limits.empty() ? "" : "; ") + ("weight " + queue.weight.value.text());
  if (queue.stop_policy.known() && queue.stop_policy.value != "None")
    out.limits += (out.limits.empty() ? "" : "; ") + ("stopped: `" + queue.stop_policy.value + "`");
  out.place = place_of(queue.where, sources);
  return out;
}

void count_gangs(const Model& model, std::vector<ReviewQueue>& queues) {
  for (const Gang& gang : model.gangs) {
    std::vector<std::size_t> to;
    if (gang.queue_index) to.push_back(*gang.queue_index);
    if (gang.queue_object && gang.queue_object != gang.queue_index) to.push_back(*gang.queue_object);
    for (const std::size_t at : to) {
      ReviewQueue& queue = queues[at];
      ++queue.gangs;
      if (const std::int64_t* gpus = gang.gpus.get()) queue.largest = std::max(queue.largest.value_or(0), *gpus);
    }
  }
}

ReviewQueue partition_of(const SlurmSite& site, std::size_t at, const SourceMap& sources) {
  const SlurmPartition& partition = site.partitions[at];
  ReviewQueue out;
  out.name = partition.name.value;
  out.system = "slurm";
  out.below = site.name.value;
  out.place = place_of(partition.where, sources);
  if (at >= site.table.partitions.size()) return out;
  const SitePartition& table = site.table.partitions[at];
  std::vector<std::string> limits;
  if (table.known) limits.push_back(count_of(static_cast<std::size_t>(table.nodes), "node"));
  if (table.max_nodes)
    limits.push_back("at most " + count_of(static_cast<std::size_t>(*table.max_nodes), "node") + " a job");
  if (!table.max_time.empty()) limits.push_back("at most `" + table.max_time + "` a job");
  if (table.state != "UP") limits.push_back("state `" + table.state + "`");
  out.limits = join(limits, ", ");
  return out;
}

}  // namespace

void fill_queues(const ReviewSubject& subject, Review& review) {
  const Model& model = subject.model;
  for (std::size_t i = 0; i < model.queues.size(); ++i)
    review.queues.push_back(queue_of(model, i, *subject.report.sources));
  count_gangs(model, review.queues);
  std::vector<std::vector<std::size_t>> partitions;  // by site: where its partitions stand
  for (const SlurmSite& site : model.slurm_sites) {
    partitions.emplace_back();
    for (std::size_t p = 0; p < site.partitions.size(); ++p) {
      partitions.back().push_back(review.queues.size());
      review.queues.push_back(partition_of(site, p, *subject.report.sources));
    }
  }
  for (const SbatchJob& job : model.sbatch_jobs) {
    if (!job.site || !job.partition_index) continue;
    ReviewQueue& queue = review.queues[partitions[*job.site][*job.partition_index]];
    ++queue.gangs;
    const std::int64_t* gpus = job.gang ? model.gangs[*job.gang].gpus.get() : nullptr;
    if (gpus != nullptr) queue.largest = std::max(queue.largest.value_or(0), *gpus);
  }
}

}  // namespace muster
