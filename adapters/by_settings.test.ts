import { afterAll, expect, test } from 'vitest';
import type { ChosenAdapter } from '../service/rails/adapter.ts';
import { startMailServer } from '../test/kit/messages/mail_server.ts';
import { account, startTwilio } from '../test/kit/messages/twilio/twilio.ts';
import { openHostedPages } from '../test/kit/pages/hosted.ts';
import { openServer } from '../test/kit/server.ts';
import { until } from '../test/kit/wait.ts';

/** A whole service whose settings choose mail and text messages: what it tells a customer arrives, and comes back. */

const mailServer = await startMailServer();
const twilio = await startTwilio();
const MAIL = `smtp://127.0.0.1:${mailServer.port}`;
const adapters: readonly ChosenAdapter[] = [
  { name: 'smtp', ports: ['mail'], values: { MAIL, MAIL_FROM: 'no-reply@pay.example' } },
  {
    name: 'twilio',
    ports: ['sms'],
    values: {
      SMS: 'twilio',
      TWILIO_ACCOUNT_SID: account.sid,
      TWILIO_AUTH_TOKEN: account.token,
      TWILIO_MESSAGING_SERVICE_SID: account.service,
      TWILIO_API_URL: twilio.origin,
    },
  },
];
const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  onLog: (line) => lines.push(line),
  config: (port) => ({ publicUrl: `http://127.0.0.1:${port}`, adapters }),
});
const { api } = server;
const pages = openHostedPages(server);
afterAll(async () => {
  await mailServer.stop();
  await twilio.stop();
});

interface Shown {
  readonly channel: string;
  readonly state: string;
  readonly reason: string | null;
}
const listed = async (of: string): Promise<Shown[]> =>
  (await api.get(`/portal/api/customers/${of}/messages`)).data;

test('a change is told by mail and text message, and the report of Twilio shows as delivered', async () => {
  const ana = await api.banked('individual');
  await api.simulate('customer.pin_locked', ana.customerId);
  await server.runJobs();
  const mail = await until(() => mailServer.mails[0]);
  expect(mail.subject).toBe('Your PIN is locked / Su PIN está bloqueado');
  const sms = await until(() => twilio.messages[0]);
  expect(sms.body).toContain('After five wrong tries');
  const { url, headers, body } = twilio.report(sms, 'delivered');
  for (const _ of [1, 2])
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  const states = (await listed(ana.customerId)).map(({ channel, state }) => `${channel} ${state}`);
  expect(states.sort()).toEqual(['email sent', 'mobile delivered']);
});

test('a forged report is refused, and moves nothing', async () => {
  const [sms] = twilio.messages;
  if (!sms) throw new Error('one was sent');
  const { url, headers, body } = twilio.report(sms, 'undelivered', 30_003);
  const forged = { ...headers, 'x-twilio-signature': 'bm8=' };
  const refused = await fetch(url, { method: 'POST', headers: forged, body });
  expect(refused.status).toBe(401);
});

test('a code goes out once where its provider is down, and a number that has sent STOP is told on the page', async () => {
  const ana = await api.banked('individual');
  const page = await pages.flow('pin_reset', ana.customerId);
  twilio.messages.length = 0;
  twilio.refuse(503, 20_503);
  expect((await page.ask('/code', {})).status).toBe(503);
  twilio.refuse(400, 21_610);
  expect((await page.ask('/code', {})).body.error.details.reason).toBe('message_opted_out');
  twilio.answer(null);
  expect((await page.ask('/code', {})).status).toBe(200);
  expect(twilio.messages).toHaveLength(1);
  const codes = (await listed(ana.customerId)).map(({ state, reason }) => [state, reason]);
  expect(codes).toEqual([
    ['sent', null],
    ['opted_out', '21610'],
    ['undeliverable', 'not_taken'],
  ]);
});

test('no secret, code, address or number is in the log', async () => {
  const log = lines.join('\n');
  expect(log).toContain('provider_threw');
  for (const secret of [account.token, '000000 is your code', 'someone@example.com', '+1202'])
    expect(log).not.toContain(secret);
});

test('what its provider could not be given while it was down is given later, once', async () => {
  const ana = await api.banked('individual');
  mailServer.mails.length = 0;
  mailServer.answers({ recipient: '451 4.3.0 later' });
  await api.simulate('customer.pin_locked', ana.customerId);
  await server.runJobs();
  expect(mailServer.mails).toEqual([]);
  mailServer.answers({});
  await api.advance(3_600);
  await until(() => mailServer.mails[0]);
  await api.advance(3_600);
  expect(mailServer.mails).toHaveLength(1);
});
