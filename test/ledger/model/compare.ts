import { type IdKind, publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { openingCents } from './moves/customers.ts';
import { learnPayouts } from './moves/money.ts';
import type { Twin } from './moves/move.ts';
import { type ModelPerson, type ModelRecord, termsMsOf } from './types.ts';

/** @throws what differs, in a sentence */
export function requireSame(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: is ${is}, should be ${should}`);
}

/** Compares one customer's balance, as its Tenant reads it. */
export async function compareBalance({ client }: Twin, person: ModelPerson): Promise<void> {
  const { available, pending, earmarked, accountId, customerId } = person;
  const body = await client.read(`/v1/accounts/${publicId('account', accountId)}/balance`);
  requireSame(
    `the balance of ${customerId}`,
    [body.ledger, body.available, body.earmarked, body.pending_outgoing],
    [available + pending + earmarked, available, earmarked, pending],
  );
}

type Shown = readonly (string | number | null)[];
type Named = Pick<ModelRecord, 'id' | 'events'>;
const uuidIn = (kind: IdKind, id: string) => (id.includes('_') ? uuidOf(kind, id) : id);

/** The types of each record's events, in the order of its versions, which have no gap. */
async function compareEvents({ sender }: Twin, kind: IdKind, records: readonly Named[]) {
  const uuids = records.map(({ id }) => uuidIn(kind, id));
  const rows = await sender.query<{ id: string; types: string[]; versions: number[] }>(
    `select object_id as id, array_agg(type::text order by version) as types,
       array_agg(version order by version) as versions
     from events where tenant_id = $1 and object_id = any($2) and not sample group by object_id`,
    uuids,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const [index, { id, events }] of records.entries()) {
    const { types = [], versions = [] } = found.get(uuids[index] ?? '') ?? {};
    const expected = events.map((event) => `${kind}.${event}`);
    requireSame(`the events of ${id}`, types, expected);
    requireSame(
      `the versions of ${id}`,
      versions,
      [...expected.keys()].map((at) => at + 1),
    );
  }
}

async function compareRecords<R extends ModelRecord>(
  run: Twin,
  kind: IdKind,
  columns: string,
  records: readonly R[],
  shown: (record: R) => Shown,
): Promise<void> {
  const uuids = records.map(({ id }) => uuidOf(kind, id));
  const rows = await run.sender.query<Record<string, string | number | null>>(
    `select id, ${columns} from ${kind}s where tenant_id = $1 and id = any($2)`,
    uuids,
  );
  const found = new Map(rows.map(({ id, ...row }) => [id, Object.values(row)]));
  for (const [index, record] of records.entries())
    requireSame(record.id, found.get(uuids[index] ?? ''), shown(record));
  await compareEvents(run, kind, records);
}

async function compareAccounts(run: Twin): Promise<void> {
  const { people } = run.model;
  const rows = await run.sender.query<{ id: string }>(
    `select b.account_id as id, available, pending_outgoing as pending, earmarked, a.status,
       (extract(epoch from c.terms_due_at) * 1000)::bigint as "termsMs"
     from balances b join accounts a on a.tenant_id = b.tenant_id and a.id = b.account_id
       join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
     where b.tenant_id = $1 and b.account_id = any($2)`,
    people.map(({ accountId }) => accountId),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const person of people) {
    const { accountId: id, available, pending, earmarked, status } = person;
    const termsMs = termsMsOf(person);
    requireSame('an account', byId.get(id), { id, available, pending, earmarked, status, termsMs });
  }
  const named = people.map(({ accountId: id, events }) => ({ id, events }));
  await compareEvents(run, 'account', named);
}

const sumOf = <T>(list: readonly T[], cents: (one: T) => number): number =>
  list.reduce((sum, one) => sum + cents(one), 0);

/** The sums that the bank has moved by its own records: those that were simulated and answered yes. */
function statementOf({ people, loads, payments, withdrawals, refunds, disputes }: Twin['model']) {
  const paid = payments.filter(({ completedMs }) => completedMs > 0);
  const came =
    sumOf(people, ({ type }) => openingCents[type]) +
    sumOf(loads, ({ status, amount }) => (status === 'settled' ? amount : 0)) +
    sumOf(paid, ({ source, amount }) => (source === 'bank_account' ? amount : 0));
  const went =
    sumOf(withdrawals, ({ status, amount }) => (status === 'settled' ? amount : 0)) +
    sumOf(refunds, ({ status, link, amount }) => (link && status === 'completed' ? amount : 0)) +
    sumOf(disputes, ({ isPastAccount, credited }) => (isPastAccount ? credited : 0));
  const suspense = sumOf([...loads, ...payments], ({ unmatched }) =>
    sumOf([...unmatched], (cents) => cents),
  );
  const fees = sumOf(paid, ({ payerFees, payeeFees }) => payerFees + payeeFees);
  return { bank: came - went, suspense, fees };
}

/** The bank's records and the ledger's; sweeps, funding and undelivered credits are left out. */
async function compareStatement({ sender, model }: Twin): Promise<void> {
  const [row] = await sender.query(
    `select coalesce(sum(case when pocket in ('cash', 'suspense', 'return_in_transit')
          and step::text !~ '^(fee_sweep|top_up)_' then -delta end), 0)::bigint as bank,
       (select coalesce(sum(amount), 0)::bigint from suspense
         where tenant_id = $1 and reason <> 'undeliverable') as suspense,
       coalesce(sum(case when pocket in ('fees_platform', 'fees_tenant') and step::text !~ '^fee_sweep_'
          then delta end), 0)::bigint as fees
     from entries where tenant_id = $1 and account_id is null`,
  );
  requireSame("the bank's statement", row, statementOf(model));
}

/** How the law sees a notice. */
const lawOf = ({ regulated, answered, isLate, reopened }: Twin['model']['disputes'][number]) =>
  [
    ...(regulated ? ['regulated'] : []),
    ...(answered ? ['answered'] : isLate ? ['late'] : []),
    ...(reopened ? ['reopened'] : []),
  ].join(' ');

/** Compares what consumers may pay in a day, as it holds now. */
async function compareTerms({ client, model }: Twin): Promise<void> {
  const { limits } = await client.read('/portal/api/settings');
  const { individual } = model.settings.limits.payment_daily;
  requireSame('the limit of a day', limits.payment_daily.individual, individual);
}

/** Compares everything of the accounts, and of each kind of record the latest `count`. */
export async function compare(run: Twin, count: number): Promise<void> {
  const { model } = run;
  await learnPayouts(run);
  await compareAccounts(run);
  await compareTerms(run);
  // At a quiet moment the bank's own book is what cash is compared with.
  if (!run.process) await compareStatement(run);
  const last = <T>(list: readonly T[]): T[] => list.slice(-count);
  await compareRecords(
    run,
    'payment',
    'status, failure_code, refunded_amount, open_refunds, disputed_cents, disputed_fee_cents',
    last(model.payments),
    (one) => [
      one.status,
      one.failureCode,
      one.refunded,
      one.openRefunds,
      one.credited,
      one.disputedFee,
    ],
  );
  const ending = 'status, failure_code';
  const shown = (one: { status: string; failureCode: string | null }): Shown => [
    one.status,
    one.failureCode,
  ];
  await compareRecords(run, 'load', ending, last(model.loads), shown);
  await compareRecords(run, 'withdrawal', ending, last(model.withdrawals), shown);
  await compareRecords(run, 'refund', `${ending}, held_cents`, last(model.refunds), (one) => [
    ...shown(one),
    one.held,
  ]);
  const links = model.people.flatMap((person) => person.links);
  const status = (one: ModelRecord): Shown => [one.status];
  await compareRecords(run, 'payment_request', 'status', last(model.requests), status);
  await compareRecords(run, 'linked_account', 'status', last(links), status);
  await compareRecords(
    run,
    'dispute',
    `status, outcome, earmarked_cents, held_cents, credited_cents, provisional_credit_amount,
     coalesce(handled_as, type), concat_ws(' ', case when regulation_e then 'regulated' end,
       case when reasserted_of is not null then 'answered' when notice_late_days > 0 then 'late' end,
       case when reopened_at is not null then 'reopened' end)`,
    last(model.disputes),
    (one) => [
      one.status,
      one.outcome,
      one.earmarked,
      one.held,
      one.credited,
      one.provisional,
      one.handledAs,
      lawOf(one),
    ],
  );
}
