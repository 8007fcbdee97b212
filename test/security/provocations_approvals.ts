import { portalPerson } from '../kit/people.ts';
import type { TestServer } from '../kit/server.ts';

/** An act that needs a second person. */
const funding = {
  resource: 'reserve',
  id: 'reserve',
  move: 'fund',
  amount: 1_00,
  note: 'canary',
};

/**
 * The provocations of the events of approvals.
 * @param proxied headers of the proxy, with the client's address
 */
export function approvalProvocations(
  server: TestServer,
  call: TestServer['call'],
  proxied: Readonly<Record<string, string>>,
) {
  const ask = () => server.api.post('/portal/api/approvals', funding);
  const decide = (id: string, how: string) =>
    call('POST', `/portal/api/approvals/${id}/${how}`, { body: {} });
  return {
    approval_requested: () => call('POST', '/portal/api/approvals', { body: funding }),
    approval_signed: async () => {
      const admin = await portalPerson(server, 'platform', ['admin']);
      const headers = { 'tenant-id': server.tenant.tenantId, ...proxied };
      const path = `/approvals/${(await ask()).id}/approve`;
      return admin.ask('POST', path, undefined, { headers });
    },
    approval_given: async () => {
      const reviewer = await portalPerson(server, 'platform', ['reviewer']);
      const headers = { 'tenant-id': server.tenant.tenantId };
      const { body } = await reviewer.ask('POST', '/approvals', funding, { headers });
      return decide(body.id, 'approve');
    },
    approval_denied: async () => decide((await ask()).id, 'refuse'),
    /** Needs a server with the two keys of the kit. */
    qr_key_revoked: async () => {
      const admin = await portalPerson(server, 'platform', ['admin']);
      return admin.ask('POST', '/qr-keys/older/revoke', undefined, { headers: proxied });
    },
  };
}
