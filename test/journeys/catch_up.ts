import type { Client, WebhookEvent } from '@tenant-payments/sdk-server';
import type { Calls } from '../kit/http/http.ts';
import { until } from '../kit/wait.ts';
import type { Demo, Person } from './pay_by_qr.ts';
import type { Arrival } from './receiver.ts';

async function eventsSince(client: Client, from: string): Promise<WebhookEvent[]> {
  const events: WebhookEvent[] = [];
  for await (const event of client.webhookEvents.list({ from, limit: 100 })) events.push(event);
  return events;
}

/** Waits until eight events since `from` have been attempted so often. @returns their states, each once */
const statesAfter = (client: Client, from: string, attempts: number): Promise<string[]> =>
  until(
    async () => {
      const events = await eventsSince(client, from);
      if (events.filter(({ delivery }) => delivery.attempts === attempts).length < 8) return null;
      const states = events.map(({ delivery }) => `${delivery.status}, ${delivery.attempts}`);
      return [String(events.length), ...new Set(states)].sort();
    },
    { what: `attempt ${attempts}`, withinMs: 10_000 },
  );

/** One payment is made and confirmed, another is canceled. */
async function payTwice({ client }: Demo, dana: Person, shop: Person): Promise<void> {
  const body = {
    payer_customer_id: dana.customer.id,
    payee_customer_id: shop.customer.id,
    source: 'balance',
  } as const;
  const paid = await client.payments.create({ ...body, amount: 10_00 });
  await client.sandbox.simulate('session.completed', { object_id: paid.id });
  const dropped = await client.payments.create({ ...body, amount: 5_00 });
  await client.payments.cancel(dropped.id);
}

const acceptedIds = (arrivals: readonly Arrival[]): string[] =>
  arrivals
    .filter(({ status }) => status === 200)
    .map(({ event }) => event.id)
    .sort();

/** The versions of each record that were handled, in the order of handling. */
function versionsByRecord(events: readonly { data: { object: object } }[]): number[][] {
  const records = new Map<string, number[]>();
  for (const { data } of events) {
    const { id, version } = data.object as { id: string; version?: number };
    if (typeof version !== 'number') continue;
    records.set(id, [...(records.get(id) ?? []), version]);
  }
  return [...records.values()];
}

const risesOnly = (versions: readonly number[]): boolean =>
  versions.every((version, index) => index === 0 || version > (versions[index - 1] ?? 0));

/** The receiver is down, and receives every event once it is back. */
export async function catchUp(
  demo: Demo,
  portal: Calls,
  { dana, shop, since }: { dana: Person; shop: Person; since: string },
): Promise<void> {
  const { story, client, receiver } = demo;
  story.step("The Tenant's server is down");
  const { now: downSince } = await portal.get('/portal/api/clock');
  receiver.setDown(true);
  await payTwice(demo, dana, shop);
  story.say('It answers 503 while Dana pays $10.00 and cancels a payment of $5.00.');
  story.fact(
    'eight events have been refused once and wait',
    await statesAfter(client, downSince, 1),
    ['8', 'retrying, 1'],
  );

  await portal.advance(60);
  story.say("The sandbox's clock goes 1 minute ahead.");
  story.fact('each was tried again, and refused again', await statesAfter(client, downSince, 2), [
    '8',
    'retrying, 2',
  ]);

  story.step('The server is back');
  receiver.setDown(false);
  await portal.advance(240);
  story.say('The clock goes 4 minutes further, to 5 minutes after the first attempts.');
  story.fact(
    'all eight are delivered at the third attempt',
    await statesAfter(client, downSince, 3),
    ['8', 'delivered, 3'],
  );

  const all = await eventsSince(client, since);
  story.fact(
    'of the whole demo no event was lost and none was accepted twice',
    acceptedIds(receiver.arrivals),
    all.map(({ id }) => id).sort(),
  );
  story.fact(
    'no record ever went back to an older version',
    versionsByRecord(receiver.handled).every(risesOnly),
  );
}
