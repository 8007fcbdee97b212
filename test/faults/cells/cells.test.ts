import { expect, test } from 'vitest';
import { openCells, openTill } from '../../kit/cells.ts';
import type { Reply } from '../../kit/http/http.ts';
import { openBrowser, tokenOf } from '../../kit/people.ts';
import { until } from '../../kit/wait.ts';

const names = ['cell_a', 'cell_b'] as const;
const { cells, asOwner, shutOut } = await openCells(names, { isApart: true });
const [first, second] = cells;

test('two cells take payments at the same time, each in its own tables alone', async () => {
  const tills = [await openTill(first.api), await openTill(second.api)];
  await Promise.all(tills.flatMap(({ pay }) => Array.from({ length: 20 }, pay)));
  for (const { balance } of tills) expect(await balance()).toMatchObject({ available: 480_00 });
  for (const name of names)
    expect(
      await asOwner(`select count(*)::integer as payments, count(distinct tenant_id)::integer as tenants
        from ${name}.payments`),
    ).toEqual([{ payments: 20, tenants: 1 }]);
  expect(
    await asOwner(
      `select from cell_a.entries a join cell_b.entries b on a.tenant_id = b.tenant_id`,
    ),
  ).toEqual([]);
});

test('a token, a client and an id of one cell mean nothing in the other', async () => {
  const { payer } = await openTill(first.api);
  const path = `/v1/customers/${payer.customerId}`;
  const inTheirs = (token: string): Promise<Reply> => second.call('GET', path, { token });
  expect((await first.call('GET', path)).status).toBe(200);
  expect((await inTheirs(first.token)).status).toBe(401);
  expect((await inTheirs(second.token)).status).toBe(404);
  const { client_id, client_secret } = first.tenant;
  const body = new URLSearchParams({ client_id, client_secret, grant_type: 'client_credentials' });
  const asked = await fetch(`${second.baseUrl}/oauth/token`, { method: 'POST', body });
  expect(asked.status).toBe(401);
});

test('people are in both cells, and each cell shows the Tenants that it has', async () => {
  const { tenant } = second;
  const browser = openBrowser(second);
  const token = tokenOf(tenant.portal_sign_in_url ?? '');
  const { body } = await browser.ask('POST', '/sign-in/link', { token });
  const held = await asOwner(`select from control.roles where scope in
    ('${first.tenant.tenantId}', '${tenant.tenantId}') and person_id = '${body.person.id}'`);
  expect(held).toHaveLength(2);
  expect(body.scopes.map(({ scope }: { scope: string }) => scope)).toEqual([
    'platform',
    tenant.tenantId,
  ]);
  const elsewhere = { scope: first.tenant.tenantId };
  const refused = await browser.ask('POST', '/session/act', elsewhere);
  expect([refused.status, refused.body.error.details.reason]).toEqual([400, 'no_role']);
  const back = await browser.ask('POST', '/session/act', { scope: tenant.tenantId });
  expect(back.status).toBe(200);
});

test('a session that acts in a Tenant of one cell is nobody in the other', async () => {
  const browser = openBrowser(first);
  const token = tokenOf(first.tenant.portal_sign_in_url ?? '');
  expect((await browser.ask('POST', '/sign-in/link', { token })).status).toBe(200);
  expect((await browser.ask('POST', '/session/act', { scope: first.tenant.tenantId })).status).toBe(
    200,
  );
  const elsewhere = openBrowser(second);
  elsewhere.setCookie(browser.cookie());
  expect((await elsewhere.ask('GET', '/payments')).status).toBe(401);
  expect((await browser.ask('GET', '/payments')).status).toBe(200);
});

test('while one cell lets nobody in it answers 503, and the other takes payments as before', async () => {
  const here = await openTill(first.api);
  const { payer, pay } = await openTill(second.api);
  const there = () => second.call('GET', `/v1/customers/${payer.customerId}`);
  await shutOut('cell_b', async () => {
    const refused = await Promise.all(Array.from({ length: 10 }, there));
    for (const { status, headers } of refused) {
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (let paid = 0; paid < 10; paid += 1) await here.pay();
  });
  expect(await here.balance()).toMatchObject({ available: 490_00 });
  const isBack = async () => (await there()).status === 200;
  await until(isBack, { what: 'an answer of the other cell', withinMs: 10_000 });
  await pay();
});
