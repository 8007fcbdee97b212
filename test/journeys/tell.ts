import { caller, type ReplyBody } from '../harness/http.ts';
import type { TestService } from '../harness/service.ts';
import { openWire, type Wire } from '../harness/wire.ts';
import { type Journal, readJournal } from './books.ts';
import { type Actor, enter } from './cast.ts';
import { openStage, pathOf, type Tale } from './journey.ts';
import { type Ending, whatItLeft } from './left.ts';
import { dollars, type Story, tellStory } from './story.ts';
import { numberIds } from './table.ts';
import { startReceiver, type WebhookReceiver } from './webhook_receiver.ts';

/** The clock of the machine as the service sees it: it stands still but for what a story says. */
export interface HeldClock {
  nowMs: number;
}

const minuteMs = 60_000;

/** A Tenant's server: after each write, all that fell due has run and every webhook has arrived. */
async function openTenant(test: TestService, clock: HeldClock, { settings }: Tale) {
  const tenant = await test.anotherTenant({ sample: true, settings });
  const { due, dispatcher } = test.workers;
  const send = caller(test.baseUrl, tenant.token);
  const call: typeof send = async (method, path, options) => {
    const reply = await send(method, path, options);
    if (method === 'GET') return reply;
    await due.runDueNow(tenant.tenantId);
    while ((await dispatcher.deliverDue(tenant.tenantId)) > 0);
    return reply;
  };
  const receiver = await startReceiver(tenant.webhook_secret, () => new Date(clock.nowMs));
  return { call, receiver, wire: openWire({ call }) };
}
type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** Each step a minute after the one before. */
function tellByTheClock(clock: HeldClock, write: (line: string) => void): Story {
  const told = tellStory(write);
  let isBegun = false;
  return {
    step(title) {
      if (isBegun) clock.nowMs += minuteMs;
      isBegun = true;
      told.step(title);
    },
    say: told.say,
    fact: told.fact,
    get facts() {
      return told.facts;
    },
  };
}

async function enterAll(wire: Wire, { cast }: Tale): Promise<Record<string, Actor>> {
  const actors: Record<string, Actor> = {};
  for (const [index, [key, role]] of Object.entries(cast).entries())
    actors[key] = await enter(wire, role, index);
  return actors;
}

const castSaid = ({ cast }: Tale): string[] =>
  Object.values(cast).map(({ called, type, cents }) => {
    const owns = cents > 0 ? `has ${dollars(cents)}` : 'has nothing yet';
    return `${called}, ${type === 'individual' ? 'a customer' : 'a merchant'}, ${owns}.`;
  });

/** Every event of the story, newest last. */
async function listedEvents(wire: Wire, begunMs: number): Promise<ReplyBody[]> {
  const from = new Date(begunMs).toISOString();
  const listed: ReplyBody[] = [];
  let cursor = '';
  for (;;) {
    const page = await wire.get(`/v1/webhook-events?limit=100&from=${from}${cursor}`);
    listed.push(...page.data);
    if (!page.has_more) return listed.reverse();
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** What the Tenant's server believed and took, each a request of its own. */
const accepted = ({ arrivals }: WebhookReceiver): ReplyBody[] =>
  arrivals
    .filter(({ status }) => status === 200)
    .map(({ rawBody }) => JSON.parse(rawBody.toString()))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** Bank money is owed to somebody, to the cent (decisions 2.3, number 3). */
function wholeBook({ balances, journal }: Ending): [sentence: string, cash: number, owed: number] {
  const { cash, ...rest } = journal.after.books;
  const customers = balances.after.reduce((cents, { ledger }) => cents + ledger, 0);
  const owed = Object.entries({ customers, ...rest }).filter(([, cents]) => cents !== 0);
  const said = owed.map(([whose, cents]) => `${whose} ${dollars(cents)}`).join(' + ');
  const sum = owed.reduce((total, [, cents]) => total + cents, 0);
  return [`cash ${dollars(cash)} = ${said}`, cash, sum];
}

/** What must hold of every story, whatever it tells. */
async function prove(story: Story, { wire, receiver }: Tenant, ending: Ending): Promise<void> {
  story.step('The book is proven');
  const listed = await listedEvents(wire, ending.begunMs);
  story.fact(
    `the Tenant's server has heard of all ${listed.length} changes, of each once`,
    accepted(receiver).map(({ id }) => id),
    listed.map(({ id }) => id),
  );
  // A day's report has no id: it is read by its date, which is nobody's path.
  const last = new Map(
    ending.events.map(({ data }) => [data.object.id ?? data.object.date, data.object]),
  );
  const read = [...last].filter(([id]) => pathOf(id) !== null);
  const now = await Promise.all(read.map(([id]) => wire.get(pathOf(id) ?? '')));
  story.fact(
    'the last it heard of each record is what the record is now',
    read.map(([, told]) => told),
    now,
  );
  story.fact(...wholeBook(ending));
  const { ok, violations } = await wire.get('/portal/api/ledger/verify');
  story.fact('every invariant of the ledger holds', [ok, violations], [true, []]);
}

const balancesOf = (wire: Wire, actors: readonly Actor[]): Promise<ReplyBody[]> =>
  Promise.all(actors.map((actor) => wire.balanceOf(actor)));

async function play(told: Tale, tenant: Tenant, clock: HeldClock): Promise<string[]> {
  const { wire, call, receiver } = tenant;
  const cast = await enterAll(wire, told);
  const actors = Object.values(cast);
  const before: { balances: ReplyBody[]; journal: Journal } = {
    balances: await balancesOf(wire, actors),
    journal: await readJournal(wire),
  };
  clock.nowMs += minuteMs;
  const begunMs = clock.nowMs;
  const endpoint = { url: receiver.url, enabled: true };
  await call('PUT', '/portal/api/webhook-endpoint', { body: endpoint });

  const number = numberIds();
  const lines: string[] = castSaid(told);
  const story = tellByTheClock(clock, (line) => lines.push(number(line)));
  await told.play(openStage({ story, wire, call }), cast);
  const ending: Ending = {
    actors,
    balances: { before: before.balances, after: await balancesOf(wire, actors) },
    journal: { before: before.journal, after: await readJournal(wire) },
    events: accepted(receiver),
    begunMs,
  };
  await prove(story, tenant, ending);
  return ['```text', ...lines, '```', '', ...whatItLeft(ending, number)];
}

const note =
  'Played by a test on the real service. Ids are numbered as they appear; `0:05` is five minutes later.';

/**
 * Plays a tale as a tenant of its own.
 * @returns its page, the same in every run
 * @throws BrokenFact where a fact does not hold
 */
export async function tell(told: Tale, test: TestService, clock: HeldClock): Promise<string> {
  const tenant = await openTenant(test, clock, told);
  try {
    const page = await play(told, tenant, clock);
    return [`# ${told.title}`, '', told.lead, '', note, '', ...page].join('\n');
  } finally {
    await tenant.receiver.close();
  }
}
