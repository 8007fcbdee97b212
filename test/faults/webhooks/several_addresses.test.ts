import { afterEach, expect, test, vi } from 'vitest';
import { openSender, type Sender } from '../../../service/webhooks/send/send.ts';
import { makeAuthority } from '../../kit/http/certificates.ts';
import { until } from '../../kit/wait.ts';
import { type DeafAddress, startDeafAddress } from './receivers/deaf_address.ts';
import {
  type Behaviour,
  type RawReceiver,
  type RawReceiverOptions,
  startRawReceiver,
} from './receivers/raw_receiver.ts';

/** `localhost` is 127.0.0.1 and ::1, in this order: a host with two addresses (rules/webhooks#28). */
const authority = makeAuthority();
const accept: Behaviour = (socket) =>
  void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const contractMs = 10_000;
vi.setConfig({ testTimeout: 30_000 });

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

function sender(timeoutMs = contractMs): Sender {
  const options = { environment: 'sandbox', maximumBytes: 100, ca: authority.cert } as const;
  const opened = openSender({ ...options, timeoutMs });
  ends.push(() => opened.close());
  return opened;
}

/** A receiver at ::1, and beside it 127.0.0.1 with the same port, which accepts nothing yet. */
async function deafBesideLive(
  options: RawReceiverOptions = {},
): Promise<{ live: RawReceiver; deaf: DeafAddress }> {
  for (;;) {
    const live = await startRawReceiver(accept, { ...options, host: '::1' });
    const deaf = await startDeafAddress('127.0.0.1', live.port);
    ends.push(live.close);
    if (deaf === null) continue;
    ends.push(deaf.close);
    return { live, deaf };
  }
}

/** 127.0.0.1 that accepts nothing yet; ::1 refuses. */
async function deafBesideDead(): Promise<{ url: string; deaf: DeafAddress }> {
  const { live, deaf } = await deafBesideLive();
  await live.close();
  return { url: `http://localhost:${live.port}/hooks`, deaf };
}

test('an address that refuses is passed over at once', async () => {
  const { live, deaf } = await deafBesideLive();
  await deaf.close();
  const answer = await sender().send(`http://localhost:${live.port}/`, {}, '{}');
  expect(answer).toMatchObject({ status: 200, error: null });
});

test.each(['http', 'https'])(
  'an address that never accepts does not keep %s from the next',
  async (scheme) => {
    const tls = scheme === 'https' ? { tls: authority.issue({ names: ['localhost'] }) } : {};
    const { live } = await deafBesideLive(tls);
    const { send } = sender();
    for (let count = 0; count < 2; count += 1) {
      const answer = await send(`${scheme}://localhost:${live.port}/`, {}, '{}');
      expect(answer).toMatchObject({ status: 200, error: null });
    }
    expect([live.connections(), live.requests.length]).toEqual([1, 2]);
  },
);

test('a slow address has the whole attempt to accept, though the next one refuses', async () => {
  const { url, deaf } = await deafBesideDead();
  const answer = sender().send(url, {}, '{}');
  // Longer than a connection may take where the first to be slow is given up.
  setTimeout(deaf.accept, 600);
  expect(await answer).toMatchObject({ status: 200, error: null });
});

test('where no address accepts, the attempt ends at its limit and leaves no connection behind', async () => {
  const { url } = await deafBesideDead();
  const connecting = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPConnectWrap').length;
  const { status, error, durationMs } = await sender(700).send(url, {}, '{}');
  expect([status, error]).toEqual([null, 'timeout']);
  expect(durationMs).toBeGreaterThanOrEqual(690);
  await until(() => connecting() === 0);
});

test('where all addresses refuse, the first refusal is the reason', async () => {
  const { url, deaf } = await deafBesideDead();
  await deaf.close();
  expect(await sender().send(url, {}, '{}')).toMatchObject({ error: 'connection_refused' });
});
