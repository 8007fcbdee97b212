import { feeCents } from '@tenant-payments/contract/core/money.ts';
import type { FeeRule } from '@tenant-payments/contract/core/settings.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';

/** A payment's fees as its row stores them. */
export interface FeeColumns {
  readonly platform_fee: number;
  readonly platform_fee_paid_by: 'payer' | 'payee' | null;
  readonly tenant_fee: number;
  readonly tenant_fee_paid_by: 'payer' | 'payee' | null;
}

/** The fees of a row: as shown, and what payer and payee bear, in cents. */
export function feesOf(row: FeeColumns) {
  const shown: Payment['fees'] = [];
  let payerCents = 0;
  let payeeCents = 0;
  const add = (type: 'platform' | 'tenant', amount: number, paidBy: 'payer' | 'payee' | null) => {
    if (paidBy === null) return;
    shown.push({ type, amount, paid_by: paidBy });
    if (paidBy === 'payer') payerCents += amount;
    else payeeCents += amount;
  };
  add('platform', row.platform_fee, row.platform_fee_paid_by);
  add('tenant', row.tenant_fee, row.tenant_fee_paid_by);
  return { shown, payerCents, payeeCents };
}

/** The amounts that a completed payment credits to the merchant and the fee clearing position, in cents. */
export const creditOf = (payment: FeeColumns & { readonly amount: number }) => ({
  net: payment.amount - feesOf(payment).payeeCents,
  platform_fees: payment.platform_fee,
  tenant_fees: payment.tenant_fee,
});

/**
 * Computes the fees of a new payment: each rounded half up. Fees of the payee are capped at the
 * amount, the platform's first; the Tenant's takes at most what is left (rules/payments#15).
 */
export function computeFees(
  rules: readonly FeeRule[],
  payment: { type: Payment['type']; source: Payment['source']; amount: number },
): FeeColumns {
  let payeeRoomCents = payment.amount;
  const fee = (type: FeeRule['type']) => {
    const rule = rules.find(
      (r) => r.type === type && r.payment_type === payment.type && r.source === payment.source,
    );
    if (!rule) return { cents: 0, paidBy: null };
    const cents = feeCents(payment.amount, rule.basis_points, rule.fixed);
    if (rule.paid_by === 'payer') return { cents, paidBy: rule.paid_by };
    const capped = Math.min(cents, payeeRoomCents);
    payeeRoomCents -= capped;
    return { cents: capped, paidBy: rule.paid_by };
  };
  const platform = fee('platform');
  const tenant = fee('tenant');
  return {
    platform_fee: platform.cents,
    platform_fee_paid_by: platform.paidBy,
    tenant_fee: tenant.cents,
    tenant_fee_paid_by: tenant.paidBy,
  };
}
