#include "pipeline/rendered_charts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "helm/packed_chart.h"
#include "helm/read_rendered.h"
#include "helm/run_helm.h"
#include "pipeline/chart_capabilities.h"
#include "pipeline/chart_inputs.h"
#include "pipeline/rendered_confs.h"

namespace muster {
namespace {

constexpr std::size_t kMostUnpacked = std::size_t{64} << 20;  // of the packed charts of one
// Of one chart, and of all: many small ones may each take long.
constexpr std::size_t kMostSteps = 3'000'000;
constexpr std::size_t kMostStepsOfAll = 60'000'000;

/// Kinds that hold texts of any kind.
bool holds_texts(std::string_view kind) {
  return kind == "ConfigMap" || kind == "Secret" || kind == "CustomResourceDefinition";
}

/// `{{ .Values.a }}` that came out of a value: nothing expands what values say, unless the template calls `tpl`.
void find_printed_actions(const Node& node, std::vector<Finding>& findings) {
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) find_printed_actions(node.item(i), findings);
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) find_printed_actions(node.value(i), findings);
  if (!node.is_scalar()) return;
  std::string_view text = node.text();
  const std::size_t open = text.find("{{");
  if (open == text.npos) return;
  text = trim(text.substr(open + 2));
  if (text.starts_with('-')) text = trim(text.substr(1));
  for (const std::string_view begin : {".Values.", ".Release.", ".Chart.", "include \"", "template \""}) {
    if (!text.starts_with(begin)) continue;
    findings.push_back(problem("helm-value-not-expanded", node.where(),
                               "the chart prints this value as it stands, with its `{{ ... }}`"));
    findings.back().about = About::Text;
    return;
  }
}

std::string paths_of(const std::vector<ChartText>& values) {
  std::vector<std::string> paths;
  for (const ChartText& one : values) paths.push_back(one.path);
  return join(paths, ", ");
}

/// What one rendering gave.
struct Made {
  ChartObjects objects;
  std::vector<std::string> missing;
  std::map<FileId, std::vector<std::pair<std::size_t, std::size_t>>> wrote;  ///< stretches of templates that were used
};

/// Renders by the program that `--render` found.
class ByHelm {
 public:
  ByHelm(const ChartRendering& how, ChartInput& chart, const FileSystem& disk) : how_(how), chart_(chart) {
    each_packed_chart(chart, disk, [&](const std::string& name, std::string text) {
      chart.texts.push_back({"charts/" + name, chart.kept.emplace_back(std::move(text))});
    });
    // Every text as a cluster of that release sees it.
    for (ChartText& file : chart.texts) {
      AskedVersions asked = asked_versions(file.text, how.kubernetes);
      std::ranges::move(asked.served, std::back_inserter(api_versions_));
      if (!asked.text.empty()) file.text = chart.kept.emplace_back(std::move(asked.text));
    }
  }

  Made render(const std::vector<ChartText>& values, const Inputs& inputs) {
    Made out;
    Result<std::string> output = run_helm({how_.helm, chart_.texts, values, how_.kubernetes, api_versions_});
    if (output) {
      out.objects = read_helm_output(std::move(*output), chart_.templates, inputs.sources);
    } else {
      out.objects.trouble = output.error().message;
    }
    return out;
  }

 private:
  const ChartRendering& how_;
  ChartInput& chart_;
  std::vector<std::string> api_versions_;  ///< that it asks for by their kinds
};

/// Renders without a program.
class ByOurselves {
 public:
  ByOurselves(const ChartRendering& how, ChartInput& chart, const FileSystem& disk, std::size_t& steps,
              RenderedConfs& confs)
      : how_(how), chart_(chart), steps_(steps), confs_(confs) {
    std::size_t room = kMostUnpacked;
    each_packed_chart(chart, disk, [&](const std::string& name, const std::string& packed) {
      std::vector<helm::PackedFile> files = helm::unpack_chart(packed, room);
      if (files.empty()) chart.left_out.push_back(name);
      for (helm::PackedFile& file : files) {
        room -= std::min(room, file.text.size());
        chart.texts.push_back({"charts/" + file.path, chart.kept.emplace_back(std::move(file.text))});
      }
    });
  }

  Made render(const std::vector<ChartText>& values, const Inputs& inputs) {
    Made out;
    helm::ChartQuestion question{chart_.texts,
                                 values,
                                 how_.kubernetes,
                                 "default",
                                 [&](std::string_view asked) { return is_served(asked, how_.kubernetes); },
                                 std::min(steps_, kMostSteps)};
    if (question.steps == 0) return out.objects.trouble = "the charts before it take too many steps", std::move(out);
    helm::RenderedChart made = render_chart(question, inputs.sources);
    steps_ -= std::min(steps_, made.steps);
    // Charts of drivers refuse the namespace that nobody named.
    if (made.refused) {
      question.name_space = "system";
      made = render_chart(question, inputs.sources);
      steps_ -= std::min(steps_, made.steps);
    }
    out.missing = std::move(made.missing);
    out.objects.trouble = std::move(made.trouble);
    if (!out.objects.trouble.empty()) return out;
    out.objects = read_rendered(made, inputs.sources);
    if (!out.objects.objects.empty())
      confs_.add(made, inputs.sources,
                 (chart_.folder.empty() ? "" : chart_.folder + "/") + "templates" +
                     (values.empty() ? "" : "@" + paths_of(values)));
    for (const helm::RenderedTemplate& one : made.templates) {
      if (one.file == FileId::None) continue;
      for (const helm::Piece& piece : one.written.pieces) {
        const std::size_t next = &piece == &one.written.pieces.back() ? one.written.text.size() : (&piece + 1)->at;
        out.wrote[one.file].emplace_back(piece.begin, piece.literal ? piece.begin + (next - piece.at) : piece.end);
      }
    }
    return out;
  }

 private:
  const ChartRendering& how_;
  ChartInput& chart_;
  std::size_t& steps_;  ///< that are left for all
  RenderedConfs& confs_;
};

class ChartRenderer {
 public:
  ChartRenderer(const ChartRendering& how, std::vector<ParsedFile>& parsed, const Inputs& inputs,
                const FileSystem& disk, const KindTable& kinds, Rendered& rendered)
      : how_(how),
        parsed_(parsed),
        inputs_(inputs),
        disk_(disk),
        kinds_(kinds),
        rendered_(rendered),
        custom_(parsed, paths_in(inputs)),
        confs_(kinds) {}

  void run(FoundCharts& charts, std::vector<Finding>& findings) {
    for (ChartInput& chart : chart_inputs(charts, inputs_)) {
      if (!chart.open.empty()) {
        rendered_.not_rendered.push_back({chart.file, chart.open, true});
      } else if (how_.helm.empty()) {
        render(chart, ByOurselves(how_, chart, disk_, steps_, confs_));
      } else {
        render(chart, ByHelm(how_, chart, disk_));
      }
      chart.texts.clear();
      chart.kept.clear();
    }
    for (const FileId file : written_) {
      ParsedFile& part = parsed_[static_cast<std::size_t>(file)];
      part.template_kind.reset();
      put_aside(part, "it is rendered, and what it writes is judged");
    }
    confs_.give(parsed_);
    // What was found in the text of a template holds, and what stands in lines that nothing rendered; the rest is known
    // better now.
    std::erase_if(findings, [&](const Finding& finding) {
      return written_.contains(finding.where.file) && finding.about != About::Text &&
             !finding.rule.starts_with("helm-") && was_used(finding.where);
    });
    std::ranges::move(found_, std::back_inserter(findings));
  }

 private:
  template <typename Renderer>
  void render(const ChartInput& chart, Renderer by) {
    if (chart.untried > 0)
      rendered_.not_rendered.push_back(
          {chart.file, "with " + count_of(chart.untried, "more file") + " of values", true});
    for (const std::vector<ChartText>& values : chart.values) {
      Made made = by.render(values, inputs_);
      if (!made.objects.trouble.empty()) {
        const std::string with = values.empty() ? "" : "with " + paths_of(values) + ": ";
        rendered_.not_rendered.push_back({chart.file, with + made.objects.trouble, true});
        if (values.empty() && made.missing.empty() && made.objects.broken.placed()) {
          found_.push_back(problem("helm-output-broken", made.objects.broken,
                                   "with the chart's own values Helm refuses this: " + made.objects.trouble));
          found_.back().about = About::Text;
        }
      }
      if (made.objects.objects.empty() && !made.objects.trouble.empty()) continue;
      RenderedBundle& bundle = rendered_.bundles.emplace_back();
      bundle.made_by = chart.file;
      bundle.chart = true;
      bundle.objects = made.objects.objects.size();
      bundle.elsewhere = made.objects.elsewhere;
      bundle.missing = std::move(made.missing);
      bundle.missing.insert(bundle.missing.end(), chart.left_out.begin(), chart.left_out.end());
      for (const FileId file : made.objects.templates) ++rendered_.uses[file];
      written_.insert(made.objects.templates.begin(), made.objects.templates.end());
      for (auto& [file, stretches] : made.wrote) std::ranges::move(stretches, std::back_inserter(used_[file]));
      for (const Document& object : made.objects.objects) {
        if (!holds_texts(object.root()["kind"].text())) find_printed_actions(object.root(), found_);
      }
      add_objects(made.objects.objects, inputs_, kinds_, bundle);
      std::vector<Finding> found;
      report_bundle(bundle, custom_, [](FileId) { return false; }, found);
      std::erase_if(found, [&](const Finding& finding) { return comes_with_values(finding); });
      std::ranges::move(found, std::back_inserter(found_));
    }
  }

  /// Whether an object lacks a field that its template has: it comes when somebody gives values.
  bool comes_with_values(const Finding& finding) const {
    if (finding.about != About::Whole || finding.field.empty() || !finding.where.placed()) return false;
    return contains(inputs_.sources.file(finding.where.file).text(), finding.field + ":");
  }

  bool was_used(const Span& where) const {
    const auto used = used_.find(where.file);
    return used == used_.end() || std::ranges::any_of(used->second, [&](const auto& stretch) {
             return stretch.first <= where.begin && where.begin < stretch.second;
           });
  }

  const ChartRendering& how_;
  std::vector<ParsedFile>& parsed_;
  const Inputs& inputs_;
  const FileSystem& disk_;
  const KindTable& kinds_;
  Rendered& rendered_;
  CustomKinds custom_;
  RenderedConfs confs_;
  std::size_t steps_ = kMostStepsOfAll;
  std::set<FileId> written_;
  std::map<FileId, std::vector<std::pair<std::size_t, std::size_t>>> used_;
  std::vector<Finding> found_;
};

}  // namespace

void render_charts(const ChartRendering& how, FoundCharts& charts, std::vector<ParsedFile>& parsed,
                   const Inputs& inputs, const FileSystem& disk, std::vector<Finding>& findings, const KindTable& kinds,
                   Rendered& rendered) {
  ChartRenderer(how, parsed, inputs, disk, kinds, rendered).run(charts, findings);
}

}  // namespace muster
