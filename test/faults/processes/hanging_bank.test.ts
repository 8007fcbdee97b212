import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDispute } from '../../../service/resources/disputes/create.ts';
import { buildService, closeService } from '../../../start/app.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import type { Person } from '../../kit/person.ts';
import {
  type ServiceProcess,
  spawnService,
  terminate,
  untilReady,
} from '../../kit/processes/processes.ts';
import { settingsOf } from '../../kit/processes/settings.ts';
import { startTestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

/** A bank that takes an order and never says so. */
const module = `
const broken = async () => { throw new Error('nobody asks this'); };
export const rails = {
  identity: { collect: broken, check: broken, matches: broken },
  aggregator: { linkToken: broken, exchange: broken, verify: broken },
  bank: { take: () => new Promise(() => {}) },
  messages: { send: async () => {} },
  listen: () => {},
};`;

const orders = 256;
/** The jobs of one name that a process runs at a time. */
const atOnce = 32;
const inFlight = 'rails_calls_in_flight{method="bank.take"}';

let isAway = false;
const take = async () => {
  if (isAway) throw new Error('the bank is away');
};
const server = await startTestServer({
  workers: false,
  alone: true,
  bank: { take },
  onLog: () => {},
});
const folder = await mkdtemp(join(tmpdir(), 'tpay-hanging-'));
let worker: ServiceProcess | undefined;
afterAll(async () => {
  worker?.child.kill('SIGKILL');
  await server.stop();
  await rm(folder, { recursive: true });
});

/** In production, where rails of one's own are: all events of a record are of one environment. */
async function disputed({ customerId }: Person, payment: ReplyBody): Promise<string> {
  const { service, owner, serviceUrl, tenant } = server;
  await owner.query(`update database_identity set value = 'production' where name = 'ENVIRONMENT'`);
  const config = { ...service.config, environment: 'production' } as const;
  const side = await buildService(config, { databaseUrl: serviceUrl, log: service.log });
  const input = {
    customer_id: customerId,
    payment_id: String(payment.id),
    notice_received_at: String(payment.created_at),
    type: 'unauthorized_transfer',
    description: 'It was not me',
  } as const;
  const { tenantId } = tenant;
  const { body } = await side.engine.submit(createDispute(side), { tenantId, input });
  await closeService(side);
  return JSON.parse(body).id;
}

/** A consumer's notice, whose provisional credit has its deadline, and then orders that are due before it. */
async function prepare(): Promise<string> {
  const { api, engine } = server;
  await engine.change({ confirmation_grace_seconds: 0 });
  const ana = await api.funded('individual', 1_000_00);
  const shop = await api.banked('business', 'savings');
  const payment = await api.confirmed(api.pay(ana, shop, 50_00));
  const id = await disputed(ana, payment);
  const [deadline] = (await engine.jobs(uuid('dispute', id))).filter(
    ({ name }) => name === 'dispute_credit',
  );
  const { body } = await server.call('GET', '/portal/api/clock');
  const seconds = (Date.parse(deadline?.due_at ?? '') - Date.parse(body.now)) / 1_000;
  await engine.moveClock(Math.floor(seconds) - 600);
  isAway = true;
  for (let made = 0; made < orders; made += 16)
    await Promise.all(
      Array.from({ length: 16 }, async () => api.confirmed(await api.withdraw(ana, 1_00))),
    );
  await engine.moveClock(1_200);
  // The orders first, the deadline behind all of them. Some were tried here, and wait for their next try.
  await server.owner.query(
    `update jobs set lease_until = null, wake_at = now()
       - case name when 'dispute_credit' then interval '0' else interval '1 minute' end
     where name in ('instruction', 'order_hand_over', 'dispute_credit')`,
  );
  return uuid('dispute', id);
}

test('beside 256 orders that hang at the bank a deadline of Regulation E is met, and SIGTERM ends the process with code 0', async () => {
  const dispute = await prepare();
  const { engine } = server;
  const due = `select x.name, count(*)::integer as count from jobs j
    cross join lateral (select replace(j.name, 'order_hand_over', 'instruction') as name) x
    where j.tenant_id = $1 and x.name in ('instruction', 'dispute_credit')
    group by x.name order by x.name`;
  expect(await engine.query(due)).toEqual([
    { name: 'dispute_credit', count: 1 },
    { name: 'instruction', count: orders },
  ]);
  const statusOf = async () =>
    (await engine.query('select status from disputes where tenant_id = $1 and id = $2', dispute))[0]
      ?.status;
  expect(await statusOf()).toBe('received');

  const path = join(folder, 'rails.mjs');
  await writeFile(path, module);
  worker = await spawnService({
    ...settingsOf(server),
    ENVIRONMENT: 'production',
    DATA_DIR: folder,
    RAILS: path,
    ROLES: 'worker',
    RAILS_DEADLINES: '20',
  });
  const { metrics, log, ...process } = worker;
  await untilReady(worker);
  await until(async () => ((await metrics()).get(inFlight) ?? 0) >= atOnce, { withinMs: 30_000 });
  await until(async () => (await statusOf()) === 'provisional_credit', { withinMs: 30_000 });
  expect((await metrics()).get(inFlight)).toBeGreaterThanOrEqual(atOnce);

  const beganMs = performance.now();
  expect(await terminate({ metrics, log, ...process })).toBe(0);
  expect(performance.now() - beganMs).toBeLessThan(20_000);
  const left = await engine.query(due);
  expect(left).toEqual([{ name: 'instruction', count: orders }]);
  expect(log()).not.toContain('"alarm":"dispute');
});
