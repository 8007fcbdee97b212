import { type TenantAccount, tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import type { Api } from '../kit/api.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { dollars } from './story.ts';

/** The tables of a journey's page: what the records, balances, ledger and events are at its end. */

/** The facts known when a journey ends; balances are in the order of the people. */
export interface Ending {
  readonly people: readonly { name: string; customerId: string; accountId: string }[];
  readonly balances: Readonly<Record<'before' | 'after', readonly ReplyBody[]>>;
  readonly journal: Readonly<Record<'before' | 'after', Journal>>;
  /** The events as the Tenant's server received them, in the order of their ids. */
  readonly events: readonly ReplyBody[];
  readonly begunMs: number;
}

/** All that one step of one record posted. */
interface Movement {
  readonly at: string;
  readonly entries: readonly ReplyBody[];
}

/** All postings of a tenant, and the balance of each tenant account in cents. */
export interface Journal {
  readonly movements: readonly Movement[];
  readonly books: Readonly<Record<TenantAccount, number>>;
}

/** All records of a listing, newest first. */
export async function listAll(api: Api, path: string): Promise<ReplyBody[]> {
  const all: ReplyBody[] = [];
  for (let cursor = ''; ; ) {
    const page = await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`);
    all.push(...page.data);
    if (!page.has_more) return all;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

const latest = (entries: readonly ReplyBody[], field: 'id' | 'created_at'): string =>
  entries
    .map((entry) => entry[field])
    .sort()
    .at(-1) ?? '';

export async function readJournal(api: Api): Promise<Journal> {
  const entries = (await listAll(api, '/portal/api/ledger/entries')).reverse();
  const sumOf = (account: TenantAccount) => {
    const own = entries.filter(
      ({ account_id, pocket }) => account_id === null && pocket === account,
    );
    const sum = own.reduce((cents, { delta }) => cents + delta, 0);
    // Cash is an asset, all other tenant accounts are liabilities.
    return account === 'cash' ? 0 - sum : sum;
  };
  const groups = new Map<string, ReplyBody[]>();
  for (const entry of entries) {
    const key = `${entry.source_id} ${entry.step}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  // The entry of a withdrawal has the id and time of its pending Transaction: the latest counts.
  const orderOf = (group: readonly ReplyBody[]) =>
    `${latest(group, 'created_at')} ${latest(group, 'id')}`;
  const movements = [...groups.values()]
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map((group) => ({ at: latest(group, 'created_at'), entries: group }));
  const sums = Object.fromEntries(tenantAccounts.map((account) => [account, sumOf(account)]));
  return { movements, books: sums as Record<TenantAccount, number> };
}

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** `0:05` after the beginning; `2 d 0:05` after days. */
function since(begunMs: number, instant: string): string {
  const minutes = Math.floor((Date.parse(instant) - begunMs) / 60_000);
  const days = Math.floor(minutes / dayMinutes);
  const ofDay = minutes % dayMinutes;
  const clock = `${Math.floor(ofDay / hourMinutes)}:${String(ofDay % hourMinutes).padStart(2, '0')}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** Names people in place of their ids. */
function namer({ people }: Ending): (id: string | null) => string {
  const names = new Map(
    people.flatMap(({ name, customerId, accountId }) => [
      [customerId, name],
      [accountId, name],
    ]),
  );
  return (id) => names.get(id ?? '') ?? '';
}

type Describe = (record: ReplyBody, name: (id: string) => string) => string;

/** Each kind of record in a few words; sessions are left out, since their record says the same. */
const descriptions: Readonly<Record<string, Describe>> = {
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

function detailOf(record: ReplyBody): string {
  const { status, fees = [] } = record;
  const fee = fees.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  const facts = [
    record.failure_code,
    fee > 0 && paid.includes(status) && `fees ${dollars(fee)}`,
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

/** Headings, of which those that begin with `>` are of figures, and rows. */
type Table = readonly [headings: readonly string[], rows: readonly (readonly string[])[]];

function states(ending: Ending): Table {
  const last = new Map(ending.events.map(({ data }) => [data.object.id, data.object]));
  const records = [...last.values()].filter(({ object }) => descriptions[object]);
  const isPosting = ({ object }: ReplyBody) => object === 'transaction';
  const ordered = [...records.filter((r) => !isPosting(r)), ...records.filter(isPosting)];
  const rows = ordered.map((record) => [
    record.id,
    descriptions[record.object]?.(record, namer(ending)) ?? '',
    typeof record.amount === 'number' ? dollars(record.amount) : '',
    record.status ?? '',
    detailOf(record),
  ]);
  return [['record', 'description', '>amount', 'status', 'detail'], rows];
}

const pockets = ['ledger', 'available', 'earmarked', 'pending_outgoing'] as const;

function accounts({ people, balances: { before, after } }: Ending): Table {
  const rows = people.map(({ name }, at) => [
    name,
    dollars(before[at].ledger),
    ...pockets.map((pocket) => dollars(after[at][pocket])),
  ]);
  return [['account', '>at the start', ...pockets.map((pocket) => `>${pocket}`)], rows];
}

function accountRows({ journal: { before, after } }: Ending): Table {
  const rows = tenantAccounts.map((account) => [
    account,
    dollars(before.books[account]),
    dollars(after.books[account]),
  ]);
  return [['tenant account', '>at the start', '>now'], rows];
}

function movements(ending: Ending): Table {
  const { before, after } = ending.journal;
  const name = namer(ending);
  const side = ({ entries }: Movement, sign: 1 | -1) =>
    entries
      .filter(({ delta }) => Math.sign(delta) === sign)
      .map(({ account_id, pocket, delta }) => {
        const place = account_id === null ? pocket : `${name(account_id)} ${pocket}`;
        return `${place} ${dollars(Math.abs(delta))}`;
      })
      .join(', ');
  const rows = after.movements.slice(before.movements.length).map((one) => {
    const [{ step, source_id }] = one.entries;
    return [since(ending.begunMs, one.at), step, source_id, side(one, -1), side(one, 1)];
  });
  return [['at', 'movement', 'of', 'from', 'to'], rows];
}

/** The previous status; where it did not change, the names of the fields that did. */
function previousOf({ previous_attributes: previous }: ReplyBody): string {
  if (previous === null) return '(new)';
  return previous.status ?? `(${Object.keys(previous).join(', ')})`;
}

const reported = 'reconciliation_report.available';
/** The longest run of reports, without another event between them, that does not stand in one line. */
const longestRun = 3;

/** A report and the statements of the same instant are made in parallel: the report is put first. */
function ordered(events: readonly ReplyBody[]): ReplyBody[] {
  const sorted: ReplyBody[] = [];
  for (const event of events) {
    const isBeside = ({ type, created_at }: ReplyBody) =>
      type === 'statement.available' && created_at === event.created_at;
    const at = event.type === reported ? sorted.findIndex(isBeside) : -1;
    sorted.splice(at === -1 ? sorted.length : at, 0, event);
  }
  return sorted;
}

function runsOf(events: readonly ReplyBody[]): ReplyBody[][] {
  const runs: ReplyBody[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && event.type === reported && run[0].type === reported) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length > longestRun ? [run] : run.map((event) => [event])));
}

function received({ events, begunMs }: Ending): Table {
  let count = 0;
  const rows = runsOf(ordered(events)).map((run) => {
    const recordOf = ({ data: { object } }: ReplyBody) => object.id ?? object.date;
    const [first, last] = [run[0], run.at(-1)];
    const number = count + 1;
    count += run.length;
    const isRun = run.length > 1;
    return [
      isRun ? `${number}-${count}` : String(number),
      since(begunMs, first.created_at),
      first.type,
      isRun ? `${recordOf(first)} to ${recordOf(last)}` : recordOf(first),
      previousOf(first.data),
      first.data.object.status ?? '',
    ];
  });
  return [['>#', 'at', 'event', 'record', 'previous_attributes.status', 'status'], rows];
}

/** In Markdown, with columns that line up. */
export function printed([headings, rows]: Table): string[] {
  const columns = headings.map((heading, at) => {
    const isRight = heading.startsWith('>');
    const title = heading.slice(Number(isRight));
    const width = Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0));
    const pad = (text: string) => (isRight ? text.padStart(width) : text.padEnd(width));
    return { title, pad, rule: isRight ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width) };
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title, pad }) => pad(title))),
    line(columns.map(({ rule }) => rule)),
    ...rows.map((row) => line(columns.map(({ pad }, at) => pad(row[at] ?? '')))),
    '',
  ];
}

/** Replaces ids so that they are the same in every run: the first payment of a page is `pay_1`. */
export function numberIds(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) =>
    text.replaceAll(/\b([a-z]+)_[0-9a-f]{32}\b/g, (id, prefix: string) => {
      const number = (counts.get(prefix) ?? 0) + 1;
      const name = known.get(id) ?? `${prefix}_${number}`;
      if (!known.has(id)) counts.set(prefix, number);
      known.set(id, name);
      return name;
    });
}

/** @param number gives ids the names that the story gave them */
export function tablesOf(ending: Ending, number: (text: string) => string): string[] {
  const print = ([headings, rows]: Table) =>
    printed([headings, rows.map((row) => row.map(number))]);
  return [
    '## Final states',
    '',
    ...print(states(ending)),
    '## Balances',
    '',
    ...print(accounts(ending)),
    ...print(accountRows(ending)),
    '## Ledger movements',
    '',
    ...print(movements(ending)),
    "## Events that the Tenant's server received",
    '',
    ...print(received(ending)),
  ];
}
