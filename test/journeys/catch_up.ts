import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ListedEvent } from '@tenant-payments/sdk-server';
import type { Person, Stage } from './pay_by_qr.ts';
import type { Portal } from './portal.ts';
import type { Arrival } from './webhook_receiver.ts';

const waitsMs = 10_000;
const pollMs = 20;

interface Awaited {
  readonly count: number;
  readonly fits: (event: ListedEvent) => boolean;
}

/** The events since `from` once so many of them fit; what there is when they do not in time. */
async function eventsSince(client: Client, from: string, awaited: Awaited): Promise<ListedEvent[]> {
  const deadline = performance.now() + waitsMs;
  for (;;) {
    const events: ListedEvent[] = [];
    for await (const event of client.webhookEvents.list.each({ from, limit: 100 }))
      events.push(event);
    if (events.filter(awaited.fits).length >= awaited.count) return events;
    if (performance.now() > deadline) return events;
    await sleep(pollMs);
  }
}

/** What happens while nobody listens: one payment is made and paid, another is given up. */
async function liveOn({ client }: Stage, dana: Person, shop: Person): Promise<void> {
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
    .map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { id: string }).id)
    .sort();

/** Of each record the versions that were handled, in the order of handling. */
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

/** The receiver is away, and hears of everything once it is back. */
export async function catchUp(
  stage: Stage,
  portal: Portal,
  { dana, shop, since }: { dana: Person; shop: Person; since: string },
): Promise<void> {
  const { story, client, receiver } = stage;
  story.step("The Tenant's server is down");
  const { now: downSince } = await portal.get<{ now: string }>('clock');
  receiver.setDown(true);
  await liveOn(stage, dana, shop);
  story.say('It answers 503 while Dana pays $10.00 and gives up a payment of $5.00.');
  const attempted = (times: number) => ({
    count: 8,
    fits: ({ delivery }: ListedEvent) => delivery.attempts === times,
  });
  const statesOf = (events: readonly ListedEvent[]) =>
    [...new Set(events.map(({ delivery }) => `${delivery.status}, ${delivery.attempts}`))].sort();
  const missed = await eventsSince(client, downSince, attempted(1));
  story.fact(
    'eight events have been refused once and wait',
    [missed.length, ...statesOf(missed)],
    [8, 'retrying, 1'],
  );

  await portal.post('clock/advance', { seconds: 60 });
  story.say("The sandbox's clock goes 1 minute ahead.");
  const again = await eventsSince(client, downSince, attempted(2));
  story.fact('each was tried again, and refused again', statesOf(again), ['retrying, 2']);

  story.step('The server is back');
  receiver.setDown(false);
  await portal.post('clock/advance', { seconds: 240 });
  story.say('The clock goes 4 minutes further, to 5 minutes after the first attempts.');
  const delivered = await eventsSince(client, downSince, attempted(3));
  story.fact('all eight are delivered at the third attempt', statesOf(delivered), ['delivered, 3']);

  const told = await eventsSince(client, since, { count: 0, fits: () => true });
  story.fact(
    'of the whole story no event was lost and none was accepted twice',
    acceptedIds(receiver.arrivals),
    told.map(({ id }) => id).sort(),
  );
  story.fact(
    'no record ever went back to an older version',
    versionsByRecord(receiver.handled).every(risesOnly),
  );
}
