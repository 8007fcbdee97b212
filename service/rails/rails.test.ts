import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenant } from '@tenant-payments/backoffice/tenants/create.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildService, closeService } from '../../start/app.ts';
import { type Running, runService } from '../../start/run.ts';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { onboard } from '../../test/kit/engine.ts';
import { caller, type ReplyBody } from '../../test/kit/http/http.ts';
import { openListener } from '../../test/kit/http/listener.ts';
import { uuid } from '../../test/kit/ids.ts';
import { until } from '../../test/kit/wait.ts';
import { parseConfig } from '../config/config.ts';
import { completeConfig } from '../config/secrets.ts';
import type { Listener } from '../http/listen.ts';
import { createCustomer } from '../resources/customers/create.ts';
import type { Service } from '../service.ts';
import type { Inbound } from './facts.ts';
import type { IdentityCheck } from './identity.ts';
import type { Message, Messages } from './messages.ts';

/** The RAILS module of a deployment: it records all calls where the test can read them. */
const module = `
const heard = { asked: [], sent: [], inbound: null, isClosed: false };
const unasked = () => { throw new Error('nobody asks this'); };
globalThis.railsHeard = heard;
export const rails = {
  identity: {
    collect: async () => 'a reference',
    check: async (question) => void heard.asked.push(question),
    matches: async () => false,
  },
  aggregator: { linkToken: unasked, exchange: unasked, verify: unasked },
  bank: { take: unasked },
  messages: {
    fixedCode: 'known to all',
    send: async (message) => { heard.sent.push(message); return { providerId: null }; },
  },
  listen: (inbound) => { heard.inbound = inbound; },
  close: async () => { heard.isClosed = true; },
};`;

interface Heard {
  readonly asked: IdentityCheck[];
  readonly sent: Message[];
  readonly inbound: Inbound;
  readonly isClosed: boolean;
}
const heard = () => (globalThis as unknown as { railsHeard: Heard }).railsHeard;

let database: TestDatabase;
let running: Running;
let side: Service;
let tenantId: string;
let listener: Listener;
let call: ReturnType<typeof caller>;
const run = async <I, L, P>(what: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody> =>
  JSON.parse((await side.engine.submit(what, { tenantId, input })).body);
let customer: ReplyBody;
beforeAll(async () => {
  database = await testDatabase(true);
  const path = join(await mkdtemp(join(tmpdir(), 'rails-')), 'rails.mjs');
  await writeFile(path, module);
  const key = () => randomBytes(32).toString('base64');
  const secrets = { PIN_PEPPER: key(), SEALING_KEY: key(), QR_SIGNING_KEY: key() };
  const PUBLIC_URL = 'https://pay.example.com';
  const env = { ENVIRONMENT: 'production', RAILS: path, PUBLIC_URL, ...secrets };
  const config = await completeConfig(parseConfig(env, []));
  const surroundings = { databaseUrl: database.serviceUrl, log: pino({ level: 'error' }) };
  listener = await openListener();
  call = caller(`http://127.0.0.1:${listener.port}`, '');
  running = await runService(config, surroundings);
  listener.use(running.handler);
  side = await buildService(config, surroundings);
  ({ tenantId } = await createTenant(side, { name: 'A Tenant' }));
  customer = await run(createCustomer(side.vault), {
    type: 'individual',
    external_ref: 'ref-1',
    email: 'someone@example.com',
    mobile_number: '+12025550101',
    prefill: { first_name: 'Ana', last_name: 'Denied' },
  });
});
afterAll(async () => {
  await listener.close(1_000);
  await closeService(side);
  await database.drop();
});

test('in production every code is drawn, also where the RAILS module offers a fixed one', async () => {
  // @ts-expect-error The port of messages has no code of its own.
  const offered: Messages = { fixedCode: '000000', send: async () => ({ providerId: null }) };
  expect(offered).toHaveProperty('fixedCode');
  const { token } = customer.onboarding_session;
  const opened = await call('POST', '/hosted/api/open', { token: null, body: { token } });
  const { bearer } = opened.body;
  const sent = await call('POST', '/hosted/api/code', { token: bearer, body: {} });
  expect([sent.status, sent.body.hint]).toEqual([200, null]);
  const code = expect.stringMatching(/^\d{6}$/);
  expect(heard().sent).toMatchObject([{ tenantId, template: 'code', data: { code } }]);
});

test('the RAILS module is called after the commit, and reports its answers as facts', async () => {
  const subjectId = uuid('customer', customer.id);
  await run(onboard, { id: subjectId });
  await until(() => heard().asked.length > 0);
  expect(heard().asked).toMatchObject([{ tenantId, subject: 'customer', subjectId }]);

  const fact = { id: 'msg-1', subject: 'customer', subjectId, decision: 'approved' } as const;
  expect(await heard().inbound.identity(tenantId, fact)).toBe('taken');
  const { rows } = await side.pool.query('select status from customers');
  expect(rows).toEqual([{ status: 'approved' }]);
  expect(heard().isClosed).toBe(false);
  await running.stop();
  expect(heard().isClosed).toBe(true);
});
