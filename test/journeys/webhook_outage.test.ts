import type { ReplyBody } from '../kit/http/http.ts';
import { journey } from './journey.ts';
import { listAll } from './page.ts';
import { type Actor, person, type Run, shop } from './run.ts';

const minute = 60_000;
const hour = 60 * minute;

const nowOf = async ({ api }: Run): Promise<number> =>
  Date.parse((await api.get('/portal/api/clock')).now);

const later = (ms: number, by: number): string => new Date(ms + by).toISOString();

/** How the deliveries of events stand, each state once and with how many there are. */
function statesOf(events: readonly ReplyBody[]): string[] {
  const counts = new Map<string, number>();
  for (const { delivery } of events) {
    const state = `${delivery.status} after ${delivery.attempts}`;
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => `${count} ${state}`).sort();
}

const statusOf = async ({ api }: Run, status: string): Promise<ReplyBody[]> =>
  listAll(api, `/v1/webhook-events?delivery_status=${status}`);

/** The receiver's outcome for each version of a record, in the order of arrival. */
function versionsOf({ receiver }: Run, { id }: ReplyBody): string[] {
  return receiver.arrivals
    .filter(({ status, event }) => status === 200 && event.data.object.id === id)
    .map(({ event, outcome }) => `version ${event.data.object.version} ${outcome}`);
}

/** The attempts after the first, by their delay. */
const schedule = [
  ['1 minute', minute, 2],
  ['5 minutes', 5 * minute, 3],
  ['30 minutes', 30 * minute, 4],
  ['2 hours', 2 * hour, 5],
  ['6 hours', 6 * hour, 6],
  ['12 hours', 12 * hour, 7],
] as const;

async function goDown(run: Run, ana: Actor, cafe: Actor) {
  const { story, receiver } = run;
  story.step("The Tenant's server goes down");
  receiver.setDown(true);
  story.say('It answers 503 from here on. The API works on.');
  const downMs = await nowOf(run);
  const payment = await run.paid(ana, cafe, 40_00);
  const first = await statusOf(run, 'retrying');
  story.fact('five events were refused at once', statesOf(first), ['5 retrying after 1']);
  story.fact(
    'each is to be tried again in a minute',
    [...new Set(first.map(({ delivery }) => delivery.next_attempt_at))],
    [later(downMs, minute)],
  );
  return { downMs, payment };
}

async function followSchedule(run: Run, downMs: number): Promise<void> {
  const { story } = run;
  story.step('The service goes on trying');
  for (const [delay, ms, attempts] of schedule) {
    await run.until(later(downMs, ms));
    const waiting = await statusOf(run, 'retrying');
    const states = statesOf(waiting.filter(({ created_at }) => Date.parse(created_at) === downMs));
    story.fact(`${delay} after the first attempt: refused, ${attempts} times now`, states, [
      `5 retrying after ${attempts}`,
    ]);
  }
}

async function refundMeanwhile(run: Run, downMs: number, payment: ReplyBody): Promise<ReplyBody> {
  const { story, api } = run;
  story.step('After 21 hours the cafe gives a part back');
  await run.until(later(downMs, 21 * hour));
  const refund = await api.confirmed(api.refund(payment, 10_00));
  await run.is(refund, 'completed');
  await run.is(payment, 'partially_refunded');
  story.say("The night's report has been refused as well; all of them wait.");
  const waiting = await statusOf(run, 'retrying');
  story.fact('thirteen wait: the oldest refused seven times, the newest once', statesOf(waiting), [
    '1 retrying after 4',
    '5 retrying after 7',
    '7 retrying after 1',
  ]);
  const handled = run.receiver.handled.length;
  story.fact("the Tenant's server has received nothing", handled, 0);
  return refund;
}

async function comeBack(run: Run, downMs: number, payment: ReplyBody): Promise<void> {
  const { story, api, receiver } = run;
  story.step('After 30 hours the server is back');
  await run.until(later(downMs, 30 * hour));
  receiver.setDown(false);
  const waiting = await statusOf(run, 'retrying');
  story.fact('what waits longest has been refused eight times', statesOf(waiting), [
    '5 retrying after 8',
    '8 retrying after 6',
  ]);
  story.say('The next attempts are hours away, and an order waits for payment.completed.');
  const completed = waiting.find(({ type }) => type === 'payment.completed');
  const resent = await api.call('POST', `/v1/webhook-events/${completed?.id}/resend`);
  story.fact('it is asked for again: 202', resent.status, 202);
  const [delivered] = await statusOf(run, 'delivered');
  story.fact(
    'and has arrived, the same event, at the ninth attempt',
    [delivered?.id, delivered?.delivery.attempts, delivered?.delivery.last_response_status],
    [completed?.id, 9, 200],
  );
  story.fact(
    'it is the first event of the payment that the receiver gets',
    versionsOf(run, payment),
    ['version 2 handled'],
  );
}

async function catchUp(run: Run, downMs: number, payment: ReplyBody): Promise<void> {
  const { story } = run;
  story.step('The rest comes by itself');
  await run.until(later(downMs, 33 * hour));
  story.say("Twelve hours after their own first attempts the night's report and the refund come.");
  story.fact('nine are delivered', statesOf(await statusOf(run, 'delivered')), [
    '1 delivered after 9',
    '8 delivered after 7',
  ]);
  await run.until(later(downMs, 36 * hour));
  story.say('At 36 hours the oldest come last.');
  story.fact('no event waits any more', await statusOf(run, 'retrying'), []);
  story.fact('none was given up', await statusOf(run, 'failed'), []);
  const order = ['version 2 handled', 'version 3 handled', 'version 1 outdated'];
  story.fact(`of ${payment.id} came ${order.join(', ')}`, versionsOf(run, payment), order);
}

/** A fact: when an event was tried, counted from its first attempt, and what was answered. */
async function triedAt({ story, api }: Run, payment: ReplyBody): Promise<void> {
  const { data } = await api.get('/v1/webhook-events?type=payment.created');
  const created = data.find((event: ReplyBody) => event.data.object.id === payment.id);
  const attempts = (await api.get(`/portal/api/events/${created.id}/attempts`)).data;
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

journey({
  name: 'webhook-outage',
  title: 'Thirty hours without a receiver',
  lead: "The Tenant's server is down for thirty hours while Ana pays and the cafe refunds: every event is tried by the schedule, one is asked for again on the return, the others come by themselves, and the versions put them in order.",
  begins: '2026-02-02T15:00:00Z',
  people: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC') },

  async steps(run, { ana, cafe }) {
    const { downMs, payment } = await goDown(run, ana, cafe);
    await followSchedule(run, downMs);
    const refund = await refundMeanwhile(run, downMs, payment);
    await comeBack(run, downMs, payment);
    await catchUp(run, downMs, payment);
    await triedAt(run, payment);
    run.story.step('Nothing was lost');
    run.events(payment, 'created', 'completed', 'partially_refunded');
    run.events(refund, 'created', 'processing', 'completed');
    await run.has(ana, { available: 70_00 });
    await run.has(cafe, { available: 29_80 });
  },
});
