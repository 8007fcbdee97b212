import type { ExpectedEntry } from './expected.ts';

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
/** 1.0 posted it when it was ordered. */
const wasPostedAtOnce = `exists (select from entries x where x.tenant_id = p.tenant_id and x.source_id = p.id
  and x.step = 'dispute_credit_sent')`;
const isSent = `coalesce(p.credit_route in ('sent', 'arrived', 'suspense'), false)`;
const sent = { when: `(${isSent} and ${wasPostedAtOnce})`, step: 'dispute_credit_sent' };
const ordered = { when: `(${isSent} and not ${wasPostedAtOnce})`, step: 'dispute_credit_ordered' };
const settled = {
  when: `(coalesce(p.credit_route = 'arrived', false) and not ${wasPostedAtOnce})`,
  step: 'dispute_credit_settled',
};
const recovered = { when: 'p.recovered_cents > 0', step: 'dispute_recovered' };
const reversed = { when: 'p.taken_back_cents > 0', step: 'dispute_reversed' };

/** The entries that each dispute `p` requires (rules/ledger#7). */
export const disputeMovements: readonly ExpectedEntry[] = [
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
  { ...ordered, pocket: 'reserve', account: null, delta: '-p.credited_cents' },
  { ...ordered, pocket: 'return_in_transit', account: null, delta: 'p.credited_cents' },
  { ...settled, pocket: 'return_in_transit', account: null, delta: '-p.credited_cents' },
  { ...settled, pocket: 'cash', account: null, delta: 'p.credited_cents' },
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
