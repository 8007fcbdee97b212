import type { Expected } from './expected.ts';

const merchant = 'p.merchant_account_id';
const held = {
  when: 'p.earmarked_cents > 0',
  step: 'dispute_held',
  account: merchant,
};
const released = { when: 'p.released_cents > 0', step: 'dispute_released', account: merchant };
const credited = {
  when: `p.credit_route is not distinct from 'account'`,
  step: 'dispute_credited',
};
const sent = {
  when: `coalesce(p.credit_route in ('sent', 'arrived', 'suspense'), false)`,
  step: 'dispute_credit_sent',
};
const recovered = { when: 'p.recovered_cents > 0', step: 'dispute_recovered' };
const reversed = { when: 'p.taken_back_cents > 0', step: 'dispute_reversed' };

/** The entries that each dispute `p` requires (rules/ledger#7). */
export const disputeMovements: readonly Expected[] = [
  { ...held, pocket: 'available', delta: '-p.earmarked_cents' },
  { ...held, pocket: 'earmarked', delta: 'p.earmarked_cents' },
  { ...released, pocket: 'earmarked', delta: '-p.released_cents' },
  { ...released, pocket: 'available', delta: 'p.released_cents' },
  { ...credited, pocket: 'reserve', account: null, delta: '-p.credited_cents' },
  {
    ...credited,
    pocket: 'available',
    account: 'p.account_id',
    delta: 'p.credited_cents',
    transaction: { amount: 'p.credited_cents', fee: '0' },
  },
  { ...sent, pocket: 'reserve', account: null, delta: '-p.credited_cents' },
  { ...sent, pocket: 'cash', account: null, delta: 'p.credited_cents' },
  {
    ...recovered,
    pocket: 'earmarked',
    account: merchant,
    delta: '-p.recovered_cents',
    transaction: { amount: 'p.recovered_cents', fee: '0' },
  },
  { ...recovered, pocket: 'reserve', account: null, delta: 'p.recovered_cents' },
  {
    ...reversed,
    pocket: 'available',
    account: 'p.account_id',
    delta: '-p.taken_back_cents',
    transaction: { amount: 'p.taken_back_cents', fee: '0' },
  },
  { ...reversed, pocket: 'reserve', account: null, delta: 'p.taken_back_cents' },
];
