import { randomBytes } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import { displayName } from '../../resources/customers/names.ts';
import type { BankWidget } from '../../sandbox_tools.ts';
import type { Service } from '../../service.ts';
import { bankChoices } from './aggregator.ts';

/**
 * Sandbox Bank, the widget that a real aggregator would bring (rules/sandbox#27): it takes a link
 * token and gives a public token that is bound to the customer for whom it was opened.
 */

const invalid = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'link_token', details: { reason } });

type Dependencies = Pick<Service, 'db' | 'clocks' | 'vault'>;

async function linkOf({ db, clocks, vault }: Dependencies, token: string) {
  const tenantId = vault.tenantOf(token, 'link-sandbox');
  if (tenantId === null) throw invalid('unknown');
  const row = await db
    .selectFrom('link_tokens')
    .innerJoin('tenants', 'tenants.tenant_id', 'link_tokens.tenant_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.tenant_id', '=', 'link_tokens.tenant_id')
        .onRef('customers.id', '=', 'link_tokens.customer_id'),
    )
    .where('link_tokens.tenant_id', '=', tenantId)
    .where('link_tokens.token_hash', '=', tokenHash(token))
    .select([
      'link_tokens.customer_id',
      'link_tokens.expires_at',
      'customers.type',
      'customers.given_name',
      'customers.family_name',
      'customers.legal_name',
      'customers.trading_name',
      'tenants.name',
      'tenants.settings',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  if (!row) throw invalid('unknown');
  if (row.expires_at <= clocks.at(tenantId, row).now) throw invalid('expired');
  return { ...row, branding: settingsOf(tenantId, row).branding };
}

export const openBankWidget = (service: Dependencies): BankWidget => ({
  async open(token) {
    const link = await linkOf(service, token);
    return {
      object: 'hosted_bank_view',
      branding: link.branding,
      customer_name: displayName(link) || null,
      banks: bankChoices,
    };
  },
  async choose({ link_token, bank: name, account_id: accountId = null }) {
    const { customer_id } = await linkOf(service, link_token);
    const bank = bankChoices.find((choice) => choice.bank === name);
    if (!bank) throw fail('parameter_invalid', { param: 'bank', details: { reason: 'unknown' } });
    const allowed = bank.accounts.map(({ id }) => id);
    if (!allowed.includes(accountId))
      throw fail('parameter_invalid', {
        param: 'account_id',
        details: { reason: 'unknown', allowed },
      });
    const nonce = randomBytes(9).toString('base64url');
    return {
      public_token: `public-sandbox-${name}-${publicId('customer', customer_id)}-${nonce}`,
      aggregator_account_id: accountId,
    };
  },
});
