import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { onboard } from '../../test/kit/engine.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { buildService, closeService } from '../app.ts';
import { parseConfig } from '../config/config.ts';
import { completeConfig } from '../config/secrets.ts';
import type { Command } from '../core/command.ts';
import { createCustomer } from '../resources/customers/create.ts';
import { runService } from '../run.ts';
import { createTenant } from '../tenants/create.ts';
import type { Inbound } from './facts.ts';
import type { IdentityCheck } from './identity.ts';

/** The RAILS module of a deployment: it records all calls where the test can read them. */
const module = `
const heard = { asked: [], inbound: null, isClosed: false };
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
  messages: { send: unasked },
  listen: (inbound) => { heard.inbound = inbound; },
  close: async () => { heard.isClosed = true; },
};`;

interface Heard {
  readonly asked: IdentityCheck[];
  readonly inbound: Inbound;
  readonly isClosed: boolean;
}
const heard = () => (globalThis as unknown as { railsHeard: Heard }).railsHeard;

let database: TestDatabase;
let path: string;
beforeAll(async () => {
  database = await testDatabase();
  path = join(await mkdtemp(join(tmpdir(), 'rails-')), 'rails.mjs');
  await writeFile(path, module);
});
afterAll(() => database.drop());

test('the RAILS module is called after the commit, and reports its answers as facts', async () => {
  const key = () => randomBytes(32).toString('base64');
  const secrets = { PIN_PEPPER: key(), SEALING_KEY: key(), QR_SIGNING_KEY: key() };
  const PUBLIC_URL = 'https://pay.example.com';
  const env = { ENVIRONMENT: 'production', RAILS: path, PUBLIC_URL, ...secrets };
  const config = await completeConfig(parseConfig(env));
  const surroundings = { databaseUrl: database.url, log: pino({ level: 'error' }) };
  const running = await runService(config, surroundings, () => {});
  const side = await buildService(config, surroundings);
  const { tenantId } = await createTenant(side, { name: 'A Tenant' });
  const run = async <I, L, P>(what: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody> =>
    JSON.parse((await side.engine.submit(what, { tenantId, input })).body);

  const customer = await run(createCustomer(side.vault), {
    type: 'individual',
    external_ref: 'ref-1',
    email: 'someone@example.com',
    mobile_number: '+12025550101',
    prefill: { first_name: 'Ana', last_name: 'Denied' },
  });
  const subjectId = uuid('customer', customer.id);
  await run(onboard, { id: subjectId });
  for (let tries = 0; heard().asked.length === 0 && tries < 1_000; tries += 1) await sleep(10);
  expect(heard().asked).toMatchObject([{ tenantId, subject: 'customer', subjectId }]);

  const fact = { id: 'msg-1', subject: 'customer', subjectId, decision: 'approved' } as const;
  expect(await heard().inbound.identity(tenantId, fact)).toBe('taken');
  const { rows } = await side.pool.query('select status from customers');
  expect(rows).toEqual([{ status: 'approved' }]);
  await closeService(side);
  expect(heard().isClosed).toBe(false);
  await running.stop();
  expect(heard().isClosed).toBe(true);
});
