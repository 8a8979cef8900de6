#pragma once

#include "facts/object_type.h"

namespace muster {

// The object types of the rule language, one file of fields each.
extern const ObjectType kBatchLaunchType;
extern const ObjectType kBatchMpiRunType;
extern const ObjectType kBatchProblemType;
extern const ObjectType kBatchReadType;
extern const ObjectType kBatchRequestType;
extern const ObjectType kBatchStepType;
extern const ObjectType kBatchVariableType;
extern const ObjectType kClaimUseType;
extern const ObjectType kContainerType;
extern const ObjectType kDomainType;
extern const ObjectType kDrainChainType;
extern const ObjectType kDriverShortfallType;
extern const ObjectType kFleetType;
extern const ObjectType kGangType;
extern const ObjectType kGresLineType;
extern const ObjectType kHyperNodeMemberType;
extern const ObjectType kHyperNodeType;
extern const ObjectType kIgnoredDirectiveType;
extern const ObjectType kKeyUseType;
extern const ObjectType kLevelTopologyType;
extern const ObjectType kPodGroupType;
extern const ObjectType kPlaneOverlapType;
extern const ObjectType kPoolType;
extern const ObjectType kQueueFlavorType;
extern const ObjectType kQueueType;
extern const ObjectType kQuotaType;
extern const ObjectType kRemovedObjectType;
extern const ObjectType kResourceFlavorType;
extern const ObjectType kPodSetType;
extern const ObjectType kRoleType;
extern const ObjectType kRuntimeSpreadType;
extern const ObjectType kSbatchJobType;
extern const ObjectType kSbatchPairType;
extern const ObjectType kSlurmAccountType;
extern const ObjectType kSlurmQosType;
extern const ObjectType kSlurmDevicesType;
extern const ObjectType kSlurmDownNodesType;
extern const ObjectType kSlurmNodeSetType;
extern const ObjectType kSlurmNodesType;
extern const ObjectType kSlurmPartitionType;
extern const ObjectType kSlurmSettingType;
extern const ObjectType kSlurmSiteType;
extern const ObjectType kSubmitCallType;
extern const ObjectType kSwitchChildType;
extern const ObjectType kSwitchType;
extern const ObjectType kTenantDriftType;
extern const ObjectType kPlaneTieType;
extern const ObjectType kTenantType;
extern const ObjectType kTopologyBlockType;
extern const ObjectType kTopologyDriftType;
extern const ObjectType kTopologyLevelType;
extern const ObjectType kTopologyMarkType;
extern const ObjectType kTopologyType;
extern const ObjectType kUselessDefaultType;
extern const ObjectType kVolcanoConfType;
extern const ObjectType kVolcanoPluginType;
extern const ObjectType kWorkloadType;

}  // namespace muster
