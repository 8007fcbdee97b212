import { portalEndpoints } from '@tenant-payments/contract/portal/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/contract/portal/endpoint.ts';
import {
  type MemberRole,
  memberRoles,
  type Role,
  rolesWithin,
  type StaffRole,
  staffRoles,
} from '@tenant-payments/contract/portal/roles.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../test/kit/http/http.ts';
import { openBrowser, type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';

/** Every operation, by every role, in every place (rules/people#2): generated, none by hand. */

const operations = Object.values<PortalEndpoint>(portalEndpoints)
  // Signing in has no caller yet.
  .filter(({ may }) => may !== 'anybody');

const servers = {
  sandbox: await startTestServer({ workers: false }),
  production: await startTestServer({ environment: 'production', workers: false }),
};
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

type Environment = keyof typeof servers;

/** Where somebody with a role calls from, and the Tenant that the call names. */
const places = {
  'the own Tenant': { scope: 'own', header: null },
  'another Tenant, naming this one': { scope: 'other', header: 'own' },
  'the platform, naming a Tenant': { scope: 'platform', header: 'own' },
  'the platform, naming none': { scope: 'platform', header: null },
} as const;
type Place = keyof typeof places;

interface Case {
  readonly role: Role;
  readonly place: Place;
}

const cases: readonly Case[] = [
  ...memberRoles.flatMap((role) => [
    { role, place: 'the own Tenant' as const },
    { role, place: 'another Tenant, naming this one' as const },
  ]),
  ...staffRoles.flatMap((role) => [
    { role, place: 'the platform, naming a Tenant' as const },
    { role, place: 'the platform, naming none' as const },
  ]),
];

/** What the rights refuse; anything else is the operation's own answer. */
type Verdict =
  | 'sandbox_only'
  | 'forbidden'
  | 'forbidden choose_tenant'
  | 'forbidden staff_only'
  | 'step_up_required'
  | 'answered';

/** The guard's; other reasons are the operation's own, such as a person where only a key may call. */
const reasons: readonly unknown[] = ['choose_tenant', 'staff_only'];

function verdictOf({ status, body }: Reply): Verdict | '401' {
  if (status === 401) return '401';
  const { code, details } = body?.error ?? {};
  if (code === 'sandbox_only' || code === 'step_up_required') return code;
  if (code !== 'forbidden') return 'answered';
  if (details?.roles) return 'forbidden';
  return reasons.includes(details?.reason)
    ? (`forbidden ${details.reason}` as Verdict)
    : 'answered';
}

/** Out of the table alone. */
function expected(
  { may, of, stepUp, sandboxOnly }: PortalEndpoint,
  { role, place }: Case,
  isFresh: boolean,
  environment: Environment,
): Verdict {
  if (place === 'another Tenant, naming this one') return 'forbidden staff_only';
  if (sandboxOnly && environment === 'production') return 'sandbox_only';
  const within = rolesWithin([role]);
  if (typeof may !== 'string' && !may.some((each) => within.has(each))) return 'forbidden';
  const isOfTenant = of === 'tenant' || of === 'tenant_or_platform';
  if (isOfTenant && place === 'the platform, naming none') return 'forbidden choose_tenant';
  return stepUp && !isFresh ? 'step_up_required' : 'answered';
}

const people = new Map<string, PortalPerson>();

async function personFor(server: TestServer, { role, place }: Case): Promise<PortalPerson> {
  const key = `${server.baseUrl} ${role} ${place}`;
  const known = people.get(key);
  if (known) return known;
  const { scope } = places[place];
  const ids = {
    own: server.tenant.tenantId,
    other: scope === 'other' ? (await server.anotherTenant()).tenantId : '',
    platform: 'platform',
  };
  const person = await portalPerson(server, ids[scope], [role as StaffRole & MemberRole]);
  people.set(key, person);
  return person;
}

/** The session as it was, whatever the last operation did to it: open, and fresh or not. */
async function restore({ owner }: TestServer, { id }: PortalPerson, isFresh: boolean) {
  await owner.query(
    `update control.sessions set ended_at = null, end_reason = null,
       stepped_up_at = case when $2 then now() end where person_id = $1`,
    [id, isFresh],
  );
}

/** Without a body or with a strange id: what is allowed answers, and changes little. */
const pathOf = ({ path }: PortalEndpoint): string =>
  path.replace('/portal/api', '').replaceAll(/:\w+/g, 'unknown');

async function verdictFor(environment: Environment, of: Case, one: PortalEndpoint, fresh: boolean) {
  const server = servers[environment];
  const person = await personFor(server, of);
  await restore(server, person, fresh);
  const cookie = person.cookie();
  const named = places[of.place].header === 'own' ? server.tenant.tenantId : null;
  const options = named === null ? {} : { headers: { 'tenant-id': named } };
  const reply = await person.ask(one.method, pathOf(one), undefined, options);
  person.setCookie(cookie);
  return verdictOf(reply);
}

describe.each(Object.keys(servers) as Environment[])('in the %s', (environment) => {
  test.each(cases)('$role of $place may do exactly what the table says', async (of) => {
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const one of operations)
      for (const fresh of one.stepUp ? [true, false] : [false]) {
        const name = `${one.id} ${fresh ? 'fresh' : 'not fresh'}`;
        wanted[name] = expected(one, of, fresh, environment);
        found[name] = await verdictFor(environment, of, one, fresh);
      }
    expect(found).toEqual(wanted);
  });

  test('whoever is not signed in may do nothing', async () => {
    const stranger = openBrowser(servers[environment]);
    for (const one of operations) {
      const reply = await stranger.ask(one.method, pathOf(one));
      expect([one.id, verdictOf(reply)]).toEqual([one.id, '401']);
    }
  });
});
