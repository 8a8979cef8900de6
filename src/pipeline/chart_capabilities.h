#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What a chart asks of the cluster's API versions, `.Capabilities.APIVersions.Has "policy/v1beta1"`, and a cluster of
/// that release answers as it is shipped: new versions that are alpha or beta are off there (KEP-3136). Helm without a
/// cluster has those that it was compiled with, those that are gone among them, and no kinds, so that charts which ask
/// would be rendered for a cluster that is not there (helm/helm: pkg/chartutil/capabilities.go, 3.16; executed).
struct AskedVersions {
  std::string text;                 ///< where one is asked for that is gone, as long and without its name; else empty
  std::vector<std::string> served;  ///< GROUP/VERSION/KIND that are asked for and there, of Kubernetes' stable ones
};

/// `kubernetes`: 1.34; empty: a release in which everything is gone that some release took away. Custom kinds are not
/// there: they are where somebody installs them. A kind that came after the release is taken for there.
AskedVersions asked_versions(std::string_view text, std::string_view kubernetes);

/// The same of one, GROUP/VERSION or GROUP/VERSION/KIND.
bool is_served(std::string_view asked, std::string_view kubernetes);

}  // namespace muster
