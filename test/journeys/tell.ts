import { caller, type ReplyBody } from '../kit/http.ts';
import { reachable } from '../kit/report_files.ts';
import type { TestServer } from '../kit/server.ts';
import { openWire, type Wire } from '../kit/wire.ts';
import { type Journal, readJournal } from './books.ts';
import { type Actor, enter } from './cast.ts';
import { heardBy, keepListing, type Listing } from './heard.ts';
import { openStage, readNow, type Tale } from './journey.ts';
import { type Ending, whatItLeft } from './left.ts';
import { dollars, type Story, tellStory } from './story.ts';
import { numberIds } from './table.ts';
import { startReceiver } from './webhook_receiver.ts';

/** The clock of the machine as the service sees it: it stands still but for what a story says. */
export interface HeldClock {
  nowMs: number;
}

const minuteMs = 60_000;

/** A Tenant's server: after each write, all that fell due has run and every webhook has arrived. */
async function openTenant(test: TestServer, clock: HeldClock, { settings }: Tale) {
  const tenant = await test.anotherTenant({ sample: true, settings });
  const { jobs, dispatcher } = test.workers;
  const send = caller(test.baseUrl, tenant.token);
  const call: typeof send = async (method, path, options) => {
    const reply = await send(method, path, options);
    if (method === 'GET') return reply;
    await jobs.runDueJobs(tenant.tenantId);
    while ((await dispatcher.deliverDue(tenant.tenantId)) > 0);
    return reply;
  };
  const receiver = await startReceiver(tenant.webhook_secret, () => new Date(clock.nowMs));
  const download = async (url: string) => {
    const reply = await fetch(reachable(test, url));
    return { status: reply.status, bytes: new Uint8Array(await reply.arrayBuffer()) };
  };
  const { baseUrl } = test;
  const secret = tenant.webhook_secret;
  return { call, baseUrl, secret, receiver, download, wire: openWire({ call }) };
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

/** No longer than the listing remembers, so that a story knows of all its events. */
const longestStepMs = 25 * 24 * 60 * minuteMs;

/** Moves the tenant's clock, and keeps what is listed on the way. */
const mover = (wire: Wire, listing: Listing) => async (instant: string) => {
  const { now } = await wire.get('/portal/api/clock');
  const targetMs = Date.parse(instant);
  let atMs = Date.parse(now);
  if (atMs > targetMs) throw new Error(`${instant} is over: it is ${now}`);
  do {
    atMs = Math.min(targetMs, atMs + longestStepMs);
    const to = new Date(atMs).toISOString();
    const reached = await wire.post('/portal/api/clock/advance', { to });
    if (reached.now !== to || reached.pending !== 0)
      throw new Error(`the clock does not come to ${to}: ${JSON.stringify(reached)}`);
    await listing.look();
  } while (atMs < targetMs);
};

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
async function prove(
  { story, wire }: { story: Story; wire: Wire },
  listing: Listing,
  again: number,
  ending: Ending,
): Promise<void> {
  story.step('The book is proven');
  await listing.look();
  const repeats = again > 0 ? `and of ${again} of them again` : 'of each once';
  story.fact(
    `the Tenant's server has heard of all ${listing.ids.length} changes, ${repeats}`,
    ending.events.map(({ id }) => id),
    listing.ids,
  );
  // A day's report has no id: it is read by its date.
  const last = new Map(
    ending.events.map(({ data }) => [data.object.id ?? data.object.date, data.object]),
  );
  const told = [...last.values()].filter(({ id }) => id !== undefined);
  const now = await Promise.all(told.map((record) => readNow(wire, record)));
  story.fact(
    'the last it heard of each record is what the record is now',
    told.filter((_, at) => now[at] !== null),
    now.filter((record) => record !== null),
  );
  story.fact(...wholeBook(ending));
  const { ok, violations } = await wire.get('/portal/api/ledger/verify');
  story.fact('every invariant of the ledger holds', [ok, violations], [true, []]);
}

const balancesOf = (wire: Wire, actors: readonly Actor[]): Promise<ReplyBody[]> =>
  Promise.all(actors.map((actor) => wire.balanceOf(actor)));

async function play(told: Tale, tenant: Tenant, clock: HeldClock): Promise<string[]> {
  const { wire, call, baseUrl, secret, receiver, download } = tenant;
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
  const listing = keepListing(wire, begunMs);
  const stage = openStage({
    story,
    wire,
    call,
    baseUrl,
    secret,
    receiver,
    until: mover(wire, listing),
    pass: (minutes) => {
      clock.nowMs += minutes * minuteMs;
    },
    download,
  });
  await told.play(stage, cast);
  const { events, again } = heardBy(receiver);
  const ending: Ending = {
    actors,
    balances: { before: before.balances, after: await balancesOf(wire, actors) },
    journal: { before: before.journal, after: await readJournal(wire) },
    events,
    begunMs,
  };
  await prove(stage, listing, again, ending);
  return ['```text', ...lines, '```', '', ...whatItLeft(ending, number)];
}

const note =
  'Played by a test on the real service. Ids are numbered as they appear; `0:05` is five minutes later.';

/**
 * Plays a tale as a tenant of its own.
 * @returns its page, the same in every run
 * @throws BrokenFact where a fact does not hold
 */
export async function tell(told: Tale, test: TestServer, clock: HeldClock): Promise<string> {
  const tenant = await openTenant(test, clock, told);
  try {
    const page = await play(told, tenant, clock);
    return [`# ${told.title}`, '', told.lead, '', note, '', ...page].join('\n');
  } finally {
    await tenant.receiver.close();
  }
}
