import { afterEach, expect, test, vi } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { code, identity, person } from '../../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { refusalOf } from '../../../../test/kit/refusal.ts';
import { openServer } from '../../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine, rails } = server;
const second = await openServer({ beside: server, workers: false });
const pages = openHostedPages(server);
afterEach(() => vi.restoreAllMocks());

const answers = { ...identity, pin: '295731' };
const ein = '123456789';

async function prove(page: HostedPage): Promise<HostedPage> {
  await page.ask('/code', {});
  expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
  return page;
}
const reset = async ({ customerId }: Person) => prove(await pages.flow('pin_reset', customerId));
const tried = async (page: HostedPage, more: object = {}) =>
  refusalLine(await page.ask('/pin-reset', { ...answers, ...more }));
const wrong = { ssn_last4: '0000' };
const noMatch = 'parameter_invalid no_match';

async function failures({ customerId }: Person): Promise<number> {
  const sql = 'select reset_failures from pins where tenant_id = $1 and customer_id = $2';
  return (await engine.query(sql, uuid('customer', customerId)))[0].reset_failures;
}

test("a business's PIN is reset by its EIN and the identity of its control person", async () => {
  const cafe = await api.banked('business');
  const asked = vi.spyOn(rails.identity, 'matches');
  const page = await reset(cafe);
  expect(await tried(page)).toBe('parameter_missing ein');
  expect(asked).not.toHaveBeenCalled();
  expect(await tried(page, { ein: '123450000' })).toBe(noMatch);
  expect(await tried(page, { ...wrong, ein })).toBe(noMatch);
  expect(await tried(page, { ein })).toBe('200');
  const [owner] = await engine.query(
    'select id from owners where tenant_id = $1 and customer_id = $2',
    uuid('customer', cafe.customerId),
  );
  const ssnLast4 = person.ssn.slice(-4);
  expect(asked.mock.calls.slice(-2)).toMatchObject([
    [{ subject: 'customer', subjectId: uuid('customer', cafe.customerId), answers: { ein } }],
    [
      {
        subject: 'owner',
        subjectId: owner.id,
        answers: { birthDate: person.birth_date, ssnLast4 },
      },
    ],
  ]);
});

test('a business whose control person is not approved resets no PIN', async () => {
  const { customerId } = await api.banked('business');
  const page = await prove(await pages.flow('pin_reset', customerId));
  await engine.query(
    `update owners set status = 'in_review', revision = revision + 1
     where tenant_id = $1 and customer_id = $2`,
    uuid('customer', customerId),
  );
  expect(await tried(page, { ein })).toBe('invalid_state no_control_person');
  await engine.query(
    `update owners set status = 'approved', revision = revision + 1
     where tenant_id = $1 and customer_id = $2`,
    uuid('customer', customerId),
  );
});

test('ten resets fail in a lifetime, in every process; then only a reviewer opens it', async () => {
  const ana = await api.banked('individual');
  const review = () =>
    server.call('POST', `/portal/api/review/customers/${ana.customerId}/allow_pin_reset`, {
      body: { note: 'seen with her passport' },
    });
  expect(refusalLine(await review())).toBe('invalid_state reset_open');
  for (let round = 0; round < 2; round += 1) {
    const page = await reset(ana);
    const tries = Array.from({ length: 8 }, () => tried(page, wrong));
    const said = await Promise.all(tries);
    expect(said.filter((line) => line === noMatch)).toHaveLength(5);
  }
  const asked = vi.spyOn(rails.identity, 'matches');
  const page = await pages.flow('pin_reset', ana.customerId);
  expect(page.view.customer.is_pin_reset_closed).toBe(true);
  await prove(page);
  const elsewhere = { token: page.bearer, body: answers };
  for (const call of [server.call, second.call])
    expect(refusalLine(await call('POST', '/hosted/api/pin-reset', elsewhere))).toBe(
      'invalid_state reset_closed',
    );
  expect(asked).not.toHaveBeenCalled();
  expect((await review()).status).toBe(200);
  expect(await tried(page)).toBe('200');
});

test('a try is counted before the compare, and given back if nothing was compared', async () => {
  const ben = await api.banked('individual');
  const page = await reset(ben);
  const counts: number[] = [];
  const asked = vi.spyOn(rails.identity, 'matches').mockImplementation(async () => {
    counts.push(await failures(ben));
    throw new Error('the provider is away');
  });
  expect((await page.ask('/pin-reset', answers)).status).toBe(500);
  expect([counts, await failures(ben)]).toEqual([[1], 0]);
  asked.mockRestore();
  expect(await tried(page, wrong)).toBe(noMatch);
  expect(await tried(page)).toBe('200');
  expect(await failures(ben)).toBe(1);
});

async function closed({ customerId }: Person): Promise<void> {
  await api.post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' });
  await server.runJobs();
  const [account] = await engine.query(
    'select status from accounts where tenant_id = $1 and customer_id = $2',
    uuid('customer', customerId),
  );
  expect(account).toEqual({ status: 'closed' });
}

test('a page that was open when the account closed sets no new PIN, and asks for no identity', async () => {
  const ana = await api.banked('individual');
  const page = await reset(ana);
  const asked = vi.spyOn(rails.identity, 'matches');
  await closed(ana);
  expect(await tried(page)).toBe('invalid_state');
  expect(asked).not.toHaveBeenCalled();
});

test('simulate sets no new PIN for a closed account either', async () => {
  const ana = await api.banked('individual');
  const { id } = await api.session('pin_reset', ana);
  await closed(ana);
  const refused = { code: 'invalid_state', details: { current_status: 'canceled' } };
  expect(await refusalOf(api.simulate('session.completed', id))).toMatchObject(refused);
});

const lock = ({ customerId }: Person) => api.simulate('customer.pin_locked', customerId);

test('a locked PIN is reset on the page that asks for it, which then goes on with the new one', async () => {
  const ana = await api.funded('individual', 50_00);
  const page = await pages.load(ana);
  expect(refusalLine(await page.ask('/code', {}))).toBe('invalid_state flow');
  expect(await tried(page)).toBe('invalid_state flow');
  await lock(ana);
  const elsewhere = await page.ask('/code', { mobile_number: '2125550167' });
  expect(refusalLine(elsewhere)).toBe('parameter_invalid flow');
  await prove(page);
  expect(await tried(page, wrong)).toBe(noMatch);
  expect(await tried(page)).toBe('200');
  const { status, customer } = await page.look();
  expect([status, customer.is_pin_locked]).toEqual(['created', false]);
  const confirmed = await page.ask('/confirm/pin', { pin: answers.pin });
  expect(confirmed.body).toMatchObject({ verdict: 'right', view: { status: 'completed' } });
});

let lastNumber = 100;

/** The customer takes another number, by the PIN and a code that went there. */
async function changeNumber({ customerId }: Person): Promise<void> {
  const page = await pages.flow('contact_change', customerId);
  await page.ask('/code', { mobile_number: `+12129120${++lastNumber}` });
  await page.ask('/code/check', { code });
  expect((await page.ask('/contact', { pin })).body.verdict).toBe('right');
}

test('a code that went to the old number resets no PIN once the number has changed', async () => {
  const [ana, ben, cy] = [
    await api.banked('individual'),
    await api.banked('individual'),
    await api.banked('individual'),
  ];
  await pages.givePins();
  const proven = await reset(ana);
  await changeNumber(ana);
  expect((await proven.look()).is_code_verified).toBe(false);
  expect(await tried(proven)).toBe('invalid_state code_required');
  const sent = await pages.flow('pin_reset', ben.customerId);
  await sent.ask('/code', {});
  await changeNumber(ben);
  expect(refusalLine(await sent.ask('/code/check', { code }))).toBe('invalid_state no_code');
  expect(await tried(sent)).toBe('invalid_state code_required');
  expect(await tried(await prove(sent))).toBe('200');
  const answered = await reset(cy);
  vi.spyOn(rails.identity, 'matches').mockImplementationOnce(async () => {
    await changeNumber(cy);
    return true;
  });
  expect(await tried(answered)).toBe('invalid_state code_required');
  expect(await failures(cy)).toBe(0);
});

test('a code to a new address resets no PIN, and one to the present number changes no contact', async () => {
  const ana = await api.banked('individual');
  const page = await pages.flow('contact_change', ana.customerId);
  await lock(ana);
  await page.ask('/code', { email: 'stranger@example.com' });
  expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
  expect(await tried(page)).toBe('invalid_state code_required');
  await prove(page);
  expect(await tried(await reset(ana))).toBe('200');
  const change = async () => refusalLine(await page.ask('/contact', { pin: answers.pin }));
  expect(await change()).toBe('invalid_state code_required');
  expect((await page.look()).status).toBe('created');
});

test('a code that release 1.0.0 sent to a new address resets no PIN after one to the own number', async () => {
  const ana = await api.banked('individual');
  const page = await pages.flow('contact_change', ana.customerId);
  await lock(ana);
  await page.ask('/code', {});
  const own = 'select session_id, code_own_hash from session_progress where tenant_id = $1';
  const [kept] = await engine.query(
    `${own} and session_id = (select contact_change_session_id from customers where tenant_id = $1 and id = $2)`,
    uuid('customer', ana.customerId),
  );
  await page.ask('/code', { email: 'stranger@example.com' });
  // That release does not know the column.
  const { tenantId } = server.tenant;
  await server.owner.query(
    'update session_progress set code_own_hash = $3 where tenant_id = $1 and session_id = $2',
    [tenantId, kept.session_id, kept.code_own_hash],
  );
  expect((await page.ask('/code/check', { code })).body.is_right).toBe(true);
  expect(await tried(page)).toBe('invalid_state code_required');
});
