import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { SettingsChanges } from '@tenant-payments/contract/portal/settings/settings.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import {
  getSettings,
  putSettings,
  settingsBefore,
} from '../../service/portal/settings/settings.ts';
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

  async set(deployment: Deployment, { changes, ...given }: Changes) {
    assertShape(SettingsChanges, changes);
    const { parts, context } = await openTenant(deployment, given);
    const fields = Object.keys(changes);
    const put = putSettings(parts, { approvals: false });
    return recorded(
      deployment,
      {
        act: 'putSettings',
        tenantId: context.tenantId,
        event: 'settings_changed',
        facts: { fields },
        before: (db) => settingsBefore({ ...context, db }),
        isPersonal: false,
      },
      // Whoever has the deployment's settings needs nobody else (rules/approvals#12).
      (db) => put({ ...context, db }, changes as Partial<Settings>),
    );
  },
};
