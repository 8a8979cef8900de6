#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "report/review_parts.h"
#include "report/review_pictures.h"
#include "report/words.h"

namespace muster {
namespace {

constexpr std::size_t kMostTopologies = 4;
constexpr std::size_t kMostQueues = 60;
constexpr std::size_t kMostJobs = 20;

std::string gpus_or(const std::optional<std::int64_t>& value, std::string_view otherwise) {
  return value ? with_thousands(static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0))) : std::string(otherwise);
}

PageTable tenants_table(const Review& review) {
  PageTable table;
  table.head = {"Tenant", "Below", "Guaranteed GPUs", "At most"};
  for (std::size_t i = 0; i < std::min(review.tenants.size(), kMostQueues); ++i) {
    const ReviewTenant& tenant = review.tenants[i];
    table.rows.push_back({{code(tenant.name), Tone::Plain, ""},
                          {tenant.parent.empty() ? "the fleet" : code(tenant.parent), Tone::Plain, ""},
                          {gpus_or(tenant.guaranteed, "none"), Tone::Plain, ""},
                          {gpus_or(tenant.limit, "no limit"), Tone::Plain, ""}});
  }
  return table;
}

PageTable queues_table(const Review& review) {
  PageTable table;
  table.head = {"Queue", "Of", "Below", "Limits", "Gangs", "Largest gang"};
  for (std::size_t i = 0; i < std::min(review.queues.size(), kMostQueues); ++i) {
    const ReviewQueue& queue = review.queues[i];
    table.rows.push_back(
        {{code(queue.name), Tone::Plain, ""},
         {queue.system, Tone::Plain, ""},
         {queue.below.empty() ? "" : (queue.system == "slurm" ? "cluster " : "") + code(queue.below), Tone::Plain, ""},
         {prose(queue.limits), Tone::Plain, ""},
         {with_thousands(queue.gangs), Tone::Plain, ""},
         {queue.largest ? count_of(static_cast<std::size_t>(std::max<std::int64_t>(*queue.largest, 0)), "GPU") : "",
          Tone::Plain, ""}});
  }
  return table;
}

PageTable shares_table(const Review& review) {
  PageTable table;
  table.caption = "Who may use what, by name.";
  const bool accounts = std::ranges::any_of(review.shares, [](const ReviewShare& one) { return !one.account.empty(); });
  const bool queues = std::ranges::any_of(review.shares, [](const ReviewShare& one) { return !one.queue.empty(); });
  table.head = {"Name", "Fleet file, GPUs"};
  if (accounts) table.head.push_back("Account or QOS of Slurm, GPUs");
  if (queues) table.head.push_back("Queue");
  for (std::size_t i = 0; i < std::min(review.shares.size(), kMostQueues); ++i) {
    const ReviewShare& share = review.shares[i];
    table.rows.push_back({{code(share.name), Tone::Plain, ""}, {share.fleet, Tone::Plain, ""}});
    if (accounts) table.rows.back().push_back({share.account, Tone::Plain, ""});
    if (queues) table.rows.back().push_back({prose(share.queue), Tone::Plain, ""});
  }
  return table;
}

PageTable chains_table(const Review& review) {
  PageTable table;
  table.caption = "From a sick node to a job that goes on: who does each step, as far as these files show.";
  table.head = {"Plane", "Steps", "Detect", "Quarantine", "Drain", "Resume", "Spare"};
  for (const ReviewChain& chain : review.chains) {
    std::vector<PageCell> row{{chain.plane == "slurm" ? "Slurm" : "Kubernetes", Tone::Plain, ""},
                              {"", Tone::Plain, ""}};
    std::size_t shown = 0;
    for (const std::string* step : {&chain.detect, &chain.quarantine, &chain.drain, &chain.resume, &chain.spare}) {
      row.push_back({step->empty() ? "not shown" : prose(*step), step->empty() ? Tone::Caution : Tone::Plain, ""});
      shown += step->empty() ? 0 : 1;
    }
    row[1].text = std::to_string(shown) + " of 5";
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string percent(double share) { return figure(share * 100, 1) + " %"; }

/// One value, or two where the published rates of interruptions give two.
std::string to_words(const std::string& low, const std::string& high) {
  return high.empty() || low == high ? low : low + " to " + high;
}

template <typename Words>
std::string both(const ReviewGoodput& job, Words words) {
  return to_words(words(job.goodput), job.at_best ? words(*job.at_best) : "");
}

std::string recovery_words(const Goodput& goodput) {
  if (!goodput.recovery_most) return "";
  return *goodput.recovery_most <= 0 ? "not reachable" : duration_words(*goodput.recovery_most);
}

std::string interval_words(const Goodput& goodput) {
  return goodput.best_interval ? duration_words(*goodput.best_interval) : "needs " + name_list(goodput.missing, 3);
}

/// What the figures of a job are made of, as far as it is known.
std::string inputs_of(const Goodput& goodput) {
  std::vector<std::string> out;
  if (goodput.write) out.push_back("written in " + duration_words(*goodput.write));
  if (goodput.interval) out.push_back("every " + duration_words(*goodput.interval));
  if (goodput.recovery) out.push_back("back in " + duration_words(*goodput.recovery));
  return join(out, ", ");
}

std::vector<PageCell> goodput_row(const ReviewGoodput& job) {
  const Goodput& goodput = job.goodput;
  const bool short_of_it = goodput.share && *goodput.share < kWantedGoodput;
  const auto share_words = [](const std::optional<double>& share) { return share ? percent(*share) : ""; };
  const std::string stated = both(job, [&](const Goodput& at) { return share_words(at.share); });
  std::string inputs = inputs_of(goodput);
  if (job.useful) inputs += (inputs.empty() ? "useful " : ", useful ") + percent(*job.useful);
  return {{code(job.workload) + (inputs.empty() ? "" : kLineBreak + inputs), Tone::Plain, ""},
          {with_thousands(static_cast<std::uint64_t>(goodput.gpus)), Tone::Plain, ""},
          {both(job, [](const Goodput& at) { return duration_words(at.hours_between * 3600); }) + kLineBreak +
               "a day without: " + both(job, [](const Goodput& at) { return percent(chance_of_none(at, 24)); }),
           Tone::Plain, ""},
          {both(job, interval_words), Tone::Plain, ""},
          {stated + (goodput.share && goodput.indicative ? " (indicative)" : ""), short_of_it ? Tone::Bad : Tone::Plain,
           ""},
          {both(job, [&](const Goodput& at) { return share_words(at.best_share); }), Tone::Plain, ""},
          {both(job, recovery_words), Tone::Plain, ""},
          {both(job,
                [](const Goodput& at) {
                  return at.lost_gpu_hours ? with_thousands(static_cast<std::uint64_t>(*at.lost_gpu_hours)) : "";
                }),
           Tone::Plain, ""}};
}

PageTable goodput_table(const Review& review) {
  PageTable table;
  table.caption =
      "Interruptions by job. Goodput: the expected share of effective training time. Lost: GPU-hours in a year of "
      "running.";
  table.head = {"Job, and its checkpoints", "GPUs",    "Interrupted every", "Best checkpoint interval",
                "Goodput as stated",        "At best", "Recovery for 90 %", "Lost GPU-hours"};
  for (std::size_t i = 0; i < std::min(review.goodput.size(), kMostJobs); ++i)
    table.rows.push_back(goodput_row(review.goodput[i]));
  return table;
}

/// How the figures come about, with the one input that all jobs share.
PageList goodput_formulas(const Review& review) {
  const ReviewGoodput& job = review.goodput.front();
  const std::string rate = to_words(with_thousands(static_cast<std::uint64_t>(job.goodput.rate)),
                                    job.at_best ? with_thousands(static_cast<std::uint64_t>(job.at_best->rate)) : "");
  return {
      {"interrupted every: " + rate + " GPU-hours between interruptions (" +
           code("reliability.gpu_hours_per_interruption") + ") / GPUs of the job",
       "a day without: e^(−24 h / time between interruptions)",
       "best checkpoint interval: √(2 · write · time between interruptions) (J. Young, 1974)",
       "goodput: (1 − (recovery + interval / 2) / time between interruptions) / (1 + write / interval) (arXiv "
       "2410.21680)",
       "recovery for 90 %: (1 − 0.9 · (1 + write / best interval)) · time between interruptions − best interval / 2",
       "lost GPU-hours: (1 − goodput) · GPUs · 8,760",
       "useful, where " + code("economics.occupancy") + " and " + code("mfu") +
           " are said: occupancy · goodput · mfu; a fleet that is full need not be useful"},
      false};
}

/// What the rows of goodput rest on, and what they mean for the people who drain nodes.
void add_goodput_notes(const Review& review, PageSection& out) {
  if (review.goodput.front().at_best)
    out.blocks.push_back(missing(
        "The fleet file does not say how often it is interrupted; both rates that Meta published of its "
        "clusters (" +
        with_thousands(static_cast<std::uint64_t>(kPublishedRateLow)) + " and " +
        with_thousands(static_cast<std::uint64_t>(kPublishedRateHigh)) +
        " GPU-hours, arXiv 2410.21680) are taken: write " + code("reliability.gpu_hours_per_interruption") + "."));
  const auto hardest = std::ranges::find_if(
      review.goodput, [](const ReviewGoodput& job) { return job.goodput.recovery_most.has_value(); });
  if (review.drain != "manual" || hardest == review.goodput.end()) return;
  const double most = *hardest->goodput.recovery_most;
  out.blocks.push_back(PageParagraph{
      most <= 0 ? "No recovery is fast enough for 90 % of " + code(hardest->workload) + ", whoever drains its nodes."
                : "A person drains sick nodes: to notice, to drain and to start " + code(hardest->workload) +
                      " again may together take " + duration_words(most) + " where 90 % is wanted."});
}

std::string money_words(const MoneyFigure& figure_of) {
  if (!figure_of.low) return "needs " + name_list(figure_of.missing, 4);
  const bool people = figure_of.unit == "engineers";
  const auto words = [&](double value) {
    return people ? figure(value, 1) : with_thousands(static_cast<std::uint64_t>(std::min(value, 9e15) + 0.5));
  };
  return to_words(words(*figure_of.low), words(*figure_of.high)) + " " + figure_of.unit;
}

PageTable money_table(const Review& review) {
  PageTable table;
  table.caption = "Money, in US dollars.";
  table.head = {"Figure", "Value", "From", "Source"};
  for (const MoneyFigure& row : review.money)
    table.rows.push_back({{row.what, Tone::Plain, ""},
                          {money_words(row), Tone::Plain, ""},
                          {prose(row.formula), Tone::Plain, ""},
                          {row.source, Tone::Plain, ""}});
  return table;
}

}  // namespace

PageSection topology_section(const Review& review) {
  PageSection out{"topology", "Topology", {}, {}};
  if (review.topologies.empty()) {
    out.blocks.push_back(missing("No file says how the nodes are connected: write " + code("topology") +
                                 " into the fleet file, or let " +
                                 code("muster inventory topology.txt fabric.txt -o fleet.yaml") + " do it."));
    return out;
  }
  for (std::size_t i = 0; i < std::min(review.topologies.size(), kMostTopologies); ++i) {
    const ReviewTopology& topology = review.topologies[i];
    out.blocks.push_back(PageFigures{{topology_figure(topology, i + 1)}});
    std::string words = with_thousands(static_cast<std::uint64_t>(topology.nodes)) + " nodes are placed";
    if (!topology.levels.empty()) words += " on the levels " + name_list(topology.levels, 8);
    if (topology.unplaced > 0)
      words += "; " + count_of(static_cast<std::size_t>(topology.unplaced), "node") + " of the fleet in none";
    out.blocks.push_back(PageParagraph{words + "."});
  }
  if (review.topologies.size() > kMostTopologies)
    out.blocks.push_back(PageParagraph{count_of(review.topologies.size() - kMostTopologies, "more topology") + "; " +
                                       code("--format json") + " has them."});
  return out;
}

PageSection queues_section(const Review& review) {
  PageSection out{"queues", "Queues and quotas", {}, {}};
  if (review.tenants.empty()) {
    out.blocks.push_back(missing("No tenant is promised anything: write " + code("tenants") +
                                 " with guaranteed and limited GPUs into the fleet file."));
  } else {
    out.blocks.push_back(PageFigures{{tenants_figure(review)}});
    out.blocks.push_back(tenants_table(review));
  }
  if (!review.shares.empty()) out.blocks.push_back(shares_table(review));
  if (review.queues.empty()) {
    out.blocks.push_back(
        missing("The input has no queue and no partition: give the manifests of the queues and the "
                "slurm.conf along with the jobs."));
  } else {
    out.blocks.push_back(queues_table(review));
    if (review.queues.size() > kMostQueues)
      out.blocks.push_back(PageParagraph{"And " + with_thousands(review.queues.size() - kMostQueues) + " more; " +
                                         code("--format json") + " has them."});
  }
  return out;
}

PageSection figures_section(const Review& review) {
  PageSection out{"figures", "Recovery, spares and cost", {}, {}};
  if (!review.chains.empty()) out.blocks.push_back(chains_table(review));
  if (review.goodput.empty()) {
    out.blocks.push_back(missing("What interruptions cost is computed from " +
                                 code("reliability.gpu_hours_per_interruption") + " of the fleet file and " +
                                 code("nodes") + ", " + code("gpus_per_node") + ", " + code("checkpoint") + " and " +
                                 code("recovery_seconds") + " of the workloads."));
  } else {
    out.blocks.push_back(goodput_table(review));
    out.blocks.push_back(goodput_formulas(review));
    add_goodput_notes(review, out);
  }
  if (review.spares) {
    out.blocks.push_back(PageParagraph{
        "Of " + with_thousands(static_cast<std::uint64_t>(review.spares->nodes)) + " nodes " +
        figure(review.spares->mean_in_repair, 1) + " are in repair on average; " +
        count_of(static_cast<std::size_t>(review.spares->enough_for_95), "spare") +
        (review.spares->enough_for_95 == 1 ? " is" : " are") + " enough 95 % of the time, " +
        with_thousands(static_cast<std::uint64_t>(review.spares->enough_for_99)) +
        " for 99 %: how many are in repair at a time is Poisson distributed around nodes · GPUs of a node · " +
        duration_words(review.spares->repair * 3600) + " of repair (" + code("reliability.repair_hours") + ") / " +
        with_thousands(static_cast<std::uint64_t>(review.spares->rate)) + " GPU-hours."});
  } else {
    out.blocks.push_back(
        missing("How many spares are enough follows from " + code("reliability.repair_hours") + " of the fleet file."));
  }
  if (!review.economics.empty()) {
    out.blocks.push_back(PageParagraph{"One plane or two: " + prose(review.economics) + "."});
  } else {
    out.blocks.push_back(missing("What two planes strand and cost follows from " + code("economics") +
                                 " of the fleet file: " + code("gpu_hour_usd") + ", " + code("stranded_share") + ", " +
                                 code("two_plane_engineers") + " and " + code("engineer_usd_per_year") + "."));
  }
  if (!review.money.empty()) out.blocks.push_back(money_table(review));
  PageFigures charts;
  for (const std::optional<PageFigure>& chart : {losses_figure(review), costs_figure(review)}) {
    if (chart) charts.figures.push_back(*chart);
  }
  if (!charts.figures.empty())
    out.blocks.insert(out.blocks.begin() + (review.chains.empty() ? 0 : 1), std::move(charts));
  return out;
}

}  // namespace muster
