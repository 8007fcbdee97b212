import { setTimeout as sleep } from 'node:timers/promises';
import { checkReply } from '../../kit/contract_check.ts';
import type { ReplyBody } from '../../kit/http.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import type { TestServer } from '../../kit/server.ts';
import { openPeople, type Person } from '../../ledger/customers.ts';
import { openSender } from '../../ledger/sender.ts';
import { compareLedger, type Intent, type StoredPayment } from './acknowledged.ts';

const lanes = 8;
const payers = 8;
const balanceCents = 1_000_00;
/** More than anybody has: such a payment is refused. */
const tooMuchCents = 1_000_000_00;
const pauseMs = 10;
const pauseAfter503Ms = 60;
/** How long what is not settled at the end may still be retried. */
const settleMs = 30_000;

export interface LoadOptions {
  readonly seed: number;
  /** A request that takes longer is a violation; absent: any time will do. */
  readonly deadlineMs?: number;
}

/** What clients do to the service, and all that they know of it. */
export interface Load {
  readonly intents: readonly Intent[];
  /** Replies and losses so far. */
  readonly counts: { acked: number; refused: number; unavailable: number; cut: number };
  slowestMs: number;
  /** `performance.now()` of the last 503 or lost connection. */
  lastMissMs: number;
  /** `performance.now()` of the first acknowledged write that began after this; rejects in 60 s. */
  ackedSince(sinceMs: number): Promise<number>;
  /**
   * Ends it: every intent is retried under its key until it is settled, and the client's ledger is
   * held against the database. @returns how it ended
   */
  end(): Promise<LoadEnd>;
}

export interface LoadEnd {
  /** Requests with an unknown outcome, and how many of them had taken effect. */
  readonly ambiguous: number;
  readonly ambiguousApplied: number;
  readonly violations: readonly string[];
}

const stored = `select id, description, status from payments
  where tenant_id = $1 and description is not null`;
const pockets = `select sum(available)::bigint as available, sum(pending_outgoing)::bigint as held
  from balances where tenant_id = $1 and account_id = any ($2)`;
const spent = `select coalesce(sum(amount) filter (where status = 'completed'), 0)::bigint as completed,
    coalesce(sum(amount) filter (where status = 'requires_confirmation'), 0)::bigint as open
  from payments where tenant_id = $1`;

/** What the payers have is what they had, without what was paid and what is held. */
async function comparePockets({ service, tenant }: TestServer, people: readonly Person[]) {
  const accounts = people.map(({ accountId }) => accountId);
  const [balance, payments] = await Promise.all([
    service.pool.query(pockets, [tenant.tenantId, accounts]),
    service.pool.query(spent, [tenant.tenantId]),
  ]);
  const { available, held } = balance.rows[0];
  const { completed, open } = payments.rows[0];
  const expected = people.length * balanceCents - completed - open;
  if (available === expected && held === open) return [];
  return [`payers have ${available} and hold ${held}, expected ${expected} and ${open}`];
}

/** Begins to pay, confirm and cancel on as many connections as there are lanes. */
export async function startLoad(house: TestServer, options: LoadOptions): Promise<Load> {
  const { seed, deadlineMs = Number.POSITIVE_INFINITY } = options;
  const sender = openSender([house.service], house.tenant.tenantId);
  const people = await openPeople(sender, payers, 'individual', balanceCents);
  const [shop] = await openPeople(sender, 1, 'business', 0);
  const intents: Intent[] = [];
  const counts = { acked: 0, refused: 0, unavailable: 0, cut: 0 };
  /** Each once: a fault that strikes, strikes many. */
  const violations = new Set<string>();
  let ambiguousApplied = 0;
  let waiting: { sinceMs: number; resolve: (atMs: number) => void }[] = [];
  let isEnding = false;
  let giveUpAtMs = Number.POSITIVE_INFINITY;

  function acked(beganMs: number): void {
    counts.acked += 1;
    const found = waiting.filter(({ sinceMs }) => beganMs >= sinceMs);
    waiting = waiting.filter((one) => !found.includes(one));
    for (const { resolve } of found) resolve(performance.now());
  }

  /** One sending. @returns whether the intent is settled */
  async function send(intent: Intent): Promise<boolean> {
    const { key, path, body } = intent;
    const beganMs = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${house.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${house.token}`,
          'idempotency-key': key,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      text = await response.text();
    } catch {
      counts.cut += 1;
      load.lastMissMs = performance.now();
      return false;
    } finally {
      load.slowestMs = Math.max(load.slowestMs, performance.now() - beganMs);
    }
    const tookMs = performance.now() - beganMs;
    if (tookMs > deadlineMs)
      violations.add(`${path} was answered after ${Math.round(tookMs / 1_000)} s`);
    const { status, headers } = response;
    const reply = JSON.parse(text) as ReplyBody;
    try {
      checkReply('POST', path, { status, headers, body: reply });
    } catch (error) {
      violations.add((error as Error).message.replaceAll(/req_\w+/g, 'req_…'));
    }
    if (status === 503) {
      counts.unavailable += 1;
      load.lastMissMs = performance.now();
      return false;
    }
    if (status >= 500) violations.add(`${path} answered ${status}`);
    if (status >= 300) {
      counts.refused += 1;
      intent.fate = 'refused';
      return true;
    }
    intent.fate = 'acked';
    if (intent.kind === 'pay') intent.payment = reply.id;
    if (intent.wasAmbiguous && headers.get('idempotent-replayed') === 'true') ambiguousApplied += 1;
    acked(beganMs);
    return true;
  }

  /** As a Tenant does: again under the same key until there is an answer. */
  async function settle(intent: Intent): Promise<void> {
    intents.push(intent);
    while (!(await send(intent)) && performance.now() < giveUpAtMs) {
      intent.wasAmbiguous = true;
      await sleep(pauseAfter503Ms);
    }
  }

  function payment(choices: Choices, key: string): Intent {
    const body = {
      payer_customer_id: choices.pick(people).customerId,
      payee_customer_id: shop?.customerId,
      source: 'balance',
      amount: choices.percent(8) ? tooMuchCents : 1 + choices.below(3),
      description: key,
    };
    const intent = { key, kind: 'pay', path: '/v1/payments', body } as const;
    return { ...intent, payment: null, fate: 'unknown', wasAmbiguous: false };
  }

  function ending(choices: Choices, { key, payment: id }: Intent): Intent | null {
    const kind = choices.pick(['confirm', 'confirm', 'confirm', 'cancel', null] as const);
    if (kind === null || id === null) return null;
    const path =
      kind === 'confirm' ? '/v1/sandbox/simulate/session.completed' : `/v1/payments/${id}/cancel`;
    const body = kind === 'confirm' ? { object_id: id } : {};
    const intent = { key: `${key}-${kind}`, kind, path, body, payment: id } as const;
    return { ...intent, fate: 'unknown', wasAmbiguous: false };
  }

  async function lane(number: number): Promise<void> {
    for (let turn = 0; !isEnding; turn += 1) {
      const choices = choicesOf(seed, `load ${number} ${turn}`);
      const made = payment(choices, `prove-${seed}-${number}-${turn}`);
      await settle(made);
      const next = made.fate === 'acked' ? ending(choices, made) : null;
      if (next) await settle(next);
      await sleep(pauseMs);
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));

  const load: Load = {
    intents,
    counts,
    slowestMs: 0,
    lastMissMs: 0,
    ackedSince: (sinceMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no write was acknowledged')), 60_000);
        const found = (atMs: number) => {
          clearTimeout(timer);
          resolve(atMs);
        };
        waiting.push({ sinceMs, resolve: found });
      }),
    async end() {
      isEnding = true;
      giveUpAtMs = performance.now() + settleMs;
      await running;
      const { rows } = await house.service.pool.query<StoredPayment>(stored, [
        house.tenant.tenantId,
      ]);
      const ambiguous = intents.filter(({ wasAmbiguous }) => wasAmbiguous);
      return {
        ambiguous: ambiguous.length,
        ambiguousApplied,
        violations: [
          ...violations,
          ...compareLedger(intents, rows),
          ...(await comparePockets(house, people)),
        ],
      };
    },
  };
  return load;
}
