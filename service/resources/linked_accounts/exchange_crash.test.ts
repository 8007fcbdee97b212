import { fingerprintOf, keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import type { AskContext } from '@tenant-payments/engine/command.ts';
import { expect, test } from 'vitest';
import { openOneTimeTokens } from '../../../test/kit/one_time_tokens.ts';
import { openServer } from '../../../test/kit/server.ts';
import { createLinkedAccount } from './create.ts';

const server = await openServer({ manual: true, onLog: () => {} });
const { api, engine, service, rails } = server;
const { aggregator, newToken, exchanges } = openOneTimeTokens(service.vault);
Object.assign(rails.aggregator, aggregator);

const command = createLinkedAccount(aggregator, service.vault);
const pathOf = (id: string) => `/v1/customers/${id}/linked-accounts`;

interface Request {
  readonly id: string;
  readonly public_token: string;
}

/** Sends the request under a key, in a process that comes no further than the end of `ask`. */
async function killedAfter(
  { id, public_token }: Request,
  key: string,
  ask: (context: AskContext) => Promise<unknown>,
) {
  const killed = {
    ...command,
    ask: async (_input: Request, context: AskContext): Promise<string> => {
      await ask(context);
      throw new Error('killed');
    },
  };
  const idempotency = {
    keyHash: keyHashOf(key),
    fingerprint: fingerprintOf('POST', pathOf(id), { public_token }),
  };
  const { tenantId } = engine;
  const submission = { tenantId, input: { id, public_token }, idempotency };
  await expect(service.engine.submit(killed, submission)).rejects.toThrow('killed');
}

const retry = ({ id, public_token }: Request, key: string) =>
  server.call('POST', pathOf(id), { key, body: { public_token } });

async function newRequest(): Promise<Request> {
  const { customerId } = await api.approved('individual');
  return { id: customerId, public_token: newToken() };
}

test('a crash between exchange and commit leaves an answer, which the retry uses', async () => {
  const request = await newRequest();
  await killedAfter(request, 'kept', (context) => command.ask?.(request, context) ?? never());
  expect((await server.call('GET', pathOf(request.id))).body.data).toEqual([]);
  expect((await retry(request, 'kept')).status).toBe(201);
  expect(exchanges(request.public_token)).toBe(1);
});

test('a crash before the question is asked leaves a claim that ends after five seconds', async () => {
  const request = await newRequest();
  await killedAfter(request, 'unasked', async () => {});
  const waiting = retry(request, 'unasked');
  await engine.moveClock(6);
  expect((await waiting).status).toBe(201);
  expect(exchanges(request.public_token)).toBe(1);
});

test('an answer that a crash lost is a mismatch, and a new token links under the same key', async () => {
  const request = await newRequest();
  const { id: customerId, public_token: publicToken } = request;
  await killedAfter(request, 'lost', ({ tenantId }) =>
    aggregator.exchange({ tenantId, customerId, publicToken }),
  );
  await engine.moveClock(6);
  expect((await retry(request, 'lost')).body.error).toMatchObject({
    code: 'link_token_mismatch',
    details: { reason: 'unknown_token' },
  });
  expect((await retry({ ...request, public_token: newToken() }, 'lost')).status).toBe(201);
});

test("a bank's name that nobody can read is not shown, and the link is made all the same", async () => {
  const { exchange } = rails.aggregator;
  for (const [named, shown] of [
    ['First\u0000Bank', 'unknown'],
    ['First \ud83d', 'unknown'],
    ['knaB \u202etsriF', 'unknown'],
    ['Cafe\u0301 Bank', 'Café Bank'],
    ['B'.repeat(300), 'B'.repeat(100)],
  ] as const) {
    const request = await newRequest();
    rails.aggregator.exchange = async (asked) => {
      const { accounts, mismatch } = await exchange(asked);
      if (accounts === null) return { accounts, mismatch };
      const [account] = accounts;
      return {
        accounts: [{ ...account, institutionName: named, accountMask: `${named}`.slice(0, 20) }],
        mismatch: null,
      };
    };
    const { status, body } = await retry(request, `named-${named.length}-${shown.length}`);
    expect([status, body.institution_name]).toEqual([201, shown]);
  }
  rails.aggregator.exchange = exchange;
});

test('a provider that fails gives the claim up at once, and the next call asks again', async () => {
  const request = await newRequest();
  const { exchange } = rails.aggregator;
  rails.aggregator.exchange = () => Promise.reject(new Error('the provider is away'));
  expect((await retry(request, 'away')).status).toBe(500);
  rails.aggregator.exchange = exchange;
  expect((await retry(request, 'away')).status).toBe(201);
});

function never(): never {
  throw new Error('the command asks nothing');
}
