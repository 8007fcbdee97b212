import { randomBytes, randomUUID } from 'node:crypto';
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
import { caller, fetchToken, type ReplyBody } from '../../test/kit/http/http.ts';
import { openListener } from '../../test/kit/http/listener.ts';
import { uuid } from '../../test/kit/ids.ts';
import { until } from '../../test/kit/wait.ts';
import { parseConfig } from '../config/config.ts';
import { completeConfig } from '../config/secrets.ts';
import type { Listener } from '../http/listen.ts';
import { createCustomer } from '../resources/customers/create.ts';
import type { Service } from '../service.ts';
import type { Inbound } from './facts.ts';

/** A RAILS module whose identity provider never answers, and whose aggregator throws. */
const module = `
const heard = { asked: [], aborted: 0, inbound: null };
globalThis.hangingHeard = heard;
const broken = async () => { throw new Error('of the aggregator'); };
export const rails = {
  identity: {
    collect: async () => 'a reference',
    check: ({ subjectId }, { signal }) => {
      heard.asked.push(subjectId);
      signal.addEventListener('abort', () => { heard.aborted += 1; });
      return new Promise(() => {});
    },
    matches: async () => false,
  },
  aggregator: { linkToken: broken, exchange: broken, verify: broken },
  bank: { take: broken },
  messages: { send: async () => {} },
  listen: (inbound) => { heard.inbound = inbound; },
};`;

interface Heard {
  readonly asked: string[];
  readonly aborted: number;
  readonly inbound: Inbound;
}
const heard = () => (globalThis as unknown as { hangingHeard: Heard }).hangingHeard;

const hanging = 256;

let database: TestDatabase;
let running: Running;
let side: Service;
let listener: Listener;
let made: Awaited<ReturnType<typeof createTenant>>;
const lines: string[] = [];
const run = async <I, L, P>(what: Command<I, L, P>, input: NoInfer<I>): Promise<ReplyBody> => {
  const { tenantId } = made;
  return JSON.parse((await side.engine.submit(what, { tenantId, input })).body);
};

async function applicant(count: number): Promise<string> {
  const customer = await run(createCustomer(side.vault), {
    type: 'individual',
    external_ref: `ref-${count}`,
    email: `someone-${count}@example.com`,
    mobile_number: `+1202555${String(count).padStart(4, '0')}`,
    prefill: { first_name: 'Ana', last_name: 'Denied' },
  });
  await run(onboard, { id: uuid('customer', customer.id) });
  return customer.id;
}

beforeAll(async () => {
  database = await testDatabase(true);
  const path = join(await mkdtemp(join(tmpdir(), 'rails-')), 'rails.mjs');
  await writeFile(path, module);
  const key = () => randomBytes(32).toString('base64');
  const secrets = { PIN_PEPPER: key(), SEALING_KEY: key(), QR_SIGNING_KEY: key() };
  const PUBLIC_URL = 'https://pay.example.com';
  const own = { RAILS: path, RAILS_DEADLINES: '20,aggregator.linkToken=1' };
  const env = { ENVIRONMENT: 'production', PUBLIC_URL, ...own, ...secrets };
  const config = await completeConfig(parseConfig(env, []));
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const surroundings = { databaseUrl: database.serviceUrl, log };
  listener = await openListener();
  running = await runService(config, surroundings);
  listener.use(running.handler);
  side = await buildService(config, surroundings);
  made = await createTenant(side, { name: 'A Tenant' });
});
afterAll(async () => {
  await listener.close(1_000);
  await closeService(side);
  await database.drop();
});

test('an aggregator that throws is 503 with the code of the contract, never 500', async () => {
  const id = await applicant(hanging);
  const fact = { id: 'msg', subject: 'customer', subjectId: uuid('customer', id) } as const;
  await heard().inbound.identity(made.tenantId, { ...fact, decision: 'approved' });
  const at = `http://127.0.0.1:${listener.port}`;
  const call = caller(at, await fetchToken(at, made.facts));
  const body = { platform: 'ios' };
  const path = `/v1/customers/${id}/link-tokens`;
  const { status, body: reply } = await call('POST', path, { body, key: randomUUID() });
  expect([status, reply.error.code]).toEqual([503, 'internal_error']);
});

test('while an outside hangs other jobs run, each call is made once, and the process ends in time', async () => {
  const ids = [];
  for (let count = 0; count < hanging; count += 1) ids.push(await applicant(count));
  await until(() => heard().asked.length >= 32);
  const { tenantId } = made;
  const other = `insert into jobs (tenant_id, name, ref, due_at, wake_at, real)
    values ($1, 'event_redaction', $1, now(), now(), true)
    on conflict (tenant_id, name, ref) do update set wake_at = excluded.wake_at, lease_until = null`;
  await side.pool.query(other, [tenantId]);
  await until(async () => {
    const { rows } = await side.pool.query(
      `select from jobs where tenant_id = $1 and name = 'event_redaction' and wake_at <= now()`,
      [tenantId],
    );
    return rows.length === 0;
  });
  expect(heard().asked.length).toBeLessThan(hanging);
  expect(new Set(heard().asked).size).toBe(heard().asked.length);

  const beganMs = performance.now();
  await running.stop();
  expect(performance.now() - beganMs).toBeLessThan(15_000);
  expect(heard().aborted).toBe(heard().asked.length);
  expect(lines.filter((line) => line.includes('"alarm":"job"')).length).toBeLessThan(100);
}, 120_000);
