import { replaceCredentials } from '../../backoffice/tenants/create.ts';
import { logOperatorEvent } from '../../scripts/operate/operator_event.ts';
import type { SecurityEventName } from '../../service/operations/security_events.ts';
import { maximumResetFailures } from '../../service/resources/customers/credentials/pins.ts';
import type { CallOptions } from '../kit/http/http.ts';
import { identity } from '../kit/pages/applicant.ts';
import { type HostedPage, openHostedPages, pin } from '../kit/pages/hosted.ts';
import { flags, newPasskey } from '../kit/pages/passkey.ts';
import type { Person } from '../kit/person.ts';
import type { TestServer } from '../kit/server.ts';
import { approvalProvocations } from './provocations_approvals.ts';
import { openPeopleProvocations } from './provocations_people.ts';

/** The address of the client, behind a proxy that is trusted. */
export const address = '203.0.113.9';

const proxied = { 'x-forwarded-for': address };

/** Opens what provokes each security event; the compiler asks for every one. */
export async function openProvocations(
  server: TestServer,
): Promise<Readonly<Record<SecurityEventName, () => Promise<unknown>>>> {
  const { api } = server;
  const pages = openHostedPages(server);
  const ana = await api.banked('individual');
  await pages.givePins();

  const call = (method: string, path: string, options: CallOptions = {}) =>
    server.call(method, path, {
      ...options,
      headers: { ...options.headers, ...proxied },
    });
  const portal = async (method: string, path: string, body?: object, key?: string) => {
    const { token } = await server.anotherTenant();
    return call(method, `/portal/api${path}`, { token, body, ...(key ? { key } : {}) });
  };
  const ask = ({ bearer }: HostedPage, path: string, body: object = {}) =>
    call('POST', `/hosted/api${path}`, { token: bearer, body });
  const askForToken = (secret = 'cs_canary') =>
    call('POST', '/oauth/token', {
      token: null,
      body: `grant_type=client_credentials&client_id=${server.tenant.client_id}&client_secret=${secret}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  /** Makes two, and retires the first as whoever made it. */
  async function retired(path: string) {
    const { token } = await server.anotherTenant();
    await server.call('POST', `/portal/api${path}`, { token });
    const { body } = await server.call('GET', `/portal/api${path}`, { token });
    return call('DELETE', `/portal/api${path}/${body.data.at(-1).id}`, { token });
  }

  async function proven(flow: string, contact: object = {}, who = ana): Promise<HostedPage> {
    const page = await pages.flow(flow, who.customerId);
    await page.ask('/code', contact);
    await page.ask('/code/check', { code: '000000' });
    return page;
  }

  const answers = { ...identity, pin: '835162' };

  async function passkeyPage() {
    await pages.givePins();
    const page = await pages.load(ana);
    await page.ask('/confirm/pin', { pin });
    const { options } = (await page.ask('/passkeys/options')).body;
    const made = newPasskey(server.service.config.publicUrl);
    return { page, made, credential: made.create(options) };
  }

  /** A page that has proven the PIN, with the passkey that it added. */
  async function withPasskey() {
    const { page, credential } = await passkeyPage();
    await page.ask('/passkeys', { credential });
    const looking = await pages.flow('contact_change', ana.customerId);
    await looking.ask('/proof/pin', { pin });
    return looking;
  }

  async function closeReset(who: Person) {
    const wrong = { ...answers, ssn_last4: '0000' };
    for (let tries = 0; tries < maximumResetFailures; ) {
      const page = await proven('pin_reset', {}, who);
      for (let ofCode = 0; ofCode < 5; ofCode += 1, tries += 1)
        await ask(page, '/pin-reset', wrong);
    }
  }

  /** Tells an event as the command line does, without doing the act. */
  const atCommandLine = (event: SecurityEventName) => async () =>
    logOperatorEvent(server.service, event, { tenant_id: server.tenant.tenantId });

  const makeKey = () => {
    const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
    const body = { name: 'canary', roles: ['reader'], expires_at };
    return call('POST', '/portal/api/api-keys', { body });
  };

  const review = (id: string, move: string) =>
    call('POST', `/portal/api/review/${id}/${move}`, { key: move, body: { note: 'canary' } });

  return {
    ...openPeopleProvocations(server, proxied),
    token_given: () => askForToken(server.tenant.client_secret),
    token_refused: () => askForToken(),
    access_refused: () => call('GET', '/v1/payments/pay_x', { token: 'tok_canary' }),
    input_invalid: async () =>
      ask(await pages.flow('pin_reset', ana.customerId), '/code/check', { canary: 'canary' }),
    rate_limited: async () => {
      while ((await askForToken()).status !== 429);
    },
    operator_refused: () =>
      call('POST', '/portal/api/tenants', { token: 'ok_canary', body: { name: 'x' } }),
    tenant_made: () =>
      call('POST', '/portal/api/tenants', { token: server.operatorKey, body: { name: 'x' } }),
    sandbox_reset: () => portal('POST', '/sandbox/reset', { name: 'Test Tenant' }),
    tenant_moved: atCommandLine('tenant_moved'),
    tenant_suspended: atCommandLine('tenant_suspended'),
    tenant_resumed: atCommandLine('tenant_resumed'),
    client_secret_made: () => portal('POST', '/credentials'),
    client_secret_retired: () => retired('/credentials'),
    credentials_replaced: async () =>
      replaceCredentials(server.service, (await server.anotherTenant()).tenantId),
    tokens_revoked: () => portal('POST', '/credentials/revoke-tokens'),
    webhook_secret_made: () => portal('POST', '/webhook-secrets'),
    webhook_secret_retired: () => retired('/webhook-secrets'),
    webhook_endpoint_changed: () =>
      portal('PUT', '/webhook-endpoint', { url: 'https://example.com/canary' }),
    settings_changed: () => portal('PUT', '/settings', { refund_window_days: 90 }),
    api_key_made: makeKey,
    api_key_revoked: async () =>
      call('DELETE', `/portal/api/api-keys/${(await makeKey()).body.id}`),
    person_disabled: atCommandLine('person_disabled'),
    person_enabled: atCommandLine('person_enabled'),
    person_reset: atCommandLine('person_reset'),
    reseal_begun: atCommandLine('reseal_begun'),
    migrations_applied: atCommandLine('migrations_applied'),
    restore_begun: atCommandLine('restore_begun'),
    restore_ended: atCommandLine('restore_ended'),
    restore_order_settled: atCommandLine('restore_order_settled'),
    review_moved: async () => {
      const { accountId } = await api.approved('individual');
      return review(`accounts/${accountId}`, 'suspend');
    },
    ...approvalProvocations(server, call, proxied),
    pin_accepted: async () => {
      await pages.givePins();
      return ask(await pages.load(ana), '/confirm/pin', { pin });
    },
    pin_refused: async () => ask(await pages.load(ana), '/confirm/pin', { pin: '111222' }),
    pin_locked: async () => {
      const page = await pages.load(ana);
      for (let verdict = ''; verdict !== 'locked'; )
        verdict = (await ask(page, '/confirm/pin', { pin: '111222' })).body.verdict;
    },
    pin_reset: async () => ask(await proven('pin_reset'), '/pin-reset', answers),
    code_accepted: async () => {
      const page = await pages.flow('pin_reset', ana.customerId);
      await page.ask('/code', {});
      return ask(page, '/code/check', { code: '000000' });
    },
    code_refused: async () => {
      const page = await pages.flow('pin_reset', ana.customerId);
      await page.ask('/code', {});
      return ask(page, '/code/check', { code: '123123' });
    },
    identity_refused: async () =>
      ask(await proven('pin_reset'), '/pin-reset', { ...answers, ssn_last4: '0000' }),
    // After `identity_refused`, of which these write all lines of a second.
    pin_reset_closed: async () => closeReset(await api.banked('individual')),
    pin_reset_allowed: async () => {
      const who = await api.banked('individual');
      await closeReset(who);
      return review(`customers/${who.customerId}`, 'allow_pin_reset');
    },
    passkey_added: async () => {
      const { page, credential } = await passkeyPage();
      return ask(page, '/passkeys', { credential });
    },
    passkey_removed: async () => {
      const page = await withPasskey();
      return ask(page, `/passkeys/${(await page.look()).passkeys[0].id}/remove`);
    },
    passkeys_removed: async () => {
      await withPasskey();
      return review(`customers/${ana.customerId}`, 'remove_passkeys');
    },
    passkey_accepted: async () => {
      const { page, made, credential } = await passkeyPage();
      await page.ask('/passkeys', { credential });
      const load = await pages.load(ana);
      const { options } = (await load.ask('/confirm/passkey/options')).body;
      return ask(load, '/confirm/passkey', { credential: made.get(options) });
    },
    passkey_refused: async () => {
      await withPasskey();
      const page = await pages.load(ana);
      await page.ask('/confirm/passkey/options');
      return ask(page, '/confirm/passkey', { credential: { id: 'canary' } });
    },
    passkey_counter_behind: async () => {
      const { page, made, credential } = await passkeyPage();
      await page.ask('/passkeys', { credential });
      const load = await pages.load(ana);
      const { options } = (await load.ask('/confirm/passkey/options')).body;
      const { userPresent, userVerified, backedUp } = flags;
      const synced = { flags: userPresent | userVerified | backedUp, counter: 0 };
      return ask(load, '/confirm/passkey', { credential: made.get(options, synced) });
    },
    contact_changed: async () => {
      await pages.givePins();
      return ask(await proven('contact_change', { email: 'canary@example.com' }), '/contact', {
        pin,
      });
    },
  };
}
