#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source/source_map.h"
#include "syntax/document.h"

namespace muster {

/// The files of the input, by their shown paths.
struct KustomizeInput {
  const SourceMap& sources;
  std::map<std::string, FileId, std::less<>> by_path;
  std::set<std::string, std::less<>> empty;  ///< that are there but hold nothing
  std::set<FileId> templates;                ///< that have to be rendered before they can be read
};

/// A file or folder that is not there.
struct LackingEntry {
  std::string path;  ///< that it would have
  Span where;        ///< what names it
};

/// What a kustomization builds that no other one of the input refers to.
struct Rendering {
  FileId kustomization = FileId::None;
  bool whole = true;                  ///< false: others use it that are not built, and would add to it
  std::string trouble;                ///< why it is not built; empty where it is
  std::vector<LackingEntry> lacking;  ///< where it is not built; else files of its ConfigMaps
  std::deque<Document> objects;       ///< one each; their values stand in the files that wrote them
  std::vector<FileId> parts;          ///< sorted: files whose objects are in it or change what is
  std::map<Span, bool> targets;       ///< of patches, by the name that they give: whether an object has it
  std::set<Span> lost_images;         ///< containers of patches that take the place of whole ones, without their image
  std::vector<std::string> missing;   ///< files that generators read and that are not in the input
};

struct Renderings {
  std::deque<Rendering> all;          ///< by file; documents must not be copied
  std::set<FileId> patches;           ///< files that some kustomization names as patches, built or not
  std::set<FileId> resources;         ///< as its resources
  std::vector<LackingEntry> lacking;  ///< of components that nothing of the input uses
  std::vector<Span>
      outside;  ///< of each kustomization what first names a file that lies neither in its folder nor below
};

/// Builds the kustomizations of the input that no other one refers to; where one cannot be built, those it is made of,
/// each for itself. What is built is bounded: beyond that they are not built and say so. Never reads a disk.
Renderings render_kustomizations(KustomizeInput input);

}  // namespace muster
