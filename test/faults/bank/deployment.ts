import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BankEvent, Order } from '../../../bank/book/types.ts';
import { railsDeadlinesOf } from '../../../service/config/rails_deadlines.ts';
import { openInbound } from '../../../service/inbound/inbound.ts';
import { bankCan } from '../../../service/rails/bank.ts';
import { type BankProcess, startBank } from '../../kit/bank/bank_process.ts';
import { answer, onboard } from '../../kit/engine.ts';
import { fetchToken, type ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { programs } from '../../kit/processes/built.ts';
import { freePort } from '../../kit/processes/free_port.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

/** A service of production whose bank is the sandbox bank in a process of its own. */

const dayMs = 24 * 3_600_000;
const noLimit = { individual: null, business: null };

/** A message of the bank, as the service has kept it. */
interface Heard {
  readonly state: string;
  readonly result: string;
}

export type Kind = 'load' | 'payment' | 'withdrawal';

export interface BankDeployment {
  readonly server: TestServer;
  readonly bank: BankProcess;
  /** The effect of each event of the bank, by its id. */
  heard(): Promise<ReadonlyMap<string, Heard>>;
  /** How many events the module has no fact for, by their type. */
  dropped(): Promise<Readonly<Record<string, number>>>;
  /** Customers with a verified bank account, and a business that they pay. */
  readonly people: readonly ReplyBody[];
  readonly cafe: ReplyBody;
  /** Makes a record and confirms it as its customer does; null: the service refuses it. */
  order(kind: Kind, path: string, body: object): Promise<string | null>;
  read(path: string): Promise<ReplyBody>;
  /** The feed of the bank, from its beginning. */
  events(): Promise<readonly BankEvent[]>;
  /** Orders with which the bank is not done, and what it will do with each by itself. */
  waiting(): Promise<readonly { readonly order: Order; readonly will: readonly string[] }[]>;
  /** The same hour of the next day, for the service. */
  nextDay(): Promise<void>;
  stop(): Promise<void>;
}

const moneySettings = {
  limits: {
    load_per_transaction: noLimit,
    load_daily: noLimit,
    load_30_day: noLimit,
    payment_per_transaction: noLimit,
    payment_daily: noLimit,
    withdrawal_per_transaction: noLimit,
    withdrawal_daily: noLimit,
    balance_maximum: noLimit,
  },
  fees: [
    {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points: 100,
      fixed: 10,
      paid_by: 'payee',
    },
  ],
  withdrawal_hold_hours: 0,
  confirmation_grace_seconds: 0,
} as const;

/** The settings of the module are those of its process. */
function settle(folder: string, bankPort: number, port: number): string {
  const env = {
    BANK_URL: `https://localhost:${bankPort}`,
    BANK_DIR: folder,
    RAILS_PORT: `${port}`,
    BANK_POLL_SECONDS: '1',
  };
  Object.assign(process.env, env);
  return join(programs, 'bank/rails.js');
}

/** Answers as the person who plays identity provider and aggregator, until a record is as it should be. */
async function answered(
  port: number,
  kind: 'identity' | 'aggregator',
  given: object,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const say = { method: 'POST', body: JSON.stringify(given) };
  await until(async () => {
    if (await isDone()) return true;
    await (await fetch(`http://127.0.0.1:${port}/${kind}`, say)).text();
    return isDone();
  });
}

export async function openBankDeployment(people: number): Promise<BankDeployment> {
  const folder = mkdtempSync(join(tmpdir(), 'bank-'));
  const [port, bankPort] = [await freePort(), await freePort()];
  let aheadMs = 0;
  const server = await startTestServer({
    environment: 'production',
    config: {
      rails: settle(folder, bankPort, port),
      railsDeadlines: railsDeadlinesOf('10,bank.take=1', []),
    },
    realNow: () => Date.now() + aheadMs,
    // Its alarms are what is tested.
    onLog: () => {},
  });
  const bank = await startBank(folder, {
    BANK_PORT: `${bankPort}`,
    BANK_WEBHOOK_URL: `${server.baseUrl}/rails/bank`,
    BANK_ANSWER_MS: '20',
    BANK_RETRY_MS: '100',
  });
  server.rails.listen?.(
    openInbound({ ...server.service, asks: bankCan(server.rails.bank, 'query') }),
  );
  server.providers.polls.start();
  await server.engine.change(moneySettings as object);
  let { token } = server;

  const call = (method: string, to: string, body?: object) =>
    server.call(method, to, { token, ...(body && { body, key: randomUUID() }) });
  const read = async (to: string) => (await call('GET', to)).body;
  async function post(to: string, body: object): Promise<ReplyBody> {
    const reply = await call('POST', to, body);
    expect([reply.status, reply.body]).toEqual([201, reply.body]);
    return reply.body;
  }

  async function banked(type: 'individual' | 'business', index: number): Promise<ReplyBody> {
    const { id } = await post('/v1/customers', {
      type,
      external_ref: `${type} ${index}`,
      email: `${type}${index}@example.com`,
      mobile_number: `+1202555${String(1000 + index)}`,
      prefill:
        type === 'business'
          ? { legal_name: 'A Cafe LLC' }
          : { first_name: 'Ana', last_name: 'Reyes' },
    });
    await server.engine.run(onboard, { id: uuid('customer', id) });
    const customer = () => read(`/v1/customers/${id}`);
    await answered(
      port,
      'identity',
      { decision: 'approved' },
      async () => (await customer()).verification.status === 'approved',
    );
    const links = `/v1/customers/${id}/linked-accounts`;
    await post(links, { public_token: `bank-of-${type}-${index}` });
    await answered(
      port,
      'aggregator',
      { outcome: 'verified' },
      async () => (await read(links)).data[0].status === 'verified',
    );
    return customer();
  }

  const made: ReplyBody[] = [];
  for (let index = 0; index < people; index += 1) made.push(await banked('individual', index));
  const cafe = await banked('business', people);

  return {
    server,
    bank,
    async heard() {
      const kept = await server.owner.query<Heard & { message_id: string }>(
        `select message_id, state, result from rail_messages where provider = 'bank' and state <> 'received'`,
      );
      return new Map(kept.rows.map(({ message_id, ...heard }) => [message_id, heard]));
    },
    dropped: async () => JSON.parse(await (await fetch(`http://127.0.0.1:${port}/dropped`)).text()),
    people: made,
    cafe,
    read,
    async order(kind, to, body) {
      const reply = await call('POST', to, body);
      if (reply.status !== 201) return null;
      await server.engine.run(answer('confirm', kind), { id: uuid(kind, reply.body.id) });
      return reply.body.id;
    },
    async events() {
      const all: BankEvent[] = [];
      for (;;) {
        const from = `/events?limit=500&after=${all.length}`;
        const { data } = (await bank.call('GET', from)).body;
        all.push(...data);
        if (data.length === 0) return all;
      }
    },
    waiting: async () => (await bank.play('GET', '/play/orders')).body.data,
    async nextDay() {
      aheadMs += dayMs;
      token = await fetchToken(server.baseUrl, server.tenant);
    },
    async stop() {
      await server.rails.close?.();
      try {
        await server.stop();
      } finally {
        await bank.stop();
        rmSync(folder, { recursive: true });
      }
    },
  };
}
