import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';

/** The published schemas of Kubernetes, of the kinds that the chart has. */
const kinds: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 Service': Service,
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The faults of a manifest by the schema of its kind, each in a line. */
export function faultsOfManifest(manifest: Manifest): string[] {
  const { apiVersion, kind, metadata } = manifest;
  const Model = kinds[`${apiVersion} ${kind}`];
  if (!Model) return [`${apiVersion} ${kind} is not known here`];
  try {
    new Model(manifest as never).validate();
    return [];
  } catch (error) {
    return [`${kind} ${JSON.stringify(metadata.name)}: ${(error as Error).message}`];
  }
}
