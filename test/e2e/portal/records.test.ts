import { beforeAll, expect, test } from 'vitest';
import { recordLists } from '../../../web/portal/parts/record_list/lists.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import type { Person } from '../../kit/person.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { shootAtDesk } from './desk.ts';
import { open, openRecord, signIn } from './pages.ts';

/** Records of the developer portal: their moves, drawings, money and lists. */

useWeb();
useOneWindow();

let ana: Person;
let cafe: Person;
beforeAll(async () => {
  ana = await web.api.funded('individual', 500_00);
  cafe = await web.api.banked('business');
});

const move = (name: string) => page.getByRole('button', { name, exact: true });
const told = () => page.getByRole('status');

async function readable(name: string): Promise<void> {
  await shootAtDesk(page, name);
  await proveReadable(page, name);
}

async function play(name: string): Promise<void> {
  await move(name).click();
  await told()
    .getByText(`Done: ${name.split(' ')[0]}`)
    .waitFor();
}

/** The state that the drawing marks, as a screen reader reads it. */
const isNow = (state: string) =>
  page
    .getByRole('figure', { name: /^Lifecycle of/ })
    .getByText(`${state}, now`)
    .first();

test('a load whose time is over shows that its order was cancelled at the bank', async () => {
  const load = await web.api.confirmed(web.api.load(ana, 20_00));
  await web.api.advance(86_400);
  await signIn();
  await openRecord(load.id);
  const order = page.getByRole('region', { name: 'Order at the bank' });
  for (const text of ['Ended by the bank', 'Cancelled', 'The bank was asked'])
    await order.getByText(text, { exact: true }).waitFor();
  await readable('records_load_cancelled');
});

test('a payment is played to its refund by buttons, which only show what is possible', async () => {
  const payment = await web.api.pay(ana, cafe, 40_00);
  await signIn();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openRecord(payment.id, '?part=developer');
  await move('session.completed').waitFor();
  expect(await move('payment.completed').count()).toBe(0);
  await page.getByText('Not possible now').click();
  await page.getByText('payment.completed', { exact: true }).waitFor();
  await page
    .getByText(/^\$40.00 from pending outgoing of acct .* to available of acct/)
    .first()
    .waitFor();
  await readable('records_payment_open');
  await play('session.completed');
  await told().getByText('payment.completed').waitFor();
  await isNow('completed').waitFor({ state: 'attached' });
  expect(await move('session.completed').count()).toBe(0);

  await page.getByRole('link', { name: 'Record', exact: true }).click();
  const money = page.getByRole('region', { name: 'Ledger entries' });
  await money.getByRole('row').filter({ hasText: 'payment completed' }).first().waitFor();
  const totals = await money.getByRole('row').last().getByRole('cell').last().textContent();
  expect(totals).toBe('$0.00');

  const refund = await web.api.refund(payment, 10_00);
  await openRecord(refund.id, '?part=developer');
  await play('session.completed');
  await isNow('completed').waitFor({ state: 'attached' });
  await openRecord(payment.id, '?part=developer');
  await isNow('partially refunded').waitFor({ state: 'attached' });
});

test('a dispute is played to its end by keyboard alone', async () => {
  const payment = await web.api.confirmed(web.api.pay(ana, cafe, 30_00));
  const dispute: ReplyBody = await web.api.post('/v1/disputes', {
    customer_id: ana.customerId,
    payment_id: payment.id,
    type: 'error',
    description: 'I was charged twice',
    notice_received_at: (await web.api.get('/portal/api/clock')).now,
  });
  await signIn();
  await openRecord(dispute.id, '?part=developer');
  for (const name of [
    'dispute.investigating',
    'dispute.provisional_credit',
    'dispute.resolved_partial',
    'dispute.closed',
  ]) {
    await move(name).focus();
    await page.keyboard.press('Enter');
    await told().getByText(`Done: ${name}`).waitFor();
    expect(await page.evaluate('document.activeElement?.getAttribute("role")')).toBe('status');
  }
  await isNow('closed').waitFor({ state: 'attached' });
  await page.getByText('Nothing can be simulated from this state.').waitFor();
  await readable('records_dispute_closed');
});

test('a record that changes elsewhere is shown as it is, without a reload', async () => {
  const load = await web.api.load(ana, 6_00);
  await signIn();
  await openRecord(load.id, '?part=developer');
  await isNow('requires confirmation').waitFor({ state: 'attached' });
  // Read when the feed was opened, and then by it alone.
  await web.api.simulate('session.completed', load.id);
  await move('load.settled').waitFor();
  await web.api.simulate('load.settled', load.id);
  await isNow('settled').waitFor({ state: 'attached' });
});

test('a bank refuses with the code that is chosen', async () => {
  const load = await web.api.confirmed(web.api.load(ana, 5_00));
  await signIn();
  await openRecord(load.id, '?part=developer');
  await page.getByLabel('Failure code of load.failed').selectOption('account_blocked');
  await readable('records_load');
  await play('load.failed');
  await page.getByRole('link', { name: 'Record', exact: true }).click();
  await page.getByRole('cell', { name: 'account_blocked' }).waitFor();
  expect(await web.api.get(`/v1/loads/${load.id}`)).toMatchObject({
    failure_code: 'account_blocked',
  });
});

test('every lifecycle is drawn, can be linked to and read as a list', async () => {
  await signIn();
  await page.setViewportSize({ width: 1440, height: 900 });
  await open('/states#dispute', 'States and moves');
  const dispute = page.getByRole('figure', { name: 'Lifecycle of a dispute' });
  await dispute.waitFor();
  await expect.poll(async () => (await dispute.boundingBox())?.y ?? 9_999).toBeLessThan(400);
  await dispute.getByText('investigate by reviewer or service').waitFor({ state: 'attached' });
  await readable('records_states');
});

const rows = () => page.locator('tbody tr[aria-rowindex]');

test('a list is filtered by customer, state and day, and its address opens it again', async () => {
  const ben = await web.api.funded('individual', 50_00);
  await web.api.confirmed(web.api.pay(ben, cafe, 1_00));
  await web.api.pay(ben, cafe, 2_00);
  await signIn();
  await open('/records/payments', 'Payments');
  await rows().nth(2).waitFor();
  await addFilter('Customer', ben.customerId);
  await expect.poll(() => rows().count()).toBe(2);
  await addFilter('State', 'completed');
  await expect.poll(() => rows().count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('customer_id')).toBe(ben.customerId);
  await page.reload();
  await expect.poll(() => rows().count()).toBe(1);
  await readable('records_filtered');
  await page.getByRole('button', { name: 'Last hour' }).click();
  await expect.poll(() => rows().count()).toBe(1);
  await addFilter('To', '2020-01-01T00:00');
  await page.getByText('No payments match these filters').waitFor();
  await readable('records_no_match');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await rows().nth(2).waitFor();
});

test('statements and reports are listed with their sums, and their files are saved', async () => {
  await signIn();
  await open('/records/statements', 'Statements');
  await page.getByText('No statements yet').waitFor();
  await web.api.advance(2 * 86_400);
  await web.api.simulate('statement.available', ana.accountId);
  await open('/records/statements', 'Statements');
  const statement = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).first().click();
  expect((await statement).suggestedFilename()).toMatch(/[.]pdf$/);
  await open('/records/reports', 'Reports');
  await page.getByText('Adjustments').first().waitFor();
  const report = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).first().click();
  expect((await report).suggestedFilename()).toMatch(/[.]csv$/);
  await readable('records_reports');
  await page
    .getByRole('link', { name: /^\d{4}-\d\d-\d\d$/ })
    .first()
    .click();
  await page.waitForURL(/reconciliation.\d{4}-\d\d-\d\d$/);
});

test('each list opens by its address and says how its first row comes about', async () => {
  const other = await web.server.anotherTenant();
  await signIn(other);
  const names = Object.entries(recordLists);
  for (const [name, { title }] of names) {
    await open(`/records/${name}`, title);
    await page.getByText(`No ${title.toLowerCase()} yet`).waitFor();
  }
  await open('/records/disputes', 'Disputes');
  await page.getByLabel('The call that makes the first one').getByText('/v1/disputes').waitFor();
  await readable('records_none');
});

/** Scrolls a list to where `isThere` finds what it looks for, as far as it reads on. */
const scrollList = (to: 'top' | 'end', text: string) =>
  page.evaluate(
    `new Promise((done) => {
      const look = () => {
        const list = document.querySelector('.list');
        if (list?.textContent.includes('${text}')) return done(list.querySelectorAll('tr').length);
        if (list) list.scrollTop = ${to === 'end' ? 'list.scrollHeight' : '0'};
        requestAnimationFrame(look);
      };
      look();
    })`,
  );

/** A script that makes the answers itself, page by page: as a hundred megabytes they would take minutes to come. */
const millionPayments = `{
  const [rowsOfPage, pagesOfList] = [250_000, 4];
  const ask = fetch;
  globalThis.fetch = async (address, options) => {
    const { pathname, searchParams } = new URL(address, location.href);
    if (pathname !== '/portal/api/payments') return ask(address, options);
    const cursor = Number(searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: rowsOfPage }, (_, at) => ({
      id: 'pay_' + String(cursor * rowsOfPage + at + 1).padStart(32, '0'), status: 'completed', amount: at }));
    const next_cursor = cursor + 1 < pagesOfList ? String(cursor + 1) : null;
    return { ok: true, json: async () => ({ object: 'list', data, has_more: next_cursor !== null, next_cursor }) };
  };
}`;

test('of a million rows few are in the page, and each can be reached', async () => {
  await signIn();
  await open('/records/loads', 'Loads');
  await page.evaluate(millionPayments);
  await open('/records/payments', 'Payments');
  expect(await scrollList('end', 'All 1,000,000 payments are shown')).toBeLessThan(100);
  expect(await scrollList('end', 'pay_…000000')).toBeLessThan(100);
  expect(await scrollList('top', 'pay_…000001')).toBeLessThan(100);
});
