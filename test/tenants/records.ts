import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import { keepProof } from '../../service/invariants/keep_proof.ts';
import { playable, playScenario, type Scenario } from '../contract/scenario.ts';
import { type Api, openApi } from '../kit/api.ts';
import { openEngine } from '../kit/engine.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { uuid } from '../kit/ids.ts';
import { writtenInVain } from '../kit/messages/bounced_letter.ts';
import { portalPerson } from '../kit/people.ts';
import { application } from '../kit/person.ts';
import type { TestServer, TestTenant } from '../kit/server.ts';
import { keepInVault } from '../kit/vault.ts';

const daySeconds = 86_400;

const fee = {
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  paid_by: 'payee',
  basis_points: 100,
  fixed: 0,
} as const;

/**
 * To where four days more are of one month: a month's first day begins a period, which has nothing to state
 * before it is over.
 */
async function leaveMonthEnd(api: Pick<Api, 'get' | 'advance'>): Promise<void> {
  const { now } = await api.get('/portal/api/clock');
  const day = Number(now.slice(8, 10));
  const intoNextMonth = 35 - day;
  await api.advance((day > 20 ? intoNextMonth : 3) * daySeconds);
}

/** Each Statement closes what has gone by since the one before, and each day's end sweeps a fee. */
async function playStatements({ api, payer, shop }: Scenario) {
  await api.settings({ fees: [fee] });
  for (let period = 0; period < 2; period += 1) {
    await api.confirmed(api.pay(payer, shop, 1_00));
    await api.advance(2 * daySeconds);
    await api.simulate('statement.available', payer.accountId);
  }
  await api.settings({ fees: [] });
  const { data } = await api.get(`/v1/accounts/${payer.accountId}/statements`);
  const { now } = await api.get('/portal/api/clock');
  const day = new Date(Date.parse(now) - 2 * daySeconds * 1_000).toISOString().slice(0, 10);
  const report = await api.get(`/v1/reports/reconciliation?date=${day}`);
  return { statementUrl: data[0].download_url, reportUrl: report.file.download_url };
}

/** Bank money in suspense, and a message of the bank that contradicts its record. */
async function playBank({ api, payer }: Scenario, { service }: TestServer, tenantId: string) {
  const { query } = openEngine(service, tenantId);
  const idIn = async (table: string, loadId: string): Promise<string> => {
    const finding = `select id from ${table} where tenant_id = $1 and source_id = $2`;
    const [row] = await query<{ id: string }>(finding, uuid('load', loadId));
    return row?.id ?? '';
  };
  const loading = () => api.confirmed(api.load(payer, 1_00));
  const paidLate = () => api.played(loading(), 'load.failed', 'load.paid_late');
  // One is matched while the Tenants are compared; a list of two has a cursor.
  const [late] = [await paidLate(), await paidLate(), await paidLate()];
  const settled = await api.played(loading(), 'load.settled', 'bank.return_requested');
  const silent = Object.assign(Object.create(service.log), { error: () => {} });
  await openInbound({ engine: service.engine, log: silent, asks: false }).bank(tenantId, {
    id: randomUUID(),
    orderId: await idIn('instructions', settled.id),
    outcome: 'failed',
    reason: 'AC04',
  });
  const inVain = await writtenInVain(api);
  const [notice] = await query<{ id: string }>(
    'select id from notices where tenant_id = $1 and source_id = $2',
    uuid('dispute', inVain.id),
  );
  return {
    suspenseId: publicId('adjustment', await idIn('suspense', late.id)),
    noticeId: publicId('notice', notice?.id ?? ''),
  };
}

/** Two nights of a ledger. */
async function playProofs({ service }: TestServer, tenantId: string): Promise<void> {
  for (const checked of [1, 2])
    await keepProof(service, { tenantId, cause: 'night' }, async () => {
      return { ok: true, checked, violations: [] };
    });
}

/** Two alarms of a Tenant: the id of one. */
async function playAlarms({ service }: TestServer, tenantId: string): Promise<string> {
  for (const ref of [randomUUID(), randomUUID()])
    service.alarmLog.record('job', { tenant_id: tenantId, job: 'erasure', ref }, 'a job failed');
  await service.alarmLog.flush();
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from control.alarms where scope = $1 limit 1',
    [tenantId],
  );
  return rows[0]?.id ?? '';
}

/** A message that names an order of nobody. */
async function playRailMessage({ service, providers }: TestServer, tenant_id: string) {
  for (const id of ['one', 'two']) {
    const fact = { id, orderId: randomUUID(), outcome: 'settled', amount: 1_00 } as const;
    const receipt = { id, tenantId: tenant_id, port: 'bank', fact } as const;
    const origin = { headers: {}, body: null };
    await providers.taking.take({ name: 'mybank' }, [receipt], origin);
  }
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from rail_messages where tenant_id = $1 limit 1',
    [tenant_id],
  );
  return { tenant_id, id: rows[0]?.id ?? '' };
}

/** Records that wait for their confirmation, one of each type of target. */
async function playTargets({ api, payer, shop }: Scenario) {
  const [load, withdrawal, payment, paid] = await Promise.all([
    api.load(payer, 1_00),
    api.withdraw(payer, 1_00),
    api.pay(payer, shop, 1_00),
    api.confirmed(api.pay(payer, shop, 2_00)),
  ]);
  const refund = await api.refund(paid, 1_00);
  await api.withdraw(payer, 1_00);
  return { load: load.id, withdrawal: withdrawal.id, payment: payment.id, refund: refund.id };
}

/** Two refunds and disputes, and a dispute that was credited: its id. */
async function playDisputes({ api, payer, shop }: Scenario): Promise<string> {
  for (let round = 0; round < 2; round += 1) {
    const paid = await api.confirmed(api.pay(payer, shop, 10_00));
    await api.confirmed(api.refund(paid, 1_00));
    await api.dispute(payer, { payment_id: paid.id });
  }
  const disputed = await api.confirmed(api.pay(payer, shop, 3_00));
  const credited = await api.played(
    api.dispute(payer, { payment_id: disputed.id }),
    'dispute.investigating',
    'dispute.provisional_credit',
  );
  return credited.id;
}

/** Requests for a second person: those of the Tenant and of the platform. */
async function playApprovals({ api }: Scenario, tenantId: string) {
  const funding = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 1_00, note: 'own' };
  const approval = await api.post('/portal/api/approvals', funding);
  const suspension = { resource: 'tenants', id: tenantId, move: 'suspend', note: 'own' };
  const askForSuspension = () => api.post('/portal/api/platform-approvals', suspension);
  const [ofPlatform] = [await askForSuspension(), await askForSuspension()];
  const denied = await api.post('/portal/api/approvals', funding);
  await api.post(`/portal/api/approvals/${denied.id}/refuse`);
  return { approvalId: approval.id as string, platformApprovalId: ofPlatform.id as string };
}

/** Two adjustments, and two statements of the bank: the id of the first. */
async function playMoneyDesk({ api, payer }: Scenario, tenant_id: string): Promise<string> {
  for (const amount of [1_00, -1_00])
    await api.post(`/portal/api/review/accounts/${payer.accountId}/adjust`, { amount });
  const upload = (day: string) =>
    api.post('/portal/api/bank-statements', {
      tenant_id,
      day,
      file_name: 'own.csv',
      csv: `date,amount,reference\n${day},1.00,x`,
    });
  const [statement] = [await upload('2026-03-01'), await upload('2026-03-02')];
  return statement.id;
}

/** Makes the records that say where its events go. */
async function playReceiving(api: Scenario['api']) {
  const secret = await api.post('/portal/api/webhook-secrets');
  const further = { name: 'own', url: 'http://127.0.0.1:9/further', types: ['payment.created'] };
  const { id } = await api.post('/portal/api/webhook-endpoints', further);
  const gone = await api.post('/portal/api/webhook-endpoints', further);
  return {
    webhookSecretId: secret.id as string,
    furtherId: id as string,
    goneId: gone.id as string,
  };
}

/** Makes what only the Tenant's own people hold: a client secret, keys, an invitation, people, a consent. */
async function playPeople({ api, payer, shop }: Scenario, server: TestServer, tenantId: string) {
  const credential = await api.post('/portal/api/credentials');
  const keyOf = (name: string) => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return api.post('/portal/api/api-keys', { name, roles: ['reader'], expires_at });
  };
  // A list of two has a cursor.
  const [apiKey] = [await keyOf('own'), await keyOf('other')];
  for (const expires of [600, 900])
    await api.put('/portal/api/settings', { payment_request_expires_in: expires });
  const invited = { email: `${randomUUID()}@example.com`, roles: ['reader'] };
  const invitation = await api.post('/portal/api/invitations', invited);
  const member = await portalPerson(server, tenantId, ['reader']);
  const financier = await portalPerson(server, tenantId, ['finance']);
  // A list of two has a cursor.
  for (const { customerId } of [payer, shop]) await financier.ask('GET', `/records/${customerId}`);
  const consent = await api.post('/portal/api/support-consents', { hours: 1, note: 'own' });
  return {
    credentialId: credential.id as string,
    apiKeyId: apiKey.id as string,
    invitationId: invitation.id as string,
    memberId: member.id,
    financierId: financier.id,
    financierEmail: financier.email,
    consentId: consent.id as string,
  };
}

/** At least two records of every kind of one Tenant, and what only its own people may hold. */
export async function playTenant(server: TestServer, tenant: TestTenant) {
  const { token, tenantId } = tenant;
  const before = openApi(server.baseUrl, token);
  await before.settings(playable);
  await leaveMonthEnd(before);
  const scenario = await playScenario(server.baseUrl, token);
  const { api, payer, shop } = scenario;
  const files = await playStatements(scenario);
  const disputeId = await playDisputes(scenario);
  await playProofs(server, tenantId);
  const bank = await playBank(scenario, server, tenantId);
  const inReview = () =>
    api.played(api.customer('individual'), 'customer.pending', 'customer.in_review');
  await inReview();
  const ended = await api.confirmed(api.session('terms_acceptance', payer));
  const named = application('individual');
  await api.post('/v1/customers', named);
  const link = await api.post(`/v1/customers/${payer.customerId}/link-tokens`, { platform: 'ios' });
  const receiving = await playReceiving(api);
  const people = await playPeople(scenario, server, tenantId);
  await api.request(shop, 1_00);
  const asked = await playApprovals(scenario, tenantId);
  const bankStatementId = await playMoneyDesk(scenario, tenantId);
  const { data } = await api.get(`/v1/accounts/${payer.accountId}/transactions`);
  const kept: string = (await inReview()).id;
  const unsent = (await api.get('/portal/api/events?delivery_status=none&limit=50')).data;
  return {
    ...scenario,
    ...bank,
    ...files,
    tenant,
    ...receiving,
    ...people,
    alarmId: await playAlarms(server, tenantId),
    railMessage: await playRailMessage(server, tenantId),
    ...asked,
    bankStatementId,
    linkToken: link.link_token as string,
    /** A session that has ended; its result token has not been exchanged. */
    endedSession: ended.id as string,
    disputeId,
    targets: await playTargets(scenario),
    transactionId: data.find(({ type }: ReplyBody) => type === 'payment_sent').id as string,
    inReview: kept,
    /** An event that was made before there was an endpoint, by a request. */
    unsentEvent: unsent.find(({ request_id }: ReplyBody) => request_id !== null),
    documentId: await keepInVault(server.service, { tenantId, id: kept }),
    /** Sent for a customer: its reference and number are taken. */
    application: named,
  };
}
export type TenantRecords = Awaited<ReturnType<typeof playTenant>>;
