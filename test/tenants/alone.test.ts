import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { simulateNames } from '@tenant-payments/contract/catalog.ts';
import { type IdKind, idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { type Choices, choicesOf } from '../kit/seed.ts';
import { startTestServer, type TestServer, type TestTenantOptions } from '../kit/server.ts';
import { proofTest } from '../prove/proof.ts';
import { type Answer, openProgram, type Program, viewOf } from './alone_program.ts';

/** The choices of one tenant's operations. */
interface Player {
  readonly program: Program;
  /** QR codes, in the order in which they were made. */
  readonly codes: string[];
  /** Keys and references are made of it, alike for every tenant. */
  step: number;
}

/** One operation; null when there is no record yet to do it to. */
type Play = (player: Player, choices: Choices) => Promise<Answer | null>;

/** The people that are approved, linked and funded before the first operation. */
const openedPeople = 6;
const recentCount = 12;

/** Mostly something recent. */
const some = (list: readonly string[], choices: Choices): string | null =>
  list.length === 0 ? null : choices.pick(choices.percent(80) ? list.slice(-recentCount) : list);

/** A record of a kind; of customers mostly one that can pay. */
function idOf({ program }: Player, choices: Choices, kind: IdKind): string | null {
  const ids = program.known(idPrefixes[kind]);
  if (kind !== 'customer' || ids.length === 0) return some(ids, choices);
  return choices.pick(choices.percent(85) ? ids.slice(0, openedPeople) : ids);
}

const amountOf = (choices: Choices): number =>
  1 + choices.below(choices.percent(90) ? 5_000 : 600_000);

/** Every POST has a key; sometimes it is one that was used before. */
function post(player: Player, choices: Choices, path: string, body: object): Promise<Answer> {
  const step = choices.percent(2) ? choices.below(player.step + 1) : player.step;
  return player.program.send('POST', path, body, `key-${step}`);
}

type BodyOf = (id: string, choices: Choices, player: Player) => object;

/** A POST about a record of a kind, whose id the path or the body names. */
const posting =
  (kind: IdKind, path: string, body: BodyOf = () => ({})): Play =>
  async (player, choices) => {
    const id = idOf(player, choices, kind);
    if (id === null) return null;
    return post(player, choices, path.replace(':id', id), body(id, choices, player));
  };

const paying = (source: 'balance' | 'bank_account') =>
  posting('customer', '/v1/payments', (payer_customer_id, choices, player) => {
    const payee_customer_id = idOf(player, choices, 'customer');
    const code = choices.percent(30) ? some(player.codes, choices) : null;
    const payee = code === null ? { payee_customer_id } : { qr_payload: code };
    const amount = amountOf(choices);
    return { payer_customer_id, ...payee, amount, source, invoice_reference: 'invoice-1' };
  });

const moving = (path: string) =>
  posting('customer', path, (customer_id, choices) => ({
    customer_id,
    amount: 100 + amountOf(choices),
  }));

const requesting: Play = async (player, choices) => {
  const asking = posting('customer', '/v1/payment-requests', (merchant_customer_id) => ({
    merchant_customer_id,
    ...(choices.percent(80)
      ? { type: 'dynamic', amount: amountOf(choices), expires_in: 60 + choices.below(7_200) }
      : { type: 'static', collection_point: { reference: 'counter', name: 'Counter' } }),
  }));
  const answer = await asking(player, choices);
  if (answer?.status === 201) player.codes.push(answer.body.qr_payload);
  return answer;
};

const disputing: Play = async (player, choices) => {
  const { body: clock } = await player.program.send('GET', '/portal/api/clock');
  const making = posting('payment', '/v1/disputes', (payment_id) => ({
    customer_id: idOf(player, choices, 'customer'),
    type: choices.pick(['error', 'unauthorized_transfer', 'purchase_dispute']),
    payment_id,
    description: 'It was not me',
    notice_received_at: clock.now,
  }));
  return making(player, choices);
};

const simulating = (event: string, kind: IdKind) =>
  posting(kind, `/v1/sandbox/simulate/${event}`, (object_id) => ({ object_id }));

/** The bank, a provider, a reviewer or the customer acts on a record of the kind that the event is of. */
const anyEvent: Play = async (player, choices) => {
  const event = choices.pick(simulateNames);
  const kind = (Object.keys(idPrefixes) as IdKind[]).find((one) => event.startsWith(`${one}.`));
  return kind ? simulating(event, kind)(player, choices) : null;
};

/** Leads a record on: its customer confirms, then its bank answers. */
const nextEvent: Play = async (player, choices) => {
  const kind = choices.pick(['payment', 'load', 'withdrawal', 'refund'] as const);
  const end = kind === 'load' || kind === 'withdrawal' ? 'settled' : 'completed';
  const events = ['session.completed', 'session.completed', `${kind}.${end}`];
  return simulating(choices.pick(events), kind)(player, choices);
};

const reviewed = [
  ['customers', 'customer'],
  ['owners', 'owner'],
  ['linked-accounts', 'linked_account'],
  ['accounts', 'account'],
  ['disputes', 'dispute'],
] as const;

const reviewing: Play = async (player, choices) => {
  const [resource, kind] = choices.pick(reviewed);
  const move = choices.pick<string>(reviewMoves[resource]);
  const body = () => (move === 'adjust' ? { amount: 1 + choices.below(500) } : {});
  return posting(kind, `/portal/api/review/${resource}/:id/${move}`, body)(player, choices);
};

const reads = [
  ['customer', '/v1/customers/:id'],
  ['customer', '/v1/customers/:id/owners'],
  ['customer', '/v1/customers/:id/linked-accounts'],
  ['customer', '/v1/accounts?customer_id=:id'],
  ['account', '/v1/accounts/:id/balance'],
  ['account', '/v1/accounts/:id/transactions'],
  ['payment', '/v1/payments/:id'],
  ['load', '/v1/loads/:id'],
  ['withdrawal', '/v1/withdrawals/:id'],
  ['refund', '/v1/refund-requests/:id'],
  ['payment_request', '/v1/payment-requests/:id'],
] as const;

const reading: Play = async (player, choices) => {
  const [kind, path] = choices.pick(reads);
  const id = idOf(player, choices, kind);
  return id === null ? null : player.program.send('GET', path.replace(':id', id));
};

const applying: Play = (player, choices) =>
  post(player, choices, '/v1/customers', {
    type: choices.pick(['individual', 'business']),
    external_ref: `ref-${player.step}`,
    email: `person-${player.step}@example.com`,
    mobile_number: `+1202${5_550_000 + (player.step % 4_000_000)}`,
  });

const flows = ['pin_reset', 'contact_change', 'terms_acceptance', 'onboarding'] as const;

/** How often each is played, of the sum. */
const plays: readonly (readonly [share: number, play: Play])[] = [
  [2, applying],
  [10, paying('balance')],
  [6, paying('bank_account')],
  [5, requesting],
  [30, nextEvent],
  [12, anyEvent],
  [3, reviewing],
  [3, disputing],
  [6, moving('/v1/loads')],
  [6, moving('/v1/withdrawals')],
  [10, reading],
  [1, ({ program }) => program.send('PUT', '/portal/api/settings', { withdrawal_hold_hours: 0 })],
  [
    2,
    posting('customer', '/v1/sessions', (customer_id, choices) => ({
      flow: choices.pick(flows),
      customer_id,
    })),
  ],
  [
    6,
    posting('payment', '/v1/refund-requests', (payment_id, choices) => ({
      payment_id,
      amount: amountOf(choices),
      reason: 'other',
    })),
  ],
  [2, posting('payment', '/v1/payments/:id/cancel')],
  [1, posting('payment_request', '/v1/payment-requests/:id/cancel')],
  [2, posting('session', '/v1/sessions/exchange', (id) => ({ result_token: `rt_test_${id}` }))],
  [
    2,
    posting('customer', '/v1/customers/:id/linked-accounts', (_, choices) => ({
      public_token: `public-sandbox-${choices.pick(['standard', 'rtp_only', 'review'])}`,
    })),
  ],
];
const lots = plays.flatMap(([share, play]) => Array.from({ length: share }, () => play));

/** How far the tenant's clock goes before a step: jobs that fall due cost more than an operation. */
function secondsOf(choices: Choices): number {
  if (choices.percent(1)) return choices.pick([3_600, 86_400, 2 * 86_400]);
  return choices.percent(35) ? 1 + choices.below(120) : 0;
}

/** One step: the tenant's clock may go on, and then one operation. @returns whether there was one */
async function playStep(player: Player, choices: Choices): Promise<boolean> {
  const seconds = secondsOf(choices);
  if (seconds > 0) await player.program.send('POST', '/portal/api/clock/advance', { seconds });
  return (await choices.pick(lots)(player, choices)) !== null;
}

/** Approved people with banks and money, individuals and merchants by turns. */
async function openPeople({ program }: Player): Promise<void> {
  const simulate = (event: string, object_id: string) =>
    program.send('POST', `/v1/sandbox/simulate/${event}`, { object_id });
  for (let index = 0; index < openedPeople; index += 1) {
    const made = async (path: string, body: object): Promise<string> =>
      (await program.send('POST', path, body, `${path.split('/').at(-1)}-${index}`)).body.id;
    const id = await made('/v1/customers', {
      type: index % 2 === 0 ? 'individual' : 'business',
      external_ref: `opened-${index}`,
      email: `opened-${index}@example.com`,
      mobile_number: `+1212555${1_000 + index}`,
    });
    await simulate('customer.pending', id);
    const { body: owners } = await program.send('GET', `/v1/customers/${id}/owners`);
    for (const owner of owners.data ?? []) await simulate('owner.approved', owner.id);
    await simulate('customer.approved', id);
    await program.send('GET', `/v1/customers/${id}`);
    const bank = { public_token: 'public-sandbox-standard' };
    await simulate(
      'linked_account.verified',
      await made(`/v1/customers/${id}/linked-accounts`, bank),
    );
    const load = await made('/v1/loads', { customer_id: id, amount: 3_000_00 });
    await simulate('session.completed', load);
    await simulate('load.settled', load);
  }
}

/** The machine's clock stands still: each tenant's clock goes only where its operations move it. */
const startMs = Date.UTC(2026, 10, 20, 15);
const beganAt = new Date(startMs).toISOString();
const tenantCount = 5;
const differencesShown = 3;

const fee = { payment_type: 'consumer_to_merchant', source: 'balance', fixed: 0 } as const;

/** Each tenant has other settings: none may be another's. */
const tenantOf = (number: number): TestTenantOptions => ({
  rateLimit: 10_000_000,
  settings: {
    fees: [{ ...fee, type: 'platform', basis_points: 10 * number, paid_by: 'payee' }],
    confirmation_grace_seconds: 60 * number,
    refund_window_days: 30 + number,
    payment_request_expires_in: 300 + number,
  },
});

/** A tenant's requests with their replies, and all that it can read at the end. */
interface Run {
  readonly story: readonly string[];
  readonly view: readonly string[];
}

/** The operations of one tenant. */
interface Stream {
  readonly seed: number;
  readonly number: number;
  readonly operations: number;
  readonly onOperation: () => void;
}

async function runStream(baseUrl: string, token: string, stream: Stream): Promise<Run> {
  const { seed, number, operations, onOperation } = stream;
  const program = openProgram(baseUrl, token);
  const player = { program, codes: [], step: 0 };
  try {
    await openPeople(player);
    for (let done = 0; done < operations; player.step += 1) {
      const choices = choicesOf(seed, `tenant ${number} step ${player.step}`);
      if (!(await playStep(player, choices))) continue;
      done += 1;
      onOperation();
    }
    return { story: [...program.story], view: await viewOf(program, beganAt) };
  } finally {
    await program.close();
  }
}

/** Runs it on a server of its own, whose whole ledger is proven as it stops. */
async function onServer<T>(number: number, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startTestServer({
    workers: false,
    realNow: () => startMs,
    tenant: tenantOf(number),
    onLog: () => {},
  });
  const result = await work(server).catch(async (error: unknown) => {
    await server.stop().catch(() => {});
    throw error;
  });
  await server.stop();
  return result;
}

/** The first places where the two runs of one stream differ. */
function differences(together: Run, alone: Run): string[] {
  const missing = (what: string, these: readonly string[], those: readonly string[]) => {
    const known = new Set(those);
    const lines = these.filter((line) => !known.has(line)).slice(0, differencesShown);
    return lines.map((line) => `${what}: ${line}`);
  };
  const longest = together.story.length > alone.story.length ? together.story : alone.story;
  const parted = longest.flatMap((_, at) =>
    together.story[at] === alone.story[at]
      ? []
      : [`operation ${at}\n  together: ${together.story[at]}\n  alone:    ${alone.story[at]}`],
  );
  const [some, others] = [together.view.length, alone.view.length];
  return [
    ...parted.slice(0, differencesShown),
    ...missing('only together', together.view, alone.view),
    ...missing('only alone', alone.view, together.view),
    ...(some === others ? [] : [`${some} lines together, ${others} alone`]),
  ];
}

/**
 * All of it runs in this process, so what the first tenant left in a module for ever would be there both
 * times.
 */
proofTest(
  "operations of five tenants at once are what each tenant's are alone",
  600,
  async ({ seed, rounds, progress }) => {
    let played = 0;
    const onOperation = () => {
      played += 1;
      progress(Math.floor(played / 2));
    };
    const operations = Math.ceil(rounds / tenantCount);
    const streams = Array.from({ length: tenantCount }, (_, number): Stream => {
      return { seed, number, operations, onOperation };
    });
    const together = await onServer(0, async (server) => {
      const tenants = [server.tenant];
      for (const { number } of streams.slice(1))
        tenants.push(await server.anotherTenant(tenantOf(number)));
      return Promise.all(
        streams.map((stream) =>
          runStream(server.baseUrl, tenants[stream.number]?.token ?? '', stream),
        ),
      );
    });
    const alone = await Promise.all(
      streams.map((stream) =>
        onServer(stream.number, (server) => runStream(server.baseUrl, server.token, stream)),
      ),
    );
    const violations = streams.flatMap(({ number }) => {
      const [one, other] = [together[number], alone[number]];
      const found = one && other ? differences(one, other) : ['nothing was played'];
      return found.map((line) => `SEED=${seed} tenant ${number}: ${line}`);
    });
    const sum = (of: (run: Run) => number) => together.reduce((total, run) => total + of(run), 0);
    return {
      rounds: operations * tenantCount,
      violations,
      figures: {
        tenants: tenantCount,
        replies: sum(({ story }) => story.length),
        facts: sum(({ view }) => view.length),
      },
    };
  },
);
