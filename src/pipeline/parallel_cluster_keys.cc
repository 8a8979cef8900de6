// The keys that AWS ParallelCluster's configuration has at each level, in any release.
#include "pipeline/parallel_cluster_keys.h"

#include <algorithm>
#include <array>

namespace muster {
namespace {

struct ClusterLevel {
  std::string_view path;
  std::string_view keys;
};

// Source: aws/aws-parallelcluster:cli/src/pcluster/schemas/cluster_schema.py and common_schema.py, ClusterSchema and
// what it nests (3.0 to 3.16.1). Those of AWS Batch, of schedulers of one's own and for developers are left out.
constexpr auto kClusterLevels = std::to_array<ClusterLevel>({
    {"",
     "AdditionalPackages AdditionalResources CustomS3Bucket DeploymentSettings DevSettings DirectoryService "
     "HeadNode Iam Image Imds LoginNodes Monitoring Region Scheduling SharedStorage Tags"},
    {"DeploymentSettings", "DefaultUserHome DisableSudoAccessForDefaultUser LambdaFunctionsVpcConfig"},
    {"DeploymentSettings/LambdaFunctionsVpcConfig", "SecurityGroupIds SubnetIds"},
    {"DirectoryService",
     "AdditionalSssdConfigs DomainAddr DomainName DomainReadOnlyUser GenerateSshKeysForUsers LdapAccessFilter "
     "LdapTlsCaCert LdapTlsReqCert PasswordSecretArn"},
    {"HeadNode",
     "CustomActions Dcv DisableSimultaneousMultithreading Iam Image Imds InstanceType LocalStorage Networking "
     "SharedStorageEfsSettings SharedStorageType Ssh"},
    {"HeadNode/CustomActions", "OnNodeConfigured OnNodeStart OnNodeUpdated"},
    {"HeadNode/Dcv", "AllowedIps Enabled Port"},
    {"HeadNode/Iam", "AdditionalIamPolicies InstanceProfile InstanceRole S3Access"},
    {"HeadNode/Iam/AdditionalIamPolicies", "Policy"},
    {"HeadNode/Iam/S3Access", "BucketName EnableWriteAccess KeyName"},
    {"HeadNode/Image", "CustomAmi"},
    {"HeadNode/Imds", "Secured"},
    {"HeadNode/LocalStorage", "EphemeralVolume RootVolume"},
    {"HeadNode/LocalStorage/EphemeralVolume", "MountDir"},
    {"HeadNode/LocalStorage/RootVolume", "DeleteOnTermination Encrypted Iops KmsKeyId Size Throughput VolumeType"},
    {"HeadNode/Networking", "AdditionalSecurityGroups ElasticIp Proxy SecurityGroups SubnetId"},
    {"HeadNode/Networking/Proxy", "HttpProxyAddress"},
    {"HeadNode/SharedStorageEfsSettings", "Encrypted"},
    {"HeadNode/Ssh", "AllowedIps KeyName"},
    {"Iam", "PermissionsBoundary ResourcePrefix Roles"},
    {"Iam/Roles", "LambdaFunctionsRole"},
    {"Image", "CustomAmi Os"},
    {"LoginNodes", "Pools"},
    {"LoginNodes/Pools", "Count CustomActions Dcv GracetimePeriod Iam Image InstanceType Name Networking Ssh"},
    {"LoginNodes/Pools/CustomActions", "OnNodeConfigured OnNodeStart OnNodeUpdated"},
    {"LoginNodes/Pools/Dcv", "AllowedIps Enabled Port"},
    {"LoginNodes/Pools/Iam", "AdditionalIamPolicies InstanceProfile InstanceRole"},
    {"LoginNodes/Pools/Iam/AdditionalIamPolicies", "Policy"},
    {"LoginNodes/Pools/Image", "CustomAmi"},
    {"LoginNodes/Pools/Networking", "AdditionalSecurityGroups Proxy SecurityGroups SubnetIds"},
    {"LoginNodes/Pools/Networking/Proxy", "HttpProxyAddress"},
    {"LoginNodes/Pools/Ssh", "AllowedIps KeyName"},
    {"Monitoring", "Alarms Dashboards DetailedMonitoring Logs"},
    {"Monitoring/Alarms", "Enabled"},
    {"Monitoring/Dashboards", "CloudWatch"},
    {"Monitoring/Dashboards/CloudWatch", "Enabled"},
    {"Monitoring/Logs", "CloudWatch Rotation"},
    {"Monitoring/Logs/CloudWatch", "DeletionPolicy Enabled RetentionInDays"},
    {"Monitoring/Logs/Rotation", "Enabled"},
    {"Scheduling",
     "AwsBatchQueues AwsBatchSettings ScalingStrategy Scheduler SchedulerQueues SchedulerSettings SlurmQueues "
     "SlurmSettings"},
    {"Scheduling/SlurmQueues",
     "AllocationStrategy CapacityReservationTarget CapacityType ComputeResources ComputeSettings CustomActions "
     "CustomSlurmSettings HealthChecks Iam Image JobExclusiveAllocation Name Networking Tags"},
    {"Scheduling/SlurmQueues/CapacityReservationTarget", "CapacityReservationId CapacityReservationResourceGroupArn"},
    {"Scheduling/SlurmQueues/ComputeResources",
     "CapacityReservationTarget CustomSlurmSettings DisableSimultaneousMultithreading DynamicNodePriority Efa "
     "HealthChecks InstanceType Instances LaunchTemplateOverrides MaxCount MinCount Name Networking "
     "SchedulableMemory SpotPrice StaticNodePriority Tags"},
    {"Scheduling/SlurmQueues/ComputeResources/CapacityReservationTarget",
     "CapacityReservationId CapacityReservationResourceGroupArn"},
    {"Scheduling/SlurmQueues/ComputeResources/Efa", "Enabled GdrSupport"},
    {"Scheduling/SlurmQueues/ComputeResources/HealthChecks", "Gpu"},
    {"Scheduling/SlurmQueues/ComputeResources/HealthChecks/Gpu", "Enabled"},
    {"Scheduling/SlurmQueues/ComputeResources/Instances", "InstanceType"},
    {"Scheduling/SlurmQueues/ComputeResources/LaunchTemplateOverrides", "LaunchTemplateId Version"},
    {"Scheduling/SlurmQueues/ComputeResources/Networking", "PlacementGroup"},
    {"Scheduling/SlurmQueues/ComputeResources/Networking/PlacementGroup", "Enabled Id Name"},
    {"Scheduling/SlurmQueues/ComputeResources/Tags", "Key Value"},
    {"Scheduling/SlurmQueues/ComputeSettings", "LocalStorage"},
    {"Scheduling/SlurmQueues/ComputeSettings/LocalStorage", "EphemeralVolume RootVolume"},
    {"Scheduling/SlurmQueues/ComputeSettings/LocalStorage/EphemeralVolume", "MountDir"},
    {"Scheduling/SlurmQueues/ComputeSettings/LocalStorage/RootVolume", "Encrypted Iops Size Throughput VolumeType"},
    {"Scheduling/SlurmQueues/CustomActions", "OnNodeConfigured OnNodeStart"},
    {"Scheduling/SlurmQueues/HealthChecks", "Gpu"},
    {"Scheduling/SlurmQueues/HealthChecks/Gpu", "Enabled"},
    {"Scheduling/SlurmQueues/Iam", "AdditionalIamPolicies InstanceProfile InstanceRole S3Access"},
    {"Scheduling/SlurmQueues/Iam/AdditionalIamPolicies", "Policy"},
    {"Scheduling/SlurmQueues/Iam/S3Access", "BucketName EnableWriteAccess KeyName"},
    {"Scheduling/SlurmQueues/Image", "CustomAmi"},
    {"Scheduling/SlurmQueues/Networking",
     "AdditionalSecurityGroups AssignPublicIp PlacementGroup Proxy SecurityGroups SubnetIds"},
    {"Scheduling/SlurmQueues/Networking/PlacementGroup", "Enabled Id Name"},
    {"Scheduling/SlurmQueues/Networking/Proxy", "HttpProxyAddress"},
    {"Scheduling/SlurmQueues/Tags", "Key Value"},
    {"Scheduling/SlurmSettings",
     "CustomSlurmSettings CustomSlurmSettingsIncludeFile Database Dns EnableMemoryBasedScheduling "
     "ExternalSlurmdbd MungeKeySecretArn QueueUpdateStrategy ScaledownIdletime"},
    {"Scheduling/SlurmSettings/Database", "DatabaseName PasswordSecretArn Uri UserName"},
    {"Scheduling/SlurmSettings/Dns", "DisableManagedDns HostedZoneId UseEc2Hostnames"},
    {"Scheduling/SlurmSettings/ExternalSlurmdbd", "Host Port"},
    {"SharedStorage",
     "EbsSettings EfsSettings FileCacheSettings FsxLustreSettings FsxOntapSettings FsxOpenZfsSettings MountDir "
     "Name StorageType"},
    {"SharedStorage/EbsSettings",
     "DeletionPolicy Encrypted Iops KmsKeyId Raid Size SnapshotId Throughput VolumeId VolumeType"},
    {"SharedStorage/EbsSettings/Raid", "NumberOfVolumes Type"},
    {"SharedStorage/EfsSettings",
     "AccessPointId DeletionPolicy Encrypted EncryptionInTransit FileSystemId IamAuthorization KmsKeyId "
     "PerformanceMode ProvisionedThroughput ThroughputMode"},
    {"SharedStorage/FileCacheSettings", "FileCacheId"},
    {"SharedStorage/FsxLustreSettings",
     "AutoImportPolicy AutomaticBackupRetentionDays BackupId CopyTagsToBackups DailyAutomaticBackupStartTime "
     "DataCompressionType DataRepositoryAssociations DeletionPolicy DeploymentType DriveCacheType ExportPath "
     "FileSystemId ImportPath ImportedFileChunkSize KmsKeyId PerUnitStorageThroughput StorageCapacity "
     "StorageType WeeklyMaintenanceStartTime"},
    {"SharedStorage/FsxLustreSettings/DataRepositoryAssociations",
     "AutoExportPolicy AutoImportPolicy BatchImportMetaDataOnCreate DataRepositoryPath FileSystemPath "
     "ImportedFileChunkSize Name"},
    {"SharedStorage/FsxOntapSettings", "VolumeId"},
    {"SharedStorage/FsxOpenZfsSettings", "VolumeId"},
    {"Tags", "Key Value"},
});

}  // namespace

std::string_view parallel_cluster_keys(std::string_view path) {
  const auto found = std::ranges::lower_bound(kClusterLevels, path, {}, &ClusterLevel::path);
  return found != kClusterLevels.end() && found->path == path ? found->keys : std::string_view();
}

}  // namespace muster
