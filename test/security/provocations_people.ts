import { openDevice } from '../kit/device.ts';
import { newPasskey } from '../kit/pages/passkey.ts';
import { type Browser, enrol, invitation, openBrowser, portalPerson } from '../kit/people.ts';
import type { TestServer } from '../kit/server.ts';
import { openProvider } from '../kit/sign_on/provider.ts';
import { openVisitor } from '../kit/sign_on/visitor.ts';

/**
 * The provocations of the security events of people.
 * @param headers of the proxy, with the client's address
 */
export function openPeopleProvocations(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
) {
  /** A browser of the portal, behind the proxy. */
  const behindProxy = (browser: Browser): Browser['ask'] => {
    return (method, path, body) => browser.ask(method, path, body, { headers });
  };

  /** Provokes the events of people. */
  async function ofPeople() {
    const { tenantId } = await server.anotherTenant();
    const owner = await portalPerson(server, tenantId, ['owner']);
    const member = await portalPerson(server, tenantId, ['reader']);
    const ask = behindProxy(owner);
    const stranger = behindProxy(openBrowser(server));
    const invited = { email: 'canary@example.com', roles: ['reader'] };
    const made = newPasskey(server.service.config.publicUrl);
    return { tenantId, owner, member, ask, stranger, invited, made };
  }

  async function ofProvider() {
    const opened = await openProvider();
    const { issuer, secret: client_secret } = opened;
    return {
      ...(await ofPeople()),
      opened,
      provider: { issuer, client_id: 'ours', client_secret },
    };
  }

  /** Adds a second passkey. */
  async function addedPasskey() {
    const { ask, made } = await ofPeople();
    const { options } = (await ask('POST', '/my-passkeys/begin')).body;
    const credential = made.create(options);
    return { ask, reply: await ask('POST', '/my-passkeys', { credential, name: 'canary' }) };
  }

  async function decided(move: 'approve' | 'deny') {
    const { ask } = await ofPeople();
    const { user_code } = (await openDevice(server)).begun;
    return ask('POST', `/device-sign-in/${move}`, { user_code });
  }

  /** A consent, and one of the staff who comes in by it. */
  async function ofSupport() {
    const { tenantId, ask } = await ofPeople();
    const given = await ask('POST', '/support-consents', { hours: 1, note: 'canary' });
    const asStaff = behindProxy(await portalPerson(server, 'platform', ['support']));
    return { ask, given, asStaff, enter: () => asStaff('POST', `/tenants/${tenantId}/enter`) };
  }

  return {
    // Before the others, whose people write all lines of a second.
    invitation_accepted: async () => {
      const { tenantId } = await server.anotherTenant();
      const email = 'new@example.com';
      const link = await invitation(server, { scope: tenantId, email, roles: ['reader'] });
      const browser = openBrowser(server);
      await enrol(server, link, 'canary', { ...browser, ask: behindProxy(browser) });
    },
    signed_in: async () => {
      const { owner, stranger } = await ofPeople();
      const { options } = (await stranger('POST', '/sign-in/begin')).body;
      const credential = owner.passkey.get(options);
      return stranger('POST', '/sign-in/finish', { credential });
    },
    sign_in_refused: async () => {
      const { stranger } = await ofPeople();
      const code = { email: 'canary@example.com', recovery_code: 'canary' };
      return stranger('POST', '/sign-in/recovery', code);
    },
    stepped_up: async () => {
      const { ask, owner } = await ofPeople();
      const { options } = (await ask('POST', '/step-up/begin')).body;
      return ask('POST', '/step-up/finish', { credential: owner.passkey.get(options) });
    },
    session_moved: async () => {
      const { owner } = await ofPeople();
      const elsewhere = { headers: { ...headers, 'user-agent': 'canary' } };
      return owner.ask('GET', '/session', undefined, elsewhere);
    },
    recovery_code_used: async () => {
      const { owner, stranger } = await ofPeople();
      const [recovery_code] = owner.recoveryCodes;
      return stranger('POST', '/sign-in/recovery', { email: owner.email, recovery_code });
    },
    recovery_codes_replaced: async () => (await ofPeople()).ask('POST', '/my-recovery-codes'),
    portal_passkey_added: addedPasskey,
    portal_passkey_named: async () => {
      const { ask, reply } = await addedPasskey();
      return ask('PUT', `/my-passkeys/${reply.body.id}`, { name: 'canary' });
    },
    portal_passkey_removed: async () => {
      const { ask, reply } = await addedPasskey();
      return ask('DELETE', `/my-passkeys/${reply.body.id}`);
    },
    signed_out: async () => (await ofPeople()).ask('DELETE', '/session'),
    acting_elsewhere: async () => {
      const { ask, tenantId } = await ofPeople();
      return ask('POST', '/session/act', { scope: tenantId });
    },
    sessions_ended: async () => {
      const { ask, member } = await ofPeople();
      return ask('DELETE', `/members/${member.id}/sessions`);
    },
    person_invited: async () => {
      const { ask, invited } = await ofPeople();
      return ask('POST', '/invitations', invited);
    },
    invitation_revoked: async () => {
      const { ask, invited } = await ofPeople();
      const { id } = (await ask('POST', '/invitations', invited)).body;
      return ask('DELETE', `/invitations/${id}`);
    },
    single_sign_on_set: async () => {
      const { ask, provider } = await ofProvider();
      return ask('PUT', '/single-sign-on', provider);
    },
    single_sign_on_removed: async () => (await ofProvider()).ask('DELETE', '/single-sign-on'),
    identity_linked: async () => {
      const { owner, ask, provider, tenantId, opened } = await ofProvider();
      await ask('PUT', '/single-sign-on', provider);
      const callback = `${server.service.config.publicUrl}/portal/sign-in/callback/${tenantId}`;
      opened.allow(provider.client_id, [callback]);
      opened.accounts.set('canary', { email: owner.email, email_verified: true });
      opened.subject = 'canary';
      const visitor = openVisitor(server, owner, headers);
      return visitor.comeBack(await visitor.visit(await visitor.begin({}, 'link')));
    },
    device_sign_in_approved: () => decided('approve'),
    device_sign_in_denied: () => decided('deny'),
    support_consent_given: async () => (await ofSupport()).given,
    support_consent_ended: async () => {
      const { ask, given } = await ofSupport();
      return ask('DELETE', `/support-consents/${given.body.id}`);
    },
    support_entered: async () => (await ofSupport()).enter(),
    support_left: async () => {
      const { enter, asStaff } = await ofSupport();
      await enter();
      return asStaff('POST', '/session/leave');
    },
    roles_changed: async () => {
      const { ask, member } = await ofPeople();
      return ask('PUT', `/members/${member.id}`, { roles: ['finance'] });
    },
  };
}
