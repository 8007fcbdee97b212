import { expect, test } from 'vitest';
import { endCalendar } from '../../../test/kit/calendar.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openDownloadLinks } from '../../http/files/download_links.ts';
import { statementsJob } from './monthly.ts';

const at = (to: string) => api.post('/portal/api/clock/advance', { to });
const listOf = async ({ accountId }: Person, query = ''): Promise<ReplyBody> =>
  api.get(`/v1/accounts/${accountId}/statements${query}`);
const statementsOf = async (person: Person): Promise<ReplyBody[]> => (await listOf(person)).data;
const periods = (statements: ReplyBody[]) =>
  statements.map(({ period_start, period_end, opening_balance, closing_balance }) => [
    period_start,
    period_end,
    opening_balance,
    closing_balance,
  ]);

const server = await openServer({ manual: true });
const { api, engine } = server;
await endCalendar(server, 'statements');
const ana = await api.banked('individual');
const cafe = await api.banked('business', 'savings');
await api.fund(ana, 300_00);

test('an account without a statement has an empty list; an unknown one is not found', async () => {
  expect(await listOf(ana)).toEqual({
    object: 'list',
    data: [],
    has_more: false,
    next_cursor: null,
  });
  const stranger = await server.anotherTenant();
  for (const [id, token] of [
    ['acct_unknown', server.token],
    [ana.accountId, stranger.token],
  ] as const) {
    const reply = await server.call('GET', `/v1/accounts/${id}/statements`, { token });
    expect(reply.status).toBe(404);
  }
});

test('the first period begins on the day of opening and is available on the 1st at 06:00 Eastern Time', async () => {
  const late = await api.confirmed(api.withdraw(ana, 50_00));
  await at('2026-02-01T05:10:00.000Z');
  // Posted after midnight: in February, though begun in January.
  await api.simulate('withdrawal.settled', late.id);
  await at('2026-02-01T10:59:00.000Z');
  expect(await statementsOf(ana)).toEqual([]);
  await at('2026-02-01T11:00:00.000Z');
  const [first, ...rest] = await statementsOf(ana);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    object: 'statement',
    account_id: ana.accountId,
    period_start: '2026-01-20',
    period_end: '2026-01-31',
    opening_balance: 0,
    closing_balance: 300_00,
    currency: 'USD',
    available_at: '2026-02-01T11:00:00.000Z',
  });
});

test('each next period begins the day after and opens as the last closed, also without movements', async () => {
  await at('2026-02-20T15:00:00.000Z');
  await api.confirmed(api.pay(ana, cafe, 100_00));
  // Until June, across the start of daylight saving time.
  await at('2026-06-01T10:00:00.000Z');
  expect(periods(await statementsOf(ana))).toEqual([
    ['2026-05-01', '2026-05-31', 150_00, 150_00],
    ['2026-04-01', '2026-04-30', 150_00, 150_00],
    ['2026-03-01', '2026-03-31', 150_00, 150_00],
    ['2026-02-01', '2026-02-28', 300_00, 150_00],
    ['2026-01-20', '2026-01-31', 0, 300_00],
  ]);
  expect(periods(await statementsOf(cafe)).at(-2)).toEqual(['2026-02-01', '2026-02-28', 0, 100_00]);
  const [may] = await statementsOf(ana);
  expect(may.available_at).toBe('2026-06-01T10:00:00.000Z');
});

test('pages continue where the one before ended, newest first', async () => {
  const whole = await statementsOf(ana);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await listOf(ana, `?limit=2${cursor && `&cursor=${cursor}`}`);
    ids.push(...page.data.map(({ id }: ReplyBody) => id));
    if (!page.has_more) break;
    cursor = page.next_cursor;
  }
  expect(ids).toEqual(whole.map(({ id }) => id));
  const forged = await server.call('GET', `/v1/accounts/${ana.accountId}/statements?cursor=x`);
  expect(forged.body.error).toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
});

test('the sandbox ends the period up to yesterday once, and the month continues from there', async () => {
  await at('2026-06-11T15:00:00.000Z');
  const { status } = await api.simulate('statement.available', ana.accountId);
  expect(status).toBe('accepted');
  expect(periods(await statementsOf(ana))[0]).toEqual(['2026-06-01', '2026-06-10', 150_00, 150_00]);
  const again = api.simulate('statement.available', ana.accountId);
  expect(await refusalOf(again)).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'active', reason: 'period_empty' },
  });
  const unknown = api.simulate('statement.available', cafe.customerId);
  expect(await refusalOf(unknown)).toMatchObject({ code: 'not_found' });
  await at('2026-07-01T10:00:00.000Z');
  expect(periods(await statementsOf(ana))[0]).toEqual(['2026-06-11', '2026-06-30', 150_00, 150_00]);
  expect(periods(await statementsOf(cafe))[0]).toEqual([
    '2026-06-01',
    '2026-06-30',
    100_00,
    100_00,
  ]);
});

test('the last period ends on the day of closing and is available at once', async () => {
  const ben = await api.banked('individual');
  await api.fund(ben, 20_00);
  await at('2026-07-05T15:00:00.000Z');
  await api.close(ben);
  await server.runJobs();
  expect(await statementsOf(ben)).toEqual([]);
  await api.simulate('account.closed', ben.accountId);
  expect(periods(await statementsOf(ben))).toEqual([['2026-07-01', '2026-07-05', 0, 0]]);
  expect(await refusalOf(api.simulate('statement.available', ben.accountId))).toMatchObject({
    code: 'invalid_state',
  });
  await at('2026-09-02T15:00:00.000Z');
  expect(await statementsOf(ben)).toHaveLength(1);
});

test('an account closed between midnight and 06:00 of a 1st gets its month and a last day', async () => {
  const eve = await api.banked('individual');
  await api.fund(eve, 20_00);
  await at('2026-10-01T05:00:00.000Z');
  await api.close(eve);
  await server.runJobs();
  await api.simulate('account.closed', eve.accountId);
  const both = [
    ['2026-10-01', '2026-10-01', 20_00, 0],
    ['2026-09-02', '2026-09-30', 0, 20_00],
  ];
  expect(periods(await statementsOf(eve))).toEqual(both);
  await at('2026-10-02T15:00:00.000Z');
  expect(periods(await statementsOf(eve))).toEqual(both);
});

test('many accounts are done some at a time, each once', async () => {
  const { service, tenant } = server;
  const { tenantId } = tenant;
  for (let count = 0; count < 5; count += 1) await api.approved('individual');
  // Only this test runs the month.
  await service.pool.query(`delete from jobs where tenant_id = $1 and name = 'statements'`, [
    server.tenant.tenantId,
  ]);
  await at('2026-11-02T15:00:00.000Z');
  const job = statementsJob({
    ...service,
    links: openDownloadLinks(service),
    accountsAtOnce: 2,
  });
  const made = async () => {
    const { rows } = await service.pool.query<{ period_end: string; count: number }>(
      `select count(*) from statements where tenant_id = $1 and period_end = '2026-10-31'`,
      [tenantId],
    );
    return rows[0]?.count;
  };
  const counts = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await engine.run(job, { ref: tenantId });
    counts.push(await made());
  }
  // Ana, the cafe and five more: two of seven at a time, none twice.
  expect(counts).toEqual([2, 4, 6, 7, 7, 7]);
  const { rows } = await service.pool.query<{ due_at: string }>(
    `select due_at from jobs where tenant_id = $1 and name = 'statements'`,
    [server.tenant.tenantId],
  );
  expect(rows).toEqual([{ due_at: '2026-12-01T11:00:00.000Z' }]);
});

test('two runs at the same time make the next statement of an account once', async () => {
  const { service, tenant } = server;
  const zoe = await api.approved('individual');
  await service.pool.query(`delete from jobs where tenant_id = $1 and name = 'statements'`, [
    server.tenant.tenantId,
  ]);
  await at('2026-12-03T15:00:00.000Z');
  await api.simulate('statement.available', ana.accountId);
  const job = statementsJob({ ...service, links: openDownloadLinks(service) });
  await Promise.all([
    engine.run(job, { ref: tenant.tenantId }),
    engine.run(job, { ref: tenant.tenantId }),
    api.simulate('statement.available', zoe.accountId),
  ]);
  await server.workers.jobs.runDueJobs(tenant.tenantId);
  const november = ['2026-11-02', '2026-11-30', 0, 0];
  const december = ['2026-12-01', '2026-12-02', 0, 0];
  // The first run makes November; the other makes the next period.
  expect([[december, november], [november]]).toContainEqual(periods(await statementsOf(zoe)));
});

test('each statement has one event, equal to the listed one except its address', async () => {
  const { data } = await api.get('/v1/webhook-events?type=statement.available&limit=100');
  const events = data
    .map(({ data: { object } }: ReplyBody) => object)
    .filter(({ account_id }: ReplyBody) => account_id === ana.accountId);
  const listed = (await listOf(ana, '?limit=100')).data;
  const plain = ({ download_url: _, download_url_expires_at: __, ...rest }: ReplyBody) => rest;
  // Events are listed for 30 days.
  expect(events.length).toBeGreaterThan(0);
  expect(events.map(plain)).toEqual(listed.slice(0, events.length).map(plain));
  for (const { download_url } of events) expect(download_url).toContain('/downloads/dl_');
});
