import { Settings } from '@tenant-payments/contract/core/settings.ts';
import { sql } from 'kysely';
import { fail } from '../core/fail.ts';
import type { ReadContext } from '../service.ts';

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

/** What no single rule shows: they must not contradict each other (decisions 1.8, Fees). */
function checkFees(fees: Settings['fees']): void {
  const known = new Set<string>();
  for (const { type, payment_type, source, paid_by } of fees) {
    const key = `${type} ${payment_type} ${source}`;
    if (known.has(key))
      throw fail('parameter_invalid', {
        param: 'fees',
        details: { reason: 'two_rules', type, payment_type, source },
      });
    if (source === 'bank_account' && paid_by === 'payer')
      throw fail('parameter_invalid', { param: 'fees', details: { reason: 'payer_under_bank' } });
    known.add(key);
  }
}

/**
 * PUT /portal/api/settings: the top-level keys that are given are replaced, each as a whole.
 * @throws ApiError parameter_invalid for rules that contradict each other
 */
export async function putSettings(
  { tenantId, db }: ReadContext,
  changes: Partial<Settings>,
): Promise<object> {
  checkFees(changes.fees ?? []);
  return settingsOf(
    sql<{ settings: Settings }>`
      update tenants set settings = settings || ${JSON.stringify(changes)}::jsonb,
        revision = revision + 1
      where tenant_id = ${tenantId} returning settings`.execute(db),
  );
}
