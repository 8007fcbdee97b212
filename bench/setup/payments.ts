import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { LoadReport } from '../load/drive.ts';
import { idPlace } from '../load/follow_up.ts';
import type { Generator } from '../load/generator.ts';
import { type ApiRequest, freshKey, requestText } from '../load/requests.ts';
import type { People } from './people.ts';
import { largestPaymentCents, population, smallestPaymentCents } from './population.ts';
import type { Random } from './random.ts';

/**
 * `uniform`: any payer pays any merchant of the tenant; `hot`: all pay the same merchant; `one`: all
 * are of the first tenant; `others`: of any tenant but the first; `first_cell`: as many payers as in
 * uniform runs, of the tenants in the first of two cells.
 */
export type Spread = 'uniform' | 'hot' | 'one' | 'others' | 'first_cell';

/** Unconfirmed payments, and the requests that complete them, in the same order. */
export interface OpenPayments {
  /** The ids in the database. */
  readonly uuids: readonly string[];
  readonly completions: readonly string[];
}

/** Faster than fewer clients, and far below the limit of the queue. */
const creatingClients = 64;

interface Planned {
  readonly token: string;
  readonly request: ApiRequest;
}

/** The tenants that pay, the number of their payers, and the number of merchants that are paid. */
const spreads = {
  uniform: { first: 0, end: undefined, payers: population.payersPerTenant, merchants: undefined },
  hot: { first: 0, end: 1, payers: undefined, merchants: 1 },
  one: { first: 0, end: 1, payers: undefined, merchants: undefined },
  first_cell: { first: 0, end: 2, payers: 2 * population.payersPerTenant, merchants: undefined },
  others: { first: 1, end: undefined, payers: undefined, merchants: undefined },
} as const satisfies Record<Spread, object>;

function planPayment(allPeople: readonly People[], spread: Spread, random: Random): Planned {
  const { first, end, payers, merchants } = spreads[spread];
  const people = random.pick(allPeople.slice(first, end));
  const { token } = people.tenant;
  const body = {
    payer_customer_id: random.pick(people.payers.slice(0, payers)),
    payee_customer_id: random.pick(people.merchants.slice(0, merchants)),
    amount: random.between(smallestPaymentCents, largestPaymentCents),
    source: 'balance',
    order_reference: `order-${random.between(1, 1_000_000)}`,
  };
  const request = { method: 'POST', path: '/v1/payments', token, body } as const;
  return { token, request: { ...request, idempotencyKey: freshKey() } };
}

/** @param objectId the payment's session, or the payment */
function completion(token: string, objectId: string): ApiRequest {
  return {
    method: 'POST',
    path: '/v1/sandbox/simulate/session.completed',
    token,
    body: { object_id: objectId },
    idempotencyKey: freshKey(),
  };
}

/** Checks that `count` requests got this status and none was a replay. @throws otherwise */
export function assertAll(report: LoadReport, status: number, count: number): void {
  if (report.statuses[status] !== count || report.replayed !== 0)
    throw new Error(
      `${count} replies ${status} were expected, got ${JSON.stringify(report.statuses)}, ` +
        `${report.replayed} of them replayed; ${report.refusal ?? ''}`,
    );
}

export interface PaymentMaker {
  readonly port: number;
  readonly generator: Generator;
  readonly allPeople: readonly People[];
  readonly random: Random;
}

/**
 * Creates payments over HTTP, by payee id, from balances.
 * @throws when one of them is refused
 */
export async function createPayments(
  { port, generator, allPeople, random }: PaymentMaker,
  spread: Spread,
  count: number,
): Promise<OpenPayments> {
  const planned = Array.from({ length: count }, () => planPayment(allPeople, spread, random));
  const report = await generator.run(
    {
      ports: [port],
      clients: creatingClients,
      requests: planned.map(({ request }) => requestText(port, request)),
      warmUpSeconds: 0,
      wantsBodies: true,
    },
    { onOpen: () => {}, onClose: () => {} },
  );
  assertAll(report, 201, count);
  const uuids: string[] = [];
  const completions: string[] = [];
  for (const [index, body] of report.bodies.entries()) {
    const payment: { id: string; confirmation_session: { id: string } } = JSON.parse(body);
    uuids.push(uuidOf('payment', payment.id) ?? '');
    const token = planned[index]?.token ?? '';
    completions.push(requestText(port, completion(token, payment.confirmation_session.id)));
  }
  return { uuids, completions };
}

/**
 * Requests that create payments, and those that complete them once the ids are known, in the same
 * order.
 */
export interface Pairs {
  readonly requests: readonly string[];
  readonly followUps: readonly string[];
}

/** Plans the requests without sending them. */
export function planPairs(
  { port, allPeople, random }: PaymentMaker,
  spread: Spread,
  count: number,
): Pairs {
  const planned = Array.from({ length: count }, () => planPayment(allPeople, spread, random));
  return {
    requests: planned.map(({ request }) => requestText(port, request)),
    followUps: planned.map(({ token }) => requestText(port, completion(token, idPlace))),
  };
}
