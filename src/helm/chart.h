#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "helm/engine.h"
#include "helm/run_helm.h"
#include "helm/value.h"
#include "source/source_map.h"

namespace muster::helm {

/// A chart as Helm loads it, with those it depends on. Source: helm/helm:pkg/chart/loader, pkg/chartutil (3.19).
struct Chart {
  std::string name;
  std::string folder;  ///< in the files: "" or `charts/NAME/`
  bool library = false;
  Value metadata;  ///< what `.Chart` is
  Value values;    ///< its values.yaml, a map
  std::vector<const ChartText*> templates;
  ChartFileTexts files;  ///< what `.Files` has
  std::deque<Chart> parts;
  std::vector<std::string> missing;  ///< dependencies that are asked for and not there
};

/// `folder`: where in the files the chart begins, "" or `charts/NAME/`. False with the reason in `trouble`.
bool load_chart(const std::vector<ChartText>& files, const std::string& folder, const SourceMap& sources, Store& store,
                Chart& out, std::string& trouble);

/// Files of values in the order in which they are given: later ones win, key by key. False with the reason in
/// `trouble`.
bool read_given_values(const std::vector<ChartText>& files, const SourceMap& sources, Store& store, Value& out,
                       std::string& trouble);

/// Leaves out the parts that values turn off (`condition`, `tags`) and renames those with an alias.
void choose_parts(Chart& chart, const Value& values, Store& store);

/// The values of a chart and its parts below what the user gives, as CoalesceValues joins them; what is null there
/// takes a value away unless `keeps_nil`.
void coalesce(const Chart& chart, Map& into, Store& store, bool keeps_nil = false, int depth = 0);

/// A chart that names its dependencies has their values among its own, as ProcessDependenciesWithMerge does. From there
/// they are taken away again where they are null.
void take_values_of_parts(Chart& chart, Store& store);

}  // namespace muster::helm
