import { randomUUID } from 'node:crypto';
import { type IdKind, publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import { playScenario, type Scenario } from '../contract/scenario.ts';
import { openWorld, type World } from '../contract/world.ts';
import type { ReplyBody } from '../kit/http.ts';
import type { TestServer, TestTenant } from '../kit/server.ts';

/** One Tenant with at least two records of every kind, and what only its own people may hold. */
export interface TenantWorld {
  readonly tenant: TestTenant;
  readonly w: World;
  readonly scenario: Scenario;
  readonly webhookSecretId: string;
  readonly linkToken: string;
  readonly statementUrl: string;
  readonly reportUrl: string;
  /** A session that has ended; its result token has not been exchanged. */
  readonly endedSession: string;
  /** Open for confirmation, one of each type of target. */
  readonly targets: Readonly<Record<'payment' | 'load' | 'withdrawal' | 'refund', string>>;
  /** Bank money in suspense, and a message of the bank that contradicts its record. */
  readonly suspenseId: string;
  readonly messageId: string;
  readonly transactionId: string;
  readonly inReview: string;
  /** A customer's external_ref, and a number that it has. */
  readonly application: { readonly external_ref: string; readonly mobile_number: string };
}

const daySeconds = 86_400;

/** Two statements of the payer's account: each closes what has gone by since the one before. */
async function playStatements(w: World): Promise<void> {
  for (let period = 0; period < 2; period += 1) {
    await w.advance(2 * daySeconds);
    await w.simulate('statement.available', w.payer.accountId);
  }
}

async function playMoney(w: World, service: TestServer['service'], tenantId: string) {
  const one = async (text: string, id: string): Promise<string> => {
    const { rows } = await service.pool.query<{ id: string }>(text, [tenantId, id]);
    if (!rows[0]) throw new Error(`nothing: ${text}`);
    return rows[0].id;
  };
  const uuid = (kind: IdKind, id: string) => uuidOf(kind, id) ?? '';
  for (let round = 0; round < 2; round += 1) {
    const paid = await w.confirmed(w.pay({ amount: 10_00 }));
    await w.confirmed(w.refund(paid, 1_00));
    await w.dispute(paid);
  }
  const late = await w.confirmed(w.load());
  await w.simulate('load.failed', late.id);
  await w.simulate('load.paid_late', late.id);
  const suspense = await one(
    'select id from suspense where tenant_id = $1 and source_id = $2',
    uuid('load', late.id),
  );
  const settled = await w.confirmed(w.load());
  await w.simulate('load.settled', settled.id);
  const source = uuid('load', settled.id);
  const orderId = await one(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    source,
  );
  const silent = Object.assign(Object.create(service.log), { error: () => {} });
  await openInbound({ engine: service.engine, log: silent }).bank(tenantId, {
    id: randomUUID(),
    orderId,
    outcome: 'failed',
    reason: 'AC04',
  });
  const message = await one(
    'select id from bank_messages where tenant_id = $1 and source_id = $2',
    source,
  );
  return {
    suspenseId: publicId('adjustment', suspense),
    messageId: publicId('bank_message', message),
  };
}

async function playInReview(w: World): Promise<string> {
  const { id } = await w.apply('individual');
  await w.simulate('customer.pending', id);
  await w.simulate('customer.in_review', id);
  return id;
}

async function playTargets(w: World): Promise<TenantWorld['targets']> {
  const [load, withdrawal, payment, paid] = await Promise.all([
    w.load(),
    w.withdraw(),
    w.pay(),
    w.confirmed(w.pay({ amount: 2_00 })),
  ]);
  const refund = await w.refund(paid, 1_00);
  await w.withdraw();
  return { load: load.id, withdrawal: withdrawal.id, payment: payment.id, refund: refund.id };
}

async function filesOf(w: World): Promise<Pick<TenantWorld, 'statementUrl' | 'reportUrl'>> {
  const statements = await w.get(`/v1/accounts/${w.payer.accountId}/statements`);
  const { now } = await w.get('/portal/api/clock');
  const day = new Date(Date.parse(now) - 2 * daySeconds * 1_000).toISOString().slice(0, 10);
  const report = await w.get(`/v1/reports/reconciliation?date=${day}`);
  return { statementUrl: statements.data[0].download_url, reportUrl: report.file.download_url };
}

export async function playTenant(test: TestServer, tenant: TestTenant): Promise<TenantWorld> {
  const { service, baseUrl } = test;
  const { token, tenantId } = tenant;
  const w = await openWorld(baseUrl, token);
  await playStatements(w);
  const scenario = await playScenario(baseUrl, token);
  const money = await playMoney(w, service, tenantId);
  const inReview = await playInReview(w);
  await playInReview(w);
  const ended = await w.open('terms_acceptance', w.payer);
  await w.simulate('session.completed', ended.id);
  const application = w.application('individual');
  await w.post('/v1/customers', application);
  const link = await w.post(`/v1/customers/${w.payer.customerId}/link-tokens`, { platform: 'ios' });
  const secret = await w.post('/portal/api/webhook-secrets');
  await w.ask();
  const { data } = await w.get(`/v1/accounts/${w.payer.accountId}/transactions`);
  const posted = data.find((one: ReplyBody) => one.type === 'payment_sent');
  return {
    tenant,
    w,
    scenario,
    ...money,
    ...(await filesOf(w)),
    webhookSecretId: secret.id,
    linkToken: link.link_token,
    endedSession: ended.id,
    targets: await playTargets(w),
    transactionId: posted.id,
    inReview,
    application: {
      external_ref: application.external_ref,
      mobile_number: application.mobile_number,
    },
  };
}
