import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchToken, type ReplyBody } from '../../kit/http/http.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { withoutRandom } from '../../kit/ids.ts';
import {
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../../kit/processes/processes.ts';
import { until } from '../../kit/wait.ts';

const pin = '284617';
const person = {
  type: 'individual',
  external_ref: 'canary-ref',
  email: 'canary@example.com',
  mobile_number: '+12025550187',
  prefill: { first_name: 'Canarina', last_name: 'Birdwell' },
};

let deployment: Deployment;
let receiver: TestReceiver;
let service: ServiceProcess;
beforeAll(async () => {
  deployment = await openDeployment();
  receiver = await startTestReceiver();
  service = await deployment.start('api,worker', { LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await receiver.close();
  await deployment.stop();
});

/** Every string under a field of this name, however deep. */
function fieldsNamed(name: string, value: ReplyBody): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string' ? [inner] : fieldsNamed(name, inner),
  );
}

test('at the finest level a whole session leaves no secret and no person in the log', async () => {
  const facts = await deployment.facts();
  const token = await fetchToken(service.baseUrl, facts);
  const canaries = [facts.client_secret, facts.webhook_secret, token, pin];
  canaries.push(person.email, person.mobile_number, 'Canarina', 'Birdwell', 'canary-key');
  let keys = 0;

  /** Sends as a careless client would: the request need not be right. */
  async function send(method: string, path: string, body?: object | string, headers = {}) {
    keys += 1;
    const reply = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        cookie: `session=${token}`,
        'idempotency-key': `canary-key-${keys}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer: ReplyBody = await reply.json();
    for (const name of ['token', 'secret', 'link_token', 'access_token', 'result_token'])
      canaries.push(...fieldsNamed(name, answer));
    return { status: reply.status, body: answer };
  }

  await send('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  await send('POST', '/portal/api/webhook-secrets');
  const { body: customer } = await send('POST', '/v1/customers', person);
  await send('POST', '/v1/sandbox/simulate/session.completed', {
    object_id: customer.onboarding_session.id,
  });
  await send('POST', '/v1/sandbox/simulate/customer.approved', { object_id: customer.id });
  const { body: link } = await send('POST', `/v1/customers/${customer.id}/linked-accounts`, {
    public_token: 'public-sandbox-standard-canary',
  });
  canaries.push('public-sandbox-standard-canary');
  await send('POST', '/v1/sandbox/simulate/linked_account.verified', { object_id: link.id });
  const { body: load } = await send('POST', '/v1/loads', { customer_id: customer.id, amount: 500 });
  const session = load.confirmation_session.id;
  await send('POST', '/v1/sandbox/simulate/session.completed', { object_id: session });
  const resultToken = `rt_test_${session}`;
  const exchanged = await send('POST', '/v1/sessions/exchange', { result_token: resultToken });
  canaries.push(resultToken);
  await receiver.waitFor(3);

  // Secrets where they do not belong, and on the ways that a request is refused.
  await send('GET', `/v1/customers?access_token=${token}`);
  await send('GET', `/nowhere?client_secret=${facts.client_secret}`);
  await send('POST', '/v1/customers', { ...person, pin });
  await send('POST', '/v1/customers', `{"pin":"${pin}","email":"${person.email}"`);
  await send('POST', '/v1/sessions/exchange', { result_token: facts.client_secret });
  await send('GET', '/v1/customers', undefined, { authorization: `Bearer ${facts.client_secret}` });
  await fetchToken(service.baseUrl, { ...facts, client_id: token }).catch(() => {});
  // And where it breaks: the table of a command takes no row.
  await deployment.pool.query('alter table loads add constraint broken check (false) not valid');
  const broken = await send('POST', '/v1/loads', { customer_id: customer.id, amount: 500 });
  await deployment.pool.query('alter table loads drop constraint broken');
  expect(broken.status).toBe(500);

  const lines = () =>
    service
      .log()
      .trim()
      .split('\n')
      .map((line): ReplyBody => JSON.parse(line));
  const logged = (msg: string) => lines().filter((line) => line.msg === msg);
  await until(() => logged('a request was answered with 5xx').length > 0);
  expect(logged('request').length).toBeGreaterThan(15);
  expect(logged('request').map(({ operation }) => operation)).toContain('exchangeSession');
  expect(logged('a request failed with an unexpected error; the reply was 500')).toHaveLength(1);
  expect(logged('a command failed alone')[0]?.alarm).toBe('command');
  expect(exchanged.status).toBeLessThan(500);

  expect(canaries.length).toBeGreaterThan(12);
  const text = withoutRandom(service.log());
  expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
  expect(await terminate(service)).toBe(0);
});
