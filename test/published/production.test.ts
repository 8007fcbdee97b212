import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getChaos, putChaos } from '../../backoffice/portal/sandbox/chaos.ts';
import { createSampleEvent } from '../../backoffice/portal/sandbox/sample_events.ts';
import { createTenant } from '../../backoffice/tenants/create.ts';
import { everyUse } from '../../contract/core/request_uses.ts';
import { defaultSettings } from '../../contract/core/settings.ts';
import { serviceActor } from '../../engine/actor.ts';
import type { Command } from '../../engine/command.ts';
import { type Config, parseConfig } from '../../service/config/config.ts';
import { completeConfig } from '../../service/config/secrets.ts';
import type { Listener } from '../../service/http/listen.ts';
import { verifyLedger } from '../../service/invariants/verify.ts';
import type { BankInstruction } from '../../service/rails/bank.ts';
import type { Inbound } from '../../service/rails/facts.ts';
import type { IdentityCheck } from '../../service/rails/identity.ts';
import type { ReadContext } from '../../service/read_context.ts';
import type { Service } from '../../service/service.ts';
import { buildService, closeService } from '../../start/app.ts';
import { openRails } from '../../start/composition.ts';
import { type Running, runService } from '../../start/run.ts';
import { buildWorkers } from '../../start/workers.ts';
import { type TestDatabase, testDatabase } from '../kit/database/database.ts';
import { answer, onboard } from '../kit/engine.ts';
import { institution, publishRealTexts } from '../kit/go_live.ts';
import { caller, fetchToken, type ReplyBody } from '../kit/http/http.ts';
import { openListener } from '../kit/http/listener.ts';
import { uuid } from '../kit/ids.ts';
import { runNode } from '../kit/processes/run_node.ts';

/** A deployment's own outside, as small as one can be: it writes down what it is asked. */
const railsModule = `
const asked = { checks: [], links: [], orders: [], polls: [], inbound: null };
globalThis.productionRails = asked;
export const rails = {
  identity: {
    collect: async () => 'a reference',
    check: async (question) => void asked.checks.push(question),
    matches: async () => true,
  },
  aggregator: {
    linkToken: async () => 'a link token',
    exchange: async ({ publicToken }) => ({
      mismatch: null,
      accounts: [{
        accountId: null, institutionName: 'A Bank', accountType: 'checking', accountMask: '0001',
        withdrawal: true, load: true, reference: publicToken,
      }],
    }),
    verify: async (question) => void asked.links.push(question),
  },
  bank: { take: async (order) => void asked.orders.push(order) },
  messages: { send: async () => ({ providerId: null }) },
  listen: (inbound) => { asked.inbound = inbound; },
  providers: [{
    name: 'mybank',
    receive: async ({ headers, rawBody }) => {
      if (headers.authorization !== 'the bank') throw Object.assign(new Error('who is it'), { name: 'Unverified' });
      return JSON.parse(Buffer.from(rawBody).toString('utf8'));
    },
    poll: {
      everySeconds: 1,
      run: async (cursor) => {
        asked.polls.push(cursor);
        return { cursor: 'the end', receipts: [] };
      },
    },
  }],
};`;

interface Asked {
  readonly checks: IdentityCheck[];
  readonly links: { readonly linkId: string }[];
  readonly orders: BankInstruction[];
  readonly polls: (string | null)[];
  readonly inbound: Inbound;
}
const outside = () => (globalThis as unknown as { productionRails: Asked }).productionRails;

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'start/main.ts');
const newKey = () => randomBytes(32).toString('base64');

let folder: string;
let railsPath: string;
let database: TestDatabase;
let config: Config;
let listener: Listener;
let running: Running;
/** Makes the tenant and plays what customers do in the hosted pages; it serves nobody. */
let side: Service;
let tenantId: string;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpay-production-'));
  railsPath = join(folder, 'rails.mjs');
  await writeFile(railsPath, railsModule);
  database = await testDatabase(true);
  listener = await openListener();
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const secrets = { PIN_PEPPER: newKey(), SEALING_KEY: newKey(), QR_SIGNING_KEY: newKey() };
  const places = { PUBLIC_URL: 'https://pay.example.com', DATA_DIR: folder };
  const env = { ENVIRONMENT: 'production', RAILS: railsPath, ...places, ...secrets };
  config = await completeConfig(parseConfig(env, []));
  const surroundings = { databaseUrl: database.serviceUrl, log: pino({ level: 'fatal' }) };
  running = await runService(config, surroundings);
  listener.use(running.handler);
  side = await buildService(config, surroundings);
  const { flows } = defaultSettings('');
  const settings = { flows, request_uses: everyUse, institution };
  const made = await createTenant(side, { name: 'A Tenant', settings });
  tenantId = made.tenantId;
  await publishRealTexts(side, tenantId);
  call = caller(baseUrl, await fetchToken(baseUrl, made.facts));
});

afterAll(async () => {
  const { ok, violations } = await verifyLedger(side.pool);
  await listener.close(1_000);
  await running.stop();
  await closeService(side);
  await database.drop();
  await rm(folder, { recursive: true });
  expect({ ok, violations }).toEqual({ ok: true, violations: [] });
});

test('without rails, public address, secrets and pepper it does not start, and says a line for each', async () => {
  const places = { DATA_DIR: join(folder, 'none'), DATABASE_URL: '', PUBLIC_URL: '', PORT: '0' };
  const none = { RAILS: '', PIN_PEPPER: '', SEALING_KEY: '', QR_SIGNING_KEY: '' };
  const env = { ...process.env, ENVIRONMENT: 'production', ...places, ...none };
  const { code, stdout, stderr } = await runNode(['--import', 'tsx', main], { cwd: root, env });
  expect([code, stdout]).toEqual([1, '']);
  const settings = stderr
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  expect(settings).toEqual(['RAILS', 'PUBLIC_URL', 'PIN_PEPPER', 'SEALING_KEY', 'QR_SIGNING_KEY']);
});

test('a rails module that exports none does not start either', async () => {
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, 'export const other = {};');
  const broken = { ...side, config: { ...config, rails: empty } };
  await expect(openRails(broken)).rejects.toThrow(`RAILS: ${empty} exports no rails`);
});

test('a rails module that lacks a method does not start, and is told which', async () => {
  const half = join(folder, 'half.mjs');
  const lacking = railsModule.replace('matches', 'mismatches').replace('send:', 'sent:');
  // Loading it is not to take the place of the outside that the other tests look at.
  await writeFile(half, lacking.replace('globalThis.productionRails', 'globalThis.lackingRails'));
  const broken = { ...side, config: { ...config, rails: half } };
  const said = `RAILS: ${half} has no identity.matches, messages.send`;
  await expect(openRails(broken)).rejects.toThrow(said);
});

test('nothing of the sandbox answers', async () => {
  const simulated = await call('POST', '/v1/sandbox/simulate/load.settled', {
    body: { object_id: 'load_x' },
  });
  expect([simulated.status, simulated.body.error.code]).toEqual([403, 'sandbox_only']);
  // To a Tenant's token the portal is shut before it says more; behind its login it says sandbox_only.
  for (const [method, path] of [
    ['POST', '/portal/api/clock/advance'],
    ['GET', '/portal/api/chaos'],
    ['POST', '/portal/api/sample-events'],
  ] as const)
    expect([path, (await call(method, path)).status]).toEqual([path, 401]);
  const context: ReadContext = {
    tenantId,
    actor: serviceActor,
    db: side.db,
    now: async () => '',
    pages: undefined as never,
  };
  const workers = buildWorkers(side, await openRails(side));
  for (const asked of [
    () => getChaos(side)(context),
    () => side.engine.submit(putChaos(side), { tenantId, input: {} }),
    () => createSampleEvent(side)(context, { type: 'payment.completed' }),
    () => workers.advance.advance(tenantId, { seconds: 1 }),
  ])
    await expect(asked()).rejects.toMatchObject({ code: 'sandbox_only' });
});

/** Runs what a customer does in a hosted page. */
const inPage = async <I, L, P>(what: Command<I, L, P>, input: NoInfer<I>): Promise<void> =>
  void (await side.engine.submit(what, { tenantId, input }));

const post = async (path: string, body: object): Promise<ReplyBody> => {
  const reply = await call('POST', path, { body, key: randomUUID() });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
};
const read = async (path: string): Promise<ReplyBody> => (await call('GET', path)).body;

/** The outside is asked after the commit, by a worker. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(10);
  }
  throw new Error('the outside was not asked');
}

/** The provider approves a subject, each time it is asked about it. */
async function approve(subject: 'customer' | 'owner', subjectId: string, times = 1) {
  const ofSubject = () => outside().checks.filter((check) => check.subjectId === subjectId);
  await until(() => (ofSubject().length >= times ? true : undefined));
  const fact = { id: randomUUID(), subject, subjectId, decision: 'approved' } as const;
  expect(await outside().inbound.identity(tenantId, fact)).toBe('taken');
}

async function onboarded(type: 'individual' | 'business', number: string): Promise<ReplyBody> {
  const created = await post('/v1/customers', {
    type,
    external_ref: type,
    email: `${type}@example.com`,
    mobile_number: number,
    prefill:
      type === 'business'
        ? { legal_name: 'Corner Cafe LLC' }
        : { first_name: 'Ana', last_name: 'Reyes' },
  });
  const id = uuid('customer', created.id);
  await inPage(onboard, { id });
  if (type === 'business') {
    const { data } = await read(`/v1/customers/${created.id}/owners`);
    for (const owner of data) await approve('owner', uuid('owner', owner.id));
  }
  // A business is asked about when it submits, and again once its owners are approved.
  await approve('customer', id, type === 'business' ? 2 : 1);
  const customer = await read(`/v1/customers/${created.id}`);
  expect(customer.verification.status).toBe('approved');
  return customer;
}

/** The bank executes the order of this amount. */
async function settle(amount: number): Promise<void> {
  const order = await until(() => outside().orders.find((one) => one.amount === amount));
  expect(order.reference).toBe('public-ana');
  const fact = { id: randomUUID(), orderId: order.id, outcome: 'settled', amount } as const;
  expect(await outside().inbound.bank(tenantId, fact)).toBe('taken');
  expect(await outside().inbound.bank(tenantId, { ...fact, id: randomUUID() })).toBe('known');
}

test('a customer goes from onboarding to a completed payment by what the outside tells alone', async () => {
  const ana = await onboarded('individual', '+12025550101');
  const cafe = await onboarded('business', '+12025550102');

  const linked = await post(`/v1/customers/${ana.id}/linked-accounts`, {
    public_token: 'public-ana',
  });
  expect(linked.status).toBe('pending');
  const linkId = uuid('linked_account', linked.id);
  await until(() => outside().links.find((link) => link.linkId === linkId));
  const verified = { id: randomUUID(), linkId, outcome: 'verified' } as const;
  expect(await outside().inbound.aggregator(tenantId, verified)).toBe('taken');

  const load = await post('/v1/loads', { customer_id: ana.id, amount: 50_00 });
  await inPage(answer('confirm', 'load'), { id: uuid('load', load.id) });
  await settle(50_00);
  expect(await read(`/v1/loads/${load.id}`)).toMatchObject({ status: 'settled' });

  const parties = { payer_customer_id: ana.id, payee_customer_id: cafe.id };
  const payment = await post('/v1/payments', { ...parties, amount: 12_50, source: 'balance' });
  await inPage(answer('confirm', 'payment'), { id: uuid('payment', payment.id) });
  expect(await read(`/v1/payments/${payment.id}`)).toMatchObject({ status: 'completed' });

  const byBank = await post('/v1/payments', { ...parties, amount: 7_25, source: 'bank_account' });
  await inPage(answer('confirm', 'payment'), { id: uuid('payment', byBank.id) });
  await settle(7_25);
  expect(await read(`/v1/payments/${byBank.id}`)).toMatchObject({ status: 'completed' });

  expect(await read(`/v1/accounts/${ana.account_id}/balance`)).toMatchObject({ available: 37_50 });
  expect(await read(`/v1/accounts/${cafe.account_id}/balance`)).toMatchObject({ available: 19_75 });
  const { data } = await read('/v1/webhook-events?limit=100');
  const environments = new Set(data.map((event: ReplyBody) => event.environment));
  expect([...environments]).toEqual(['production']);
});

test('a provider of the module is sent its messages, and is polled from where it was', async () => {
  const fact = { id: 'one', orderId: randomUUID(), outcome: 'settled', amount: 1 };
  const send = (authorization: string) =>
    fetch(`http://127.0.0.1:${listener.port}/rails/mybank`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify([{ id: 'one', tenantId, port: 'bank', fact }]),
    });
  expect((await send('somebody')).status).toBe(401);
  expect((await send('the bank')).status).toBe(200);
  const { rows } = await side.pool.query(
    'select provider, state, result from rail_messages where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toEqual([{ provider: 'mybank', state: 'parked', result: 'unknown' }]);
  while (outside().polls.length < 2) await sleep(50);
  expect(outside().polls.slice(0, 2)).toEqual([null, 'the end']);
});
