import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import {
  type DocumentType,
  requiredDocuments,
} from '@tenant-payments/contract/resources/documents.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { CustomerRow } from '../table.ts';
import { firstVersion } from './samples/samples.ts';
import { documentVersions } from './table.ts';

type CustomerType = CustomerRow['type'];

/** The documents of which only the sample is there. A sandbox takes samples, and asks nothing. */
export async function loadSamples(
  read: Read,
  environment: Environment,
  type: CustomerType,
): Promise<readonly DocumentType[]> {
  if (environment === 'sandbox') return [];
  const rows = await Promise.all(
    requiredDocuments[type].map((one) => read.maybe(documentVersions, one)),
  );
  return requiredDocuments[type].filter(
    (_, index) => (rows[index]?.in_force ?? firstVersion) === firstVersion,
  );
}

/**
 * What keeps a Tenant of production from taking customers: no institution, or texts that are samples
 * (rules/documents#24). Null: nothing.
 */
export function notLive(
  environment: Environment,
  { institution }: Pick<Settings, 'institution'>,
  type: CustomerType,
  samples: readonly DocumentType[],
): ApiError | null {
  const lacks = [...(institution === null ? ['institution'] : []), ...samples];
  if (environment === 'sandbox' || lacks.length === 0) return null;
  return fail('flow_not_enabled', {
    details: { flow: `customers_${type}`, reason: 'not_live', lacks },
    message: `this Tenant takes no customers before the platform has set: ${lacks.join(', ')}`,
  });
}
