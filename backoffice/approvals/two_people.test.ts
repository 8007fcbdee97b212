import { randomUUID } from 'node:crypto';
import type { StaffRole } from '@tenant-payments/contract/core/roles.ts';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { readRevokedQrKeys } from '@tenant-payments/service/resources/payment_requests/revoked_qr_keys.ts';
import { beginRestore, openRestoreOf } from '@tenant-payments/service/restore/begin.ts';
import { settledOf } from '@tenant-payments/service/restore/settle.ts';
import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { executedAfterFailing, lateMoney, newDispute } from '../../test/kit/desk.ts';
import { newVersion } from '../../test/kit/legal_texts.ts';
import { byCommandLine, type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { openProvider } from '../../test/kit/sign_on/provider.ts';
import { closedLongAgo, waitingLink } from '../../test/kit/two_person_cases.ts';
import { keepInVault } from '../../test/kit/vault.ts';
import { seldomAlone } from '../contract/operate/approvals.ts';
import { providerOf, type Stored } from '../people/single_sign_on/providers.ts';
import { loadProvider, replaceProvider } from '../people/single_sign_on/replace.ts';

/** Every act that needs two people, asked for and approved over HTTP by people who are signed in. */

const { server, admins, openCase } = await openApprovals();
const [maria, otto, ada] = admins;

const setProvider = command('set_provider', {
  load: (read, { scope }: Stored) => loadProvider(read, scope),
  decide: (work, loaded, stored) => ({
    value: replaceProvider(work, server.service, loaded, stored),
  }),
});

/** An act as it is asked for, and how it shows that it was done. */
interface Asked {
  readonly body: { readonly resource: string; readonly id: string; readonly move: string };
  /** The call by which one person alone would do the same; absent: there is no such call. */
  readonly alone?: { readonly method: string; readonly path: string; readonly body?: object };
  readonly isDone: () => Promise<boolean>;
  /** The path of requests for acts on the platform; absent: the Tenant's requests. */
  readonly at?: '/platform-approvals';
}

/** A reviewer's move, by the reviewer's door and by its row of the reviews. */
function asReview({ engine }: StaffCase, body: Asked['body'], fields: object = {}): Asked {
  const { resource, id, move } = body;
  return {
    body: { ...body, ...fields },
    alone: { method: 'POST', path: `/review/${resource}/${id}/${move}`, body: fields },
    async isDone() {
      const rows = await engine.query(
        'select from reviews where tenant_id = $1 and record_id = $2 and move = $3',
        id,
        move,
      );
      return rows.length > 0;
    },
  };
}

const violatedProof = `insert into ledger_proofs (tenant_id, id, at, cause, ok, checked, found, violations,
    duration_ms, process_id)
  values ($1::uuid, gen_random_uuid(), now(), 'night', false, 10, 1, jsonb_build_array(jsonb_build_object(
    'invariant', '1.sum', 'tenant_id', $1::uuid::text, 'subject', 'pay_1', 'message', 'off by 1')), 5,
    gen_random_uuid())
  returning id`;

const suspenseMove = (move: string) => async (of: StaffCase) =>
  asReview(of, { resource: 'suspense', id: await lateMoney(of), move });
const disputeMove =
  (move: string, more = {}) =>
  async (of: StaffCase) =>
    asReview(of, { resource: 'disputes', id: await newDispute(of, 2_600_00), move }, more);

/** Acts that are no moves of a reviewer. */
const others = [
  'settings.change',
  'tenants.suspend',
  'qr-keys.revoke',
  'staff.invite',
  'staff.change',
  'staff.remove',
  'single-sign-on.set',
  'single-sign-on.remove',
  'restores.end',
  'restores.settle',
  'ledger-proofs.acknowledge',
  'ledger-proofs.take_back',
  'own-bank-accounts.put_in_force',
] as const;
type Name = (typeof seldomAlone)[number] | (typeof others)[number];

const invitationsOf = async (email: string) =>
  (await server.owner.query('select id from control.invitations where email = $1', [email])).rows;

async function staffMove(
  move: 'change' | 'remove',
  role: StaffRole,
  roles: readonly StaffRole[] = [],
): Promise<Asked> {
  const { id } = await portalPerson(server, 'platform', [role]);
  const given = roles.length === 0 ? {} : { roles };
  const method = roles.length === 0 ? 'DELETE' : 'PUT';
  return {
    at: '/platform-approvals',
    body: { resource: 'staff', id, move, ...given },
    alone: { method, path: `/staff/${id}`, ...(roles.length > 0 && { body: given }) },
    async isDone() {
      const { rows } = await server.owner.query(
        "select role from control.roles where scope = 'platform' and person_id = $1",
        [id],
      );
      return JSON.stringify(rows.map(({ role: held }) => held)) === JSON.stringify(roles);
    },
  };
}

const proofMove =
  (move: 'acknowledge' | 'take_back') =>
  async ({ tenant: { tenantId } }: StaffCase): Promise<Asked> => {
    const { rows } = await server.owner.query<{ id: string }>(violatedProof, [tenantId]);
    const id = rows[0]?.id ?? '';
    const isBack = move === 'take_back';
    if (isBack)
      await server.owner.query('update ledger_proofs set acknowledged_at = now() where id = $1', [
        id,
      ]);
    return {
      body: { resource: 'ledger-proofs', id, move },
      async isDone() {
        const kept = 'select acknowledged_at from ledger_proofs where tenant_id = $1 and id = $2';
        const [row] = (await server.owner.query(kept, [tenantId, id])).rows;
        return (row.acknowledged_at === null) === isBack;
      },
    };
  };

async function ownProvider() {
  const provider = await openProvider();
  const back = `${server.service.config.publicUrl}/portal/sign-in/callback/platform`;
  provider.allow('ours', [back]);
  const { issuer, secret } = provider;
  return { issuer, client_id: 'ours', client_secret: secret };
}

/** The compiler asks for each act of the table. */
const acts: Readonly<Record<Name, (of: StaffCase) => Promise<Asked>>> = {
  'accounts.adjust': async (of) => {
    const { accountId: id } = await of.api.approved('individual');
    return asReview(of, { resource: 'accounts', id, move: 'adjust' }, { amount: 5_00 });
  },
  'reserve.fund': async (of) =>
    asReview(of, { resource: 'reserve', id: 'reserve', move: 'fund' }, { amount: 5_00 }),
  'bank-messages.book': async (of) =>
    asReview(of, {
      resource: 'bank-messages',
      id: await executedAfterFailing(server, of),
      move: 'book',
    }),
  'suspense.match': suspenseMove('match'),
  'suspense.return': suspenseMove('return'),
  'linked-accounts.release_hold': async (of) => {
    const id = await waitingLink(of);
    return asReview(of, { resource: 'linked-accounts', id, move: 'release_hold' });
  },
  'accounts.release_hold': async (of) => {
    const { accountId: id } = await of.api.approved('individual');
    await of.api.post(`/portal/api/review/accounts/${id}/place_hold`, {});
    return asReview(of, { resource: 'accounts', id, move: 'release_hold' });
  },
  'customers.erase': async (of) =>
    asReview(of, { resource: 'customers', id: await closedLongAgo(server, of), move: 'erase' }),
  'customers.open_identity': async (of) => {
    const { customerId: id } = await of.api.approved('individual');
    await keepInVault(server.service, { tenantId: of.tenant.tenantId, id });
    const named = { resource: 'customers', id, move: 'open_identity' };
    return asReview(of, named, { note: 'they asked' });
  },
  'owners.open_identity': async (of) => {
    const { customerId } = await of.api.approved('business');
    const [{ id }] = (await of.api.get(`/v1/customers/${customerId}/owners`)).data;
    await keepInVault(server.service, { tenantId: of.tenant.tenantId, id, customerId });
    return asReview(of, { resource: 'owners', id, move: 'open_identity' }, { note: 'they asked' });
  },
  'documents.publish': async (of) =>
    asReview(
      of,
      { resource: 'documents', id: 'cip_notice', move: 'publish' },
      newVersion('2026-02'),
    ),
  'disputes.classify': disputeMove('classify', {
    handled_as: 'purchase_dispute',
    note: 'they asked',
  }),
  'disputes.credit': async (of) => {
    const asked = await disputeMove('credit')(of);
    await of.api.post(`/portal/api/review/disputes/${asked.body.id}/investigate`, {});
    return asked;
  },
  'disputes.resolve_approved': disputeMove('resolve_approved'),
  'disputes.resolve_denied': disputeMove('resolve_denied', { finding: 'It was hers' }),
  'disputes.resolve_partial': disputeMove('resolve_partial', { amount: 50_00, finding: 'A part' }),
  'disputes.resolve_withdrawn': disputeMove('resolve_withdrawn'),
  'settings.change': async ({ api }) => {
    const limits = { ...defaultSettings('').limits, load_daily: { individual: null, business: 1 } };
    return {
      body: { resource: 'settings', id: 'settings', move: 'change', settings: { limits } },
      alone: { method: 'PUT', path: '/settings', body: { limits } },
      isDone: async () =>
        (await api.get('/portal/api/settings')).limits.load_daily.individual === null,
    };
  },
  'tenants.suspend': async ({ tenant: { tenantId: id }, engine }) => ({
    at: '/platform-approvals',
    body: { resource: 'tenants', id, move: 'suspend' },
    alone: { method: 'POST', path: `/tenants/${id}/suspend`, body: { reason: 'fraud' } },
    async isDone() {
      const [row] = await engine.query('select suspended_reason from tenants where tenant_id = $1');
      return row.suspended_reason === 'they asked';
    },
  }),
  'qr-keys.revoke': async () => ({
    at: '/platform-approvals',
    body: { resource: 'qr-keys', id: 'older', move: 'revoke' },
    alone: { method: 'POST', path: '/qr-keys/older/revoke', body: {} },
    isDone: async () => (await readRevokedQrKeys(server.service.db)).has('older'),
  }),
  'staff.invite': async () => {
    const given = { email: 'new-admin@example.com', roles: ['admin'] };
    return {
      at: '/platform-approvals',
      body: { resource: 'staff', id: 'new', move: 'invite', ...given },
      alone: { method: 'POST', path: '/staff-invitations', body: given },
      isDone: async () => (await invitationsOf(given.email)).length === 1,
    };
  },
  'staff.change': () => staffMove('change', 'support', ['reviewer']),
  'staff.remove': () => staffMove('remove', 'admin'),
  'single-sign-on.set': async () => {
    const provider = await ownProvider();
    return {
      at: '/platform-approvals',
      body: { resource: 'single-sign-on', id: 'platform', move: 'set', provider },
      alone: { method: 'PUT', path: '/single-sign-on', body: provider },
      isDone: async () => (await providerOf(server.service.control, 'platform')) !== null,
    };
  },
  'single-sign-on.remove': async () => {
    const { issuer, client_id: clientId, client_secret: clientSecret } = await ownProvider();
    await byCommandLine(server, setProvider, {
      scope: 'platform',
      client: { issuer, clientId, clientSecret },
      required: false,
      trustEmail: false,
    });
    return {
      at: '/platform-approvals',
      body: { resource: 'single-sign-on', id: 'platform', move: 'remove' },
      alone: { method: 'DELETE', path: '/single-sign-on' },
      isDone: async () => (await providerOf(server.service.control, 'platform')) === null,
    };
  },
  'restores.end': async () => {
    const { control } = server.service;
    const now = new Date().toISOString();
    const { id } = await beginRestore(control, {
      cause: 'command',
      restoredTo: now,
      by: 'me',
      now,
    });
    return {
      at: '/platform-approvals',
      body: { resource: 'restores', id, move: 'end' },
      isDone: async () => (await openRestoreOf(control)) === null,
    };
  },
  'restores.settle': async () => {
    const id = randomUUID();
    return {
      at: '/platform-approvals',
      body: { resource: 'restores', id, move: 'settle' },
      isDone: async () => (await settledOf(server.service.control, [id])).has(id),
    };
  },
  'own-bank-accounts.put_in_force': async (of) => {
    const path = '/own-bank-accounts/fbo';
    const account = {
      title: 'Maple Market FBO',
      account_type: 'checking',
      routing_number: '021000021',
      account_number: '000123456789',
    };
    expect((await of.send(maria, 'PUT', path, account)).status).toBe(200);
    return {
      body: { resource: 'own-bank-accounts', id: 'fbo', move: 'put_in_force' },
      alone: { method: 'POST', path: `${path}/put-in-force` },
      async isDone() {
        const { body } = await of.send(maria, 'GET', '/own-bank-accounts');
        return body.data[0].in_force?.last4 === '6789';
      },
    };
  },
  'ledger-proofs.acknowledge': proofMove('acknowledge'),
  'ledger-proofs.take_back': proofMove('take_back'),
};
const names = Object.keys(acts) as Name[];

const noted = ({ body }: Asked) => ({ ...body, note: 'they asked' });

const auditRows = async (scope: string, record: string) => {
  const { rows } = await server.service.pool.query<{ act: string; person_id: string }>(
    `select act, person_id from control.audit
     where scope = $1 and record = $2 and outcome = 'done' order by number`,
    [scope, record],
  );
  return rows.map(({ act, person_id }) => [act, person_id]);
};

test('the table of acts is the one that is tried here', () => {
  expect(names.sort()).toEqual([...seldomAlone, ...others].sort());
});

test.each(names)('%s is done once, by two people, and by neither of them alone', async (name) => {
  const of = await openCase();
  const asked = await acts[name](of);
  if (asked.alone) {
    const { method, path, body } = asked.alone;
    expect(shortOf(await of.send(maria, method, path, body))).toEqual([409, 'approval_required']);
  }
  const { at = '/approvals' } = asked;
  const made = await of.send(maria, 'POST', at, noted(asked));
  expect(shortOf(made)).toEqual([201, 'waiting']);
  const approve = (by: PortalPerson) => of.send(by, 'POST', `${at}/${made.body.id}/approve`);
  expect(shortOf(await approve(maria))).toEqual([403, 'own_request']);
  expect(await asked.isDone()).toBe(false);
  const both = await Promise.all([approve(otto), approve(ada)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const by = both[0]?.status === 200 ? otto : ada;
  expect(await asked.isDone()).toBe(true);
  const rows = await auditRows(asked.at ? 'platform' : of.tenant.tenantId, made.body.id);
  const what = asked.at ? 'PlatformApproval' : 'Approval';
  expect(rows).toEqual([
    [`create${what}`, maria.id],
    [`approve${what}`, by.id],
  ]);
});
