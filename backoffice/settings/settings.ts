import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import { changedLeaves } from '@tenant-payments/contract/core/setting_leaves.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { entityFor } from '@tenant-payments/engine/entity.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import {
  type SettingsRow,
  settingsOf,
  unprovenSettings,
  withChanges,
} from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { redactedValue } from '@tenant-payments/service/http/log/redact.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  countConsumers,
  holdTerms,
  loadWaiting,
} from '@tenant-payments/service/resources/terms/hold.ts';
import { sql } from 'kysely';
import type { AskedSettings } from '../contract/settings/settings.ts';
import { checkSettings } from './checks.ts';
import { assertOwnSettings } from './owners.ts';

/** Sorts the keys as in the schema, since the database does not keep their order. */
export function shownSettings(settings: Settings): Settings {
  const shown: Settings = { ...settings, industries: [...industriesOf(settings)] };
  return Object.fromEntries(
    Object.keys(Settings.properties).map((key) => [key, shown[key as keyof Settings]]),
  ) as Settings;
}

type Context = Pick<ReadContext, 'tenantId' | 'db'>;

/** A Tenant's settings as they are stored. @throws ApiError not_found */
export async function storedSettings({ tenantId, db }: Context): Promise<SettingsRow> {
  const { rows } =
    await sql<SettingsRow>`select name, settings from tenants where tenant_id = ${tenantId}`.execute(
      db,
    );
  const [row] = rows;
  if (!row) throw fail('not_found');
  return row;
}

/** GET /portal/api/settings */
export const getSettings = async (context: Context): Promise<object> =>
  shownSettings(settingsOf(context.tenantId, await storedSettings(context)));

/** The part of a change that the audit shows. */
function differing(was: Settings, is: Settings) {
  const fields = changedLeaves(was, is).map(({ field }) => field.split('.', 1)[0]);
  const keys = [...new Set(fields)] as (keyof Settings)[];
  const picked = (of: Settings) =>
    redactedValue(Object.fromEntries(keys.map((key) => [key, of[key] ?? null])), false);
  return { before: picked(was), after: picked(is) };
}

/** The keys that were given, as they hold now. */
const pickedOf = (settings: Settings, changes: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.keys(changes).map((key) => [key, settings[key as keyof Settings]]));

/**
 * PUT /portal/api/settings: replaces each top-level key as a whole, also one with a value that this release does
 * not take.
 * @throws ApiError forbidden for a key of somebody else (rules/operations#49); parameter_invalid for a
 *   value that is refused (rules/operations#28)
 * Terms that get worse for consumers wait for their day (rules/documents#28).
 */
export const putSettings = ({ db }: Pick<ReadContext, 'db'>) =>
  command('put_settings', {
    mendsSettings: true,
    prepare: (_given: AskedSettings, { tenantId }) => countConsumers(db, tenantId),
    load: async (read, { security_reason: _, ...changes }) => ({
      tenant: await read.one(tenants, {}),
      waiting: await loadWaiting(read, changes),
    }),
    decide: (
      work,
      { tenant, waiting },
      { security_reason: reason = null, ...changes },
      consumers,
    ) => {
      const was = unprovenSettings(tenant);
      assertOwnSettings(work.actor.roles, was, changes);
      checkSettings(changes, work.obey);
      const { tenantId } = entityFor(tenant);
      const asked = withChanges(tenant.settings, changes);
      const is = settingsOf(tenantId, { ...tenant, settings: asked });
      const held = holdTerms(work, { was, is, reason, consumers }, waiting);
      const settings = withChanges(tenant.settings, pickedOf(held, changes));
      work.change<typeof tenants>(tenant, { settings });
      work.audit({
        act: 'putSettings',
        record: null,
        ...differing(shownSettings(was), shownSettings(held)),
      });
      return { value: shownSettings(held) };
    },
  });
