import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { afterAll, expect, test } from 'vitest';
import { openBrowser, type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import {
  expectedVerdict,
  ofPlatformAlone,
  operations,
  pathOf,
  type Verdict,
  verdictOf,
} from '../../test/kit/rights.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';

/** Every route of the portal asks who calls and what may be done; rights.test.ts has what is decided. */

const servers = {
  sandbox: await startTestServer({ workers: false }),
  production: await startTestServer({ environment: 'production', workers: false }),
};
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

type Environment = keyof typeof servers;
const environments = Object.keys(servers) as Environment[];

interface Caller {
  readonly role: Role;
  readonly from: 'own' | 'other' | 'platform';
  /** Whether it names the first Tenant in the header `Tenant-Id`. */
  readonly isNaming: boolean;
}

/** The least role comes first: it meets every refusal, and opens nothing that is not its own. */
const callers: readonly Caller[] = [
  { role: 'support', from: 'platform', isNaming: true },
  { role: 'support', from: 'platform', isNaming: false },
  { role: 'reader', from: 'own', isNaming: false },
  { role: 'reader', from: 'other', isNaming: true },
  { role: 'reviewer', from: 'platform', isNaming: true },
  { role: 'reviewer', from: 'platform', isNaming: false },
  { role: 'finance', from: 'own', isNaming: false },
  { role: 'developer', from: 'own', isNaming: false },
  { role: 'admin', from: 'platform', isNaming: true },
  { role: 'admin', from: 'platform', isNaming: false },
  { role: 'owner', from: 'own', isNaming: false },
];

interface Probe extends Caller {
  readonly environment: Environment;
  readonly isFresh: boolean;
}

function expected(row: PortalEndpoint, { role, from, isNaming, ...how }: Probe): Verdict {
  if (from === 'other') return 'forbidden staff_only';
  // The call is refused by the operation, which also knows when the platform is meant.
  const of = row.of === 'tenant_or_platform' ? 'tenant' : row.of;
  const isTenantNamed = from === 'own' || isNaming;
  return expectedVerdict({ ...row, of }, { roles: [role], isTenantNamed, ...how });
}

/** One probe for each verdict that an operation knows, by the first caller who meets it. */
function probesOf(row: PortalEndpoint): ReadonlyMap<Verdict, Probe> {
  const probes = new Map<Verdict, Probe>();
  for (const environment of environments)
    for (const isFresh of [false, true])
      for (const caller of callers) {
        const probe = { ...caller, environment, isFresh };
        const verdict = expected(row, probe);
        if (!probes.has(verdict)) probes.set(verdict, probe);
      }
  return probes;
}

/** The sessions of a person, whatever an operation did to them: open, and fresh or not. */
async function restore({ owner }: TestServer, { id }: PortalPerson, isFresh: boolean) {
  await owner.query(
    `update control.sessions set ended_at = null, end_reason = null,
       stepped_up_at = case when $2 then now() end where person_id = $1`,
    [id, isFresh],
  );
}

const people = new Map<string, PortalPerson>();

/** Somebody who is signed in and not fresh. */
async function personFor({ environment, role, from }: Probe): Promise<PortalPerson> {
  const key = `${environment} ${role} ${from}`;
  const known = people.get(key);
  if (known) return known;
  const server = servers[environment];
  const scopes = {
    own: async () => server.tenant.tenantId,
    other: async () => (await server.anotherTenant()).tenantId,
    platform: async () => 'platform',
  };
  const person = await portalPerson(server, await scopes[from](), [role]);
  await restore(server, person, false);
  people.set(key, person);
  return person;
}

async function verdictFor(row: PortalEndpoint, probe: Probe): Promise<Verdict | 401> {
  const server = servers[probe.environment];
  const person = await personFor(probe);
  const cookie = person.cookie();
  if (probe.isFresh) await restore(server, person, true);
  const named = probe.isNaming && { headers: { 'tenant-id': server.tenant.tenantId } };
  const reply = await person.ask(row.method, pathOf(row), undefined, named || {});
  const verdict = reply.status === 401 ? 401 : verdictOf(reply.body?.error, row);
  person.setCookie(cookie);
  if (verdict === 'answered') await restore(server, person, false);
  return verdict;
}

test.each(operations)('$id answers and refuses as its row of the table says', async (row) => {
  const probes = probesOf(row);
  const found = new Map<Verdict, Verdict | 401>();
  for (const [verdict, probe] of probes) found.set(verdict, await verdictFor(row, probe));
  expect(found).toEqual(new Map([...probes.keys()].map((verdict) => [verdict, verdict])));
});

test('of the verdicts each is met by some operation, and most operations refuse somebody', () => {
  const met = operations.flatMap((row) => [...probesOf(row).keys()]);
  expect(new Set(met).size).toBe(6);
  expect(met.length).toBeGreaterThan(3 * operations.length);
});

test('whoever is not signed in may do nothing', async () => {
  const stranger = openBrowser(servers.sandbox);
  for (const row of operations) {
    const { status } = await stranger.ask(row.method, pathOf(row));
    expect([row.id, status]).toEqual([row.id, 401]);
  }
});

test("in production a Tenant's access token opens nothing of the portal", async () => {
  const { call } = servers.production;
  for (const row of operations) {
    const { status } = await call(row.method, `/portal/api${pathOf(row)}`);
    expect([row.id, status]).toEqual([row.id, 401]);
  }
});

test("what is the platform's alone refuses a Tenant's program and the keys that it makes", async () => {
  const { call, apiOf, anotherTenant, service } = servers.sandbox;
  const tenant = await anotherTenant();
  const expires_at = new Date(service.clocks.realNow() + 3_600_000).toISOString();
  const asked = { name: 'Program', roles: ['admin', 'owner'], expires_at };
  const { key } = await apiOf(tenant).post('/portal/api/api-keys', asked);
  const invited = { email: 'x@a.example', roles: ['admin'] };
  for (const row of operations.filter(({ id }) => ofPlatformAlone.includes(id)))
    for (const token of [tenant.token, key]) {
      const body = row.id === 'createStaffInvitation' ? invited : undefined;
      const reply = await call(row.method, `/portal/api${pathOf(row)}`, { token, body });
      // An operation that takes the operator's key takes no access token at all.
      const isStranger = row.key === 'operator' && token === tenant.token;
      const expected = isStranger ? [401, undefined] : [403, 'no_person'];
      expect([row.id, reply.status, reply.body.error.details?.reason]).toEqual([
        row.id,
        ...expected,
      ]);
    }
  const { rows } = await service.control.query('select from control.invitations where email = $1', [
    invited.email,
  ]);
  expect(rows).toEqual([]);
});
