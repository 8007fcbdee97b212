import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { expect, test } from 'vitest';
import type { ChangesNothing } from '../../test/kit/changes_nothing.ts';
import { openDevice } from '../../test/kit/device.ts';
import type { Reply } from '../../test/kit/http/http.ts';
import { newPasskey } from '../../test/kit/pages/passkey.ts';
import {
  answer,
  enrol,
  invitation,
  openBrowser,
  type PortalPerson,
  portalPerson,
  tokenOf,
} from '../../test/kit/people.ts';
import { twoQrKeys } from '../../test/kit/qr_keys.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { openProvider } from '../../test/kit/sign_on/provider.ts';
import { staffActor } from '../../test/kit/staff.ts';
import { createApproval } from '../approvals/create.ts';
import { platformApprovals } from '../approvals/platform/requests.ts';
import { type PortalEndpointId, portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { openCaseCheck } from '../desk/case_holder.ts';
import { sandboxSignInLink } from '../people/sign_in/sandbox_link.ts';
import { openReviewMoves } from '../review/moves.ts';

/**
 * Every operation of the portal that changes something, called once. That a command of somebody with a role cannot
 * leave its act out is in engine/batch/platform.test.ts.
 */

const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  config: { qrSigningKeys: twoQrKeys() },
  onLog: (line) => lines.push(line),
});
const { service, operatorKey } = server;
const admin = await portalPerson(server, 'platform', ['admin']);

type Catalog = typeof portalEndpoints;
type Changes = Exclude<PortalEndpointId, ChangesNothing>;
type WriteId = { [Id in Changes]: Catalog[Id]['method'] extends 'GET' ? never : Id }[Changes];

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface By {
  readonly kind: string;
  readonly id: string;
  readonly scope: string;
}

/** A call and who made it. */
interface Called {
  readonly reply: Reply;
  readonly by: By;
  /**
   * The record that the row names; absent: the id of the path, else that of the reply, else
   * nothing.
   */
  readonly record?: unknown;
  /** Other rows of the same call, by their acts. */
  readonly also?: readonly string[];
}

/** A new Tenant, and how somebody calls the operation in turn. */
interface On {
  readonly tenant: TestTenant;
  /** Calls an operation beforehand by the Tenant's program, at any path. */
  send(method: string, path: string, body?: object): Promise<Reply>;
  byProgram(asked?: Asked): Promise<Called>;
  /** A person of the Tenant, or of staff who names it. */
  byPerson(person: PortalPerson, asked?: Asked): Promise<Called>;
  /** A new owner. */
  byOwner(asked?: Asked): Promise<Called>;
  owner(): Promise<PortalPerson>;
}

const scopeOf = (id: WriteId, { tenantId }: TestTenant) =>
  (portalEndpoints[id] as PortalEndpoint).of === 'platform' ? 'platform' : tenantId;

/** The call of an operation, and what its row is to name. */
function calling(id: WriteId, tenant: TestTenant): On {
  const { method, path } = portalEndpoints[id];
  const placed = ({ params = {} }: Asked) =>
    path.replaceAll(/:(\w+)/g, (_, name) => params[name] ?? '');
  const scope = scopeOf(id, tenant);
  const with_ = (reply: Reply, by: Omit<By, 'scope'>, { params = {} }: Asked): Called => ({
    reply,
    by: { ...by, scope },
    record: params.id ?? reply.body.id ?? null,
  });
  const on: On = {
    tenant,
    send: (verb, to, body) =>
      server.call(verb, `/portal/api${to}`, { token: tenant.token, ...(body && { body }) }),
    async byProgram(asked = {}) {
      const { body } = asked;
      const { token, client_id } = tenant;
      const reply = await server.call(method, placed(asked), { token, ...(body && { body }) });
      return with_(reply, { kind: 'client', id: client_id }, asked);
    },
    async byPerson(person, asked = {}) {
      const isStaff = person === admin && scope !== 'platform';
      const headers = isStaff ? { headers: { 'tenant-id': tenant.tenantId } } : {};
      const to = placed(asked).replace('/portal/api', '');
      const reply = await person.ask(method, to, asked.body, headers);
      return with_(reply, { kind: 'person', id: person.id }, asked);
    },
    byOwner: async (asked) => on.byPerson(await on.owner(), asked),
    owner: () => portalPerson(server, tenant.tenantId, ['owner']),
  };
  return on;
}

type Try = (on: On) => Promise<Called>;

const program =
  (body?: object, more: Partial<Called> = {}): Try =>
  async ({ byProgram }) => ({ ...(await byProgram({ ...(body && { body }) })), ...more });

/** The first of a list, of which two are made. */
const firstOf =
  (path: string): Try =>
  async ({ send, byProgram }) => {
    await send('POST', path);
    const { body } = await send('GET', path);
    return byProgram({ params: { id: body.data[0].id } });
  };

const ofMember =
  (body?: object): Try =>
  async ({ tenant, byOwner }) => {
    const { id } = await portalPerson(server, tenant.tenantId, ['reader']);
    return byOwner({ params: { id }, ...(body && { body }) });
  };

const ofStaff =
  (body?: object): Try =>
  async ({ byPerson }) => {
    const { id } = await portalPerson(server, 'platform', ['support']);
    return byPerson(admin, { params: { id }, ...(body && { body }) });
  };

/** Calls by id on a record that the owner has made at a path before. */
const ofOwn =
  (path: string, made: object): Try =>
  async ({ owner, byPerson }) => {
    const person = await owner();
    return byPerson(person, { params: { id: (await person.ask('POST', path, made)).body.id } });
  };

/** A case that is new, or that the admin has taken. */
const onCase =
  (isTaken: boolean, body: object = {}): Try =>
  async ({ tenant, byPerson }) => {
    const api = server.apiOf(tenant);
    const applying = api.customer('individual');
    const { id } = await api.played(applying, 'customer.pending', 'customer.in_review');
    const headers = { 'tenant-id': tenant.tenantId };
    if (isTaken) await admin.ask('POST', `/cases/customers/${id}/take`, {}, { headers });
    return byPerson(admin, { params: { resource: 'customers', id }, body });
  };

/** A message of a provider that names an order of nobody. */
const onRailMessage =
  (body: object = {}): Try =>
  async ({ tenant: { tenantId }, byPerson }) => {
    const fact = {
      id: 'one',
      orderId: crypto.randomUUID(),
      outcome: 'settled',
      amount: 1,
    } as const;
    const receipt = { id: 'one', tenantId, port: 'bank', fact } as const;
    const origin = { headers: {}, body: null };
    await server.providers.taking.take({ name: 'mybank' }, [receipt], origin);
    const finding = 'select id from rail_messages where tenant_id = $1';
    const { rows } = await service.pool.query<{ id: string }>(finding, [tenantId]);
    return byPerson(admin, { params: { tenant_id: tenantId, id: rows[0]?.id ?? '' }, body });
  };

const funding = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5 } as const;

/** A request of somebody else. */
const ofApproval: Try = async ({ tenant: { tenantId }, byProgram }) => {
  const create = createApproval(service, openReviewMoves(service), openCaseCheck(service));
  const submission = {
    tenantId,
    actor: await staffActor(server, 'admin'),
    act: { act: 'createApproval', record: null, scope: tenantId },
    input: { ...funding, note: 'asked' },
  };
  const { body } = await service.engine.submit(create, submission);
  return byProgram({ params: { id: JSON.parse(body).id } });
};

const suspending = ({ tenantId: id }: TestTenant) =>
  ({ resource: 'tenants', id, move: 'suspend', note: 'from Ana' }) as const;

const ofPlatformApproval: Try = async ({ tenant, byProgram }) => {
  const caller = { actor: await staffActor(server, 'admin'), tenantId: '', db: service.db };
  const requests = platformApprovals(service, server.rails.messages);
  return byProgram({ params: { id: (await requests.create(caller, suspending(tenant))).id } });
};

/** Sets an endpoint past the service, so that no act is written for it. */
const setEndpoint = ({ tenantId }: TestTenant) =>
  service.pool.query(
    `with t as (update tenants set delivers = true, revision = revision + 1 where tenant_id = $1)
    insert into webhook_endpoints (tenant_id, url, enabled, updated_at)
    values ($1, 'http://127.0.0.1:9/hooks', true, now())`,
    [tenantId],
  );

const keyBody = () => ({
  name: 'Reports',
  roles: ['reader'],
  expires_at: new Date(service.clocks.realNow() + 3_600_000).toISOString(),
});

const anId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const byOf = (id: string, scope: string): By => ({ kind: 'person', id, scope });

/** Somebody comes in, or proves to be there. */
const entering =
  (enter: (owner: PortalPerson) => Promise<Reply>): Try =>
  async ({ tenant, owner }) => {
    const person = await owner();
    const reply = await enter(person);
    return { reply, by: byOf(person.id, tenant.tenantId), record: reply.body.id ?? anId };
  };

async function addedPasskey(owner: PortalPerson): Promise<Reply> {
  const { options } = (await owner.ask('POST', '/my-passkeys/begin')).body;
  const credential = newPasskey(new URL(service.config.publicUrl).origin).create(options);
  return owner.ask('POST', '/my-passkeys', { credential, name: 'Ana Key' });
}

const ofPasskey =
  (body?: object): Try =>
  async ({ owner, byPerson }) => {
    const person = await owner();
    const { id } = (await addedPasskey(person)).body;
    return byPerson(person, { params: { id }, ...(body && { body }) });
  };

const decided: Try = async ({ byOwner }) => {
  const { user_code } = (await openDevice(server)).begun;
  return byOwner({ body: { user_code } });
};

const consent = { hours: 1, note: 'Ana Key' };
/** Lets one of the staff come in by consent, and perhaps leave. */
const visiting =
  (isLeaving: boolean): Try =>
  async ({ tenant: { tenantId }, owner }) => {
    await (await owner()).ask('POST', '/support-consents', consent);
    const visitor = await portalPerson(server, 'platform', ['support']);
    const entered = await visitor.ask('POST', `/tenants/${tenantId}/enter`);
    const reply = isLeaving ? await visitor.ask('POST', '/session/leave') : entered;
    const also = [isLeaving ? 'leaveTenant' : 'enterTenant'];
    return { reply, by: byOf(visitor.id, tenantId), record: anId, also };
  };

const reader = { email: 'new@example.com', roles: ['reader'] };
const support = { email: 'new@example.com', roles: ['support'] };
/** A gray pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';

const bankAccount = {
  title: 'Maple Market FBO',
  account_type: 'checking',
  routing_number: '021000021',
  account_number: '000123456789',
};

const further = { name: 'Books', url: 'https://books.example/hooks' };
const ofFurther =
  (body?: object): Try =>
  async ({ send, byProgram }) => {
    const { id } = (await send('POST', '/webhook-endpoints', further)).body;
    return byProgram({ params: { id }, ...(body && { body }) });
  };

/** One successful call of each operation; the compiler demands that none is missing. */
const writes: Readonly<Record<WriteId, Try>> = {
  putWebhookEndpoint: program({ url: 'https://shop.example/hooks' }),
  createFurtherEndpoint: program(further),
  changeFurtherEndpoint: ofFurther({ enabled: false }),
  deleteFurtherEndpoint: ofFurther(),
  createWebhookSecret: program(),
  retireWebhookSecret: firstOf('/webhook-secrets'),
  uploadBankStatement: async ({ tenant, byProgram }) =>
    byProgram({
      body: {
        tenant_id: tenant.tenantId,
        day: '2026-03-02',
        file_name: 'bank.csv',
        csv: 'date,amount,reference\n2026-03-02,1.00,x',
      },
    }),
  noteBankDifference: async ({ tenant, send, byProgram }) => {
    const { body } = await send('POST', '/bank-statements', {
      tenant_id: tenant.tenantId,
      day: '2026-03-03',
      file_name: 'bank.csv',
      csv: 'date,amount,reference\n2026-03-03,1.00,x',
    });
    const note = { difference: 'line 2', note: "The bank's fee", cleared: true };
    return byProgram({ params: { id: body.id }, body: note });
  },
  proposeBankAccount: ({ byProgram }) => byProgram({ params: { id: 'fbo' }, body: bankAccount }),
  putBankAccountInForce: async ({ send, byProgram }) => {
    await send('PUT', '/own-bank-accounts/fbo', bankAccount);
    return byProgram({ params: { id: 'fbo' } });
  },
  createCredential: program(),
  retireCredential: firstOf('/credentials'),
  revokeTokens: program(),
  createApiKey: ({ byProgram }) => byProgram({ body: keyBody() }),
  revokeApiKey: async ({ send, byProgram }) =>
    byProgram({ params: { id: (await send('POST', '/api-keys', keyBody())).body.id } }),
  revokeThisApiKey: async ({ tenant, send }) => {
    const { id, key } = (await send('POST', '/api-keys', keyBody())).body;
    const reply = await server.call('DELETE', '/portal/api/api-keys/current', { token: key });
    return { reply, by: { kind: 'api_key', id, scope: tenant.tenantId }, record: id };
  },
  advanceClock: program({ seconds: 1 }),
  putChaos: program({ duplicate: 0.5 }),
  putProductionRules: program({ enabled: false }),
  recoverEvents: program({ since: '2026-01-01T00:00:00Z', dry_run: true }),
  resendEvent: async ({ tenant, send, byProgram }) => {
    const { body } = await send('POST', '/sample-events', { type: 'payment.completed' });
    await setEndpoint(tenant);
    return byProgram({ params: { id: body.id } });
  },
  testWebhookEndpoint: async ({ tenant, byProgram }) => {
    await setEndpoint(tenant);
    return { ...(await byProgram()), record: null };
  },
  createTemporaryClient: program({}, { record: expect.stringMatching(/^cred_/) }),
  createSignInLink: async ({ tenant }) => ({
    reply: await server.call('POST', '/portal/api/sandbox/sign-in-link', {
      token: operatorKey,
      body: { client_id: tenant.client_id },
    }),
    by: { kind: 'operator_key', id: 'operator', scope: 'platform' },
    record: tenant.tenantId,
  }),
  createSandboxTenant: program({ name: 'Another', sample: false }, { also: ['createTenant'] }),
  // In the platform's chain, and in that of either Tenant.
  resetSandbox: program({ name: 'Test Tenant' }, { also: ['createTenant', 'resetSandbox'] }),
  createSampleEvent: program({ type: 'payment.completed' }, { record: null }),
  simulateMove: async ({ tenant, byProgram }) => {
    const { onboarding_session } = await server.apiOf(tenant).customer('individual');
    const { id } = onboarding_session;
    const asked = { params: { event: 'session.completed' }, body: { object_id: id } };
    return { ...(await byProgram(asked)), record: id };
  },
  reviewRecord: ({ byProgram }) =>
    byProgram({
      params: { resource: 'reserve', id: 'reserve', move: 'fund' },
      body: { amount: 5, note: 'from Ana' },
    }),
  acknowledgeAlarm: async ({ tenant, byProgram }) => {
    const { alarmLog, pool } = service;
    alarmLog.record('ledger', { tenant_id: tenant.tenantId }, 'the ledger violates invariants');
    await alarmLog.flush();
    const finding = 'select id from control.alarms where scope = $1';
    const { rows } = await pool.query<{ id: string }>(finding, [tenant.tenantId]);
    return byProgram({ params: { id: rows[0]?.id ?? '' }, body: { note: 'proven again' } });
  },
  replayRailMessage: onRailMessage(),
  closeRailMessage: onRailMessage({ reason: 'from Ana' }),
  takeCase: onCase(false),
  releaseCase: onCase(true),
  addCaseNote: onCase(true, { text: 'from Ana' }),
  createApproval: program({ ...funding, note: 'from Ana' }),
  approveApproval: ofApproval,
  refuseApproval: ofApproval,
  putSettings: program({ withdrawal_hold_hours: 24 }),
  uploadLogo: program({ png }),
  createPlatformApproval: ({ tenant, byProgram }) => byProgram({ body: suspending(tenant) }),
  approvePlatformApproval: async (on) => ({
    ...(await ofPlatformApproval(on)),
    also: ['suspendTenant'],
  }),
  refusePlatformApproval: ofPlatformApproval,
  revokeQrKey: ({ byPerson }) => byPerson(admin, { params: { id: 'older' } }),
  suspendTenant: ({ tenant, byProgram }) =>
    byProgram({ params: { id: tenant.tenantId }, body: { reason: 'from Ana' } }),
  resumeTenant: async ({ tenant, byPerson }) => {
    const { tenantId: id } = tenant;
    await admin.ask('POST', `/tenants/${id}/suspend`, { reason: 'from Ana' });
    return byPerson(admin, { params: { id } });
  },
  createTenant: async () => ({
    reply: await server.call('POST', '/portal/api/tenants', {
      token: operatorKey,
      body: { name: 'Another' },
    }),
    by: { kind: 'operator_key', id: 'operator', scope: 'platform' },
    record: anId,
  }),
  signOut: async ({ byOwner }) => ({ ...(await byOwner()), record: anId }),
  actIn: ({ tenant, byOwner }) => byOwner({ body: { scope: tenant.tenantId } }),
  finishSignIn: entering((owner) => owner.signIn()),
  signInByRecoveryCode: entering(({ email, recoveryCodes: [recovery_code] }) =>
    openBrowser(server).ask('POST', '/sign-in/recovery', { email, recovery_code }),
  ),
  signInByLink: async ({ tenant: { tenantId } }) => {
    const token = tokenOf(await sandboxSignInLink(service, tenantId));
    const reply = await openBrowser(server).ask('POST', '/sign-in/link', { token });
    return { reply, by: byOf(reply.body.person.id, tenantId), record: reply.body.id };
  },
  finishStepUp: entering((owner) => answer(owner, 'step-up', owner.passkey)),
  finishAcceptance: async ({ tenant: { tenantId: scope } }) => {
    const link = await invitation(server, { scope, email: reader.email, roles: ['reader'] });
    const { reply } = await enrol(server, link, 'Ana Key');
    return { reply, by: byOf(reply.body.session.person.id, scope), record: anId };
  },
  endMySession: async ({ owner, byPerson }) => {
    const person = await owner();
    const { data } = (await person.ask('GET', '/my-sessions')).body;
    return byPerson(person, { params: { id: data[0].id } });
  },
  endMyOtherSessions: ({ byOwner }) => byOwner(),
  addMyPasskey: entering(addedPasskey),
  nameMyPasskey: ofPasskey({ name: 'Ana Key' }),
  removeMyPasskey: ofPasskey(),
  replaceMyRecoveryCodes: ({ byOwner }) => byOwner(),
  putMember: ofMember({ roles: ['finance'] }),
  removeMember: ofMember(),
  endMemberSessions: ofMember(),
  putStaff: ofStaff({ roles: ['reviewer'] }),
  removeStaff: ofStaff(),
  endStaffSessions: ofStaff(),
  createInvitation: ({ byOwner }) => byOwner({ body: reader }),
  revokeInvitation: ofOwn('/invitations', reader),
  createStaffInvitation: ({ byPerson }) => byPerson(admin, { body: support }),
  revokeStaffInvitation: async ({ byPerson }) => {
    const { id } = (await admin.ask('POST', '/staff-invitations', support)).body;
    return byPerson(admin, { params: { id } });
  },
  // What concerns staff in a Tenant stands in the platform's chain too.
  giveSupportConsent: async ({ byOwner }) => ({
    ...(await byOwner({ body: consent })),
    also: ['giveSupportConsent'],
  }),
  endSupportConsent: async (on) => ({
    ...(await ofOwn('/support-consents', consent)(on)),
    also: ['endSupportConsent'],
  }),
  enterTenant: visiting(false),
  leaveTenant: visiting(true),
  approveDeviceSignIn: decided,
  denyDeviceSignIn: decided,
  pollDeviceSignIn: async ({ tenant: { tenantId }, owner }) => {
    const person = await owner();
    const { begun, poll } = await openDevice(server);
    await person.ask('POST', '/device-sign-in/approve', { user_code: begun.user_code });
    const reply = await poll();
    return { reply, by: byOf(person.id, tenantId), record: reply.body.id };
  },
  putSingleSignOn: async ({ byOwner }) => {
    const { issuer, secret } = await openProvider();
    return byOwner({ body: { issuer, client_id: 'ours', client_secret: secret } });
  },
  removeSingleSignOn: ({ byOwner }) => byOwner(),
};

const ids = Object.keys(writes) as WriteId[];

test.each(ids)(
  '%s leaves its row with who, what and when, and each row a line of the log',
  async (id) => {
    const {
      by,
      reply,
      record,
      also = [],
    } = await writes[id](calling(id, await server.anotherTenant()));
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    const requestId = reply.headers.get('service-request-id');
    const { rows } = await service.pool.query<AuditRow>(
      'select * from control.audit where request_id = $1 order by at, number',
      [requestId],
    );
    const act = id === 'reviewRecord' ? 'review.reserve.fund' : id;
    expect(rows.map((row) => row.act).sort()).toEqual([act, ...also].sort());
    const { kind: actor_kind, id: actor_id, scope } = by;
    expect(rows.find((row) => row.act === act && row.scope === scope)).toMatchObject({
      actor_kind,
      actor_id,
      record,
      address: '127.0.0.1',
      outcome: 'done',
    });
    const told = lines.map((line) => JSON.parse(line).audit).filter(Boolean);
    for (const { scope, number, act, hash, body } of rows) {
      expect(body).not.toMatch(/whsec_|cs_|tok_|tp[a-z]_|from Ana|Ana Key|example\.com/);
      expect(told).toContainEqual(expect.objectContaining({ scope, number, act, hash }));
    }
  },
);

const byProgram = ids.filter((id) => {
  const { of, key } = portalEndpoints[id] as PortalEndpoint;
  return of !== 'person' && key !== 'operator';
});

test.each(byProgram)('%s leaves one row when it is refused, with the code', async (id) => {
  const tenant = await server.anotherTenant();
  const { method, path } = portalEndpoints[id];
  const url = path.replaceAll(/:\w+/g, 'cs_canary@example.com');
  const body = { unknown_field: 'canary' };
  const { status, ...reply } = await server.call(method, url, { token: tenant.token, body });
  expect(status).toBeGreaterThanOrEqual(400);
  const { rows } = await service.pool.query<AuditRow>(
    'select * from control.audit where request_id = $1',
    [reply.headers.get('service-request-id')],
  );
  expect(rows).toMatchObject([
    {
      scope: scopeOf(id, tenant),
      actor_kind: 'client',
      actor_id: tenant.client_id,
      act: id === 'reviewRecord' ? 'review' : id,
      record: null,
      outcome: reply.body.error.code,
    },
  ]);
  expect(rows[0]?.body).not.toContain('canary');
});
