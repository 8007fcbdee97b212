import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openApi } from '../../kit/api.ts';
import { openTill, type TestCells } from '../../kit/cells.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { samplePerson } from '../../kit/people.ts';
import { until } from '../../kit/wait.ts';

/** The tests for two cells at one address, wherever they are: of one database, or the second of another. */
export const names = ['cell_a', 'cell_b'] as const;

export function testOneAddress({ cells, baseUrl, apiOf, asOwner, shutOut }: TestCells): void {
  const [first, second] = cells;
  const tenants = [first.tenant, second.tenant] as const;
  const [here, there] = [apiOf(first.tenant), apiOf(second.tenant)];

  const anybody = openApi(baseUrl, '').call;

  /** The rows of every cell. */
  async function inEach<Row extends object>(sqlOf: (cell: string) => string): Promise<Row[]> {
    const rows: Row[] = [];
    for (const name of names) rows.push(...(await asOwner<Row>(sqlOf(name), name)));
    return rows;
  }

  async function countIn(table: string): Promise<number> {
    const counted = await inEach<{ n: number }>(
      (cell) => `select count(*)::integer as n from ${cell}.${table}`,
    );
    return counted.reduce((sum, { n }) => sum + n, 0);
  }

  /** The sample person of a Tenant, at the address of all cells. */
  const personIn = (tenantId: string, scope = tenantId) =>
    samplePerson({ call: anybody, service: first.service }, tenantId, scope);
  const staff = () => personIn(first.tenant.tenantId, 'platform');

  test('a Tenant of each cell takes payments at one address, each in its own tables alone', async () => {
    const tills = [await openTill(here), await openTill(there)];
    await Promise.all(tills.flatMap(({ pay }) => Array.from({ length: 10 }, pay)));
    for (const { balance } of tills) expect(await balance()).toMatchObject({ available: 490_00 });
    for (const [index, name] of names.entries()) {
      const paid = `select count(*)::integer as payments, array_agg(distinct tenant_id::text) as tenants
      from ${name}.payments`;
      expect(await asOwner(paid, name)).toEqual([
        { payments: 10, tenants: [tenants[index]?.tenantId] },
      ]);
    }
  });

  test('a client of any cell gets its token at one address, in a body of any form', async () => {
    for (const tenant of tenants) {
      const token = await fetchToken(baseUrl, tenant);
      expect(
        (await openApi(baseUrl, token).call('GET', '/v1/customers?external_ref=none')).status,
      ).toBe(200);
    }
    const wrong = { client_id: second.tenant.client_id, client_secret: 'cs_wrong' };
    const ask = (body: string, headers = {}) =>
      anybody('POST', '/oauth/token', {
        token: null,
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const form = (fields: Record<string, string>) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString();
    expect((await ask(form(wrong))).status).toBe(401);
    expect((await ask(form({ ...wrong, client_id: `cl_${'0'.repeat(32)}` }))).status).toBe(401);
    expect((await ask('')).body.error.code).toBe('parameter_missing');
    expect((await ask(form({ ...wrong, more: 'x'.repeat(70_000) }))).body.error).toMatchObject({
      code: 'parameter_invalid',
      details: { reason: 'too_large' },
    });
  });

  test('a client of any cell gets its token by HTTP Basic at one address, and with a wrong secret none', async () => {
    for (const { client_id, client_secret } of tenants)
      for (const [secret, status] of [
        [client_secret, 200],
        ['cs_wrong', 401],
      ] as const) {
        const basic = Buffer.from(`${client_id}:${secret}`).toString('base64');
        const reply = await anybody('POST', '/oauth/token', {
          token: null,
          body: 'grant_type=client_credentials',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Basic ${basic}`,
          },
        });
        expect(reply.status).toBe(status);
      }
  });

  test('a body that comes in chunks, and one that is too large, reach the cell as they were sent', async () => {
    const { client_id, client_secret } = second.tenant;
    const sent = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    });
    const chunked = (text: string) =>
      fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new ReadableStream({
          start(controller) {
            for (let from = 0; from < text.length; from += 7_000)
              controller.enqueue(new TextEncoder().encode(text.slice(from, from + 7_000)));
            controller.close();
          },
        }),
        duplex: 'half',
      } as RequestInit);
    expect((await chunked(sent.toString())).status).toBe(200);
    const refused = await chunked(`${sent}&more=${'x'.repeat(200_000)}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: 'parameter_invalid' } });
  });

  test('an id of one cell is 404 for a Tenant of the other, and a made-up token is nobody', async () => {
    const { id } = await there.applied('individual');
    const path = `/v1/customers/${id}`;
    expect((await there.call('GET', path)).status).toBe(200);
    expect((await here.call('GET', path)).status).toBe(404);
    const madeUp = `tok_${Buffer.alloc(56, 7).toString('base64url')}`;
    expect((await anybody('GET', path, { token: madeUp })).status).toBe(401);
    expect((await anybody('GET', path, { token: null })).status).toBe(401);
  });

  test('the hosted pages of each cell open at one address, and those of nobody are plain', async () => {
    const pageOf = async (tenantId: string) =>
      (await fetch(`${baseUrl}/hosted/${tenantId.replaceAll('-', '')}`)).text();
    await asOwner(
      `update cell_b.tenants set settings = settings || '{"branding": {"name": "The other shop"}}'
     where tenant_id = '${second.tenant.tenantId}'`,
      'cell_b',
    );
    expect(await pageOf(first.tenant.tenantId)).toContain('<title>Test Tenant</title>');
    expect(await pageOf(second.tenant.tenantId)).toContain('<title>The other shop</title>');
    expect(await pageOf(randomUUID())).toContain('<title>Tenant Payments</title>');
    const { onboarding_session } = await there.customer('individual');
    const opened = await anybody('POST', '/hosted/api/open', {
      token: null,
      body: { token: onboarding_session.token },
    });
    expect(opened.status).toBe(200);
    const view = await anybody('GET', '/hosted/api/session', { token: opened.body.bearer });
    expect(view.status).toBe(200);
  });

  test('a file of any cell is downloaded at one address', async () => {
    await here.call('POST', '/portal/api/clock/advance', { body: { seconds: 3 * 86_400 } });
    await there.call('POST', '/portal/api/clock/advance', { body: { seconds: 3 * 86_400 } });
    const dayBefore = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    for (const api of [here, there]) {
      const { body } = await api.call('GET', `/v1/reports/reconciliation?date=${dayBefore}`);
      const { pathname } = new URL(body.file.download_url);
      const file = await fetch(`${baseUrl}${pathname}`);
      expect([file.status, (await file.text()).includes('#TOTALS')]).toEqual([200, true]);
    }
  });

  test('a person sees the Tenants of all cells, and acts in each of them', async () => {
    const person = await personIn(second.tenant.tenantId);
    const { body } = await person.ask('GET', '/session');
    const scopes = body.scopes.map(({ scope }: { scope: string }) => scope);
    expect(scopes).toEqual(expect.arrayContaining(['platform', ...tenants.map((t) => t.tenantId)]));
    for (const { tenantId } of tenants) {
      expect((await person.ask('POST', '/session/act', { scope: tenantId })).status).toBe(200);
      const settings = await person.ask('GET', '/settings');
      expect(settings.status).toBe(200);
      expect((await person.ask('GET', '/payments')).status).toBe(200);
    }
  });

  test('staff read and change a Tenant of any cell by its id', async () => {
    const person = await staff();
    for (const { tenantId } of tenants) {
      const { body } = await person.ask('GET', `/tenants/${tenantId}`);
      expect(body.id).toBe(tenantId);
      const headers = { 'tenant-id': tenantId };
      expect((await person.ask('GET', '/customers', undefined, { headers })).status).toBe(200);
    }
    const { tenantId } = await second.anotherTenant({ name: 'Suspended' });
    const suspended = await person.ask('POST', `/tenants/${tenantId}/suspend`, { reason: 'test' });
    expect(suspended.body).toMatchObject({ id: tenantId, suspended_at: expect.any(String) });
    const unknown = { 'tenant-id': randomUUID() };
    const refused = await person.ask('GET', '/customers', undefined, { headers: unknown });
    expect(refused.body.error.details).toEqual({ reason: 'unknown_tenant' });
  });

  test('the list of Tenants goes page by page over all cells, newest first', async () => {
    for (const cell of [second, first, second, first, first]) await cell.anotherTenant();
    const person = await staff();
    const whole = await person.ask('GET', '/tenants?limit=100');
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await person.ask(
        'GET',
        `/tenants?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    const rows = await inEach<{ id: string; at: string }>(
      (cell) => `select tenant_id::text as id, created_at as at from ${cell}.tenants`,
    );
    const placeOf = ({ at, id }: { id: string; at: string }) => `${at} ${id}`;
    const newestFirst = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
    expect(paged).toEqual(newestFirst.map(({ id }) => id));
    expect(whole.body.data.map(({ id }: { id: string }) => id)).toEqual(paged);
  });

  test('lists of staff, operations and keys show what is in each cell', async () => {
    for (const api of [here, there]) {
      const { customerId } = await api.approved('individual');
      const body = { public_token: 'public-sandbox-review' };
      const link = await api.post(`/v1/customers/${customerId}/linked-accounts`, body);
      await api.simulate('linked_account.held_for_review', link.id);
    }
    const person = await staff();
    for (const path of ['/desk', '/reserves', '/ledger-proofs']) {
      const { body } = await person.ask('GET', `${path}?limit=100`);
      const of = body.data.map(({ tenant_id }: { tenant_id: string }) => tenant_id);
      expect(of, path).toEqual(expect.arrayContaining(tenants.map(({ tenantId }) => tenantId)));
    }
    const { body } = await person.ask('GET', '/operations');
    expect(body.jobs.waiting).toBe(await countIn('jobs'));
    const keys = await person.ask('GET', '/keys');
    const sealed = await countIn('webhook_secrets');
    expect(keys.body.rings[0].keys[0].values).toBeGreaterThanOrEqual(sealed);
  });

  test('a Tenant is made in the cell that is named, and in no other', async () => {
    const make = (cell: string | undefined) =>
      anybody('POST', '/portal/api/tenants', {
        token: first.operatorKey,
        body: { name: 'Made', ...(cell === undefined ? {} : { cell }) },
      });
    for (const [cell, schema] of [
      ['cell_b', 'cell_b'],
      [undefined, 'cell_a'],
    ] as const) {
      const { status, body } = await make(cell);
      expect(status).toBe(201);
      const made = `select name from ${schema}.tenants where tenant_id = '${body.tenant_id}'`;
      expect(await asOwner(made, schema)).toEqual([{ name: 'Made' }]);
      const token = await fetchToken(baseUrl, body);
      expect(
        (await openApi(baseUrl, token).call('GET', '/v1/customers?external_ref=none')).status,
      ).toBe(200);
    }
    const { body } = await make('cell_c');
    expect(body.error).toMatchObject({
      param: 'cell',
      details: { reason: 'unknown_cell', allowed: ['cell_a', 'cell_b'] },
    });
  });

  test('while one cell is away its Tenants get 503 at the common address, and others pay as before', async () => {
    const { pay, balance } = await openTill(here);
    const { payer } = await openTill(there);
    const away = () => there.call('GET', `/v1/customers/${payer.customerId}`);
    await shutOut('cell_b', async () => {
      const refused = await Promise.all(Array.from({ length: 10 }, away));
      for (const { status, headers } of refused) {
        expect(status).toBe(503);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      for (let paid = 0; paid < 10; paid += 1) await pay();
    });
    expect(await balance()).toMatchObject({ available: 490_00 });
    const isBack = async () => (await away()).status === 200;
    await until(isBack, { what: 'an answer of the other cell', withinMs: 10_000 });
  });
}
