import { openingCents } from './moves/money.ts';
import type { Life } from './tenant.ts';
import type { Book } from './types.ts';

/** What the bank moved of a tenant's, and what the tenant's house has of it, in cents. */
interface Statement {
  /** Came less went, besides what stands in suspense. */
  readonly bank: number;
  /** Came with words that fit no record. */
  readonly odd: number;
  readonly fees: number;
}

const sumOf = <T>(list: readonly T[], cents: (one: T) => number): number =>
  list.reduce((sum, one) => sum + cents(one), 0);

/** The bank's own book: what it was asked and said yes to, by those who play it. */
function statementOf({
  people,
  loads,
  payments,
  withdrawals,
  refunds,
  disputes,
}: Omit<Book, 'clock'>): Statement {
  const paid = payments.filter(({ completedMs }) => completedMs > 0);
  const came =
    sumOf(people, ({ type }) => openingCents[type]) +
    sumOf(loads, ({ status, amount }) => (status === 'settled' ? amount : 0)) +
    sumOf(paid, ({ source, amount }) => (source === 'bank_account' ? amount : 0));
  const went =
    sumOf(withdrawals, ({ status, amount }) => (status === 'settled' ? amount : 0)) +
    sumOf(refunds, ({ status, link, amount }) => (link && status === 'completed' ? amount : 0)) +
    sumOf(disputes, ({ isPastAccount, credited }) => (isPastAccount ? credited : 0));
  const odd = sumOf([...loads, ...payments], ({ oddMoney }) =>
    sumOf([...oddMoney], (cents) => cents),
  );
  return {
    bank: came - went,
    odd,
    fees: sumOf(paid, ({ payerFees, payeeFees }) => payerFees + payeeFees),
  };
}

/**
 * The bank's own book and the service's, each with what only the other knows left out: sweeps, the
 * funding of the reserve, and credits that no bank took.
 */
export async function statements({ sender, model }: Life): Promise<readonly Statement[]> {
  const [booked] = await sender.query<Statement>(
    `select coalesce(sum(case when pocket in ('cash', 'suspense')
          and step not in ('fees_swept', 'reserve_funded') then -delta end), 0)::bigint as bank,
       (select coalesce(sum(amount), 0)::bigint from suspense
         where tenant_id = $1 and reason <> 'undeliverable') as odd,
       coalesce(sum(case when pocket in ('fees_platform', 'fees_tenant') and step <> 'fees_swept'
          then delta end), 0)::bigint as fees
     from entries where tenant_id = $1 and account_id is null`,
  );
  return booked ? [booked, statementOf(model)] : [];
}
