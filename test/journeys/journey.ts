import { readFile, writeFile } from 'node:fs/promises';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import { type Api, openApi } from '../kit/api.ts';
import { reachable } from '../kit/files/report_files.ts';
import { startTestServer, type TestServer } from '../kit/server.ts';
import { type Ending, listAll, numberIds, readJournal, tablesOf } from './page.ts';
import { startReceiver, type WebhookReceiver } from './receiver.ts';
import { type Actor, eventsOf, openFacts, type Role, type Run, readNow } from './run.ts';
import { dollars, openStory } from './story.ts';

interface Journey<Name extends string> {
  /** The name of its page: `<name>.out.md`. */
  readonly name: string;
  readonly title: string;
  /** One sentence, for the page and for the guide. */
  readonly lead: string;
  /** The instant at which it begins, where its dates matter. */
  readonly begins?: string;
  /** The settings that differ from the sample tenant's. */
  readonly settings?: Partial<Settings>;
  readonly people: Readonly<Record<Name, Role>>;
  steps(run: Run, people: Readonly<Record<Name, Actor>>): Promise<void>;
}

const minuteMs = 60_000;
/** Ten in the morning in New York. */
const morning = '2026-01-20T15:00:00Z';
/** Shorter than the 30 days for which events are listed, so that none is missed. */
const longestStepMs = 25 * 24 * 60 * minuteMs;
/** A journey may go through months. */
const longestMs = 120_000;

async function enter(api: Api, { type, called, cents }: Role): Promise<Actor> {
  const [first_name = '', last_name = ''] = called.split(' ');
  const prefill = type === 'individual' ? { first_name, last_name } : { legal_name: called };
  const approved = await api.approved(type, { prefill });
  const linkedAccountId = await api.link(approved);
  if (cents > 0) await api.fund(approved, cents);
  const name = type === 'individual' ? first_name : called.replace(/ LLC$/, '');
  return { ...approved, name, linkedAccountId };
}

/** The machine's clock as the service sees it: it moves only where a journey says so. */
interface Clock {
  nowMs: number;
}

/** Each step a minute after the one before. */
function storyByTheClock(clock: Clock, write: (line: string) => void): Run['story'] {
  const story = openStory(write);
  let isBegun = false;
  return {
    ...story,
    step(title) {
      if (isBegun) clock.nowMs += minuteMs;
      isBegun = true;
      story.step(title);
    },
  };
}

/** All events since an instant. They are listed for 30 days, so `look` is called while the clock moves. */
function keepEvents(api: Api, fromMs: number) {
  const ids = new Set<string>();
  const path = `/v1/webhook-events?from=${new Date(fromMs).toISOString()}`;
  return {
    async look() {
      for (const { id } of await listAll(api, path)) ids.add(id);
    },
    ids: () => [...ids].sort(),
  };
}
type Listing = ReturnType<typeof keepEvents>;

const clockOf = (api: Api, clock: Clock, listing: Listing): Pick<Run, 'until' | 'pass'> => ({
  async until(instant) {
    const targetMs = Date.parse(instant);
    let atMs = Date.parse((await api.get('/portal/api/clock')).now);
    do {
      atMs = Math.min(targetMs, atMs + longestStepMs);
      const to = new Date(atMs).toISOString();
      expect(await api.advance(to)).toMatchObject({ now: to, pending: 0 });
      await listing.look();
    } while (atMs < targetMs);
  },
  pass(minutes) {
    clock.nowMs += minutes * minuteMs;
  },
});

/** Verifies what must hold at the end of every journey. */
async function verify({ story, api, receiver }: Run, ids: readonly string[], ending: Ending) {
  story.step('The ledger is verified');
  const { repeats } = eventsOf(receiver);
  const once = repeats > 0 ? `and ${repeats} of them again` : 'each once';
  const received = ending.events.map(({ id }) => id);
  story.fact(`the Tenant's server received all ${ids.length} events, ${once}`, received, ids);
  const last = new Map(ending.events.map(({ data }) => [data.object.id, data.object]));
  // The report of a day has no id: it is read by its date.
  const records = [...last.values()].filter(({ id }) => id !== undefined);
  const now = await Promise.all(records.map((record) => readNow(api, record)));
  story.fact(
    'the last event of each record has the record as it is now',
    records.filter((_, at) => now[at] !== null),
    now.filter((record) => record !== null),
  );
  const { cash, ...rest } = ending.journal.after.books;
  const customers = ending.balances.after.reduce((cents, { ledger }) => cents + ledger, 0);
  const owed = Object.entries({ customers, ...rest }).filter(([, cents]) => cents !== 0);
  const amounts = owed.map(([owner, cents]) => `${owner} ${dollars(cents)}`).join(' + ');
  const sum = owed.reduce((total, [, cents]) => total + cents, 0);
  story.fact(`cash ${dollars(cash)} = ${amounts}`, cash, sum);
  const { ok, violations } = await api.get('/portal/api/ledger/verify');
  story.fact('every invariant of the ledger holds', [ok, violations], [true, []]);
}

/** @returns the lines of the story and its tables */
async function play<Name extends string>(
  { people: roles, steps }: Journey<Name>,
  server: TestServer,
  clock: Clock,
  receiver: WebhookReceiver,
): Promise<string[]> {
  const { tenant, workers } = server;
  const api = openApi(server.baseUrl, server.token, async () => {
    await server.runJobs();
    while ((await workers.dispatcher.deliverDue(tenant.tenantId)) > 0);
  });
  const people = {} as Record<Name, Actor>;
  for (const [key, role] of Object.entries(roles) as [Name, Role][])
    people[key] = await enter(api, role);
  const actors = Object.values<Actor>(people);
  const look = async () =>
    [await Promise.all(actors.map((actor) => api.balance(actor))), await readJournal(api)] as const;
  const before = await look();
  clock.nowMs += minuteMs;
  const begunMs = clock.nowMs;
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });

  const number = numberIds();
  const lines = Object.values<Role>(roles).map(({ called, type, cents }) => {
    const kind = type === 'individual' ? 'a customer' : 'a merchant';
    return `${called}, ${kind}, has ${cents > 0 ? dollars(cents) : 'nothing yet'}.`;
  });
  const story = storyByTheClock(clock, (line) => lines.push(number(line)));
  const listing = keepEvents(api, begunMs);
  const parts = { story, api, receiver };
  const run: Run = {
    ...parts,
    ...openFacts(parts),
    ...clockOf(api, clock, listing),
    server,
    async download(url) {
      const reply = await fetch(reachable(server, url));
      return { status: reply.status, bytes: new Uint8Array(await reply.arrayBuffer()) };
    },
  };
  await steps(run, people);
  const after = await look();
  const ending: Ending = {
    people: actors,
    balances: { before: before[0], after: after[0] },
    journal: { before: before[1], after: after[1] },
    events: eventsOf(receiver).events,
    begunMs,
  };
  await listing.look();
  await verify(run, listing.ids(), ending);
  return ['```text', ...lines, '```', '', ...tablesOf(ending, number)];
}

const note =
  'A test runs this journey on the real service. Ids are numbered as they appear; `0:05` is five minutes after the beginning.';

/** Registers a journey as the test of its file. UPDATE_JOURNEYS=1 writes its page anew. */
export function journey<Name extends string>(given: Journey<Name>): void {
  const { name, title, lead, begins = morning, settings = {} } = given;
  test(
    `${title}: every fact holds, and the page is the one that is checked in`,
    async () => {
      const clock = { nowMs: Date.parse(begins) };
      const tenant = { sample: true, settings };
      const server = await startTestServer({ workers: false, realNow: () => clock.nowMs, tenant });
      const { webhook_secret } = server.tenant;
      const receiver = await startReceiver(webhook_secret, () => new Date(clock.nowMs));
      try {
        const lines = await play(given, server, clock, receiver);
        const page = [`# ${title}`, '', lead, '', note, '', ...lines].join('\n');
        const file = new URL(`./${name}.out.md`, import.meta.url);
        if (process.env.UPDATE_JOURNEYS === '1') await writeFile(file, page);
        expect(page).toBe(await readFile(file, 'utf8'));
      } finally {
        await receiver.close();
        await server.stop();
      }
    },
    longestMs,
  );
}
