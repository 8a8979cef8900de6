#include "kubernetes/ingress_annotations.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"

namespace muster {
namespace {

// Of the releases to 1.15, of Alibaba's too; not those that went in 2018, as secure-backends. Sources:
// kubernetes/ingress-nginx:internal/ingress/annotations, cmd/plugin/lints/ingress.go,
// docs/user-guide/nginx-configuration/annotations.md.
constexpr std::string_view kKnown =
    "add-base-url affinity affinity-canary-behavior affinity-mode allowlist-source-range app-root "
    "auth-always-set-cookie auth-cache-duration auth-cache-key auth-keepalive auth-keepalive-requests "
    "auth-keepalive-share-vars auth-keepalive-timeout auth-method auth-proxy-set-headers auth-realm "
    "auth-request-redirect auth-response-headers auth-secret auth-secret-type auth-signin "
    "auth-signin-redirect-param auth-snippet auth-tls-error-page auth-tls-match-cn "
    "auth-tls-pass-certificate-to-upstream auth-tls-secret auth-tls-verify-client auth-tls-verify-depth "
    "auth-type auth-url backend-protocol base-url-scheme canary canary-by-cookie canary-by-header "
    "canary-by-header-pattern canary-by-header-value canary-weight canary-weight-total "
    "client-body-buffer-size configuration-snippet connection-proxy-header cors-allow-credentials "
    "cors-allow-headers cors-allow-methods cors-allow-origin cors-expose-headers cors-max-age "
    "custom-headers custom-http-errors default-backend denylist-source-range "
    "disable-proxy-intercept-errors enable-access-log enable-cors enable-global-auth enable-influxdb "
    "enable-modsecurity enable-opentelemetry enable-opentracing enable-owasp-core-rules "
    "enable-owasp-modsecurity-crs enable-rewrite-log fastcgi-index fastcgi-params-configmap "
    "force-ssl-redirect from-to-www-redirect global-rate-limit global-rate-limit-ignored-cidrs "
    "global-rate-limit-key global-rate-limit-window grpc-backend http2-push-preload influxdb-host "
    "influxdb-measurement influxdb-port influxdb-server-name limit-allowlist limit-burst-multiplier "
    "limit-connections limit-rate limit-rate-after limit-rpm limit-rps limit-whitelist load-balance "
    "lua-resty-waf lua-resty-waf-allow-unknown-content-types lua-resty-waf-debug "
    "lua-resty-waf-extra-rules lua-resty-waf-ignore-rulesets lua-resty-waf-process-multipart-body "
    "lua-resty-waf-score-threshold mirror-host mirror-request-body mirror-target mirror-uri modsecurity-snippet "
    "modsecurity-transaction-id opentelemetry-operation-name opentelemetry-trust-incoming-span "
    "opentelemetry-trust-incoming-spans opentracing-operation-name opentracing-trust-incoming-span "
    "permanent-redirect permanent-redirect-code preserve-trailing-slash proxy-body-size "
    "proxy-buffer-size proxy-buffering proxy-buffers-number proxy-busy-buffers-size "
    "proxy-connect-timeout proxy-cookie-domain proxy-cookie-path proxy-http-version "
    "proxy-max-temp-file-size proxy-next-upstream proxy-next-upstream-timeout proxy-next-upstream-tries "
    "proxy-read-timeout proxy-redirect-from proxy-redirect-to proxy-request-buffering proxy-send-timeout "
    "proxy-ssl-ciphers proxy-ssl-name proxy-ssl-protocols proxy-ssl-secret proxy-ssl-server-name "
    "proxy-ssl-verify proxy-ssl-verify-depth relative-redirects rewrite-target satisfy secure-verify-ca-secret "
    "server-alias "
    "server-snippet service-match service-upstream service-weight session-cookie-change-on-failure "
    "session-cookie-conditional-samesite-none session-cookie-domain session-cookie-expires "
    "session-cookie-hash session-cookie-max-age session-cookie-name session-cookie-path "
    "session-cookie-samesite session-cookie-secure ssl-ciphers ssl-passthrough ssl-prefer-server-ciphers "
    "ssl-redirect stream-snippet temporal-redirect temporal-redirect-code upstream-hash-by "
    "upstream-hash-by-subset upstream-hash-by-subset-size upstream-keepalive-connections upstream-vhost "
    "use-port-in-redirects use-regex vts-filter-key whitelist-source-range x-forwarded-prefix ";

/// What people write who mean another one, or a directive of nginx.
struct IngressSlip {
  std::string_view word;
  std::string_view meant;
};
constexpr std::array kSlips{
    IngressSlip{"client-max-body-size", "proxy-body-size"},
    IngressSlip{"limit-burst", "limit-burst-multiplier"},
    IngressSlip{"max-body-size", "proxy-body-size"},
    IngressSlip{"proxy-max-body-size", "proxy-body-size"},
    IngressSlip{"proxy-client-max-body-size", "proxy-body-size"},
    IngressSlip{"rate-limit", "limit-rps"},
    IngressSlip{"rate-limit-rps", "limit-rps"},
    IngressSlip{"secure-backends", "backend-protocol"},
};

}  // namespace

std::optional<std::string_view> meant_ingress_annotation(std::string_view word) {
  static const std::set<std::string_view> known = [] {
    std::set<std::string_view> out;
    for (const std::string_view one : split_blanks(kKnown)) out.insert(one);
    return out;
  }();
  if (known.contains(word)) return std::nullopt;
  const auto slip = std::ranges::find(kSlips, word, &IngressSlip::word);
  return slip != kSlips.end() ? slip->meant : std::string_view();
}

}  // namespace muster
