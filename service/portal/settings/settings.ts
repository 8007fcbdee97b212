import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { fail } from '../../core/fail.ts';
import { type SettingsRow, settingsOf, unprovenSettings } from '../../core/settings.ts';
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

type Context = Pick<ReadContext, 'tenantId' | 'db'>;

async function rowOf(found: Promise<{ rows: SettingsRow[] }>): Promise<SettingsRow> {
  const [row] = (await found).rows;
  if (!row) throw fail('not_found');
  return row;
}

const stored = ({ tenantId, db }: Context): Promise<SettingsRow> =>
  rowOf(
    sql<SettingsRow>`select name, settings from tenants where tenant_id = ${tenantId}`.execute(db),
  );

/** GET /portal/api/settings */
export const getSettings = async (context: Context): Promise<object> =>
  ordered(settingsOf(context.tenantId, await stored(context)));

/** What a change replaces: also a value that this release does not take, which the change may mend. */
export const settingsBefore = async (context: Context): Promise<object> =>
  ordered(unprovenSettings(await stored(context)));

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
    const before = unprovenSettings(await stored({ tenantId, db }));
    assertOwnSettings(actor.roles, before, changes);
    checkSettings(changes, environment);
    if (approvals) await assertOnePerson({ db, tenantId }, before, changes);
    const now = await rowOf(
      sql<SettingsRow>`
        update tenants set settings = settings || ${JSON.stringify(changes)}::jsonb,
          revision = revision + 1
        where tenant_id = ${tenantId} returning name, settings`.execute(db),
    );
    return ordered(settingsOf(tenantId, now));
  };
