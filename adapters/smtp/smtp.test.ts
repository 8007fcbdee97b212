import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeAuthority } from '../../test/kit/http/certificates.ts';
import { startMailServer } from '../../test/kit/messages/mail_server.ts';
import { aMessage } from '../../test/kit/messages/message.ts';
import { openMail } from './index.ts';

/** Against a real SMTP server, whose mails are read as a mail program reads them. */

const authority = makeAuthority();
const user = { name: 'app@pay.example', password: 'p@ss/wörd' };
const certificate = authority.issue({ names: ['localhost'] });
const server = await startMailServer({ certificate, user });
const signIn = `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}`;
const from = 'no-reply@pay.example';
const strict = { ca: authority.cert, isStrict: true };
const address = `smtp://${signIn}@localhost:${server.port}`;
const { mail, check, close } = openMail(address, from, strict);
const call = { signal: new AbortController().signal };
afterAll(async () => {
  close();
  await server.stop();
});
beforeEach(() => {
  server.mails.length = 0;
  server.recipients.length = 0;
  server.answers({});
  server.delay(0);
});

const to = { email: 'ana@example.com' };
const send = (id: string = randomUUID()) => mail.send(aMessage({ id, to }));
const thrown = (sending: Promise<unknown>) =>
  sending.then(
    () => null,
    ({ name, reason, message }) => ({ name, reason, message }),
  );

test('a mail goes over TLS, signed in, with both forms of its words and its own Message-ID', async () => {
  const id = randomUUID();
  expect(await send(id)).toEqual({ providerId: `<${id}@pay.example>` });
  expect(server.tried.at(-1)).toMatch(/ over TLS$/);
  const [got] = server.mails;
  expect(got).toMatchObject({
    messageId: `<${id}@pay.example>`,
    subject: 'Your code for Ñandú',
    from: { value: [{ name: 'Corner Shop', address: from }] },
    to: { value: [{ address: to.email }] },
  });
  expect(got?.text).toContain('    604927\n\nDear ünïcode.');
  expect(got?.html).toContain('604927');
  expect(got?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(got?.headers.has('list-unsubscribe')).toBe(false);
});

test('a mail is never sent in clear to another machine', async () => {
  const plain = await startMailServer();
  const other = openMail(`smtp://localhost:${plain.port}`, from, strict);
  const failure = await thrown(other.mail.send(aMessage({ id: randomUUID(), to })));
  expect(failure?.name).toBe('Error');
  expect(plain.mails).toEqual([]);
  other.close();
  await plain.stop();
});

test('a certificate that nobody vouches for is refused', async () => {
  const other = openMail(address, from, { isStrict: true });
  const failure = await thrown(other.mail.send(aMessage({ id: randomUUID(), to })));
  expect([failure?.name, server.mails.length]).toEqual(['Error', 0]);
  other.close();
});

test.each([
  ['recipient', '550 5.1.1 <ana@example.com> nobody', { reason: 'bounced', message: '550 5.1.1' }],
  ['text', '554 5.7.1 spam of ana@example.com', { reason: 'undeliverable', message: '554 5.7.1' }],
] as const)(
  'what is refused for ever at the %s is a bounce, without its words',
  async (step, answer, told) => {
    server.answers({ [step]: answer });
    expect(await thrown(send())).toEqual({ name: 'Refused', ...told });
  },
);

test.each([
  ['recipient', '450 4.2.0 <ana@example.com> greylisted'],
  ['text', '451 4.3.0 later, ana@example.com'],
  ['sender', '550 5.7.1 we do not know ana@example.com'],
] as const)(
  'what is put off, or is no matter of the recipient, at the %s is tried again',
  async (step, answer) => {
    server.answers({ [step]: answer });
    const failure = await thrown(send());
    expect(failure).toMatchObject({
      name: 'Error',
      message: expect.stringContaining(answer.slice(0, 9)),
    });
    expect(failure?.message).not.toContain('ana');
    server.answers({});
    await send();
    expect(server.mails).toHaveLength(1);
  },
);

test('an address is one recipient, whatever it holds', async () => {
  for (const email of [
    'ana@example.com, eve@evil.example',
    'ana@example.com>\r\nRCPT TO:<eve@evil.example',
  ])
    await thrown(mail.send(aMessage({ id: randomUUID(), to: { email } })));
  expect(server.recipients.filter((one) => one.startsWith('eve'))).toEqual([]);
});

test('a wrong password is a fault of the settings, and no bounce', async () => {
  const wrong = address.replace(signIn, 'app:wrong');
  const other = openMail(wrong, from, strict);
  const failure = await thrown(other.mail.send(aMessage({ id: randomUUID(), to })));
  expect(failure).toMatchObject({ name: 'Error', message: expect.stringContaining('535') });
  const [line] = await other.check(call);
  expect(line).toMatchObject({ ok: false, advice: expect.stringContaining('535') });
  expect(JSON.stringify(line)).not.toContain('wrong');
  other.close();
});

test('a server that is down fails the check and the mail, and is used again once it is up', async () => {
  const gone = await startMailServer();
  const { port } = gone;
  await gone.stop();
  const other = openMail(`smtp://127.0.0.1:${port}`, from);
  const failure = await thrown(other.mail.send(aMessage({ id: randomUUID(), to })));
  expect(failure).toMatchObject({
    name: 'Error',
    message: expect.stringContaining('cannot be reached'),
  });
  expect(await other.check(call)).toMatchObject([{ ok: false }]);
  other.close();
});

test('a server that is slow, or says nothing, is no refusal, and holds nothing up', async () => {
  server.delay(2_000);
  const other = openMail(address, from, { ...strict, timeoutMs: 200 });
  const failure = await thrown(other.mail.send(aMessage({ id: randomUUID(), to })));
  expect(failure).toMatchObject({
    name: 'Error',
    message: expect.stringContaining('cannot be reached'),
  });
  other.close();
});

test('a mail goes once, however often it is sent again after it went', async () => {
  const id = randomUUID();
  expect(await send(id)).toEqual(await send(id));
  expect(server.mails).toHaveLength(1);
});

test('many mails at once all go, over few connections', async () => {
  const ids = Array.from({ length: 30 }, () => randomUUID());
  await Promise.all(ids.map((id) => send(id)));
  const got = server.mails.map(({ messageId }) => messageId);
  expect(got.sort()).toEqual(ids.map((id) => `<${id}@pay.example>`).sort());
  expect(server.most()).toBeLessThanOrEqual(5);
});

test('the check signs in and sends nothing', async () => {
  expect(await check(call)).toEqual([
    { ok: true, what: `reaches localhost:${server.port} and is signed in`, advice: null },
  ]);
  expect(server.mails).toEqual([]);
});
