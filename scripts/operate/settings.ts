import { AskedSettings } from '@tenant-payments/backoffice/contract/settings/settings.ts';
import { getSettings, putSettings } from '../../backoffice/settings/settings.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import type { Deployment } from './deployment.ts';
import { submitted } from './submit.ts';
import { type OfTenant, openTenant } from './tenant.ts';

interface Changes extends OfTenant {
  /** The changes as given: they are held against the schema here. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** The same as the portal's GET and PUT (rules/operations#26). */
export const operations = {
  async get(deployment: Deployment, given: OfTenant) {
    return getSettings((await openTenant(deployment, given)).context);
  },

  /** Whoever has the deployment's settings needs nobody else (rules/approvals#12). */
  async set(deployment: Deployment, { changes: given, tenant }: Changes): Promise<object> {
    assertShape(AskedSettings, given);
    const changes = given as AskedSettings;
    const { db } = await deployment.parts();
    const facts = { fields: Object.keys(changes) };
    const told = { act: 'putSettings', event: 'settings_changed', facts } as const;
    return submitted<object, AskedSettings>(deployment, tenant, told, putSettings({ db }), changes);
  },
};
