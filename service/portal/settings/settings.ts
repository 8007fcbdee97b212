import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import type { Service } from '../../service.ts';
import { checkSettings } from './checks.ts';

/** Sorts the keys as in the schema, since the database does not keep their order. */
function ordered(settings: Settings): object {
  const shown: Settings = { ...settings, industries: [...industriesOf(settings)] };
  return Object.fromEntries(
    Object.keys(Settings.properties).map((key) => [key, shown[key as keyof Settings]]),
  );
}

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
 * PUT /portal/api/settings: replaces each top-level key of the body as a whole.
 * @throws ApiError parameter_invalid for a value that is refused (rules/operations#28)
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
