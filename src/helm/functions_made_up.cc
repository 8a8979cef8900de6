// Functions whose result is another each time: keys, certificates, random texts, the time of day; and
// digests that only tell one content from another. Nobody judges what
// they give; something of the same shape stands for it. Source: Masterminds/sprig:crypto.go, date.go, strings.go (3.3).
#include <algorithm>
#include <string>

#include "base/sha256.h"
#include "helm/call.h"

namespace muster::helm {
namespace {

/// 2000-01-01, in seconds.
constexpr std::int64_t kNow = 946'684'800;

Value repeated(Call& call, char letter) {
  const std::int64_t count = std::clamp<std::int64_t>(call.integer(0), 0, 100'000);
  return call.engine.spend(1 + static_cast<std::size_t>(count) / 16)
             ? Value::of(std::string(static_cast<std::size_t>(count), letter))
             : Value();
}

Value certificate(Call& call) {
  const Value out = call.engine.store().map();
  out.map->record = true;
  out.map->at("Cert") = Value::of(std::string("-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"));
  out.map->at("Key") = Value::of(std::string("-----BEGIN RSA PRIVATE KEY-----\nMA==\n-----END RSA PRIVATE KEY-----\n"));
  return out;
}

Value key(Call&) {
  return Value::of(std::string("-----BEGIN RSA PRIVATE KEY-----\nMA==\n-----END RSA PRIVATE KEY-----\n"));
}

Value time(Call& call) {
  const Value out = call.engine.store().map();
  out.map->record = true;
  out.map->printed = "2000-01-01 00:00:00 +0000 UTC";
  out.map->at("Unix") = Value::of(kNow);
  return out;
}

/// The layout stands for the date: it is one itself.
Value date(Call& call) { return Value::of(call.at(0).is_text() ? call.text(0) : std::string("2006-01-02")); }

/// Another one of that length: what is a mark of the content stays one.
Value digest(Call& call, std::size_t length) {
  if (!call.engine.spend(call.text(0).size() / 8)) return {};
  const std::string digits = sha256(call.text(0));
  return Value::of((digits + digits).substr(0, length));
}

}  // namespace

const std::vector<Function> kMadeUpFunctions = {
    {"bcrypt", "s", [](Call&) { return Value::of("$2a$10$" + std::string(53, 'x')); }},
    {"buildCustomCert", "ss", certificate},
    {"ago", "a", [](Call&) { return Value::of(std::string("0s")); }},
    {"date", "sa", date},
    {"dateInZone", "sas", date},
    {"date_in_zone", "sas", date},
    {"dateModify", "sa", time},
    {"date_modify", "sa", time},
    {"derivePassword", "issss", [](Call&) { return Value::of(std::string("ZedaFaxcZaso9*")); }},
    {"duration", "a", [](Call&) { return Value::of(std::string("0s")); }},
    {"durationRound", "a", [](Call&) { return Value::of(std::string("0s")); }},
    {"genCA", "si", certificate},
    {"genCAWithKey", "sis", certificate},
    {"genPrivateKey", "s", key},
    {"genSelfSignedCert", "saai", certificate},
    {"genSelfSignedCertWithKey", "saais", certificate},
    {"genSignedCert", "saaia", certificate},
    {"genSignedCertWithKey", "saaias", certificate},
    {"getHostByName", "s", [](Call&) { return Value::of(std::string()); }},
    {"htmlDate", "a", [](Call&) { return Value::of(std::string("2000-01-01")); }},
    {"htpasswd", "ss", [](Call& c) { return Value::of(c.text(0) + ":$2a$10$" + std::string(53, 'x')); }},
    {"htmlDateInZone", "as", [](Call&) { return Value::of(std::string("2000-01-01")); }},
    {"mustDateModify", "sa", time},
    {"mustToDate", "ss", time},
    {"must_date_modify", "sa", time},
    {"now", "", time},
    {"randAlpha", "i", [](Call& c) { return repeated(c, 'x'); }},
    {"randAlphaNum", "i", [](Call& c) { return repeated(c, 'x'); }},
    {"randAscii", "i", [](Call& c) { return repeated(c, 'x'); }},
    {"randBytes", "i", [](Call& c) { return repeated(c, 'x'); }},
    {"randInt", "ii", [](Call& c) { return Value::of(c.integer(0)); }},
    {"randNumeric", "i", [](Call& c) { return repeated(c, '1'); }},
    {"sha1sum", "s", [](Call& c) { return digest(c, 40); }},
    {"sha512sum", "s", [](Call& c) { return digest(c, 128); }},
    {"shuffle", "s", [](Call& c) { return c.at(0); }},
    {"toDate", "ss", time},
    {"unixEpoch", "a", [](Call&) { return Value::of(std::to_string(kNow)); }},
    {"uuidv4", "", [](Call&) { return Value::of(std::string("00000000-0000-4000-8000-000000000000")); }},
};

}  // namespace muster::helm
