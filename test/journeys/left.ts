import { books } from '@tenant-payments/contract/recipes.ts';
import type { ReplyBody } from '../kit/http.ts';
import type { Journal, Movement } from './books.ts';
import type { Actor } from './cast.ts';
import { dollars } from './story.ts';
import { type Row, type Table, table } from './table.ts';

/** What is known when a journey ends. */
export interface Ending {
  readonly actors: readonly Actor[];
  /** Of each account, in the order of the actors: GET /v1/accounts/{id}/balance. */
  readonly balances: {
    readonly before: readonly ReplyBody[];
    readonly after: readonly ReplyBody[];
  };
  readonly journal: { readonly before: Journal; readonly after: Journal };
  /** As the Tenant's server received them, in order. */
  readonly events: readonly ReplyBody[];
  readonly begunMs: number;
}

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** `0:05` after the story's beginning; `2 d 0:05` after days. */
function since(begunMs: number, instant: string): string {
  const minutes = Math.floor((Date.parse(instant) - begunMs) / 60_000);
  const days = Math.floor(minutes / dayMinutes);
  const clock = `${Math.floor((minutes % dayMinutes) / hourMinutes)}:${String(minutes % hourMinutes).padStart(2, '0')}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** Names people in place of their ids. */
function namer(actors: readonly Actor[]): (id: string | null) => string {
  const names = new Map<string, string>();
  for (const { name, customerId, accountId } of actors) {
    names.set(customerId, name);
    names.set(accountId, name);
  }
  return (id) => names.get(id ?? '') ?? '';
}

type Say = (record: ReplyBody, name: (id: string) => string) => string;

/** What a record is, in a few words. Sessions are told by what they confirm. */
const saidOf: Readonly<Record<string, Say>> = {
  payment_request: (r, name) =>
    r.type === 'static'
      ? `${name(r.merchant_customer_id)} at ${r.collection_point.name}`
      : `${name(r.merchant_customer_id)} asks for ${r.order_reference}`,
  payment: (r, name) =>
    `${name(r.payer_customer_id)} pays ${name(r.payee_customer_id)} from ${r.source}`,
  load: (r, name) => `${name(r.customer_id)} loads`,
  withdrawal: (r, name) => `${name(r.customer_id)} withdraws`,
  refund: (r, name) =>
    `${name(r.merchant_customer_id)} refunds ${name(r.payer_customer_id)} for ${r.payment_id}`,
  dispute: (r, name) => `${name(r.customer_id)} disputes ${r.payment_id}: ${r.type}`,
  statement: (r, name) => `${name(r.account_id)}, ${r.period_start} to ${r.period_end}`,
  account: (r, name) => `account of ${name(r.customer_id)}`,
  linked_account: (r, name) =>
    `bank of ${name(r.customer_id)}, ${r.account_type} ${r.account_mask}`,
  transaction: (r, name) => `${r.type} of ${name(r.account_id)} for ${r.source_id}`,
};

const paid: readonly string[] = ['completed', 'partially_refunded', 'refunded'];

/** What a payment has cost; one that ended otherwise has cost nothing. */
function feesSaid({ status, fees = [] }: ReplyBody): string | null {
  const cents = fees.reduce((sum: number, fee: { amount: number }) => sum + fee.amount, 0);
  return cents > 0 && paid.includes(status) ? `fees ${dollars(cents)}` : null;
}

function detailOf(record: ReplyBody): string {
  const facts = [
    record.failure_code,
    feesSaid(record),
    record.refunded_amount > 0 && `refunded ${dollars(record.refunded_amount)}`,
    record.paid_payment_id && `by ${record.paid_payment_id}`,
    record.destination && `to ${record.destination}`,
    record.provisional_credit_amount && `credited ${dollars(record.provisional_credit_amount)}`,
    record.outcome,
    record.object === 'statement' &&
      `${dollars(record.opening_balance)} to ${dollars(record.closing_balance)}`,
  ];
  return facts.filter(Boolean).join(', ');
}

function states({ events, actors }: Ending): Table {
  const last = new Map<string, ReplyBody>();
  for (const { data } of events) last.set(data.object.id, data.object);
  const name = namer(actors);
  const told = [...last.values()].filter(({ object }) => saidOf[object]);
  const isPosting = ({ object }: ReplyBody) => object === 'transaction';
  const ordered = [...told.filter((r) => !isPosting(r)), ...told.filter(isPosting)];
  return {
    headings: ['record', 'name', '>amount', 'status', 'detail'],
    rows: ordered.map((record) => [
      record.id,
      saidOf[record.object]?.(record, name) ?? '',
      typeof record.amount === 'number' ? dollars(record.amount) : '',
      record.status ?? '',
      detailOf(record),
    ]),
  };
}

function accounts({ actors, balances: { before, after } }: Ending): Table {
  const rows = actors.map(({ name }, at): Row => {
    const now = after[at];
    const cents = [
      before[at].ledger,
      now.ledger,
      now.available,
      now.earmarked,
      now.pending_outgoing,
    ];
    return [name, ...cents.map(dollars)];
  });
  return {
    headings: [
      'account',
      '>at the start',
      '>ledger',
      '>available',
      '>earmarked',
      '>pending_outgoing',
    ],
    rows: rows,
  };
}

function tenantBooks({ journal: { before, after } }: Ending): Table {
  const rows = books.map(
    (book): Row => [book, dollars(before.books[book]), dollars(after.books[book])],
  );
  return { headings: ["the Tenant's book", '>at the start', '>now'], rows };
}

/** A movement takes from some and gives to others; cash is an asset, so what comes in is its debit. */
function movements({ journal: { before, after }, actors, begunMs }: Ending): Table {
  const name = namer(actors);
  const side = ({ entries }: Movement, sign: 1 | -1) =>
    entries
      .filter(({ delta }) => Math.sign(delta) === sign)
      .map(({ account_id, pocket, delta }) => {
        const place = account_id === null ? pocket : `${name(account_id)} ${pocket}`;
        return `${place} ${dollars(Math.abs(delta))}`;
      })
      .join(', ');
  return {
    headings: ['at', 'movement', 'of', 'from', 'to'],
    rows: after.movements
      .slice(before.movements.length)
      .map((one) => [since(begunMs, one.at), one.step, one.sourceId, side(one, -1), side(one, 1)]),
  };
}

/** Where no status moved, what did. */
function previousOf({ previous_attributes: previous }: ReplyBody): string {
  if (previous === null) return '(new)';
  return previous.status ?? `(${Object.keys(previous).join(', ')})`;
}

const reported = 'reconciliation_report.available';
/** Days in a row of which there is nothing else to tell are one line. */
const longestRun = 3;

/** What the calendar brings at one instant is made side by side: reports are told first. */
function besides(events: readonly ReplyBody[]): ReplyBody[] {
  const told: ReplyBody[] = [];
  for (const event of events) {
    const same = ({ type, created_at }: ReplyBody) =>
      type === 'statement.available' && created_at === event.created_at;
    const at = event.type === reported ? told.findIndex(same) : -1;
    told.splice(at === -1 ? told.length : at, 0, event);
  }
  return told;
}

/** Events in the order of their ids; reports of many days in a row stand together. */
function runsOf(events: readonly ReplyBody[]): ReplyBody[][] {
  const runs: ReplyBody[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && event.type === reported && run[0].type === reported) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length > longestRun ? [run] : run.map((event) => [event])));
}

function happened({ events, begunMs }: Ending): Table {
  let told = 0;
  const rows = runsOf(besides(events)).map((run): Row => {
    const [first, last] = [run[0], run.at(-1)];
    const recordOf = ({ data: { object } }: ReplyBody) => object.id ?? object.date;
    const range = (of: (event: ReplyBody) => string) =>
      run.length > 1 ? `${of(first)} to ${of(last)}` : of(first);
    const number = told + 1;
    told += run.length;
    return [
      run.length > 1 ? `${number}-${told}` : String(number),
      since(begunMs, first.created_at),
      first.type,
      range(recordOf),
      previousOf(first.data),
      first.data.object.status ?? '',
    ];
  });
  return {
    headings: ['>#', 'at', 'event', 'record', 'previous_attributes.status', 'status'],
    rows,
  };
}

/**
 * The tables of a journey's page, in Markdown.
 * @param number gives ids the names that the story gave them
 */
export function whatItLeft(ending: Ending, number: (text: string) => string): string[] {
  const print = ({ headings, rows }: Table): string[] => [
    ...table({ headings, rows: rows.map((row) => row.map(number)) }),
    '',
  ];
  return [
    ...['## The states it left', '', ...print(states(ending))],
    ...['## The balances', '', ...print(accounts(ending)), ...print(tenantBooks(ending))],
    ...['## What moved', '', ...print(movements(ending))],
    ...["## What the Tenant's server heard", '', ...print(happened(ending))],
  ];
}
