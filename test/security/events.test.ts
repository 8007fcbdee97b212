import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { securityEvents } from '../../service/operations/security_events.ts';
import { withoutRandom } from '../kit/ids.ts';
import { portalPerson } from '../kit/people.ts';
import { twoQrKeys } from '../kit/qr_keys.ts';
import { openServer } from '../kit/server.ts';
import { address, openProvocations } from './provocations.ts';

const lines: string[] = [];
const server = await openServer({
  manual: true,
  config: { trustedProxies: ['127.0.0.0/8'], qrSigningKeys: twoQrKeys() },
  onLog: (line) => lines.push(line),
});
const {
  credentials_replaced,
  tenant_moved,
  tenant_suspended,
  tenant_resumed,
  person_disabled,
  person_enabled,
  person_reset,
  reseal_begun,
  migrations_applied,
  restore_begun,
  restore_ended,
  restore_order_settled,
  ...ofRequests
} = await openProvocations(server);
const atCommandLine = {
  tenant_moved,
  tenant_suspended,
  tenant_resumed,
  person_disabled,
  person_enabled,
  person_reset,
  reseal_begun,
  migrations_applied,
  restore_begun,
  restore_ended,
  restore_order_settled,
};

/** The one line that it writes, which has no secret. */
async function told(name: string, provoke: () => Promise<unknown>): Promise<object> {
  // Ten lines of a kind are written in a second, and each tenant that was made before took a token.
  if (name === 'token_given') await sleep(1_000);
  lines.length = 0;
  await provoke();
  const found = lines.map((line) => JSON.parse(line)).filter(({ security }) => security === name);
  expect(found, lines.join('')).toHaveLength(1);
  expect(withoutRandom(lines.join(''))).not.toMatch(/canary|111222|284617|835162|000000|cs_/);
  return found[0];
}

test.each(Object.entries(ofRequests))(
  '%s is one line with the client, and no secret',
  async (name, provoke) => {
    expect(await told(name, provoke)).toMatchObject({
      client_address: address,
      request_id: expect.stringMatching(/^req_/),
      actor: expect.stringMatching(/^(anybody|api_key|client|customer|operator|person)$/),
      msg: securityEvents[name as keyof typeof securityEvents],
    });
  },
);

test('credentials that a start replaces are one line with the tenant, and no secret', async () => {
  expect(await told('credentials_replaced', credentials_replaced)).toMatchObject({
    actor: 'operator',
    tenant_id: expect.any(String),
    client_id: expect.stringMatching(/^cl_/),
  });
});

test.each(Object.entries(atCommandLine))(
  '%s at the command line is one line with its user',
  async (name, provoke) => {
    expect(await told(name, provoke)).toMatchObject({
      actor: 'operator',
      command_line_user: userInfo().username,
      tenant_id: server.tenant.tenantId,
    });
  },
);

test('a role that is not enough is a refused access of who is known, a request without any credential is none', async () => {
  const reader = await portalPerson(server, server.tenant.tenantId, ['reader']);
  const refused = () => reader.ask('POST', '/credentials');
  expect(await told('access_refused', refused)).toMatchObject({
    code: 'forbidden',
    actor: 'person',
    person_id: reader.id,
  });
  lines.length = 0;
  expect((await server.call('GET', '/portal/api/session', { token: null })).status).toBe(401);
  expect(lines.join('')).not.toContain('access_refused');
});

test('the reference explains every security event and no other', () => {
  const file = new URL('../../docs/reference/security-events.md', import.meta.url);
  const told = [...readFileSync(file, 'utf8').matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(
    ([, ...row]) => row,
  );
  expect(told).toEqual(Object.entries(securityEvents));
});
