import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';

const server = await openServer({ workers: false });

test('an endpoint is added with its secret, listed, changed, sent to again and removed', async () => {
  const tpay = openTpay(accountEnv(server.baseUrl, server.tenant));
  const add = ['endpoints', 'add', '--name', 'Books', '--url', 'http://127.0.0.1:9/books'];
  const types = ['--types', '["payment.completed"]'];
  const added = await tpay.json(...add, ...types);
  expect(added).toMatchObject({ name: 'Books', secret: expect.stringMatching(/^whsec_/) });
  const { id } = added;
  expect(await tpay.json('endpoints', 'change', id, '--enabled', 'false')).toMatchObject({
    id,
    enabled: false,
    types: ['payment.completed'],
  });
  await tpay.json('endpoints', 'change', id, '--enabled', 'true');
  const event = await server.api.post('/portal/api/sample-events', { type: 'load.settled' });
  const of = ['--endpoint-id', id];
  const sent = await tpay.json('endpoints', 'resend', event.id, ...of);
  expect(sent.delivery).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await tpay.json('events', 'list', ...of)).data).toMatchObject([{ id: event.id }]);
  const since = ['--since', '2020-01-01T00:00:00Z', '--dry-run', 'true'];
  expect(await tpay.json('endpoints', 'recover', ...since, ...of)).toMatchObject({ events: 0 });
  const made = await tpay.json('endpoints', 'add-secret', ...of);
  expect(made.secret).toMatch(/^whsec_/);
  expect((await tpay.json('endpoints', 'secrets', ...of)).data).toHaveLength(2);
  await tpay.json('endpoints', 'retire-secret', made.id);
  await tpay.json('endpoints', 'remove', id);
  expect((await tpay.json('endpoints', 'list')).data).toEqual([]);
  const again = await tpay('endpoints', 'remove', id);
  expect([again.code, again.err[0]]).toEqual([1, expect.stringContaining('not_found')]);
});

test('a secret that is shown only once is never hidden, and the line under it says so', async () => {
  const tpay = openTpay(accountEnv(server.baseUrl, server.tenant));
  const added = await tpay(
    'endpoints',
    'add',
    '--name',
    'Till',
    '--url',
    'http://127.0.0.1:9/till',
  );
  expect(added.out.join('\n')).toMatch(/^secret +whsec_/m);
  expect(added.err).toEqual(['Save the secret now: it is shown only once.']);
});

test('endpoints are listed with name, address, types and state, and secrets with when they were retired', async () => {
  const tenant = await server.anotherTenant();
  const tpay = openTpay(accountEnv(server.baseUrl, tenant));
  const url = 'http://127.0.0.1:9/books';
  const types = ['--types', '["load.settled"]'];
  const { id } = await tpay.json('endpoints', 'add', '--name', 'Books', '--url', url, ...types);
  const listed = (await tpay('endpoints', 'list')).out;
  expect(listed[0]).toMatch(/^ID +NAME +URL +TYPES +ENABLED +CREATED_AT$/);
  expect(listed[1]).toMatch(/ Books +http:\/\/127\.0\.0\.1:9\/books +load\.settled +true /);
  const of = ['--endpoint-id', id];
  const first = (await tpay.json('endpoints', 'secrets', ...of)).data[0];
  await tpay.json('endpoints', 'add-secret', ...of);
  await tpay.json('endpoints', 'retire-secret', first.id);
  const [head, ...rows] = (await tpay('endpoints', 'secrets', ...of)).out;
  expect(head).toMatch(/^ID +CREATED_AT +RETIRED_AT$/);
  expect(rows.filter((row) => row.trimEnd().endsWith(' -'))).toHaveLength(1);
});
