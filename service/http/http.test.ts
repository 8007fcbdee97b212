import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

it('answers', async () => {
  const reply = await on.call('GET', '/v1/payments/pay_x');
  expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
});
