import * as eks from 'aws-cdk-lib/aws-eks';

// was: version: eks.KubernetesVersion.V1_21,
export const version = eks.KubernetesVersion.V1_35;
const layers = { [eks.KubernetesVersion.V1_29.version]: LayerV29 };
