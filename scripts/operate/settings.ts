import { SettingsChanges } from '@tenant-payments/backoffice/contract/settings/settings.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import { checkSettings } from '../../backoffice/portal/settings/checks.ts';
import { assertOwnSettings } from '../../backoffice/portal/settings/owners.ts';
import {
  getSettings,
  shownSettings,
  storedSettings,
} from '../../backoffice/portal/settings/settings.ts';
import { settingsOf, unprovenSettings, withChanges } from '../../engine/settings.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import type { Deployment } from './deployment.ts';
import { recorded } from './recorded.ts';
import { type OfTenant, openTenant } from './tenant.ts';

interface Changes extends OfTenant {
  /** As they were given: they are held against the schema here. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** As the portal's GET and PUT (rules/operations#26). */
export const operations = {
  async get(deployment: Deployment, given: OfTenant) {
    return getSettings((await openTenant(deployment, given)).context);
  },

  /** Whoever has the deployment's settings needs nobody else (rules/approvals#12). */
  async set(deployment: Deployment, { changes: given, ...of }: Changes) {
    assertShape(SettingsChanges, given);
    const changes = given as Partial<Settings>;
    const { parts, context } = await openTenant(deployment, of);
    const { tenantId, actor } = context;
    const act = {
      act: 'putSettings',
      tenantId,
      event: 'settings_changed',
      facts: { fields: Object.keys(changes) },
      before: async (db: typeof context.db) =>
        shownSettings(unprovenSettings(await storedSettings({ tenantId, db }))),
      isPersonal: false,
    } as const;
    return recorded(deployment, act, async (db) => {
      const stored = await storedSettings({ tenantId, db });
      assertOwnSettings(actor.roles, unprovenSettings(stored), changes);
      checkSettings(changes, parts.environment);
      const settings = withChanges(stored.settings, changes);
      await sql`update tenants set settings = ${JSON.stringify(settings)}::jsonb, revision = revision + 1
        where tenant_id = ${tenantId}`.execute(db);
      return shownSettings(settingsOf(tenantId, { ...stored, settings }));
    });
  },
};
