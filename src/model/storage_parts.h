#pragma once

#include <array>

#include "model/device_parts.h"
#include "model/manifest.h"

namespace muster {

// Parts of volumes and of who asks for them; for the rows of src/model/manifest.cc. Each sorted by name.

// Source: kubernetes/api:core/v1/types.go (1.37).
inline constexpr std::array kVolumeClaim{
    PartDef{"access", kAny, "spec.accessModes", "from how many nodes it may be mounted", 1},
    PartDef{"data", kAny, "spec.dataSource", "what its volume is made of", 1},
    PartDef{"data_ref", kAny, "spec.dataSourceRef", "what its volume is made of", 1},
    PartDef{"requests", kAny, "spec.resources.requests", "how much it asks for", 1},
    PartDef{"selector", kAny, "spec.selector", "labels of the volume it takes", 2},
    PartDef{"storage_class", kText, "spec.storageClassName", "its StorageClass"},
    PartDef{"volume", kText, "spec.volumeName", "the volume it takes"},
    PartDef{"volume_mode", kText, "spec.volumeMode", "Block: a disk as it is; else a file system"},
};
// Sources: kubernetes/api:core/v1/types.go (1.37),
// kserve/kserve:pkg/apis/serving/v1alpha1/local_model_node_group_types.go.
inline constexpr std::array kLocalVolume{
    PartDef{"access", kAny, "spec.accessModes", "from how many nodes it may be mounted", 1},
    kAnnotations,
    PartDef{"capacity", kAny, "spec.capacity|spec.persistentVolumeSpec.capacity", "how much it holds", 1},
    PartDef{"claim", kAny, "spec.claimRef", "the claim it is kept for", 1},
    PartDef{"csi_driver", kText, "spec.csi.driver", "what mounts it, of a volume with a CSI driver"},
    PartDef{"local", kAny, "spec.local|spec.persistentVolumeSpec.local", "a disk or folder of one node", 1},
    PartDef{"mount_options", kAny, "spec.mountOptions", "how nodes mount it", 1},
    PartDef{"nfs", kAny, "spec.nfs", "a folder of an NFS server", 1},
    PartDef{"node_affinity", kAny, "spec.nodeAffinity|spec.persistentVolumeSpec.nodeAffinity", "that node", 1},
    PartDef{"reclaim", kText,
            "spec.persistentVolumeReclaimPolicy|spec.persistentVolumeSpec.persistentVolumeReclaimPolicy",
            "what becomes of it without its claim"},
    PartDef{"storage_class", kText, "spec.storageClassName", "the class that a claim has to name"},
};
// Source: kubernetes/api:storage/v1/types.go (1.37).
inline constexpr std::array kStorageClass{
    PartDef{"mount_options", kAny, "mountOptions", "how nodes mount its volumes", 1},
    PartDef{"parameters", kAny, "parameters", "what its driver is told", 1},
    PartDef{"provisioner", kText, "provisioner", "the driver that makes its volumes"},
};

}  // namespace muster
