import { StoredJsonError } from '@tenant-payments/engine/fail.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Service } from '../service.ts';

interface TenantSettings extends SettingsRow {
  readonly tenant_id: string;
}

const cannotBeRead = 'what is stored cannot be read';

/**
 * Tells of every Tenant whose stored settings this release does not take: all that needs them is refused
 * (rules/operations#75). Before the ledgers of a night, which take long.
 */
export async function proveSettings({ pool, log }: Pick<Service, 'pool' | 'log'>): Promise<void> {
  const { rows } = await pool.query<TenantSettings>(
    'select tenant_id, name, settings from tenants',
  );
  for (const { tenant_id, ...row } of rows)
    try {
      settingsOf(tenant_id, row);
    } catch (error) {
      if (!(error instanceof StoredJsonError)) throw error;
      log.error({ alarm: 'stored_json', ...error.facts }, cannotBeRead);
    }
}
