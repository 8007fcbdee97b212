import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { CheckedTable, Conditions } from '../scope.ts';
import { type PageKind, refundedOfPage } from './pages.ts';

/**
 * How a night that begins at a checkpoint proves an invariant:
 * - `whole`: over all rows, since they are few or an index finds them;
 * - `since`: over the rows written since the checkpoint, by another query of the same name where it sums;
 * - `touched`: over the records that have an event, an entry or a job since, page by page;
 * - `later`: in the whole proof alone, with the reason.
 */
export type Place =
  | { readonly by: 'whole'; readonly also?: Conditions }
  | { readonly by: 'since' }
  | {
      readonly by: 'touched';
      readonly kinds: readonly PageKind[];
      readonly also?: Partial<Record<PageKind, Conditions>>;
    }
  | { readonly by: 'later'; readonly why: string };

const whole: Place = { by: 'whole' };
const since: Place = { by: 'since' };
const touched = (...kinds: PageKind[]): Place => ({ by: 'touched', kinds });
const later = (why: string): Place => ({ by: 'later', why });

const targets = ['payment', 'load', 'withdrawal', 'refund'] as const;
const tableOf = {
  payment: 'payments',
  load: 'loads',
  withdrawal: 'withdrawals',
  refund: 'refunds',
} as const;

/** Conditions that leave, of the four tables of records that are confirmed, only the page's. */
const onlyOwn = Object.fromEntries(
  targets.map((kind) => [
    kind,
    Object.fromEntries(
      targets.filter((other) => other !== kind).map((other) => [tableOf[other], 'false']),
    ),
  ]),
);

/** Sessions that live have a job. */
const liveSessions = `id = any (array(select ref from jobs where $tenant and name = 'session_end'))`;
const disputed = (column: string) =>
  `payment_id = any (array(select ${column} from disputes where $tenant and ${column} is not null))`;

/** Each check by its name. */
const byName = {
  '1.append_only': whole,
  '1.movements': since,
  '1.posted_once': since,
  '1.recipes': since,
  '1.payments': touched('payment'),
  '1.loads': touched('load'),
  '1.withdrawals': touched('withdrawal'),
  '1.refunds': touched('refund'),
  '1.disputes': {
    by: 'whole',
    also: { entries: 'source_id = any (array(select id from disputes where $tenant))' },
  },
  '12.came_back': {
    by: 'whole',
    also: { entries: 'source_id = any (array(select id from disputes where $tenant))' },
  },
  '1.received': {
    by: 'whole',
    also: {
      instructions: `source_type = 'adjustment'`,
      entries: 'source_id = any (array(select id from suspense where $tenant))',
    },
  },
  '1.suspense': {
    by: 'whole',
    also: { entries: 'source_id = any (array(select id from suspense where $tenant))' },
  },
  '1.booked_messages': {
    by: 'whole',
    also: {
      entries: `source_id = any (array(select unnest(array[id, source_id]) from bank_messages where $tenant))`,
    },
  },
  '1.own_orders': {
    by: 'whole',
    also: {
      instructions: `source_type = 'adjustment'`,
      entries: `source_id = any (array(select source_id from instructions where $tenant and source_type = 'adjustment'))`,
    },
  },
  '2.pockets': since,
  '2.entry_count': since,
  '2.account_revision': whole,
  '2.running': since,
  '2.running_columns': since,
  '3.cash': since,
  '3.not_negative': since,
  '3.books': later('it follows from the checks 1 of each record that changed'),
  '3.customers': later('it follows from the checks 1 of each record that changed, and 3.cash'),
  '3.pool_bank': later('it follows from 3.cash of each Tenant'),
  '3.orders': touched('payment', 'load', 'withdrawal', 'refund'),
  '3.suspense': whole,
  '3.bank_facts': since,
  '4.ledger': since,
  '4.amounts': since,
  '4.events': later('the replay of each Transaction since finds its event'),
  '4.pending': touched('withdrawal'),
  '4.reversed': touched('withdrawal'),
  '4.handed_over': touched('withdrawal'),
  '5.held_cents': touched('payment'),
  '5.held_by_withdrawals': touched('withdrawal'),
  '5.held_by_refunds': touched('refund'),
  '5.pending_outgoing': touched('account'),
  '5.earmarked': touched('account'),
  '5.held_by_disputes': { by: 'whole', also: { refunds: disputed('counted_payment_id') } },
  '5.taken_by_refunds': touched('refund'),
  '6.texts': since,
  '7.refunded_amount': touched('payment'),
  '7.refunds': touched('payment'),
  '7.destination': touched('refund'),
  '7.queue_due': { by: 'touched', kinds: ['account'], also: { account: refundedOfPage } },
  '7.fees': touched('payment'),
  '7.parties': touched('payment'),
  '7.disputes': touched('payment'),
  '7.awards': touched('payment'),
  '7.refunding': touched('payment'),
  '7.dispute_id': touched('payment'),
  '8.paid_once': touched('payment_request'),
  '8.claimed_once': touched('payment_request'),
  '8.amount': touched('payment'),
  '8.types': touched('payment_request'),
  '8.expiry_due': touched('payment_request'),
  '9.live_once': touched('session'),
  '9.one_per_flow': { by: 'whole', also: { sessions: liveSessions } },
  '9.confirmed_once': { by: 'touched', kinds: targets, also: onlyOwn },
  '9.times': touched('session'),
  '9.lifetimes': touched('session'),
  '9.target': touched('session'),
  '9.end_due': touched('session'),
  '9.timeout_due': touched('load'),
  '9.payment_timeout_due': touched('payment'),
  '9.refund_wait_due': touched('refund'),
  '9.hold_due': touched('linked_account'),
  '9.consent_due': touched('linked_account'),
  '9.return_request_due': whole,
  '9.return_answer_due': whole,
  '1.return_requests': whole,
  '9.instruction_due': touched('instruction'),
  '9.hand_over_due': touched('instruction'),
  '9.cancel_due': touched('instruction'),
  '9.query_due': touched('instruction'),
  '9.rail_message_due': whole,
  '10.closed': {
    by: 'touched',
    kinds: ['account'],
    also: { account: { entries: 'transaction_type is not null' } },
  },
  '10.closed_records': touched('account'),
  '10.closing_due': touched('account'),
  '10.dormancy_due': touched('account'),
  '10.suspended': touched('account'),
  '10.waiting_claims': touched('account'),
  '10.one_link': touched('customer'),
  '10.holder': touched('customer'),
  '10.restricted': touched('account'),
  '10.payable': touched('withdrawal'),
  '11.counters': since,
  '11.payouts': since,
  '11.within': since,
  '13.effect': since,
  '13.stored': since,
  '15.identity': whole,
  '15.days': whole,
  '15.closing': since,
  '15.totals': since,
  '15.periods': later('statements are made once a month and account'),
  '15.statement_closing': later('it sums the whole ledger of each account'),
  '15.position': later('statements are made once a month and account'),
  '15.last_statement': touched('account'),
  'people.withdrawn': {
    by: 'touched',
    kinds: ['customer'],
    also: { customer: { sessions: liveSessions } },
  },
  'people.versions': touched('document'),
  'people.messages': touched('customer_message'),
  'people.message_due': touched('customer_message'),
  'people.notices': whole,
  'people.notice_end_due': whole,
  'people.progress': touched('session'),
  'people.publication_due': whole,
  'people.spread_due': whole,
  'people.owner_links': touched('owner'),
  'ranges.columns': later('no number comes to half of its range within a week'),
  'ranges.sequences': whole,
  '14.delivers_to': whole,
  'sealed.chain': whole,
} as const satisfies Record<string, Place>;

/** The kinds of record that a table's references are proven with. */
const referencesOf: Partial<Record<CheckedTable, Place>> = {
  entries: since,
  idempotency: since,
  disputes: whole,
  customers: touched('customer'),
  pins: touched('customer'),
  passkeys: touched('customer'),
  limit_counters: touched('customer'),
  customer_messages: touched('customer_message'),
  notices: whole,
  session_progress: touched('session'),
  sessions: touched('session'),
  owners: touched('owner'),
  documents: touched('document'),
  linked_accounts: touched('linked_account'),
  accounts: touched('account'),
  balances: touched('account'),
  loads: touched('load'),
  instructions: touched('instruction'),
  withdrawals: touched('withdrawal'),
  pending_transactions: touched('withdrawal'),
  refunds: touched('refund'),
  payments: touched('payment'),
  payment_requests: touched('payment_request'),
  deliveries: touched('delivery'),
  attempts: touched('delivery'),
  further_deliveries: touched('delivery'),
  further_attempts: touched('delivery'),
  webhook_secrets: whole,
};

/** Checks whose names are made: the first pattern that fits. */
const byPattern: readonly (readonly [RegExp, (found: RegExpMatchArray) => Place | undefined])[] = [
  [/^references\.(\w+)\./, ([, table]) => referencesOf[table as CheckedTable]],
  [/^12\./, () => whole],
  [/^14\./, () => touched('delivery')],
  [/^6\.disputes\./, () => whole],
  [
    /^6\.(payment|load|withdrawal|refund|linked_account)s\./,
    ([, kind]) => touched(kind as PageKind),
  ],
  [/^9\.(payment|load|withdrawal|refund)s\.waits$/, ([, kind]) => touched(kind as PageKind)],
  [/^people\./, () => touched('customer')],
  // One part of the old segments each night (night/prove.ts).
  [/^sealed\./, () => whole],
];

/** @throws for a check that has no place: a night would not prove it, and nobody would know */
export function placeOf(name: string): Place {
  const own = ownValue(byName, name);
  if (own) return own;
  for (const [pattern, place] of byPattern) {
    const found = pattern.exec(name);
    const made = found && place(found);
    if (made) return made;
  }
  throw new Error(`no place in a night for the check ${name} (service/invariants/night/plan.ts)`);
}
