import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { railsDeadlinesOf } from '../../../service/config/rails_deadlines.ts';
import { openEngine } from '../../kit/engine.ts';
import { uuid } from '../../kit/ids.ts';
import { startMailServer } from '../../kit/messages/mail_server.ts';
import { account, startTwilio } from '../../kit/messages/twilio/twilio.ts';
import { PlaidRefusal } from '../../kit/plaid/refusal.ts';
import { openPlaid } from '../../kit/plaid/service.ts';
import { shareInLink } from '../../kit/plaid/state.ts';
import { until } from '../../kit/wait.ts';

/**
 * A whole service with mail, text messages and linking by their real protocols, while the providers do what providers do:
 * nothing is lost, nothing is done twice, and an alarm says what to do. Signatures, order and repetition of what Twilio and
 * Plaid send are tested beside their adapters.
 */

const user = { name: 'app', password: 'as it was' };
const mail = await startMailServer({ user });
const twilio = await startTwilio();
const lines: string[] = [];
let aheadMs = 0;
const plaid = await openPlaid(
  {
    config: { railsDeadlines: railsDeadlinesOf('3', []) },
    realNow: () => Date.now() + aheadMs,
    onLog: (line) => void lines.push(line),
  },
  {
    MAIL: `smtp://app:${encodeURIComponent(user.password)}@127.0.0.1:${mail.port}`,
    MAIL_FROM: 'no-reply@pay.example.com',
    SMS: 'twilio',
    TWILIO_ACCOUNT_SID: account.sid,
    TWILIO_AUTH_TOKEN: account.token,
    TWILIO_MESSAGING_SERVICE_SID: account.service,
    TWILIO_API_URL: twilio.origin,
  },
);
const { counterpart, server } = plaid;

function mend(): void {
  mail.answers({});
  mail.delay(0);
  mail.rotate(user.password);
  mail.down(false);
  twilio.answer(null);
  twilio.rotate(account.token);
  const fine = { isDown: false, delayMs: 0, latePath: undefined, refuse: undefined };
  Object.assign(counterpart.misbehaviour, fine);
}
afterEach(() => {
  mend();
  expect([...twilio.faults, ...counterpart.faults]).toEqual([]);
});
afterAll(async () => {
  await Promise.all([mail.stop(), twilio.stop(), counterpart.close()]);
});

type Tenant = Awaited<ReturnType<typeof server.anotherTenant>>;

/** Something that a provider is asked for, which must come about once. */
interface Subject {
  /** Asks for it, and gives how often it has come about. */
  ask(tenant: Tenant): Promise<() => Promise<number>>;
  readonly faults: Readonly<Record<string, () => void>>;
}

/** A customer who is told of something by mail and by text message. */
async function told(tenant: Tenant) {
  const api = server.apiOf(tenant);
  const { customerId } = await api.approved('individual');
  await api.simulate('customer.pin_locked', customerId);
}

const newTenant = () =>
  server.anotherTenant({ settings: { link_redirect_uris: [plaid.redirect] } });

/** A customer who has shared an account in Link. @returns what links it */
async function shared(tenant: Tenant) {
  const api = server.apiOf(tenant);
  const { customerId } = await api.approved('individual');
  const asked = { platform: 'web', redirect_uri: plaid.redirect };
  const { link_token } = await api.post(`/v1/customers/${customerId}/link-tokens`, asked);
  const { publicToken: public_token } = shareInLink(counterpart.state, link_token);
  return () =>
    api.call('POST', `/v1/customers/${customerId}/linked-accounts`, {
      key: randomUUID(),
      body: { public_token },
    });
}
const refusing = (code: string, status: number) => () => {
  counterpart.misbehaviour.refuse = () => new PlaidRefusal(code, 'API_ERROR', status);
};

const subjects: Readonly<Record<string, Subject>> = {
  'the server of mail': {
    async ask(tenant) {
      mail.mails.length = 0;
      await told(tenant);
      // A statement may come as well.
      return async () => mail.mails.filter(({ subject }) => subject?.includes('PIN')).length;
    },
    faults: {
      'is down': () => mail.down(true),
      'is slow': () => mail.delay(9_000),
      'has had too many': () => mail.answers({ sender: '451 4.7.1 too many, come later' }),
      'does not know a replaced password': () => mail.rotate('replaced'),
    },
  },
  Twilio: {
    async ask(tenant) {
      twilio.messages.length = 0;
      await told(tenant);
      return async () => twilio.messages.length;
    },
    faults: {
      'is down': () => twilio.answer('down'),
      'is slow': () => twilio.answer('hang'),
      'has had too many': () => twilio.refuse(429, 20_429),
      'does not know a replaced token': () => twilio.rotate('d4'.repeat(16)),
    },
  },
  Plaid: {
    async ask(tenant) {
      const link = await shared(tenant);
      const { id } = await until(async () => {
        const { status, body } = await link();
        return status === 201 && body;
      });
      const { events } = openEngine(server.service, tenant.tenantId);
      return async () => {
        const all = await events(uuid('linked_account', id));
        return all.filter((event) => event === 'linked_account.verified').length;
      };
    },
    faults: {
      'is down': () => Object.assign(counterpart.misbehaviour, { isDown: true }),
      'is slow': () => Object.assign(counterpart.misbehaviour, { delayMs: 5_000 }),
      'has had too many': refusing('RATE_LIMIT', 429),
      'does not know a replaced secret': refusing('INVALID_API_KEYS', 400),
    },
  },
};
const cases = Object.entries(subjects).flatMap(([who, { faults }]) =>
  Object.keys(faults).map((fault) => [who, fault] as const),
);

test.each(cases)(
  '%s %s for an hour: what waits comes about once, and an alarm says what to do',
  async (who, fault) => {
    const subject = subjects[who];
    if (!subject) throw new Error('it is one of them');
    const tenant = await newTenant();
    const later = async (seconds: number) => {
      aheadMs += seconds * 1_000;
      await server.runJobs(tenant.tenantId);
    };
    lines.length = 0;
    // A simulated answer runs at once, and a link is made before its check fails.
    const isFirst = who !== 'Plaid';
    if (isFirst) subject.faults[fault]?.();
    const count = await subject.ask(tenant);
    if (!isFirst) subject.faults[fault]?.();
    for (let minutes = 0; minutes < 60; minutes += 10) await later(600);
    expect(await count()).toBe(0);
    const alarms = lines.filter((line) => /"alarm":"(rails|job)"/.test(line)).join();
    expect(alarms).toMatch(/"runbook":"\/docs\/guide\/operating\/alarms#(rails|job)"/);
    mend();
    await until(async () => {
      await later(10);
      return (await count()) > 0;
    });
    await later(24 * 3_600);
    expect(await count()).toBe(1);
  },
  120_000,
);

test('a public token that Plaid exchanges late is not lost: it is exchanged once, and then linked', async () => {
  const link = await shared(await newTenant());
  const path = '/item/public_token/exchange';
  const before = counterpart.calls(path).length;
  Object.assign(counterpart.misbehaviour, { delayMs: 5_000, latePath: path });
  expect((await link()).status).toBe(503);
  await until(async () => (await link()).status === 201);
  expect(counterpart.calls(path).length).toBe(before + 1);
});
