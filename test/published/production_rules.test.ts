import {
  type ProductionRuleName,
  productionRules,
} from '@tenant-payments/contract/sandbox/production_rules.ts';
import { expect, test } from 'vitest';
import type { Reply, ReplyBody } from '../kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../kit/people.ts';
import { openServer, type TestServer } from '../kit/server.ts';

/** Every rule that production has and a sandbox has not, as all three answer to it (rules/sandbox#46). */

const lines: Record<string, unknown>[] = [];
const onLog = (line: string) => void lines.push(JSON.parse(line));

const production = await openServer({ environment: 'production', workers: false });
const sandbox = await openServer({ workers: false, onLog });

/** A Tenant, and who calls for it. */
interface Side {
  readonly server: TestServer;
  readonly tenantId: string;
  readonly token: string;
  readonly owner: PortalPerson;
  /** The key of a program; in production there is none. */
  readonly key: string;
  /** An approved customer of a sandbox; in production one that has not applied. */
  readonly customer: string;
  /** A new customer, whose onboarding is open, with its session. */
  newCustomer(): Promise<ReplyBody>;
}

const local = 'http://127.0.0.1:4000/done';

async function open(server: TestServer): Promise<Side> {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  await owner.stepUp();
  const { token } = tenant;
  const newCustomer = () => api.customer('individual');
  const { tenantId } = tenant;
  const common = { server, tenantId, token, owner, newCustomer };
  if (server === production)
    return { ...common, key: 'tpk_unknown', customer: (await newCustomer()).id };
  await api.settings({ return_urls: [local], link_redirect_uris: [local] });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { key } = await api.post('/portal/api/api-keys', {
    name: 'A program',
    roles: ['reader'],
    expires_at,
  });
  const { customerId: customer } = await api.approved('individual');
  return { ...common, key, customer };
}

/** Calls of the contract by the Tenant's program. */
const program = ({ server, token }: Side, path: string, body: object) =>
  server.call('POST', path, { token, body, key: crypto.randomUUID() });

const setting =
  (changes: object) =>
  ({ owner }: Side) =>
    owner.ask('PUT', '/settings', changes);

const branding = { name: 'A shop', logo_url: local, primary_color: '#1f5eff' };

/** A call that each rule is about. A new rule does not compile without one. */
const calls: Readonly<Record<ProductionRuleName, (side: Side) => Promise<Reply>>> = {
  access_token: ({ server, token }) => server.call('GET', '/portal/api/payments', { token }),
  program_key: ({ server, key }) => server.call('GET', '/portal/api/payments', { token: key }),
  sandbox_operation: ({ owner }) => owner.ask('GET', '/chaos'),
  simulate: (side) =>
    program(side, '/v1/sandbox/simulate/customer.pin_locked', { object_id: side.customer }),
  test_result_token: async (side) => {
    const { id } = (await side.newCustomer()).onboarding_session;
    if (side.server === sandbox)
      await program(side, '/v1/sandbox/simulate/session.completed', { object_id: id });
    return program(side, '/v1/sessions/exchange', { result_token: `rt_test_${id}` });
  },
  local_return_url: async (side) => {
    const { id } = await side.newCustomer();
    const body = { customer_id: id, flow: 'onboarding', return_url: local };
    return program(side, '/v1/sessions', body);
  },
  local_redirect_uri: (side) => {
    const body = { platform: 'web', redirect_uri: local };
    return program(side, `/v1/customers/${side.customer}/link-tokens`, body);
  },
  local_webhook_url: ({ owner }) =>
    owner.ask('PUT', '/webhook-endpoint', { url: 'http://localhost:4000/hooks', enabled: false }),
  local_return_urls: setting({ return_urls: [local] }),
  local_frame_origins: setting({ frame_origins: ['http://127.0.0.1:4000'] }),
  local_link_redirect_uris: setting({ link_redirect_uris: [local] }),
  local_logo: setting({ branding }),
  local_issuer: ({ owner }) =>
    owner.ask('PUT', '/single-sign-on', {
      issuer: 'http://127.0.0.1:9',
      client_id: 'x',
      client_secret: 'x',
    }),
};

const names = Object.keys(calls) as ProductionRuleName[];

const [real, usual, strict] = [await open(production), await open(sandbox), await open(sandbox)];
const switched = await sandbox.call('PUT', '/portal/api/sandbox/production-rules', {
  token: strict.token,
  body: { enabled: true },
});

const said = ({ headers }: Reply) => headers.get('refused-in-production');
/** All of a refusal but its request's id. */
const refusalOf = ({ status, body }: Reply) => {
  const { request_id: _, ...error } = body.error ?? {};
  return { status, error };
};

test('production, the switch and the header answer to every rule of the table by the same row', async () => {
  expect(switched.body).toEqual({ object: 'production_rules', enabled: true });
  for (const name of names) {
    const { by, code, param } = productionRules[name];
    const call = calls[name];
    const refused = await call(real);
    expect([name, refused.body.error?.code, refused.body.error?.param]).toEqual([
      name,
      code,
      param,
    ]);
    expect(said(refused)).toBeNull();

    lines.length = 0;
    const taken = await call(usual);
    expect([name, refusalOf(taken)]).not.toEqual([name, refusalOf(refused)]);
    expect([name, said(taken)]).toEqual([name, expect.stringMatching(new RegExp(`^${code}\\b`))]);
    if (param !== null) expect(said(taken)).toContain(`; param="${param}"`);

    const asked = await call(strict);
    if (by === 'caller') expect([name, refusalOf(asked)]).toEqual([name, refusalOf(refused)]);
    else expect([name, asked.status, said(asked)]).toEqual([name, taken.status, said(taken)]);
  }
});

test('a program is told a line of the log, and a person who plays the sandbox is not', async () => {
  const side = await open(sandbox);
  const told = () => lines.filter(({ tenant_id }) => tenant_id === side.tenantId);
  lines.length = 0;
  const asked = await calls.access_token(side);
  const again = await calls.access_token(side);
  expect([said(asked), said(again)]).toEqual([
    'authentication_required',
    'authentication_required',
  ]);
  await calls.local_return_url(side);
  await calls.sandbox_operation(side);
  expect(told()).toEqual([
    expect.objectContaining({
      level: 30,
      msg: 'refused in production',
      operation: 'GET /portal/api/payments',
      rule: 'access_token',
      refusal: 'authentication_required',
      request_id: asked.headers.get('service-request-id'),
    }),
    expect.objectContaining({
      msg: 'refused in production',
      operation: 'POST /v1/sessions',
      rule: 'local_return_url',
      refusal: 'session_invalid; param="return_url"; reason="return_url_not_registered"',
    }),
  ]);
});

test('the log of requests keeps what production would have answered, and null where it is the same', async () => {
  const side = await open(sandbox);
  const refused = await calls.local_return_url(side);
  await program(side, '/v1/sessions', { customer_id: 'cus_x', flow: 'onboarding' });
  await sandbox.service.requestLog.flush();
  const { body } = await side.owner.ask('GET', '/requests?path=/v1/sessions');
  expect(body.data.map((row: ReplyBody) => row.refused_in_production)).toEqual([
    null,
    said(refused),
  ]);
});

test('an access token can switch back what it has switched on', async () => {
  const { server, token } = await open(sandbox);
  const set = (enabled: boolean) =>
    server.call('PUT', '/portal/api/sandbox/production-rules', { token, body: { enabled } });
  const settings = () => server.call('GET', '/portal/api/settings', { token });
  expect((await settings()).body.production_rules).toBe(false);
  await set(true);
  expect((await settings()).status).toBe(401);
  const shown = await server.call('GET', '/portal/api/sandbox/production-rules', { token });
  expect(shown.body).toEqual({ object: 'production_rules', enabled: true });
  await set(false);
  expect((await settings()).status).toBe(200);
});
