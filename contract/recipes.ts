/**
 * Every movement of money, as rows `[from, to, amount]` (decisions 2.2): `a -> b: n` takes n from a
 * and gives it to b (Dr a / Cr b). A movement can be written in no other way, so none can be
 * unbalanced. Rows of zero are left out when posted.
 *
 * Pockets: `available`, `pending_outgoing` and `earmarked` make up a Digital Account; `ledger` is
 * their sum (contract: Balance). A reservation is a transfer between two pockets of one account.
 * Tenant books: cash, the fee clearing position, the reserve and suspense (decisions 2.1).
 */
export const pockets = ['available', 'pending_outgoing', 'earmarked'] as const;
export type Pocket = (typeof pockets)[number];

export const books = ['cash', 'fees_platform', 'fees_tenant', 'reserve', 'suspense'] as const;
export type Book = (typeof books)[number];

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
  | `tenant.${Book}`;

export interface Recipe {
  readonly transfers: readonly (readonly [from: Slot, to: Slot, amount: string])[];
  /**
   * The Transactions that the movement posts, by party, each with the fee that this party bears.
   * A party without one sees no Transaction: a move between two pockets of one account is none.
   */
  readonly transactions?: {
    readonly [party: string]: { readonly type: TransactionType; readonly fee?: string };
  };
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
  /** The account has closed: the credit goes to the customer's bank (decisions 1.5). */
  dispute_credit_sent: { transfers: [['tenant.reserve', 'tenant.cash', 'amount']] },
  dispute_recovered: {
    transfers: [['merchant.earmarked', 'tenant.reserve', 'amount']],
    transactions: { merchant: { type: 'adjustment' } },
  },
  dispute_reversed: {
    transfers: [['customer.available', 'tenant.reserve', 'amount']],
    transactions: { customer: { type: 'dispute_reversal' } },
  },
  suspense_received: { transfers: [['tenant.cash', 'tenant.suspense', 'amount']] },
  suspense_returned: { transfers: [['tenant.suspense', 'tenant.cash', 'amount']] },
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
  fees_swept: {
    transfers: [
      ['tenant.fees_platform', 'tenant.cash', 'platform_fees'],
      ['tenant.fees_tenant', 'tenant.cash', 'tenant_fees'],
    ],
  },
  reserve_funded: { transfers: [['tenant.cash', 'tenant.reserve', 'amount']] },
} as const satisfies Record<string, Recipe>;

export type RecipeName = keyof typeof recipes;

/** A recipe by name, in the one shape that posting and the docs read. */
export const recipeOf = (name: RecipeName): Recipe => recipes[name];

type TransferOf<R extends RecipeName> = (typeof recipes)[R]['transfers'][number];
type TransactionsOf<R extends RecipeName> = (typeof recipes)[R] extends {
  readonly transactions: infer T;
}
  ? T
  : Record<never, never>;
type PartyIn<S> = S extends `${infer Party}.${Pocket}` ? Party : never;
type FeeIn<T> = T[keyof T] extends infer X
  ? X extends { readonly fee: infer F extends string }
    ? F
    : never
  : never;

/** The holders that a recipe moves money between; `post` does not compile without each of them. */
export type PartyOf<R extends RecipeName> = PartyIn<TransferOf<R>[0] | TransferOf<R>[1]>;

/** The amounts, in cents, that a recipe needs by name. */
export type AmountOf<R extends RecipeName> = TransferOf<R>[2] | FeeIn<TransactionsOf<R>>;

/** The parties that receive a Transaction, each of which needs to know its counterparty. */
export type TransactingOf<R extends RecipeName> = keyof TransactionsOf<R> & string;
