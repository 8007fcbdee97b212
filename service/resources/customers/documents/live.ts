import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import {
  type DocumentType,
  requiredDocuments,
} from '@tenant-payments/contract/resources/documents.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../database.ts';
import type { CustomerRow } from '../table.ts';
import { firstVersion } from './samples/samples.ts';
import { type DocumentVersionRow, documentVersions } from './table.ts';

type CustomerType = CustomerRow['type'];

/** A document that a customer needs, and its version in force; null: no later one than the sample. */
type Needed = readonly [DocumentType, DocumentVersionRow | null];

/** Reads what a customer of this type needs. A sandbox takes samples, and asks nothing. */
export async function loadNeeded(
  read: Read,
  environment: Environment,
  type: CustomerType,
): Promise<readonly Needed[]> {
  if (environment === 'sandbox') return [];
  return Promise.all(
    requiredDocuments[type].map(
      async (one) => [one, await read.maybe(documentVersions, one)] as const,
    ),
  );
}

/** The documents of which only the sample is there. */
export const samplesOf = (needed: readonly Needed[]): DocumentType[] =>
  needed.flatMap(([type, row]) => ((row?.in_force ?? firstVersion) === firstVersion ? [type] : []));

const customerTypes = Object.keys(requiredDocuments) as CustomerType[];

/** The things that a Tenant of production lacks for the types of customers that it has (rules/documents#37). */
export async function readLacking(
  { db, environment }: { readonly db: Kysely<Database>; readonly environment: Environment },
  tenantId: string,
): Promise<string[]> {
  if (environment === 'sandbox') return [];
  const { rows } = await sql<SettingsRow & Having>`select t.name, t.settings,
      array(select document_type from document_versions v
        where v.tenant_id = t.tenant_id and v.in_force <> ${firstVersion}) as published,
      array(select type from unnest(${customerTypes}::text[]) as of(type) where exists (
        select from customers c where c.tenant_id = t.tenant_id and c.type = of.type)) as types
    from tenants t where t.tenant_id = ${tenantId}`.execute(db);
  const [row] = rows;
  if (!row) return [];
  const wanted = new Set(row.types.flatMap((type) => requiredDocuments[type]));
  const samples = [...wanted].filter((type) => !row.published.includes(type));
  return lacksOf(settingsOf(tenantId, row), samples);
}

interface Having {
  readonly published: readonly DocumentType[];
  readonly types: readonly CustomerType[];
}

const lacksOf = (
  { institution }: Pick<Settings, 'institution'>,
  samples: readonly DocumentType[],
): string[] => [...(institution === null ? ['institution'] : []), ...samples];

/**
 * The obstacle that keeps a Tenant of production from taking customers: no institution, or texts that are samples
 * (rules/documents#24). Null: nothing.
 */
export function notLive(
  environment: Environment,
  settings: Pick<Settings, 'institution'>,
  type: CustomerType,
  samples: readonly DocumentType[],
): ApiError | null {
  const lacks = lacksOf(settings, samples);
  if (environment === 'sandbox' || lacks.length === 0) return null;
  return fail('flow_not_enabled', {
    details: { flow: `customers_${type}`, reason: 'not_live', lacks },
    message: `this Tenant takes no customers before the platform has set: ${lacks.join(', ')}`,
  });
}
