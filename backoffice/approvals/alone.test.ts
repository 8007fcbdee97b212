import { randomUUID } from 'node:crypto';
import { defaultSettings, type FeeRule } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import { heldLong, openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { executedAfterFailing, newDispute, stagedCases } from '../../test/kit/desk.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { portalPerson } from '../../test/kit/people.ts';
import {
  type Further,
  openWalker,
  portalWrites,
  type Walker,
  walk,
} from '../../test/kit/portal_walk.ts';
import { openProvider } from '../../test/kit/sign_on/provider.ts';
import { closedLongAgo, waitingLink } from '../../test/kit/two_person_cases.ts';
import { type PortalEndpointId, portalEndpoints } from '../contract/catalog.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { reviewMoves } from '../contract/operate/review.ts';

/**
 * One person alone, with every role of the staff and of a Tenant, against all that two people protect
 * (rules/approvals#2).
 */

const { server, admins, openCase } = await openApprovals();
const [mallory, otto, alice] = admins;

const review = (of: StaffCase, path: string, body: object = {}, by = mallory) =>
  of.send(by, 'POST', `/review/${path}`, body);

/** A notice that names no movement: nobody knows its amount. */
async function unnamed({ api }: StaffCase): Promise<{ id: string; accountId: string }> {
  const person = await api.approved('individual');
  const { id } = await api.dispute(person, {});
  return { id, accountId: person.accountId };
}

const fee = (type: FeeRule['type']): FeeRule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 100,
  fixed: 10,
  paid_by: 'payee',
});

/** A Tenant with records in the states from which protected ones can be reached. */
async function furnished() {
  const of = await openCase();
  await of.engine.change({ confirmation_grace_seconds: 0, fees: [fee('platform'), fee('tenant')] });
  const held = await of.api.funded('individual', 100_00);
  await of.api.post(`/portal/api/review/accounts/${held.accountId}/place_hold`, {});
  const [waiting, investigated] = [await unnamed(of), await unnamed(of)];
  const [known, alsoKnown] = [await newDispute(of, 2_600_00), await newDispute(of, 2_600_00)];
  const bought = await newDispute(of, 2_600_00, { type: 'purchase_dispute' });
  const credited = await newDispute(of, 2_600_00);
  for (const event of ['dispute.investigating', 'dispute.provisional_credit'])
    await of.api.simulate(event, credited);
  const staged = stagedCases(server);
  for (const id of [investigated.id, alsoKnown])
    await of.api.post(`/portal/api/review/disputes/${id}/investigate`, {});
  const records: Readonly<Record<keyof typeof reviewMoves, readonly string[]>> = {
    customers: [await staged.customers.make(of), held.customerId, await closedLongAgo(server, of)],
    owners: [await staged.owners.make(of)],
    documents: ['privacy_notice'],
    'linked-accounts': [await waitingLink(of), await staged['linked-accounts'].make(of)],
    accounts: [held.accountId, waiting.accountId],
    disputes: [waiting.id, investigated.id, known, alsoKnown, bought, credited],
    suspense: [await staged.suspense.make(of)],
    'bank-messages': [await executedAfterFailing(server, of)],
    'return-requests': [await staged['return-requests'].make(of)],
    notices: [await staged.notices.make(of)],
    reserve: ['reserve'],
  };
  return { of, records };
}

/** Makes staff and a reader whom the walk may try to raise or remove, and a provider that two have set. */
async function furnishPlatform(of: StaffCase) {
  const [rita, kim] = [
    await portalPerson(server, 'platform', ['reviewer']),
    await portalPerson(server, 'platform', ['support']),
    await portalPerson(server, of.tenant.tenantId, ['reader']),
  ];
  await heldLong(server, rita);
  const { tenantId } = of.tenant;
  await server.owner.query(
    `insert into control.role_grants (scope, person_id, role, granted_at)
     values ($1, $2, 'owner', '2020-01-01')`,
    [tenantId, mallory.id],
  );
  const { issuer, secret } = await openProvider();
  const provider = { issuer, client_id: 'ours', client_secret: secret };
  const set = { resource: 'single-sign-on', id: 'platform', move: 'set', provider, note: 'ours' };
  const { body } = await otto.ask('POST', '/platform-approvals', set);
  expect((await alice.ask('POST', `/platform-approvals/${body.id}/approve`)).status).toBe(200);
  const { alarmLog } = server.service;
  alarmLog.record('ledger', { tenant_id: tenantId }, 'the ledger violates invariants');
  await alarmLog.flush();
  return { kim, provider };
}

/** All that two people protect, as it is now. */
async function protectedState(of: StaffCase) {
  const { engine } = of;
  await alice.signIn();
  const control = async (query: string) => (await server.owner.query(query)).rows;
  const rows = (query: string) => engine.query<{ row: unknown }>(query);
  const {
    limits,
    fees,
    withdrawal_hold_hours,
    confirmation_grace_seconds,
    refund_window_days,
    account_structure,
  } = (await of.send(alice, 'GET', '/settings')).body;
  return {
    money: await rows(`select to_jsonb(t) as row from (
      select account_id, available + pending_outgoing + earmarked as cents from balances
      where tenant_id = $1 and available + pending_outgoing + earmarked <> 0 order by 1) t`),
    platform: await rows(`select to_jsonb(t) as row from (
      select pocket, sum(delta) as cents from entries where tenant_id = $1 and account_id is null
      group by pocket order by 1) t`),
    banks: await rows(`select to_jsonb(t) as row from (
      select role, in_force from own_bank_accounts
      where tenant_id = $1 and in_force is not null order by 1) t`),
    links: await rows(`select to_jsonb(t) as row from (
      select id, withdrawal_hold_until from linked_accounts
      where tenant_id = $1 and status = 'verified' order by 1) t`),
    holds: await rows(
      `select to_jsonb(id) as row from accounts where tenant_id = $1 and legal_hold order by id`,
    ),
    erased: await rows(
      `select to_jsonb(id) as row from customers where tenant_id = $1 and erased_at is not null`,
    ),
    texts: await rows(
      `select to_jsonb(in_force) as row from document_versions where tenant_id = $1 order by document_type`,
    ),
    timed: await rows(`select to_jsonb(t) as row from (
      select id, credit_due_at from disputes where tenant_id = $1 and regulation_e order by id) t`),
    refused: await rows(`select to_jsonb(id) as row from disputes where tenant_id = $1
      and outcome in ('denied', 'partially_approved', 'withdrawn')`),
    awarded: await rows(`select to_jsonb(id) as row from disputes where tenant_id = $1
      and award_cents > 0`),
    suspended: await rows(
      `select to_jsonb(t) as row from (select suspended_at from tenants where tenant_id = $1) t`,
    ),
    qrKeys: await control('select key_id from control.revoked_qr_keys'),
    admins: await control(`select person_id from control.roles
      where scope = 'platform' and role = 'admin' order by 1`),
    reviewers: await control(`select person_id from control.roles
      where scope = 'platform' and role = 'reviewer' order by 1`),
    invited: await control(`select id from control.invitations
      where scope = 'platform' and roles && array['admin', 'reviewer']`),
    provider: await control(`select issuer, client_id from control.identity_providers
      where scope = 'platform'`),
    settings: {
      limits,
      fees: fees.filter(({ type }: FeeRule) => type === 'platform'),
      withdrawal_hold_hours,
      confirmation_grace_seconds,
      refund_window_days,
      account_structure,
    },
  };
}

const none = [{}];
const sums = [{}, { amount: 1 }, { amount: 5_000_000_00 }];
const kind = (handled_as: string) => ({ handled_as, note: 'by the words' });
/** The bodies with which each resource's moves are tried: those that a move does not take are refused. */
const reviewBodies: Readonly<Record<keyof typeof reviewMoves, readonly object[]>> = {
  customers: none,
  owners: none,
  documents: [newVersion('2031-01')],
  'linked-accounts': none,
  accounts: [...sums, { amount: -1 }],
  disputes: [...sums, kind('purchase_dispute'), kind('unauthorized_transfer')],
  suspense: none,
  'bank-messages': none,
  'return-requests': [{}, { amount: 1 }],
  notices: [{ finding: 'by post' }],
  reserve: sums,
};
const resources = Object.keys(reviewMoves) as (keyof typeof reviewMoves)[];

const { limits } = defaultSettings('');
const limitsOf = (change: (value: number | null) => number | null) =>
  Object.fromEntries(
    Object.entries(limits).map(([name, { individual, business }]) => [
      name,
      { individual: change(individual), business: change(business) },
    ]),
  );
const weakening: readonly object[] = [
  { withdrawal_hold_hours: 0 },
  { withdrawal_hold_hours: 71 },
  { confirmation_grace_seconds: 86_400 },
  { refund_window_days: 1 },
  { account_structure: 'tenant_scheme' },
  { limits: limitsOf((value) => value && value * 3) },
  { limits: limitsOf(() => null) },
  { fees: [fee('tenant')] },
  { fees: [fee('tenant'), { ...fee('platform'), fixed: 9 }] },
  { fees: [fee('tenant'), { ...fee('platform'), basis_points: 99 }] },
  { withdrawal_hold_hours: 0, rate_limit_per_minute: 7_000 },
];

const statement = {
  day: '2026-03-02',
  file_name: 'bank.csv',
  csv: 'date,amount,reference\n2026-03-02,1.00,x',
};

/** The sandbox's own tools that play the bank, let time pass or put another Tenant in the place of this one. */
const playing: readonly PortalEndpointId[] = ['simulateMove', 'advanceClock', 'resetSandbox'];

/** Operations that refuse whatever the walk sends: requests and keys of others, passkeys that are not at hand. */
const refused: readonly PortalEndpointId[] = [
  'actIn',
  'finishStepUp',
  'addMyPasskey',
  'removeMyPasskey',
  'enterTenant',
  'leaveTenant',
  'beginSingleSignOnStepUp',
  'revokeThisApiKey',
  'openDeviceSignIn',
  'approveDeviceSignIn',
  'denyDeviceSignIn',
  'approveApproval',
  'approvePlatformApproval',
  'resumeTenant',
  'createSignInLink',
  // No provider has sent a message there.
  'replayRailMessage',
  'closeRailMessage',
  // The sandbox's identity provider keeps nothing in the vault (a test of service/inbound/manual_identity).
  'openIdentity',
  'openIdentityDocument',
];
/** Operations that answer that a second person is needed. */
const byTwo: readonly PortalEndpointId[] = [
  'reviewRecord',
  'putStaff',
  'removeStaff',
  'createStaffInvitation',
  'putSingleSignOn',
  'removeSingleSignOn',
  'putBankAccountInForce',
  'putSettings',
  'revokeQrKey',
  'suspendTenant',
];

/** Each operation with the answers that it gave. */
type Answers = Map<string, Set<string>>;

test('no change of settings by one person alone weakens what two people protect', async () => {
  const of = await openCase();
  await of.engine.change({ fees: [fee('platform'), fee('tenant')] });
  for (const body of weakening) {
    const reply = await of.send(alice, 'PUT', '/settings', body);
    expect(shortOf(reply), JSON.stringify(body)).toEqual([409, 'approval_required']);
  }
});

test('nobody creates money by a dispute without a movement', async () => {
  const of = await openCase();
  const { id, accountId } = await unnamed(of);
  await review(of, `disputes/${id}/investigate`, {}, alice);
  const credit = await review(of, `disputes/${id}/credit`, { amount: 5_000_000_00 }, alice);
  expect(shortOf(credit)).toEqual([409, 'approval_required']);
  const award = await review(of, `disputes/${id}/resolve_approved`, { amount: 1 }, alice);
  expect(shortOf(award)).toEqual([409, 'approval_required']);
  expect(await of.api.get(`/v1/accounts/${accountId}/balance`)).toMatchObject({ available: 0 });
});

test('an amount that staff have set stays unknown: one cent of it is not refused by one person', async () => {
  const of = await openCase();
  const { id } = await unnamed(of);
  await review(of, `disputes/${id}/investigate`, {}, alice);
  const asked = { resource: 'disputes', id, move: 'credit', amount: 1, note: 'a first cent' };
  const made = await of.send(alice, 'POST', '/approvals', asked);
  expect(made.body).toMatchObject({ status: 'waiting', amount: 1 });
  const approved = await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  expect(shortOf(approved)).toEqual([200, 'approved']);
  for (const [move, body] of [
    ['resolve_denied', { finding: 'It was not' }],
    ['resolve_withdrawn', {}],
  ] as const)
    expect(shortOf(await review(of, `disputes/${id}/${move}`, body, alice))).toEqual([
      409,
      'approval_required',
    ]);
});

test('an amount that staff set of a payment that never came about is as unknown', async () => {
  const of = await openCase();
  const [ana, shop] = [await of.api.funded('individual', 400_00), await of.api.banked('business')];
  const { id: payment_id } = await of.api.pay(ana, shop, 400_00);
  const { id } = await of.api.dispute(ana, { payment_id });
  await review(of, `disputes/${id}/investigate`, {}, alice);
  for (const move of ['credit', 'resolve_approved', 'resolve_partial', 'resolve_denied'])
    expect([
      move,
      ...shortOf(
        await review(
          of,
          `disputes/${id}/${move}`,
          {
            ...(/denied/.test(move) ? {} : { amount: 1 }),
            ...(/partial|denied/.test(move) ? { finding: 'It was hers' } : {}),
          },
          alice,
        ),
      ),
    ]).toEqual([move, 409, 'approval_required']);
  const asked = { resource: 'disputes', id, move: 'credit', amount: 1, note: 'a first cent' };
  const made = await of.send(alice, 'POST', '/approvals', asked);
  const approved = await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  expect(shortOf(approved)).toEqual([200, 'approved']);
  const found = { finding: 'It was hers' };
  const denial = await review(of, `disputes/${id}/resolve_denied`, found, alice);
  expect(shortOf(denial)).toEqual([409, 'approval_required']);
});

test('what one person credits alone counts towards the cap of the day', async () => {
  const of = await openCase();
  const funds = {
    resource: 'reserve',
    id: 'reserve',
    move: 'fund',
    amount: 9_800_00,
    note: 'more',
  };
  const made = await of.send(alice, 'POST', '/approvals', funds);
  await of.send(otto, 'POST', `/approvals/${made.body.id}/approve`);
  const [first, second] = [await newDispute(of, 150_00), await newDispute(of, 150_00)];
  for (const id of [first, second]) await review(of, `disputes/${id}/investigate`, {}, alice);
  expect((await review(of, `disputes/${first}/credit`, {}, alice)).status).toBe(200);
  const passing = await review(of, `disputes/${second}/credit`, {}, alice);
  expect(shortOf(passing)).toEqual([409, 'approval_required']);
});

test('no operation of the portal lets one person alone reach an end that two people protect', async () => {
  const { of, records } = await furnished();
  const { kim, provider } = await furnishPlatform(of);
  const { tenantId } = of.tenant;
  const before = await protectedState(of);
  const expires_at = new Date(server.service.clocks.realNow() + 3_600_000).toISOString();
  const asked = (act: object) => ({ note: 'alone', ...act });
  const roles = [['admin'], ['reviewer'], ['support', 'reviewer'], ['support']];
  const cases = resources.flatMap((resource) => records[resource].map((id) => ({ resource, id })));
  const further: Further = {
    bodies: {
      putStaff: roles.map((given) => ({ roles: given })),
      createStaffInvitation: [
        { email: 'puppet@example.com', roles: ['admin'] },
        { email: kim.email, roles: ['admin'] },
        { email: otto.email, roles: ['support'] },
        { email: 'helper@example.com', roles: ['support'] },
      ],
      putSettings: weakening,
      putChaos: [{ duplicate: 0.2 }],
      createApiKey: [
        { name: 'Nights', roles: ['reviewer'], expires_at },
        { name: 'Reports', roles: ['finance'], expires_at },
      ],
      uploadBankStatement: [{ ...statement, tenant_id: tenantId }],
      noteBankDifference: [{ difference: 'line 2', note: 'alone', cleared: true }],
      putSingleSignOn: [provider, { ...provider, client_id: 'theirs' }],
      createApproval: [
        asked({ resource: 'reserve', id: 'reserve', move: 'fund', amount: 5_00 }),
        asked({
          resource: 'settings',
          id: 'settings',
          move: 'change',
          settings: { withdrawal_hold_hours: 0 },
        }),
      ],
      createPlatformApproval: [
        asked({ resource: 'tenants', id: tenantId, move: 'suspend' }),
        asked({ resource: 'qr-keys', id: 'older', move: 'revoke' }),
        asked({ resource: 'staff', id: kim.id, move: 'change', roles: ['admin'] }),
        asked({ resource: 'staff', id: otto.id, move: 'remove' }),
        asked({ resource: 'single-sign-on', id: 'platform', move: 'remove' }),
      ],
    },
    paths: {
      reviewRecord: [],
      takeCase: cases.map(({ resource, id }) => `/cases/${resource}/${id}/take`),
      releaseCase: cases.map(({ resource, id }) => `/cases/${resource}/${id}/release`),
      addCaseNote: cases.map(({ resource, id }) => `/cases/${resource}/${id}/notes`),
      previewMove: cases.map(({ resource, id }) => `/cases/${resource}/${id}/preview`),
      revokeThisApiKey: ['/api-keys/current'],
      openIdentity: records.customers.map((id) => `/identity/customers/${id}/open`),
      openIdentityDocument: records.customers.map(
        (id) => `/identity/customers/${id}/documents/${randomUUID()}/open`,
      ),
    },
    isOther: (list, id) => list === '/tenants' && id !== tenantId,
  };
  const open = (scope: string, named?: string, by = mallory) =>
    openWalker(server, by, { scope, ...(named && { named }) });
  const [ofPlatform, ofStaff, member] = [
    open('platform'),
    open('platform', tenantId),
    open(tenantId),
  ];
  const byWhom = ({ may, of: whose }: PortalEndpoint) => {
    const isFor = (role: string) =>
      typeof may === 'string' || (may as readonly string[]).includes(role);
    const isStaff = ['admin', 'reviewer', 'support'].some(isFor);
    const isMember = ['owner', 'developer', 'finance', 'reader'].some(isFor);
    return [
      ...(isStaff && whose !== 'tenant' ? [ofPlatform] : []),
      ...(isStaff && whose.startsWith('tenant') ? [ofStaff] : []),
      ...(isMember ? [member] : []),
    ];
  };

  const answers: Answers = new Map();
  const note = (id: string, reply: Parameters<typeof shortOf>[0], what: string) => {
    expect(reply.status, `${what}: ${JSON.stringify(reply.body)}`).toSatisfy((status: number) =>
      [200, 201, 202, 400, 401, 403, 404, 409, 422].includes(status),
    );
    const [status, reason] = shortOf(reply);
    answers.set(id, (answers.get(id) ?? new Set()).add(status < 300 ? 'done' : String(reason)));
  };
  const moves = async (by: Walker) => {
    for (const { resource, id } of cases)
      for (const move of reviewMoves[resource])
        for (const body of reviewBodies[resource]) {
          const path = `/review/${resource}/${id}/${move}`;
          note('reviewRecord', await by.send('POST', path, body), path);
        }
  };
  await moves(ofStaff);
  for (const endpoint of portalWrites.filter(({ id }) => !playing.includes(id as PortalEndpointId)))
    for (const by of byWhom(endpoint))
      for await (const { path, body, reply } of walk(endpoint, by, further))
        note(endpoint.id, reply, `${endpoint.method} ${path} ${JSON.stringify(body)}`);
  // Another one, who finds what the first has left.
  await moves(open('platform', tenantId, otto));

  const after = await protectedState(of);
  // A hold may be placed, a link verified and a reviewer let go by one person.
  const { holds, links, reviewers, ...rest } = before;
  expect(after).toMatchObject(rest);
  expect(after.holds).toEqual(expect.arrayContaining(holds));
  expect(after.links).toEqual(expect.arrayContaining(links));
  expect(reviewers).toEqual(expect.arrayContaining(after.reviewers));
  // So the walk has met what it is about, with bodies that are good.
  const having = (...reasons: string[]) =>
    [...answers].filter(([, found]) => reasons.some((reason) => found.has(reason)));
  expect(having('approval_required').map(([id]) => id)).toEqual(byTwo);
  const taken = new Set(having('done', 'approval_required').map(([id]) => id));
  const tools: readonly PortalEndpoint[] = playing.map((id) => portalEndpoints[id]);
  expect(tools.filter(({ sandboxOnly }) => !sandboxOnly)).toEqual([]);
  const walked = portalWrites.map(({ id }) => id as PortalEndpointId);
  expect(walked.filter((id) => !taken.has(id) && !playing.includes(id)).sort()).toEqual(
    refused.toSorted(),
  );
});
