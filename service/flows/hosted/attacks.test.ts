import { serviceActor } from '@tenant-payments/engine/actor.ts';
import { unavailable } from '@tenant-payments/engine/fail.ts';
import { expect, test, vi } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { application, code } from '../../../test/kit/pages/applicant.ts';
import { openHostedPages, pin, refusalLine } from '../../../test/kit/pages/hosted.ts';
import { newPasskey } from '../../../test/kit/pages/passkey.ts';
import { openServer } from '../../../test/kit/server.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  requestMore,
} from '../../resources/customers/moves.ts';
import { openPinUse } from './pin/pin.ts';
import { confirmByPin } from './pin/uses.ts';

/** Abuse of an open page by another person, or by a malicious customer. */

const logged: string[] = [];
const server = await openServer({ manual: true, onLog: (line) => void logged.push(line) });
const { api, sent } = server;
const collect = vi.spyOn(server.rails.identity, 'collect');
const pages = openHostedPages(server);

async function newcomersPage(type: 'individual' | 'business') {
  const { onboarding_session } = await api.customer(type);
  return pages.page(onboarding_session.token);
}

test('a second onboarding changes neither the PIN nor the number of an account', async () => {
  const ana = await api.banked('individual');
  await pages.givePins();
  const id = uuid('customer', ana.customerId);
  await server.engine.run(holdCustomerForReview, { id });
  await server.engine.run(requestMore, { id });
  const page = await pages.flow('onboarding', ana.customerId);
  expect(refusalLine(await page.ask('/code', { mobile_number: '+12125559999' }))).toBe(
    'parameter_invalid contact_change',
  );
  expect((await page.ask('/code')).status).toBe(200);
  expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
  expect(refusalLine(await page.ask('/onboarding', { ...application, pin: '738162' }))).toBe(
    'parameter_invalid already_set',
  );
  const { body } = await page.ask('/onboarding', application);
  expect([body.status, body.may_add_passkey]).toEqual(['completed', false]);
  expect(refusalLine(await page.ask('/passkeys/options'))).toBe('invalid_state pin_required');
  await server.engine.run(approveCustomer, { id });
  const load = await pages.load(ana);
  expect((await load.ask('/confirm/pin', { pin: '738162' })).body.verdict).toBe('wrong');
  expect((await load.ask('/confirm/pin', { pin })).body.verdict).toBe('right');
});

test('the identity provider receives no data before a code was proven', async () => {
  const page = await newcomersPage('individual');
  collect.mockClear();
  for (const more of [{}, { pin: null }, { person: null }]) {
    const reply = await page.ask('/onboarding', { ...application, pin, ...more });
    expect(refusalLine(reply)).toBe('invalid_state code_required');
  }
  expect(collect).not.toHaveBeenCalled();
  await page.ask('/code');
  await page.ask('/code/check', { code });
  expect((await page.ask('/onboarding', { ...application, pin })).status).toBe(200);
  expect(collect).toHaveBeenCalledTimes(1);
});

test('a business sends at most thirty owner links in an hour, to all owners together', async () => {
  const page = await newcomersPage('business');
  sent.length = 0;
  const owner = { name: 'Cy Reyes', role: 'owner', ownership_percent: 5 };
  for (let index = 0; index < 29; index += 1) {
    const reply = await page.ask('/owners', { owner, email: `cy${index}@example.com` });
    expect(reply.status).toBe(200);
  }
  const [first] = (await page.look()).onboarding.owners;
  const again = () => page.ask(`/owners/${first.id}/invite`, { email: 'dee@example.com' });
  expect((await again()).status).toBe(200);
  expect(refusalLine(await again())).toBe('rate_limited');
  expect(refusalLine(await page.ask('/owners', { owner, email: 'cy@example.com' }))).toBe(
    'rate_limited',
  );
  expect(sent).toHaveLength(30);
  const other = await newcomersPage('business');
  expect((await other.ask('/owners', { owner, email: 'cy@example.com' })).status).toBe(200);
});

test('a customer is sent at most twenty codes in an hour, over all sessions', async () => {
  const ana = await api.banked('individual');
  const page = () => pages.flow('contact_change', ana.customerId);
  sent.length = 0;
  for (let session = 0; session < 4; session += 1) {
    const { ask } = await page();
    for (let index = 0; index < 5; index += 1)
      expect((await ask('/code', { mobile_number: '+12125559999' })).status).toBe(200);
  }
  const { ask } = await page();
  expect(refusalLine(await ask('/code', { email: 'ana@example.com' }))).toBe('rate_limited');
  expect(sent).toHaveLength(20);
});

test('malformed passkey answers are refused and raise no error in the log', async () => {
  const ana = await api.banked('individual');
  await pages.givePins();
  const page = await pages.load(ana);
  await page.ask('/confirm/pin', { pin });
  const made = newPasskey(server.service.config.publicUrl);
  const { options } = (await page.ask('/passkeys/options')).body;
  const answer = made.create(options);
  const transports = ['\u0000', 'internal', ['nfc'], 'x'.repeat(9_000), 'internal', 'hybrid'];
  const credential = { ...answer, response: { ...answer.response, transports } };
  expect((await page.ask('/passkeys', { credential })).status).toBe(200);
  const load = await pages.load(ana);
  const challenge = (await load.ask('/confirm/passkey/options')).body.options;
  expect(challenge.allowCredentials).toEqual([
    expect.objectContaining({ transports: ['hybrid', 'internal'] }),
  ]);
  const odd: readonly unknown[] = [
    { toString: 1 },
    { toString: null, valueOf: null },
    '\u0000',
    [made.id],
    5,
    null,
  ];
  for (const id of odd)
    expect(refusalLine(await load.ask('/confirm/passkey', { credential: { id } }))).toBe(
      'parameter_invalid unknown_credential',
    );
  const right = { credential: made.get(challenge) };
  expect((await load.ask('/confirm/passkey', right)).body.status).toBe('completed');
  const isError = (line: string) => JSON.parse(line).level >= 40 && !line.includes('"security"');
  expect(logged.filter(isError)).toEqual([]);
});

test('a PIN that was not compared, since too many waited, costs no attempt', async () => {
  const ana = await api.banked('individual');
  await pages.givePins();
  const page = await pages.load(ana);
  const { service, tenant } = server;
  const crowded = openPinUse(
    {
      engine: service.engine,
      compare: async () => {
        throw unavailable('too many PINs are being compared');
      },
    },
    confirmByPin,
  );
  const sessionId = uuid('session', page.view.session_id);
  const caller = { tenantId: tenant.tenantId, sessionId, actor: serviceActor };
  for (let index = 0; index < 6; index += 1)
    await expect(crowded(caller, pin)).rejects.toMatchObject({ status: 503 });
  await page.ask('/confirm/pin', { pin: '111222' });
  await expect(crowded(caller, pin)).rejects.toMatchObject({ status: 503 });
  const wrong = await page.ask('/confirm/pin', { pin: '111222' });
  expect(wrong.body).toMatchObject({ verdict: 'wrong', attempts_left: 3 });
  expect((await page.ask('/confirm/pin', { pin })).body.verdict).toBe('right');
});
