import { createTenant } from '@tenant-payments/backoffice/tenants/create.ts';
import { expect, test } from 'vitest';
import { fetchToken } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';
import { sampleSettings } from './sample.ts';

const server = await openServer({ manual: true });
const { facts } = await createTenant(server.service, {
  name: 'Sample',
  settings: sampleSettings,
});
const api = server.apiOf({ token: await fetchToken(server.baseUrl, facts) });

test('an expired confirmation session of the sample tenant is replaced within the grace', async () => {
  const ana = await api.funded('individual', 100_00);
  const cafe = await api.banked('business');
  const payment = await api.pay(ana, cafe, 10_00);
  await api.simulate('session.expired', payment.confirmation_session.id);
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({
    status: 'requires_confirmation',
  });
  const session = await api.post('/v1/sessions', {
    customer_id: ana.customerId,
    flow: 'payment_confirm',
    target: { type: 'payment', id: payment.id },
  });
  await api.simulate('session.completed', session.id);
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({ status: 'completed' });
});

test("a Tenant of the sandbox starts with production's rate of 6,000 requests a minute", async () => {
  const { headers } = await api.call('GET', '/v1/payments/pay_unknown');
  expect(headers.get('ratelimit-limit')).toBe('6000');
});
