import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { answers, endless } from './receivers/answers.ts';
import { makeAuthority, selfSigned } from './receivers/certificates.ts';
import {
  type RawReceiver,
  type RawReceiverOptions,
  startRawReceiver,
} from './receivers/raw_receiver.ts';

/** An answer that takes longer than this is none; the usual limit is ten seconds. */
const timeoutMs = 3_000;
const isAccepted = (status: number | null) => status !== null && status >= 200 && status <= 299;

interface Case {
  readonly name: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly body?: string;
  readonly behave: (typeof answers)[number]['behave'];
  readonly options?: RawReceiverOptions;
  /** How the address begins; absent: as the receiver speaks. */
  readonly scheme?: string;
  /** Requests that come to the receiver. */
  readonly requests?: number;
}

const authority = makeAuthority();
const accept = (socket: { write(text: string): unknown }) =>
  void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const mine = authority.issue({ names: ['127.0.0.1'] });
const neverAsked = { behave: accept, status: null, requests: 0 };

const tls: readonly Case[] = [
  {
    ...neverAsked,
    name: 'a certificate that vouches for itself',
    options: { tls: selfSigned(['127.0.0.1']) },
    error: 'certificate_not_trusted',
  },
  {
    ...neverAsked,
    name: 'a certificate of an unknown authority',
    options: { tls: mine },
    error: 'certificate_not_trusted',
  },
  {
    ...neverAsked,
    name: 'TLS 1.0 alone',
    options: {
      tls: { ...mine, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    },
    error: 'tls_failed',
  },
  {
    ...neverAsked,
    name: 'a handshake that hangs',
    scheme: 'https:',
    error: 'timeout',
  },
  {
    ...neverAsked,
    name: 'plain http on the port of https',
    scheme: 'https:',
    options: { onConnection: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
    error: 'tls_failed',
  },
  {
    ...neverAsked,
    name: 'a connection that is reset at once',
    options: { onConnection: (socket) => void socket.resetAndDestroy() },
    error: 'connection_reset',
  },
];

const cases: readonly Case[] = [...answers, ...tls, ...endless];

let deliveries: Deliveries;
const receivers: RawReceiver[] = [];
/** What became of each case, by its name. */
const became = new Map<
  string,
  { delivery: ReplyBody; attempts: ReplyBody[]; asked: RawReceiver }
>();

async function runCase({ name, behave, options, scheme }: Case): Promise<void> {
  const receiver = await startRawReceiver(behave, options);
  receivers.push(receiver);
  const url = scheme ? receiver.url.replace('http:', scheme) : receiver.url;
  const subscriber = await deliveries.subscriber(url);
  const id = await subscriber.makeEvent();
  const delivery = await subscriber.until(id, { attempts: 1 });
  became.set(name, { delivery, attempts: await subscriber.attempts(id), asked: receiver });
}

beforeAll(async () => {
  deliveries = await openDeliveries();
  deliveries.dispatch({ timeoutMs });
  await Promise.all([...answers, ...tls].map(runCase));
  // One after the other, or the time of each goes by while the others are read.
  for (const one of endless) await runCase(one);
  // Whatever would come a second time has the time to.
  await sleep(200);
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await deliveries.stop();
});

function outcomeOf(name: string) {
  const found = became.get(name);
  if (!found) throw new Error(`${name} was not run`);
  return found;
}

test('no two cases have one name', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

describe.each(cases)('$name', ({ name, status, error, body, requests = 1 }) => {
  test('counts as what it is', () => {
    const { delivery } = outcomeOf(name);
    expect(delivery).toMatchObject({
      status: isAccepted(status) ? 'delivered' : 'retrying',
      attempts: 1,
      last_response_status: status,
    });
    if (isAccepted(status)) expect(delivery.next_attempt_at).toBeNull();
    else
      expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)).toBe(
        60_000,
      );
  });

  test('is recorded as it was', () => {
    const [attempt, ...more] = outcomeOf(name).attempts;
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ number: 1, response_status: status, error });
    if (status === null)
      expect([attempt.response_headers, attempt.response_body]).toEqual([null, null]);
    else expect(attempt.response_headers).toEqual(expect.any(Object));
    if (body !== undefined) expect(attempt.response_body).toBe(body);
    expect(Buffer.byteLength(attempt.response_body ?? '')).toBeLessThan(4 * 65_536);
    // Generous: the machine may be slow, a limit that is not kept takes for ever.
    expect(attempt.duration_ms).toBeLessThan(timeoutMs + 10_000);
    if (error === 'timeout') expect(attempt.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 5);
  });

  test('is asked once, on one connection', () => {
    const { asked } = outcomeOf(name);
    expect(asked.requests).toHaveLength(requests);
    expect(asked.connections()).toBe(1);
  });
});

test('headers are kept whatever they are called', () => {
  const [attempt] = outcomeOf('headers called like what objects inherit').attempts;
  const headers = new Map(Object.entries(attempt.response_headers));
  expect([headers.get('constructor'), headers.get('hasownproperty')]).toEqual(['y', 'z']);
});
