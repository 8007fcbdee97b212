import { afterAll, beforeEach, expect, test } from 'vitest';
import { refusalLine } from '../../test/kit/pages/hosted.ts';
import { newPasskey } from '../../test/kit/pages/passkey.ts';
import { type Browser, openBrowser, portalPerson, tokenOf } from '../../test/kit/people.ts';
import { openServer, startTestServer } from '../../test/kit/server.ts';
import { sandboxSignInLink } from './sign_in/sandbox_link.ts';
import { addAttempt, takeAttempt } from './single_sign_on/attempt.ts';

/** A secret that is good once is taken once, in whichever of several processes it arrives. */

const server = await openServer({ own: true, workers: false });
const { publicUrl } = server.service.config;
const second = await startTestServer({ beside: server, workers: false, config: { publicUrl } });
afterAll(() => second.stop());
// Every test comes from one address.
beforeEach(() => server.owner.query('delete from control.failed_attempts'));
const { tenantId } = server.tenant;
const { service } = server;
const origin = new URL(service.config.publicUrl).origin;

/** A browser of the same cookie whose requests reach the other process. */
function elsewhere(cookie: string | null): Browser {
  const browser = openBrowser({ call: second.call, service });
  browser.setCookie(cookie);
  return browser;
}

/** Sends the same six times, in turn to both processes. */
async function sixTimes(method: string, path: string, body: object, cookie: string | null = null) {
  const here = () => {
    const browser = openBrowser(server);
    browser.setCookie(cookie);
    return browser;
  };
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, place) =>
      (place % 2 ? here() : elsewhere(cookie)).ask(method, path, body),
    ),
  );
  return replies.map(refusalLine).toSorted();
}

test('of many sign-ins by one answer of a passkey one opens a session', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const { options } = (await openBrowser(server).ask('POST', '/sign-in/begin')).body;
  const lines = await sixTimes('POST', '/sign-in/finish', {
    credential: ruth.passkey.get(options),
  });
  expect(lines.filter((line) => line === '200')).toHaveLength(1);
  expect(
    lines.filter((line) => /^parameter_invalid (challenge|counter|not_verified)$/.test(line)),
  ).toHaveLength(5);
});

test('of many sign-ins by one recovery code one opens a session', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const [recovery_code] = ruth.recoveryCodes;
  const lines = await sixTimes('POST', '/sign-in/recovery', { email: ruth.email, recovery_code });
  expect(lines).toEqual(['200', ...Array(5).fill('parameter_invalid wrong')]);
});

test('of many sign-ins by one link one opens a session', async () => {
  const token = tokenOf(await sandboxSignInLink(service, tenantId));
  const lines = await sixTimes('POST', '/sign-in/link', { token });
  expect(lines).toEqual(['200', ...Array(5).fill('parameter_invalid used_or_expired')]);
});

test('of two passkeys that two processes remove together one stays', async () => {
  const ruth = await portalPerson(server, tenantId, ['reader']);
  const { options } = (await ruth.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(origin).create(options);
  await ruth.ask('POST', '/my-passkeys', { credential, name: 'Key' });
  const { data } = (await ruth.ask('GET', '/my-passkeys')).body;
  const lines = await Promise.all([
    ruth.ask('DELETE', `/my-passkeys/${data[0].id}`),
    elsewhere(ruth.cookie()).ask('DELETE', `/my-passkeys/${data[1].id}`),
  ]);
  expect(lines.map(refusalLine).toSorted()).toEqual(['200', 'invalid_state last_passkey']);
});

test('of many consents of a Tenant that are given together one is', async () => {
  const { tenantId: scope } = await server.anotherTenant();
  const owner = await portalPerson(server, scope, ['owner']);
  const body = { hours: 1, note: 'look' };
  const lines = await sixTimes('POST', '/support-consents', body, owner.cookie());
  expect(lines).toEqual(['201', ...Array(5).fill('invalid_state already_given')]);
});

test('an attempt that comes back from its provider is taken once, and by its browser alone', async () => {
  const about = {
    scope: tenantId,
    purpose: 'sign_in',
    session_id: null,
    return_to: '/portal',
  } as const;
  const { state, browser } = await addAttempt(service, about);
  const given = { scope: tenantId, state, browser };
  const taken = await Promise.allSettled(
    [service, second.service, service, second.service].map((one) => takeAttempt(one, given)),
  );
  expect(taken.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    ...Array(3).fill('rejected'),
  ]);
  const other = await addAttempt(service, about);
  const elsewhere = { scope: tenantId, state: other.state, browser };
  const own = { ...elsewhere, browser: other.browser };
  await expect(takeAttempt(service, elsewhere)).rejects.toMatchObject({
    failure: 'unknown_attempt',
  });
  await expect(takeAttempt(service, own)).rejects.toMatchObject({ failure: 'unknown_attempt' });
});
