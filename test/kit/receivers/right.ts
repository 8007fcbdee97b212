import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from '../http/listening.ts';

/** A Tenant's receiver in parts, so that a test can make one of them wrong. */

interface Shown extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly object: string;
}

export interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: Shown };
}

export interface Signed {
  readonly raw: string;
  /** The header as it came; undefined: none. */
  readonly header: string | undefined;
  readonly request: IncomingMessage;
}

/** The receiver's state of a record. */
interface Held {
  readonly shown: Shown;
  /** The steps done for it once: an entry for each event that asked for it. */
  readonly steps: readonly string[];
}

export interface Parts {
  readonly secrets: readonly string[];
  /** A status that refuses the signature; null: it is right. */
  readonly check: (signed: Signed, secrets: readonly string[]) => number | null;
  /** A status that refuses the event; null: it is taken. */
  readonly refuses: (event: Told, known: { readonly ids: ReadonlySet<string> }) => number | null;
  /** Whether the id is one that was handled. */
  readonly isKnown: (ids: ReadonlySet<string>, event: Told) => boolean;
  /** Whether a newer event of its record was handled. */
  readonly isOutdated: (held: Shown, next: Shown) => boolean;
  /** Whether a step is made that a newer event has overtaken. */
  readonly makesLateSteps: boolean;
  /** Whether the handling of an event fails, which then has no effect. */
  readonly fails: (event: Told) => boolean;
  /** The status it answers then. */
  readonly failed: number;
  /** How long after the answer the effect comes; null: before it. */
  readonly effectAfterMs: number | null;
  /** Before the answer. @param together how many are under way */
  readonly waits: (together: number) => number;
  readonly answers: number;
}

/** The header's parts. */
export const itemsOf = (header = '') => ({
  t: /(?:^|,)t=(\d+)(?:,|$)/.exec(header)?.[1] ?? null,
  digests: [...header.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g)].map(([, digest]) => digest),
});

export const digestOf = (secret: string, t: string, raw: string): string =>
  createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');

export const ageOf = (t: string): number => Math.floor(Date.now() / 1_000) - Number(t);

const orders: Readonly<Record<string, readonly unknown[]>> = {
  document_acceptance: ['pending_acceptance', 'accepted', 'superseded'],
  transaction: ['pending', 'posted', 'reversed'],
};

/** Whether an event is outdated by rules/webhooks 29 to 31. */
function isOutdated(held: Shown, next: Shown): boolean {
  if (typeof next.version === 'number') return next.version <= Number(held.version);
  if (next.object === 'owner') return String(next.updated_at) <= String(held.updated_at);
  const order = orders[next.object] ?? [];
  return order.indexOf(next.status) < order.indexOf(held.status);
}

export const right: Parts = {
  secrets: [],
  check: ({ header, raw }, secrets) => {
    const { t, digests } = itemsOf(header);
    if (t === null || Math.abs(ageOf(t)) > 300) return 400;
    return secrets.some((secret) => digests.includes(digestOf(secret, t, raw))) ? null : 400;
  },
  refuses: () => null,
  isKnown: (ids, { id }) => ids.has(id),
  isOutdated,
  makesLateSteps: true,
  fails: ({ data }) => data.object.description === 'broken',
  failed: 500,
  effectAfterMs: null,
  waits: () => 0,
  answers: 200,
};

/** @returns where events go, and what it holds of its records, also at `/state` */
export async function openReceiver(parts: Parts) {
  const ids = new Set<string>();
  const records = new Map<string, Held>();
  const shown = () => JSON.stringify([...records]);
  let together = 0;

  function apply(event: Told): void {
    const next = event.data.object;
    const held = records.get(next.id);
    if (parts.isKnown(ids, event)) return;
    ids.add(event.id);
    const isOld = held !== undefined && parts.isOutdated(held.shown, next);
    if (isOld && !parts.makesLateSteps) return;
    const step = typeof next.version === 'number' ? [event.type] : [];
    const steps = [...(held?.steps ?? []), ...step].sort();
    records.set(next.id, { shown: isOld ? held.shown : next, steps });
  }

  async function take(request: IncomingMessage): Promise<number> {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const header = request.headers['service-signature'] as string | undefined;
    const refusal = parts.check({ raw, header, request }, parts.secrets);
    if (refusal !== null) return refusal;
    await sleep(parts.waits(together));
    // Its sender has gone: an effect that comes late would show in what is played next.
    if (request.socket.destroyed) return parts.failed;
    const event = JSON.parse(raw) as Told;
    const refused = parts.refuses(event, { ids });
    if (refused !== null) return refused;
    if (parts.fails(event)) return parts.failed;
    if (parts.effectAfterMs === null) apply(event);
    else setTimeout(apply, parts.effectAfterMs, event);
    return parts.answers;
  }

  const http = createServer(async (request, reply) => {
    if (request.url === '/state') return reply.end(shown());
    together += 1;
    // Also when its sender has gone.
    reply.once('close', () => {
      together -= 1;
    });
    const status = await take(request).catch(() => 500);
    reply.writeHead(status, status === 308 ? { location: '/elsewhere' } : {}).end();
  });
  const origin = await listening(http);
  return { url: `${origin}/hooks`, stateUrl: `${origin}/state`, state: async () => shown() };
}
