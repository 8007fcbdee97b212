import { ownRecipes, type RetiredRecipe, transitAccounts } from './own_recipes.ts';

/**
 * Every movement of money as rows `[from, to, amount]` (rules/ledger): debit `from`, credit `to`. A movement cannot
 * be written in another way, so it cannot be unbalanced. Rows of zero are not posted.
 *
 * The pockets make up a Digital Account: `ledger` is their sum, and a hold is a transfer between
 * two of them. Tenant accounts (`cash`, `fees_platform`) are the Tenant's own; rules/ledger#26 has what posts to cash.
 */
export const pockets = ['available', 'pending_outgoing', 'earmarked'] as const;
export type Pocket = (typeof pockets)[number];

export const tenantAccounts = [
  'cash',
  'fees_platform',
  'fees_tenant',
  'reserve',
  'suspense',
  ...transitAccounts,
] as const;
export type TenantAccount = (typeof tenantAccounts)[number];

export const transactionTypes = [
  'load',
  'payment_sent',
  'payment_received',
  'withdrawal',
  'refund_sent',
  'refund_received',
  'dispute_credit',
  'dispute_reversal',
  'adjustment',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

type Slot =
  | `${'holder' | 'payer' | 'payee' | 'merchant' | 'customer'}.${Pocket}`
  | `tenant.${TenantAccount}`;

export interface Recipe {
  readonly transfers: readonly (readonly [from: Slot, to: Slot, amount: string])[];
  /**
   * The Transactions that the movement posts, by party, each with the fee that this party bears.
   * A party without one sees no Transaction: a move between two pockets of one account is none.
   */
  readonly transactions?: {
    readonly [party: string]: { readonly type: TransactionType; readonly fee?: string };
  };
  /** Earlier releases have posted it; nothing does any more. */
  readonly retired?: true;
}

export const recipes = {
  load_settled: {
    transfers: [['tenant.cash', 'holder.available', 'amount']],
    transactions: { holder: { type: 'load' } },
  },
  payment_held: { transfers: [['payer.available', 'payer.pending_outgoing', 'held']] },
  payment_released: { transfers: [['payer.pending_outgoing', 'payer.available', 'held']] },
  payment_completed: {
    transfers: [
      ['payer.pending_outgoing', 'payee.available', 'net'],
      ['payer.pending_outgoing', 'tenant.fees_platform', 'platform_fees'],
      ['payer.pending_outgoing', 'tenant.fees_tenant', 'tenant_fees'],
    ],
    transactions: {
      payer: { type: 'payment_sent', fee: 'payer_fees' },
      payee: { type: 'payment_received', fee: 'payee_fees' },
    },
  },
  pay_by_bank_completed: {
    transfers: [
      ['tenant.cash', 'payee.available', 'net'],
      ['tenant.cash', 'tenant.fees_platform', 'platform_fees'],
      ['tenant.cash', 'tenant.fees_tenant', 'tenant_fees'],
    ],
    transactions: { payee: { type: 'payment_received', fee: 'payee_fees' } },
  },
  withdrawal_held: { transfers: [['holder.available', 'holder.pending_outgoing', 'amount']] },
  withdrawal_released: { transfers: [['holder.pending_outgoing', 'holder.available', 'amount']] },
  withdrawal_settled: {
    transfers: [['holder.pending_outgoing', 'tenant.cash', 'amount']],
    transactions: { holder: { type: 'withdrawal' } },
  },
  refund_held: { transfers: [['merchant.available', 'merchant.earmarked', 'held']] },
  refund_released: { transfers: [['merchant.earmarked', 'merchant.available', 'held']] },
  refund_completed_balance: {
    transfers: [['merchant.earmarked', 'payer.available', 'amount']],
    transactions: { merchant: { type: 'refund_sent' }, payer: { type: 'refund_received' } },
  },
  refund_completed_bank: {
    transfers: [['merchant.earmarked', 'tenant.cash', 'amount']],
    transactions: { merchant: { type: 'refund_sent' } },
  },
  dispute_held: { transfers: [['merchant.available', 'merchant.earmarked', 'held']] },
  dispute_released: { transfers: [['merchant.earmarked', 'merchant.available', 'held']] },
  dispute_credited: {
    transfers: [['tenant.reserve', 'customer.available', 'amount']],
    transactions: { customer: { type: 'dispute_credit' } },
  },
  dispute_recovered: {
    transfers: [['merchant.earmarked', 'tenant.reserve', 'amount']],
    transactions: { merchant: { type: 'adjustment' } },
  },
  dispute_reversed: {
    transfers: [['customer.available', 'tenant.reserve', 'amount']],
    transactions: { customer: { type: 'dispute_reversal' } },
  },
  suspense_received: { transfers: [['tenant.cash', 'tenant.suspense', 'amount']] },
  /** Money that nobody ordered, or that came by a request a second time. */
  unordered_received: { transfers: [['tenant.cash', 'tenant.suspense', 'amount']] },
  suspense_matched: {
    transfers: [['tenant.suspense', 'holder.available', 'amount']],
    transactions: { holder: { type: 'adjustment' } },
  },
  adjusted: {
    transfers: [['tenant.reserve', 'holder.available', 'amount']],
    transactions: { holder: { type: 'adjustment' } },
  },
  adjusted_back: {
    transfers: [['holder.available', 'tenant.reserve', 'amount']],
    transactions: { holder: { type: 'adjustment' } },
  },
  ...ownRecipes,
} as const satisfies Record<string, Recipe>;

export type RecipeName = keyof typeof recipes;

/** Recipes that are posted. */
export type PostedRecipe = Exclude<RecipeName, RetiredRecipe>;

/** A recipe by name, in the one shape that posting and the docs read. */
export const recipeOf = (name: RecipeName): Recipe => recipes[name];
