#pragma once

#include <array>

#include "model/device_parts.h"
#include "model/manifest.h"

namespace muster {

// Parts of what Flux and Argo CD install; for the rows of src/model/manifest.cc. Each sorted by name.

// Source: fluxcd/kustomize-controller:api/v1/kustomization_types.go (1.7).
inline constexpr std::array kFlux{
    PartDef{"depends_on", kAny, "spec.dependsOn", "others of its kind that have to be ready first", 2},
    PartDef{"health_checks", kAny, "spec.healthChecks", "Kustomization: objects that have to be well", 2},
    PartDef{"patches", kAny, "spec.patches", "Kustomization: what it lays over its objects", 2},
    PartDef{"path", kText, "spec.path", "Kustomization: the folder of its manifests"},
    PartDef{"post_build", kAny, "spec.postBuild", "Kustomization: variables that it fills in", 2},
    PartDef{"source", kAny, "spec.chart.spec.sourceRef|spec.sourceRef|spec.chartRef", "what it is fetched from", 1},
    PartDef{"type", kText, "spec.type", "HelmRepository: default or oci"},
    PartDef{"url", kText, "spec.url", "where it fetches from"},
};
// Source: kubernetes/api:core/v1/types.go (1.37).
inline constexpr std::array kScriptMap{
    kAnnotations,
    PartDef{"data", kAny, "data", "its texts", 1},
    kLabels,
};
// Source: fluxcd/helm-controller:api/v2/helmrelease_types.go (1.3). What stands below spec.source is read of each of an
// Application's spec.sources, too.
inline constexpr std::array kHelmRelease{
    PartDef{"automated", kAny, "spec.syncPolicy.automated", "Argo CD: it applies by itself, and what else", 1},
    PartDef{"chart", kText, "spec.chart.spec.chart|spec.source.chart|spec.chart", "the chart it installs"},
    PartDef{"parameters", kAny, "spec.source.helm.parameters|spec.set", "Argo CD, K3s and RKE2: single values", 2},
    PartDef{"path", kText, "spec.source.path", "Argo CD: the folder of its manifests"},
    PartDef{"ref", kText, "spec.source.ref", "Argo CD: the name by which other sources take its files"},
    PartDef{"repository", kText, "spec.source.repoURL", "Argo CD: where it takes them from"},
    PartDef{"skips_definitions", kBool, "spec.source.helm.skipCrds",
            "Argo CD: it leaves out what the chart has in crds/"},
    PartDef{"sync_options", kAny, "spec.syncPolicy.syncOptions", "Argo CD: how it applies objects", 1},
    PartDef{"value_files", kAny, "spec.source.helm.valueFiles", "Argo CD: files of values", 1},
    PartDef{"values", kAny, "spec.values|spec.source.helm.valuesObject|spec.source.helm.values|spec.valuesContent",
            "values for it; Argo CD: also as a text, K3s and RKE2: as a text", 7},
    PartDef{"version", kText, "spec.chart.spec.version|spec.source.targetRevision|spec.version",
            "the release of the chart"},
};

}  // namespace muster
