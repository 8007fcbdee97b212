import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { listEvents } from './heard.ts';
import { type Stage, tale } from './journey.ts';

const minute = 60_000;
const hour = 60 * minute;

const nowOf = async ({ wire }: Stage): Promise<number> =>
  Date.parse((await wire.get('/portal/api/clock')).now);

const later = (ms: number, by: number): string => new Date(ms + by).toISOString();

/** How the deliveries of events stand, each state once and with how many there are. */
function statesOf(events: readonly ReplyBody[]): string[] {
  const counts = new Map<string, number>();
  for (const { delivery } of events) {
    const said = `${delivery.status} after ${delivery.attempts}`;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  return [...counts].map(([said, count]) => `${count} ${said}`).sort();
}

const statusOf = async ({ wire }: Stage, status: string): Promise<ReplyBody[]> =>
  listEvents(wire, `delivery_status=${status}`);

/** What the receiver made of each version of a record, in the order of arrival. */
function verdictsOn({ receiver }: Stage, { id }: ReplyBody): string[] {
  return receiver.arrivals
    .filter(({ status }) => status === 200)
    .map(({ rawBody, outcome }) => ({ event: JSON.parse(rawBody.toString()), outcome }))
    .filter(({ event }) => event.data.object.id === id)
    .map(({ event, outcome }) => `version ${event.data.object.version} ${outcome}`);
}

/** Events since an instant that have been refused so many times, and when they are tried next. */
interface Wait {
  readonly said: string;
  readonly at: number;
  readonly attempts: number;
}

const walk: readonly Wait[] = [
  { said: '1 minute', at: minute, attempts: 2 },
  { said: '5 minutes', at: 5 * minute, attempts: 3 },
  { said: '30 minutes', at: 30 * minute, attempts: 4 },
  { said: '2 hours', at: 2 * hour, attempts: 5 },
  { said: '6 hours', at: 6 * hour, attempts: 6 },
  { said: '12 hours', at: 12 * hour, attempts: 7 },
];

async function goDown(stage: Stage, ana: Actor, cafe: Actor) {
  const { story, wire, receiver } = stage;
  story.step("The Tenant's server goes down");
  receiver.setDown(true);
  story.say('It answers 503 from here on. The API knows nothing of that.');
  const downMs = await nowOf(stage);
  const payment = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 40_00 });
  await wire.confirm(payment);
  await stage.is(payment, 'completed');
  const first = await statusOf(stage, 'retrying');
  story.fact('five events were refused at once', statesOf(first), ['5 retrying after 1']);
  story.fact(
    'each is to be tried again in a minute',
    [...new Set(first.map(({ delivery }) => delivery.next_attempt_at))],
    [later(downMs, minute)],
  );
  return { downMs, payment };
}

async function walkTheSchedule(stage: Stage, downMs: number): Promise<void> {
  const { story } = stage;
  story.step('The service goes on trying');
  for (const { said, at, attempts } of walk) {
    await stage.until(later(downMs, at));
    const waiting = await statusOf(stage, 'retrying');
    const told = statesOf(waiting.filter(({ created_at }) => Date.parse(created_at) === downMs));
    story.fact(`${said} after the first attempt: refused, ${attempts} times now`, told, [
      `5 retrying after ${attempts}`,
    ]);
  }
}

async function lifeGoesOn(stage: Stage, downMs: number, payment: ReplyBody): Promise<ReplyBody> {
  const { story, wire } = stage;
  story.step('After 21 hours the cafe gives a part back');
  await stage.until(later(downMs, 21 * hour));
  const refund = await wire.refund(payment, 10_00);
  await wire.confirm(refund);
  await stage.is(refund, 'completed');
  await stage.is(payment, 'partially_refunded');
  story.say("The night's report has been refused as well; all of them wait.");
  const waiting = await statusOf(stage, 'retrying');
  story.fact('thirteen wait: the oldest refused seven times, the newest once', statesOf(waiting), [
    '1 retrying after 4',
    '5 retrying after 7',
    '7 retrying after 1',
  ]);
  const handled = stage.receiver.handled.length;
  story.fact('the Tenant has heard of nothing', handled, 0);
  return refund;
}

async function comeBack(stage: Stage, downMs: number, payment: ReplyBody): Promise<void> {
  const { story, receiver, call } = stage;
  story.step('After 30 hours the server is back');
  await stage.until(later(downMs, 30 * hour));
  receiver.setDown(false);
  const waiting = await statusOf(stage, 'retrying');
  story.fact('what waits longest has been refused eight times', statesOf(waiting), [
    '5 retrying after 8',
    '8 retrying after 6',
  ]);
  story.say('The next attempts are hours away, and an order waits for payment.completed.');
  const completed = waiting.find(({ type }) => type === 'payment.completed');
  const resent = await call('POST', `/v1/webhook-events/${completed?.id}/resend`);
  story.fact('it is asked for again: 202', resent.status, 202);
  const [delivered] = await statusOf(stage, 'delivered');
  story.fact(
    'and has arrived, the same event, at the ninth attempt',
    [delivered?.id, delivered?.delivery.attempts, delivered?.delivery.last_response_status],
    [completed?.id, 9, 200],
  );
  story.fact('it is the first that the receiver hears of the payment', verdictsOn(stage, payment), [
    'version 2 handled',
  ]);
}

async function catchUp(stage: Stage, downMs: number, payment: ReplyBody): Promise<void> {
  const { story } = stage;
  story.step('The rest comes by itself');
  await stage.until(later(downMs, 33 * hour));
  story.say("Twelve hours after their own first attempts the night's report and the refund come.");
  story.fact('nine are delivered', statesOf(await statusOf(stage, 'delivered')), [
    '1 delivered after 9',
    '8 delivered after 7',
  ]);
  await stage.until(later(downMs, 36 * hour));
  story.say('At 36 hours the oldest come last.');
  story.fact('nobody waits any more', await statusOf(stage, 'retrying'), []);
  story.fact('none was given up', await statusOf(stage, 'failed'), []);
  const order = ['version 2 handled', 'version 3 handled', 'version 1 outdated'];
  story.fact(`of ${payment.id} came ${order.join(', ')}`, verdictsOn(stage, payment), order);
}

/** A fact: when an event was tried, counted from its first attempt, and what was answered. */
async function triedAt({ story, wire }: Stage, payment: ReplyBody): Promise<void> {
  const { data } = await wire.get('/v1/webhook-events?type=payment.created');
  const created = data.find((event: ReplyBody) => event.data.object.id === payment.id);
  const attempts = (await wire.get(`/portal/api/events/${created.id}/attempts`)).data;
  const first = Date.parse(attempts[0].at);
  const clock = (ms: number) =>
    `${Math.floor(ms / hour)}:${String((ms % hour) / minute).padStart(2, '0')}`;
  const times = ['0:00', '0:01', '0:05', '0:30', '2:00', '6:00', '12:00', '24:00', '36:00'];
  story.fact(
    `payment.created was tried at ${times.join(', ')}`,
    attempts.map(({ at }: ReplyBody) => clock(Date.parse(at) - first)),
    times,
  );
  story.fact(
    'answered with 503 eight times, and with 200',
    attempts.map(({ response_status }: ReplyBody) => response_status),
    [...Array(8).fill(503), 200],
  );
}

/** A day and more without a receiver: the schedule, the listing, a resend, and nothing lost. */
export const webhookOutage = tale({
  name: 'webhook-outage',
  title: 'Thirty hours without a receiver',
  lead: "The Tenant's server is down for thirty hours while Ana pays and the cafe refunds: every event is tried by the schedule, one is asked for again on the return, the others come by themselves, and the versions put them in order.",
  begins: '2026-02-02T15:00:00Z',
  cast: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC') },

  async play(stage, { ana, cafe }) {
    const { downMs, payment } = await goDown(stage, ana, cafe);
    await walkTheSchedule(stage, downMs);
    const refund = await lifeGoesOn(stage, downMs, payment);
    await comeBack(stage, downMs, payment);
    await catchUp(stage, downMs, payment);
    await triedAt(stage, payment);
    stage.story.step('Nothing was lost');
    stage.heard(payment, 'created', 'completed', 'partially_refunded');
    stage.heard(refund, 'created', 'processing', 'completed');
    await stage.has(ana, { available: 70_00 });
    await stage.has(cafe, { available: 29_80 });
  },
});
