import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { startMailServer } from '../../test/kit/messages/mail_server.ts';
import { aMessage } from '../../test/kit/messages/message.ts';
import { openMail } from './index.ts';

/** A server may take ten minutes to answer a text (RFC 5321, 4.5.3.2.6); it has the mail all the while. */

const server = await startMailServer();
const from = 'no-reply@pay.example';
const address = `smtp://127.0.0.1:${server.port}`;
const to = { email: 'ana@example.com' };
afterAll(() => server.stop());

const failureOf = (sending: Promise<unknown>): Promise<string | null> =>
  sending.then(
    () => null,
    ({ message }) => message,
  );

/** Mails of the server of one id. */
const mailsOf = (id: string) =>
  server.mails.filter(({ messageId }) => messageId === `<${id}@pay.example>`);

/** Waits until so many more texts have come. */
async function textsCome(before: number, count: number): Promise<void> {
  await vi.waitFor(() => expect(server.texts() - before).toBe(count), { timeout: 10_000 });
}

test('a mail goes once, though its server answers the text later than it must answer a command', async () => {
  const { mail, close } = openMail(address, from, { timeoutMs: 1_500, beforeTextMs: 1_500 });
  const [id, before, release] = [randomUUID(), server.texts(), server.hold()];
  const going = mail.send(aMessage({ id, to }));
  await textsCome(before, 1);
  await sleep(2_000);
  release();
  expect(await going).toEqual({ providerId: `<${id}@pay.example>` });
  expect(mailsOf(id)).toHaveLength(1);
  close();
});

test('a mail that went while nobody waited any more does not go again', async () => {
  const { mail, close } = openMail(address, from);
  const [id, before, release] = [randomUUID(), server.texts(), server.hold()];
  const caller = new AbortController();
  const first = mail.send(aMessage({ id, to }), { signal: caller.signal });
  await textsCome(before, 1);
  caller.abort();
  // Its job begins anew, before the server has answered and after.
  const second = mail.send(aMessage({ id, to }));
  await sleep(200);
  release();
  await second;
  await mail.send(aMessage({ id, to }));
  await first;
  expect([server.texts() - before, mailsOf(id).length]).toEqual([1, 1]);
  close();
});

test('a mail that failed while nobody waited any more is sent anew', async () => {
  const { mail, close } = openMail(address, from);
  const [id, before, release] = [randomUUID(), server.texts(), server.hold()];
  server.answers({ text: '451 4.3.0 later' });
  const both = [1, 2].map(() => failureOf(mail.send(aMessage({ id, to }))));
  await textsCome(before, 1);
  release();
  expect(await Promise.all(both)).toEqual([
    expect.stringContaining('451 4.3.0'),
    expect.stringContaining('451 4.3.0'),
  ]);
  server.answers({});
  await mail.send(aMessage({ id, to }));
  expect(mailsOf(id)).toHaveLength(1);
  close();
});

test('a mail that finds each connection held is not taken, and does not go later', async () => {
  const { mail, close } = openMail(address, from, { beforeTextMs: 2_000 });
  const [before, release] = [server.texts(), server.hold()];
  const held = Array.from({ length: 5 }, () => mail.send(aMessage({ id: randomUUID(), to })));
  await textsCome(before, 5);
  const id = randomUUID();
  expect(await failureOf(mail.send(aMessage({ id, to })))).toContain('cannot be reached');
  release();
  await Promise.all(held);
  expect(mailsOf(id)).toEqual([]);
  await mail.send(aMessage({ id, to }));
  expect(mailsOf(id)).toHaveLength(1);
  close();
});

test('the end of a process waits for no answer to a text', async () => {
  const { mail, close } = openMail(address, from);
  const [before, release] = [server.texts(), server.hold()];
  const failing = failureOf(mail.send(aMessage({ id: randomUUID(), to })));
  await textsCome(before, 1);
  close();
  expect(await failing).toContain('cannot be reached');
  release();
});

test('a mail that another process sends again has the same Message-ID, by which receivers drop it', async () => {
  const id = randomUUID();
  for (const _process of [1, 2]) {
    const { mail, close } = openMail(address, from);
    await mail.send(aMessage({ id, to }));
    close();
  }
  expect(mailsOf(id)).toHaveLength(2);
});

test('the check of a server that greets and then says nothing ends', async () => {
  const silent = createServer((socket) => socket.write('220 silent\r\n'));
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const at = silent.address();
  const port = typeof at === 'object' && at ? at.port : 0;
  const { check, close } = openMail(`smtp://127.0.0.1:${port}`, from, { timeoutMs: 200 });
  expect(await check({ signal: new AbortController().signal })).toMatchObject([{ ok: false }]);
  close();
  silent.close();
});
