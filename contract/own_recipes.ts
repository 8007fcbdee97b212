/** Accounts of a Tenant for money that is ordered at the bank and that the bank has not moved yet. */
export const transitAccounts = [
  'sweep_in_transit',
  'top_up_in_transit',
  'return_in_transit',
] as const;

/**
 * Recipes of money that the platform itself orders at the bank: it stands in an account in transit from the order to
 * the bank's answer (rules/ledger#26).
 */
export const ownRecipes = {
  /** The account has closed: the credit goes to the customer's bank. */
  dispute_credit_ordered: {
    transfers: [['tenant.reserve', 'tenant.return_in_transit', 'amount']],
  },
  dispute_credit_settled: { transfers: [['tenant.return_in_transit', 'tenant.cash', 'amount']] },
  dispute_credit_sent: {
    transfers: [['tenant.reserve', 'tenant.cash', 'amount']],
    retired: true,
  },
  /** Money on its way to a bank stays here: no bank takes it. */
  suspense_kept: { transfers: [['tenant.return_in_transit', 'tenant.suspense', 'amount']] },
  suspense_return_ordered: {
    transfers: [['tenant.suspense', 'tenant.return_in_transit', 'amount']],
  },
  suspense_return_settled: { transfers: [['tenant.return_in_transit', 'tenant.cash', 'amount']] },
  suspense_returned: { transfers: [['tenant.suspense', 'tenant.cash', 'amount']], retired: true },
  /** Money of a load that another bank asks back: it goes to `suspense_return_settled`, or stays as `suspense_kept`. */
  recall_ordered: {
    transfers: [['holder.available', 'tenant.return_in_transit', 'amount']],
    transactions: { holder: { type: 'adjustment' } },
  },
  fee_sweep_ordered: {
    transfers: [
      ['tenant.fees_platform', 'tenant.sweep_in_transit', 'platform_fees'],
      ['tenant.fees_tenant', 'tenant.sweep_in_transit', 'tenant_fees'],
    ],
  },
  fee_sweep_settled: { transfers: [['tenant.sweep_in_transit', 'tenant.cash', 'amount']] },
  fee_sweep_failed: {
    transfers: [
      ['tenant.sweep_in_transit', 'tenant.fees_platform', 'platform_fees'],
      ['tenant.sweep_in_transit', 'tenant.fees_tenant', 'tenant_fees'],
    ],
  },
  fees_swept: {
    transfers: [
      ['tenant.fees_platform', 'tenant.cash', 'platform_fees'],
      ['tenant.fees_tenant', 'tenant.cash', 'tenant_fees'],
    ],
    retired: true,
  },
  /** Money for the reserve that is on its way: `top_up_in_transit` is below zero by it. */
  top_up_ordered: { transfers: [['tenant.top_up_in_transit', 'tenant.reserve', 'amount']] },
  top_up_settled: { transfers: [['tenant.cash', 'tenant.top_up_in_transit', 'amount']] },
  top_up_failed: { transfers: [['tenant.reserve', 'tenant.top_up_in_transit', 'amount']] },
  /** Transfers that the bank executed after it had said that they failed, and what came back of them. */
  sent_after_failure: { transfers: [['tenant.reserve', 'tenant.cash', 'amount']] },
  received_after_failure: { transfers: [['tenant.cash', 'tenant.reserve', 'amount']] },
  reserve_funded: { transfers: [['tenant.cash', 'tenant.reserve', 'amount']], retired: true },
} as const;

/** The steps that the report counts as swept from fee clearing; the last takes back what the bank has refused. */
export const sweepSteps = [
  'fees_swept',
  'fee_sweep_ordered',
  'fee_sweep_failed',
] as const satisfies readonly (keyof typeof ownRecipes)[];

type OwnRecipe = keyof typeof ownRecipes;

/** Recipes that earlier releases have posted. */
export type RetiredRecipe = {
  [Name in OwnRecipe]: (typeof ownRecipes)[Name] extends { readonly retired: true } ? Name : never;
}[OwnRecipe];
