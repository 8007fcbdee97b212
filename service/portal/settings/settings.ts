import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import type { ReadContext, Service } from '../../service.ts';
import { checkSettings } from './checks.ts';

/** In the order of the schema, which the database does not keep. */
const ordered = (settings: Settings): object =>
  Object.fromEntries(
    Object.keys(Settings.properties).map((key) => [key, settings[key as keyof Settings]]),
  );

async function settingsOf(found: Promise<{ rows: { settings: Settings }[] }>): Promise<object> {
  const [row] = (await found).rows;
  if (!row) throw fail('not_found');
  return ordered(row.settings);
}

/** GET /portal/api/settings */
export const getSettings = ({ tenantId, db }: ReadContext): Promise<object> =>
  settingsOf(
    sql<{ settings: Settings }>`
      select settings from tenants where tenant_id = ${tenantId}`.execute(db),
  );

/**
 * PUT /portal/api/settings: the top-level keys that are given are replaced, each as a whole.
 * @throws ApiError parameter_invalid for what makes no sense, or contradicts itself
 */
export const putSettings =
  ({ environment }: Pick<Service, 'environment'>) =>
  async ({ tenantId, db }: ReadContext, changes: Partial<Settings>): Promise<object> => {
    checkSettings(changes, environment);
    return settingsOf(
      sql<{ settings: Settings }>`
        update tenants set settings = settings || ${JSON.stringify(changes)}::jsonb,
          revision = revision + 1
        where tenant_id = ${tenantId} returning settings`.execute(db),
    );
  };
