import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { fail } from '../../core/fail.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import type { Service } from '../../service.ts';
import { assertOnePerson } from './beyond.ts';
import { checkSettings } from './checks.ts';
import { assertOwnSettings } from './owners.ts';

/** Sorts the keys as in the schema, since the database does not keep their order. */
function ordered(settings: Settings): object {
  const shown: Settings = { ...settings, industries: [...industriesOf(settings)] };
  return Object.fromEntries(
    Object.keys(Settings.properties).map((key) => [key, shown[key as keyof Settings]]),
  );
}

async function settingsOf(found: Promise<{ rows: { settings: Settings }[] }>): Promise<Settings> {
  const [row] = (await found).rows;
  if (!row) throw fail('not_found');
  return row.settings;
}

const stored = ({ tenantId, db }: Pick<ReadContext, 'tenantId' | 'db'>): Promise<Settings> =>
  settingsOf(
    sql<{ settings: Settings }>`
      select settings from tenants where tenant_id = ${tenantId}`.execute(db),
  );

/** GET /portal/api/settings */
export const getSettings = async (context: Pick<ReadContext, 'tenantId' | 'db'>): Promise<object> =>
  ordered(await stored(context));

/**
 * PUT /portal/api/settings: replaces each top-level key of the body as a whole.
 * @param approvals whether some changes need a second person here
 * @throws ApiError forbidden for a key of somebody else (rules/operations#49); parameter_invalid for a
 *   value that is refused (rules/operations#28); invalid_state {reason: approval_required}
 */
export const putSettings =
  ({ environment }: Pick<Service, 'environment'>, { approvals }: Pick<Config, 'approvals'>) =>
  async (
    { tenantId, actor, db }: Pick<ReadContext, 'tenantId' | 'actor' | 'db'>,
    changes: Partial<Settings>,
  ): Promise<object> => {
    const before = await stored({ tenantId, db });
    assertOwnSettings(actor.roles, before, changes);
    checkSettings(changes, environment);
    if (approvals) await assertOnePerson({ db, tenantId }, before, changes);
    const now = await settingsOf(
      sql<{ settings: Settings }>`
        update tenants set settings = settings || ${JSON.stringify(changes)}::jsonb,
          revision = revision + 1
        where tenant_id = ${tenantId} returning settings`.execute(db),
    );
    return ordered(now);
  };
