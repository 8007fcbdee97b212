import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyBody } from '../../kit/http/http.ts';
import type { Person } from '../../kit/person.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import type { TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import {
  compareBalances,
  comparePayments,
  type Payment,
  type Request,
  type Stored,
} from './compare.ts';
import { confirmByPin, type Exchange } from './pin_payer.ts';

const clients = 8;
const payers = 8;
const balanceCents = 1_000_00;
/** An amount that no payer has: such a payment is refused. */
const tooMuchCents = 1_000_000_00;
const pauseMs = 10;
const pauseAfter503Ms = 60;
/** How long requests without an answer are retried after the end: a try of a PIN that was cut off counts for a minute. */
const settleMs = 90_000;

/** A tenant's service, in this process or in another, and what its database holds. */
export type Loaded = Stored & Pick<TestServer, 'api' | 'call'>;

/** Clients that pay, confirm and cancel, and all that they know of it. */
export interface Load {
  /** Replies so far; `cut`: the connection broke before the reply. */
  readonly counts: { acked: number; refused: number; unavailable: number; cut: number };
  slowestMs: number;
  /** `performance.now()` of the last 503 or lost connection. */
  lastMissMs: number;
  /** Waits for a write that began after `sinceMs` and was acknowledged. @returns when it was */
  acked(sinceMs: number): Promise<number>;
  /** Ends it: each request is retried under its key until it is settled, then all is compared. */
  end(): Promise<LoadEnd>;
}

export interface LoadEnd {
  readonly violations: readonly string[];
  /** Payments that were acknowledged. */
  readonly payments: number;
  /** Requests whose outcome was unknown for a while, and how many of them had taken effect. */
  readonly ambiguous: number;
  readonly ambiguousApplied: number;
}

const newRequest = (kind: Request['kind'], key: string, path: string, body: object): Request => ({
  kind,
  key,
  path,
  body,
  outcome: 'unknown',
  wasAmbiguous: false,
});

function endingOf(choices: Choices, key: string, id: string): Request | null {
  const kind = choices.pick(['confirm', 'confirm', 'confirm', 'cancel', null] as const);
  if (kind === 'confirm')
    return newRequest(kind, `${key}-${kind}`, '/v1/sandbox/simulate/session.completed', {
      object_id: id,
    });
  return kind && newRequest(kind, `${key}-${kind}`, `/v1/payments/${id}/cancel`, {});
}

export interface LoadOptions {
  /** A request that takes longer is a violation. */
  readonly deadlineMs?: number | undefined;
  /** The clients that open the page of their payments and confirm by PIN; the others are simulated. */
  readonly byPin?: number | undefined;
}

export async function startLoad(
  server: Loaded,
  seed: number,
  { deadlineMs = Number.POSITIVE_INFINITY, byPin = 0 }: LoadOptions = {},
): Promise<Load> {
  const { api } = server;
  const shop = await api.approved('business');
  // One after the other: a machine that does much else would refuse some of them as too many at once.
  const people: Person[] = [];
  while (people.length < payers) people.push(await api.funded('individual', balanceCents));
  const payments: Payment[] = [];
  /** Each once: one fault causes the same violation many times. */
  const violations = new Set<string>();
  let ambiguousApplied = 0;
  let lastAckedBeganMs = 0;
  let isEnding = false;
  let giveUpAtMs = Number.POSITIVE_INFINITY;

  const exchange: Exchange = async (method, path, options) => {
    const beganMs = performance.now();
    const reply = await server.call(method, path, options).catch((error: Error) => error);
    const tookMs = performance.now() - beganMs;
    load.slowestMs = Math.max(load.slowestMs, tookMs);
    if (tookMs > deadlineMs) violations.add(`${path} took ${Math.round(tookMs / 1_000)} s`);
    const isLost = reply instanceof TypeError;
    if (isLost || (!(reply instanceof Error) && reply.status === 503)) {
      load.counts[isLost ? 'cut' : 'unavailable'] += 1;
      load.lastMissMs = performance.now();
      return null;
    }
    if (reply instanceof Error) {
      violations.add(reply.message.replaceAll(/req_\w+/g, 'req_…'));
      return { status: 400, headers: new Headers(), body: {} };
    }
    if (reply.status >= 500) violations.add(`${path} answered ${reply.status}`);
    load.counts[reply.status < 300 ? 'acked' : 'refused'] += 1;
    if (reply.status < 300) lastAckedBeganMs = Math.max(lastAckedBeganMs, beganMs);
    return reply;
  };

  /** Sends it once. @returns the reply's body; null when the outcome is unknown */
  async function send(request: Request) {
    const { key, path, body } = request;
    const reply = await exchange('POST', path, { key, body });
    if (reply === null) return null;
    request.outcome = reply.status < 300 ? 'acked' : 'refused';
    if (request.outcome === 'refused') return {};
    if (request.wasAmbiguous && reply.headers.get('idempotent-replayed') === 'true')
      ambiguousApplied += 1;
    return reply.body;
  }

  /** Sends it again under the same key until there is an answer, as a Tenant does. */
  async function settle(payment: Payment, request: Request) {
    payment.requests.push(request);
    for (;;) {
      const body = await send(request);
      if (body !== null || performance.now() > giveUpAtMs) return body;
      request.wasAmbiguous = true;
      await sleep(pauseAfter503Ms);
    }
  }

  /** Pays as a person does on the page. */
  async function payAsPerson(payment: Payment, made: ReplyBody, key: string): Promise<void> {
    const request = newRequest('confirm', key, '/hosted/api/confirm/pin', {});
    payment.requests.push(request);
    await confirmByPin(exchange, made.confirmation_session.token, {
      request,
      isOver: () => performance.now() > giveUpAtMs,
      violate: (what) => void violations.add(`${key}: ${what}`),
    });
  }

  async function client(number: number): Promise<void> {
    for (let turn = 0; !isEnding; turn += 1) {
      const choices = choicesOf(seed, `load ${number} ${turn}`);
      const key = `prove-${seed}-${number}-${turn}`;
      const payment: Payment = { key, id: null, requests: [], begunMs: performance.now() };
      payments.push(payment);
      const made = newRequest('pay', key, '/v1/payments', {
        // A person confirms one payment after the other.
        payer_customer_id: (number < byPin ? people[number] : choices.pick(people))?.customerId,
        payee_customer_id: shop.customerId,
        source: 'balance',
        amount: choices.percent(8) ? tooMuchCents : 1 + choices.below(3),
        description: key,
      });
      const reply = await settle(payment, made);
      payment.id = reply?.id ?? null;
      if (payment.id && number < byPin) {
        await payAsPerson(payment, reply, `${key}-pin`);
        continue;
      }
      const ending = payment.id && endingOf(choices, key, payment.id);
      if (ending) await settle(payment, ending);
      await sleep(pauseMs);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const load: Load = {
    counts: { acked: 0, refused: 0, unavailable: 0, cut: 0 },
    slowestMs: 0,
    lastMissMs: 0,
    async acked(sinceMs) {
      await until(() => lastAckedBeganMs >= sinceMs, {
        what: 'a write',
        everyMs: 5,
        withinMs: 180_000,
      });
      return performance.now();
    },
    async end() {
      isEnding = true;
      giveUpAtMs = performance.now() + settleMs;
      await running;
      const requests = payments.flatMap((payment) => payment.requests);
      return {
        payments: payments.filter(({ id }) => id !== null).length,
        ambiguous: requests.filter(({ wasAmbiguous }) => wasAmbiguous).length,
        ambiguousApplied,
        violations: [
          ...violations,
          ...(await comparePayments(server, payments)),
          ...(await compareBalances(server, people, people.length * balanceCents)),
        ],
      };
    },
  };
  return load;
}
