import { tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import type { Check } from '../check.ts';

const all = tenantAccounts.join(' + ');
const named = tenantAccounts.map((account) => `${account} %s`).join(', ');
const shown = tenantAccounts.map((account) => (account === 'cash' ? '-cash' : account)).join(', ');

/**
 * The Tenant's own accounts against its customers' (rules/invariants#3).
 * @param balances SQL: a row for each Tenant with what each of its own accounts holds
 */
export const wholeBookChecks = (balances: string): readonly Check[] => [
  {
    name: '3.cash',
    clause: 'bank money in cash = customers + fees + reserve + suspense + what is in transit',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id, format('customers %s, own accounts %s',
        coalesce(held, 0), coalesce(-(${all}), 0)) as message
      from ${balances} b full join (select tenant_id,
        sum(available + pending_outgoing + earmarked) as held from balances group by tenant_id) c
        using (tenant_id)
      where coalesce(-(${all}), 0) <> coalesce(held, 0)`,
  },
  {
    name: '3.not_negative',
    clause:
      'fees, suspense and what goes out are never negative, what comes in never above zero; cash by as much as the reserve has at the bank at most',
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id, format('${named}', ${shown}) as message
      from ${balances} b where fees_platform < 0 or fees_tenant < 0 or suspense < 0
        or sweep_in_transit < 0 or return_in_transit < 0 or top_up_in_transit > 0
        or -cash < least(reserve + top_up_in_transit, 0)`,
  },
];
