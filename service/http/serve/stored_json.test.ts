import { expect, test } from 'vitest';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import { proveSettings } from '../../jobs/prove_settings.ts';

/** A Tenant whose stored settings this release does not take (rules/operations#75). */

const lines: { readonly alarm?: string }[] = [];
const onLog = (line: string) => void lines.push(JSON.parse(line));
const server = await openServer({ manual: true, onLog });
const { owner } = server;

/** Stores settings as an upgrade or a hand might leave them. */
const store = ({ tenantId }: TestTenant, settings: object) =>
  owner.query('update tenants set settings = settings || $2 where tenant_id = $1', [
    tenantId,
    JSON.stringify(settings),
  ]);
const alarms = () => lines.filter(({ alarm }) => alarm === 'stored_json');

test('a Tenant whose settings cannot be read is refused with 503 and an alarm that names the setting, and no other', async () => {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const [ana, shop] = [await api.funded('individual', 10_00), await api.banked('business')];
  await store(tenant, { sandbox_mode: 'removed' });
  const body = { payer_customer_id: ana.customerId, payee_customer_id: shop.customerId, amount: 1 };
  const refused = await api.call('POST', '/v1/payments', {
    body: { ...body, source: 'balance' },
    headers: { 'idempotency-key': 'once' },
  });
  expect([refused.status, refused.body.error.code]).toEqual([503, 'internal_error']);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(alarms()).toEqual([
    expect.objectContaining({
      column: 'tenants.settings',
      tenant_id: tenant.tenantId,
      at: 'sandbox_mode',
      reason: 'enum',
      request_id: refused.headers.get('service-request-id'),
    }),
  ]);
  expect(JSON.stringify(alarms())).not.toContain('removed');
  // A request that needs no setting is answered, and so is every other Tenant.
  expect(await api.balance(ana)).toMatchObject({ available: 10_00 });
  await server.api.customer('individual');

  await api.settings({ sandbox_mode: 'manual' });
  const payment = await api.post('/v1/payments', { ...body, source: 'balance' }, 'once');
  expect(payment.status).toBe('requires_confirmation');
});

test('a rate limit that cannot be read refuses the tokens of its Tenant alone', async () => {
  const [bad, good] = [await server.anotherTenant(), await server.anotherTenant()];
  await store(bad, { rate_limit_per_minute: 'many' });
  const ask = async ({ token }: TestTenant) =>
    (await server.call('GET', '/v1/payments/pay_unknown', { token })).status;
  // A token is believed for a second; both of a turn are asked for in one statement.
  await until(async () => (await ask(bad)) === 503, { what: 'the end of what was believed' });
  expect(await Promise.all([ask(bad), ask(good)])).toEqual([503, 404]);
});

test('a proof of the settings tells which Tenants have settings that cannot be read', async () => {
  const tenant = await server.anotherTenant();
  await store(tenant, { refund_window_days: 0 });
  lines.length = 0;
  await proveSettings(server.service);
  const ofTenant = expect.objectContaining({
    tenant_id: tenant.tenantId,
    at: 'refund_window_days',
  });
  expect(alarms()).toContainEqual(ofTenant);
});
