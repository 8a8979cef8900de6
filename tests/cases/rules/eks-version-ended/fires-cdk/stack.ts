import * as eks from 'aws-cdk-lib/aws-eks';

export const version = eks.KubernetesVersion.V1_21;
export const next = eks.KubernetesVersion.V1_35;
