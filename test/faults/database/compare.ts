import { uuid } from '../../kit/ids.ts';
import type { Person } from '../../kit/person.ts';
import type { TestServer } from '../../kit/server.ts';

/** Asks the database as a tenant, whose id is the first value. */
export interface Stored {
  readonly engine: Pick<TestServer['engine'], 'query'>;
}

/** One request under one Idempotency-Key, however often it was sent. */
export interface Request {
  readonly kind: 'pay' | 'confirm' | 'cancel';
  readonly key: string;
  readonly path: string;
  readonly body: object;
  /** The outcome that the client knows of. */
  outcome: 'unknown' | 'acked' | 'refused';
  /** An answer was lost, or was a 503, before it was settled. */
  wasAmbiguous: boolean;
}

/** A client's knowledge of a payment. */
export interface Payment {
  /** The key of the request that creates it, and its description. */
  readonly key: string;
  /** Its public id, once it was acknowledged. */
  id: string | null;
  readonly requests: Request[];
  /** `performance.now()` of the moment when it was begun. */
  readonly begunMs: number;
}

interface StoredPayment {
  readonly id: string;
  readonly description: string;
  readonly status: string;
}

/** A minute less than a session lives that nobody opens (rules/sessions#11): a longer run outlives its first ones. */
const lifetimeMs = 14 * 60_000;

const isOver = ({ begunMs }: Payment, last: Request, status: string): boolean =>
  last.kind === 'pay' && status === 'canceled' && performance.now() - begunMs > lifetimeMs;

const statusAfter = { pay: 'requires_confirmation', confirm: 'completed', cancel: 'canceled' };

function faultsOf(payment: Payment, stored: readonly StoredPayment[]): string[] {
  const { id, requests } = payment;
  const unsettled = requests.filter(({ outcome }) => outcome === 'unknown');
  if (unsettled.length > 0)
    return unsettled.map(({ kind }) => `its ${kind} was never settled by its retries`);
  if (stored.length > 1) return [`it is stored ${stored.length} times`];
  const [row] = stored;
  const last = requests.findLast(({ outcome }) => outcome === 'acked');
  if (!last || id === null) return row ? ['it was refused and is stored'] : [];
  if (!row) return ['it was acknowledged and is lost'];
  if (row.id !== uuid('payment', id)) return ['it is stored as another one'];
  const expected = statusAfter[last.kind];
  return row.status === expected || isOver(payment, last, row.status)
    ? []
    : [`it is ${row.status}, acknowledged as ${expected}`];
}

/**
 * Compares what the clients know with what is stored: what was acknowledged is there once and as
 * acknowledged, what was refused is not. @returns a sentence for each difference
 */
export async function comparePayments(
  { engine }: Stored,
  payments: readonly Payment[],
): Promise<string[]> {
  const rows = await engine.query<StoredPayment>(
    `select id, description, status from payments
     where tenant_id = $1 and description is not null`,
  );
  const stored = new Map<string, StoredPayment[]>();
  for (const row of rows)
    stored.set(row.description, [...(stored.get(row.description) ?? []), row]);
  const known = new Set(payments.map(({ key }) => key));
  return [
    ...payments.flatMap((payment) =>
      faultsOf(payment, stored.get(payment.key) ?? []).map((what) => `${payment.key}: ${what}`),
    ),
    ...[...stored.keys()]
      .filter((key) => !known.has(key))
      .map((key) => `payment ${key} was never requested`),
  ];
}

/** The payers have what they had at first, without what was paid and what is held. */
export async function compareBalances(
  { engine }: Stored,
  people: readonly Person[],
  cents: number,
): Promise<string[]> {
  const [row] = await engine.query(
    `select sum(available)::bigint as available, sum(pending_outgoing)::bigint as held,
       (select coalesce(sum(amount) filter (where status = 'completed'), 0)::bigint from payments
         where tenant_id = $1) as completed,
       (select coalesce(sum(amount) filter (where status = 'requires_confirmation'), 0)::bigint
         from payments where tenant_id = $1) as open
     from balances where tenant_id = $1 and account_id = any ($2)`,
    people.map(({ accountId }) => uuid('account', accountId)),
  );
  const expected = cents - row.completed - row.open;
  if (row.available === expected && row.held === row.open) return [];
  return [`payers have ${row.available} and hold ${row.held}, not ${expected} and ${row.open}`];
}
