import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { webhooks } from '@tenant-payments/sdk-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addWebhookSecret, retireWebhookSecret } from '../../../service/webhooks/secrets.ts';
import { openSender } from '../../../service/webhooks/send/send.ts';
import { signature } from '../../../service/webhooks/send/sign.ts';
import { openSigningSecrets, type SigningSecrets } from '../../../service/webhooks/signing.ts';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../kit/http/receiver.ts';
import { choicesOf, seedOf } from '../../kit/seed.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';

const rotations = 1_000;
const seed = seedOf(process.env);
/** How long another process may go on as before (rules/webhooks#21). */
const effectiveMs = 1_000;

let deliveries: Deliveries;
let receiver: TestReceiver;

beforeAll(async () => {
  deliveries = await openDeliveries({ workers: true });
  receiver = await startTestReceiver();
});
afterAll(async () => {
  await receiver.close();
  await deliveries.stop();
});

/** A secret as its owner knows it; times are of the clock that the test moves. */
interface Known {
  readonly id: string;
  readonly secret: string;
  readonly addedMs: number;
  /** When its retirement was asked for, and when it was confirmed. */
  retiringMs: number;
  retiredMs: number;
}

const accepts = ({ body, headers }: ReceivedWebhook, secrets: readonly string[]): boolean => {
  try {
    webhooks.unwrap(body, headers, { secrets });
    return true;
  } catch {
    return false;
  }
};

interface Sent {
  readonly signedMs: number;
  readonly request: ReceivedWebhook;
}

/** The faults of an event that was signed at `signedMs`, by all secrets there ever were. */
function faultsOf({ signedMs, request }: Sent, all: readonly Known[]): string[] {
  // Long retired ones are tried from a sample: a thousand HMACs for each event are too many.
  const near = all.filter(({ retiredMs }) => retiredMs > signedMs - 20 * effectiveMs);
  const held = near.filter(
    ({ addedMs, retiredMs }) => addedMs <= signedMs && signedMs < retiredMs + effectiveMs,
  );
  const dead = near.filter(({ retiredMs }) => signedMs >= retiredMs + effectiveMs);
  const settled = held.filter(
    ({ addedMs, retiringMs }) => addedMs <= signedMs - effectiveMs && signedMs < retiringMs,
  );
  const secretsOf = (list: readonly Known[]) => list.map(({ secret }) => secret);
  const faults: string[] = [];
  if (!accepts(request, secretsOf(held))) faults.push('refused by who holds all of the moment');
  for (const secret of secretsOf(settled))
    if (!accepts(request, [secret])) faults.push('refused by who holds one that is in force');
  if (dead.length > 0 && accepts(request, secretsOf(dead))) faults.push('signed by a retired one');
  return faults;
}

async function rotateUnderLoad(tenantId: string, first: Known) {
  const { service } = deliveries.server;
  const { engine } = service;
  const { below, percent } = choicesOf(seed, 'rotations');
  const all = [first];
  const active = [first];
  let nowMs = 0;
  let most = 1;
  let ended = false;
  const signing: SigningSecrets = openSigningSecrets(service, () => nowMs);
  const sender = openSender({ environment: 'sandbox', timeoutMs: 10_000, maximumBytes: 100 });
  const signedAt = new Map<string, number>();
  let sentCount = 0;

  async function add(): Promise<void> {
    const add = addWebhookSecret(service.vault);
    const { id, secret } = JSON.parse((await engine.submit(add, { tenantId, input: {} })).body);
    const known = { id, secret, addedMs: nowMs, retiringMs: Infinity, retiredMs: Infinity };
    all.push(known);
    active.push(known);
    most = Math.max(most, active.length);
  }
  async function retireOldest(): Promise<void> {
    const oldest = active.shift();
    if (!oldest) return;
    oldest.retiringMs = nowMs;
    await engine.submit(retireWebhookSecret, { tenantId, input: { id: oldest.id } });
    oldest.retiredMs = nowMs;
  }
  /** Between turns, so that no time passes between a look at the clock and the signature. */
  async function pass(): Promise<void> {
    await nextTurn();
    nowMs += below(700);
  }

  async function rotate(): Promise<void> {
    for (let count = 0; count < rotations; count += 1) {
      await add();
      await pass();
      // Now and then three are active for a while, and two are retired at once.
      if (active.length < 3 && percent(30)) continue;
      while (active.length > 1) await retireOldest();
      await pass();
    }
    ended = true;
  }
  async function load(): Promise<void> {
    while (!ended) {
      // If the compressed time outruns the database, nothing is signed; it would be sent later.
      const secrets = await signing.of(tenantId).catch(() => null);
      if (secrets === null) continue;
      sentCount += 1;
      const id = `evt_${sentCount}`;
      const body = JSON.stringify({ id, object: 'event', data: { object: {} } });
      signedAt.set(id, nowMs);
      const header = signature(body, secrets, Math.floor(Date.now() / 1000));
      await sender.send(receiver.url, { 'service-signature': header }, body);
      // Some events for each rotation are enough; the rest of the time is the rotations'.
      await sleep(3);
    }
  }
  await Promise.all([rotate(), load(), load(), load()]);
  await sender.close();
  const sent = receiver.received.flatMap((request): Sent[] => {
    const signedMs = signedAt.get(request.event.id);
    return signedMs === undefined ? [] : [{ signedMs, request }];
  });
  return { all, sent, sentCount, most };
}

test(`${rotations} rotations under load: no event refused, no retired secret used after a second`, async () => {
  const { api, tenant } = await deliveries.subscriber();
  const { data } = await api.get('/portal/api/webhook-secrets');
  const { id } = data[0];
  const secret = tenant.webhook_secret;
  const first = { id, secret, addedMs: -effectiveMs, retiringMs: Infinity, retiredMs: Infinity };
  const { all, sent, sentCount, most } = await rotateUnderLoad(tenant.tenantId, first);
  console.info(`SEED=${seed}: ${all.length - 1} rotations, ${sent.length} events`);
  expect(sent).toHaveLength(sentCount);
  expect(sent.length).toBeGreaterThan(rotations / 2);
  expect(most).toBe(3);
  const faults = sent.flatMap((one) => faultsOf(one, all));
  expect(faults, `SEED=${seed}`).toEqual([]);
});

test('in the process that changes them, what is sent next is signed by the active secrets and no other', async () => {
  const { api, tenant, makeEvent } = await deliveries.subscriber(receiver.url);
  let old = { id: '', secret: tenant.webhook_secret };
  old.id = (await api.get('/portal/api/webhook-secrets')).data[0].id;
  const nextEvents = async () => {
    const before = receiver.received.length;
    await Promise.all([1, 2].map(() => makeEvent()));
    await receiver.waitFor(before + 2);
    return receiver.received.slice(before);
  };
  for (let count = 0; count < 8; count += 1) {
    await nextEvents();
    const added = await api.post('/portal/api/webhook-secrets');
    for (const request of await nextEvents())
      for (const secret of [old.secret, added.secret])
        expect(accepts(request, [secret])).toBe(true);
    await api.remove(`/portal/api/webhook-secrets/${old.id}`);
    for (const request of await nextEvents()) {
      expect(accepts(request, [added.secret])).toBe(true);
      expect(accepts(request, [old.secret])).toBe(false);
    }
    old = added;
  }
});
