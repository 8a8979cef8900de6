#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/object.h"

namespace muster {

/// A ConfigMap, Secret, Service, ServiceAccount or class of nodes, by what others name in it.
struct NamedKeys : Object {
  std::vector<std::string> keys;  ///< of a Service the numbers and names of its ports
  bool open = false;              ///< there may be more than those
  bool of_controller = false;     ///< no file has it: a controller makes it of the object that stands there
};

/// What an object names: a key of a ConfigMap or Secret, a port of a Service; a ConfigMap or claim as a whole.
struct KeyUse : Object {
  std::string of;                  ///< ConfigMap, Secret, Service, PersistentVolumeClaim, ServiceAccount, HTTPRoute ...
  Located<std::string> target;     ///< its name
  Located<std::string> key;        ///< of a port its number or name, of a Gateway a listener; absent: the whole object
  std::vector<std::string> there;  ///< what the input's object of that name has, the first few; see relate_key_uses
  bool missing = false;            ///< it has no such key; of a binding: another account was meant; see relate_key_uses
  bool lost = false;               ///< its folder has others of the kind, and the input none of the name
  bool alone = false;              ///< its folder has none of the kind
  bool of_several = false;         ///< a binding has other subjects beside it
  bool by_operator = false;        ///< what an operator hands on to its pods, wherever it puts them
  bool of_values = false;          ///< a HelmRelease takes its values from it
  std::string generated;           ///< what kustomize calls it, where it makes it and leaves this name as it is
  std::string elsewhere;           ///< the namespace of the one in its folder, where the bundle has none in its own
};

/// What policies and routes of the Gateway API name.
bool is_route_target(std::string_view kind);

}  // namespace muster
