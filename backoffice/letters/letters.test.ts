import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import { resolvePartial } from '@tenant-payments/service/resources/disputes/resolve.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { readPdf } from '../../test/kit/files/pdf.ts';
import { reachable } from '../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { portalPerson } from '../../test/kit/people.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';

let ana: Person;
let cafe: Person;
const { api, engine, server } = await openDisputes({
  // The bank answers nothing by itself.
  bank: { take: async () => {} },
});
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

type Step = 'investigating' | 'provisional_credit' | `resolved_${string}` | 'closed';
const credited: readonly Step[] = ['investigating', 'provisional_credit'];

/** A dispute of a payment of $100.00, after these events. */
async function disputed(steps: readonly Step[] = [], more: object = {}): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const events = steps.map((step) => `dispute.${step}`);
  const made = await api.played(api.dispute(ana, { payment_id: payment.id, ...more }), ...events);
  return { ...made, payment };
}

const pathOf = ({ id }: ReplyBody, kind = '') => `/portal/api/disputes/${id}/letters${kind}`;

const available = async (made: ReplyBody): Promise<string[]> =>
  (await api.get(pathOf(made))).data
    .filter((one: ReplyBody) => one.available)
    .map(({ kind, date }: ReplyBody) => `${kind} ${date}`);

async function bytesOf(made: ReplyBody, kind: string): Promise<Uint8Array> {
  const { download_url } = await api.get(pathOf(made, `/${kind}`));
  const reply = await fetch(reachable(server, download_url));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="${kind.replaceAll('_', '-')}-${made.id}.pdf"`,
  );
  return new Uint8Array(await reply.arrayBuffer());
}

/** The text of a letter, as its reader sees it. */
async function textOf(made: ReplyBody, kind: string): Promise<string> {
  const { pages } = await readPdf(await bytesOf(made, kind));
  return pages.flat().join(' ');
}

const refused = (made: ReplyBody, kind: string) => refusalOf(api.get(pathOf(made, `/${kind}`)));

describe('on Tuesday, 20 January 2026', () => {
  test('a provisional credit is told with its amount, its date and its full use', async () => {
    const made = await disputed(credited);
    expect(await available(made)).toEqual(['provisional_credit 2026-01-20']);
    const text = await textOf(made, 'provisional_credit');
    for (const part of [
      'Test Tenant Sample Institution 100 Sample Street, Anytown, NY 10001 (212) 555-0100 January 20, 2026 Notice of provisional credit Dear Ana Reyes,',
      `Dispute ID ${made.id}`,
      'Type of notice Unauthorized transfer',
      'Transaction Payment sent',
      'Transaction date January 20, 2026',
      'Transaction amount $100.00',
      `Payment ID ${made.payment.id}`,
      'Amount in dispute $100.00',
      'On January 20, 2026 we credited $100.00 to your account as a provisional credit.',
      'You have the full use of this money while we investigate.',
      'We will finish the investigation by March 6, 2026 at the latest',
      'Regulation E, 12 CFR 1005.11',
    ])
      expect(text).toContain(part);
  });

  test('an approval after a credit makes it final', async () => {
    const made = await disputed([...credited, 'resolved_approved']);
    expect(await available(made)).toEqual([
      'provisional_credit 2026-01-20',
      'correction 2026-01-20',
    ]);
    const text = await textOf(made, 'correction');
    expect(text).toContain('found that the transfer was unauthorized.');
    expect(text).toContain(
      'The provisional credit of $100.00 that we gave you on January 20, 2026 is final.',
    );
    expect(text).not.toContain('debit');
  });

  test('an approval without a credit is told with the amount and the date of the correction', async () => {
    const made = await disputed(['resolved_approved'], { type: 'error' });
    expect(await available(made)).toEqual(['correction 2026-01-20']);
    const text = await textOf(made, 'correction');
    expect(text).toContain('found that an error occurred.');
    expect(text).toContain('On January 20, 2026 we credited $100.00 to your account.');
    expect(text).not.toContain('provisional');
  });

  test('a partial approval without a credit is told with both amounts', async () => {
    const made = await disputed();
    await engine.run(resolvePartial, {
      id: uuid('dispute', made.id),
      amount: 30_01,
      finding: 'A part of it',
    });
    expect(await available(made)).toEqual(['result 2026-01-20']);
    const text = await textOf(made, 'result');
    expect(text).toContain('in a different amount than you told us.');
    expect(text).toContain('We found that $30.01 of the $100.00 in dispute is due to you.');
    expect(text).toContain('On January 20, 2026 we credited $30.01 to your account.');
    expect(text).toContain('You may ask us for copies of the documents');
    expect(text).not.toContain('debit');
  });

  test('a denial without a credit says so, and that the documents can be asked for', async () => {
    const made = await disputed(['resolved_denied']);
    expect(await available(made)).toEqual(['denial 2026-01-20']);
    const text = await textOf(made, 'denial');
    expect(text).toContain('found no unauthorized transfer.');
    expect(text).toContain('You received no provisional credit, so nothing is debited');
    expect(text).toContain('You may ask us for copies of the documents on which we relied');
  });

  test('what the reviewer wrote was found stands in the letter, and in no event', async () => {
    const found = 'The code was confirmed from her own phone.';
    const denied = await disputed();
    await api.post(`/portal/api/review/disputes/${denied.id}/resolve_denied`, {
      finding: `${found}\n\nThe receipt names her.`,
      note: 'Between us',
    });
    const text = await textOf(denied, 'denial');
    expect(text).toContain(`${found} The receipt names her.`);
    expect(text).not.toMatch(/Between us|We compared your notice/);
    const part = await disputed();
    await api.post(`/portal/api/review/disputes/${part.id}/resolve_partial`, {
      amount: 30_00,
      finding: found,
    });
    expect(await textOf(part, 'result')).toContain(`is due to you. ${found}`);
    expect(JSON.stringify(await api.get('/portal/api/events?limit=100'))).not.toContain(found);
    const blank = { finding: ' \n ' };
    const path = `/portal/api/review/disputes/${(await disputed()).id}/resolve_denied`;
    expect(await refusalOf(api.post(path, blank))).toMatchObject({ param: 'finding' });
  });

  test('outside Regulation E no letter names it, or the right to the documents', async () => {
    const made = await disputed(['resolved_denied'], { type: 'purchase_dispute' });
    const text = await textOf(made, 'denial');
    expect(text).toContain('did not decide it in your favor.');
    expect(text).not.toMatch(/Regulation E|copies/);
  });

  test('a withdrawal and a full refund are told as the result', async () => {
    const withdrawn = await disputed(['resolved_withdrawn']);
    expect(await available(withdrawn)).toEqual(['result 2026-01-20']);
    expect(await textOf(withdrawn, 'result')).toContain('You withdrew your notice');
    const refunded = await disputed();
    const refund = await api.refund(refunded.payment, 100_00);
    await api.played(refunded, ...credited.map((step) => `dispute.${step}`));
    await api.confirmed(refund);
    const text = await textOf(refunded, 'result');
    expect(text).toContain('The amount in dispute has been refunded to you');
    expect(text).toContain('On January 28, 2026 we will debit this credit of $100.00');
  });

  test('a notice of a transaction, and one of none, name what they are about', async () => {
    const [load] = (await api.get(`/v1/accounts/${ana.accountId}/transactions?type=load`)).data;
    const named = { payment_id: null, transaction_id: load.id, type: 'error' };
    const made = await api.played(api.dispute(ana, named), 'dispute.resolved_denied');
    const text = await textOf(made, 'denial');
    expect(text).toContain('Transaction Money added Transaction date January 20, 2026');
    expect(text).toContain(`Transaction amount $500.00`);
    expect(text).toContain(`Transaction ID ${load.id}`);
    const bare = await api.played(api.dispute(ana, {}), 'dispute.resolved_denied');
    expect(await textOf(bare, 'denial')).toContain('Transaction None named');
  });

  test('a letter that is not due is refused with the reason, and has no address', async () => {
    const open = await disputed();
    expect(await refused(open, 'provisional_credit')).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'received', reason: 'not_credited' },
    });
    expect(await refused(open, 'denial')).toMatchObject({ details: { reason: 'unresolved' } });
    const second = await api.dispute(ana, { payment_id: open.payment.id });
    expect(await refused(second, 'denial')).toMatchObject({ details: { reason: 'linked' } });
    await api.played(open, 'dispute.resolved_denied');
    expect(await refused(open, 'correction')).toMatchObject({
      details: { reason: 'other_outcome' },
    });
    const { data } = await api.get(pathOf(open));
    expect(data.map(({ kind, reason }: ReplyBody) => [kind, reason])).toEqual([
      ['late_notice', 'in_time'],
      ['reasserted', 'not_reasserted'],
      ['provisional_credit', 'not_credited'],
      ['correction', 'other_outcome'],
      ['result', 'other_outcome'],
      ['denial', null],
    ]);
    expect(data[3]).toMatchObject({ available: false, date: null, download_url: null });
  });

  test("an unknown kind and another Tenant's dispute are not found, and only reviewers may ask", async () => {
    const made = await disputed(['resolved_denied']);
    expect(await refused(made, 'receipt')).toMatchObject({ code: 'not_found', param: 'kind' });
    const { token } = await server.anotherTenant();
    for (const path of [pathOf(made), pathOf(made, '/denial')])
      expect((await server.call('GET', path, { token })).status).toBe(404);
    const headers = { 'tenant-id': engine.tenantId };
    for (const [role, status] of [
      ['reviewer', 200],
      ['support', 403],
    ] as const) {
      const person = await portalPerson(server, 'platform', [role]);
      const path = `/disputes/${made.id}/letters/denial`;
      expect((await person.ask('GET', path, undefined, { headers })).status).toBe(status);
    }
  });

  test('a letter is tagged, has title and language, and stays the same after the credit is taken back', async () => {
    const made = await disputed([...credited, 'resolved_denied']);
    const bytes = await bytesOf(made, 'denial');
    const { title, language, roles, hasScript, pages } = await readPdf(bytes.slice());
    expect([title, language, hasScript, pages.length]).toEqual([
      'Notice of denial',
      'en-US',
      false,
      2,
    ]);
    const count = (role: string) => roles.filter((found) => found === role).length;
    expect([count('H1'), count('H2'), count('Table'), count('TH')]).toEqual([1, 4, 1, 2]);
    expect(Buffer.from(bytes).toString('latin1')).toContain('/Marked true');
    expect(Buffer.from(bytes).toString('latin1')).toContain('[0 0 612 792]');
    await api.played(made, 'dispute.closed');
    expect(Buffer.compare(await bytesOf(made, 'denial'), bytes)).toBe(0);
  });
});

describe('on the evening of Friday, 13 February 2026, before a holiday', () => {
  const today = '2026-02-14T02:00:00.000Z';
  beforeEach(async () => {
    await api.advance(today);
  });

  test('a denial honors items through the fifth business day and debits on the day after', async () => {
    const made = await disputed([...credited, 'resolved_denied']);
    expect(await available(made)).toEqual(['provisional_credit 2026-02-13', 'denial 2026-02-13']);
    const text = await textOf(made, 'denial');
    for (const part of [
      'On February 13, 2026 we credited $100.00 to your account as a provisional credit.',
      'On February 24, 2026 we will debit this credit of $100.00 from your account.',
      'If less is available on that day, we will debit only what is available.',
      'Through February 23, 2026, the fifth business day after the date of this letter, we will honor checks',
      'preauthorized transfers from your account, without charge to you',
      'You may ask us for copies of the documents',
    ])
      expect(text).toContain(part);
    // The outcome is what the letter says.
    await api.advance('2026-02-24T04:59:00.000Z');
    expect((await api.balance(ana)).available).toBe(500_00);
    await api.advance('2026-02-24T05:00:00.000Z');
    expect((await api.balance(ana)).available).toBe(400_00);
  });
});

describe('later', () => {
  test('a partial approval after a credit says what is final and what is debited', async () => {
    await api.advance('2026-03-02T15:00:00.000Z');
    const made = await disputed(credited);
    await engine.run(resolvePartial, {
      id: uuid('dispute', made.id),
      amount: 30_01,
      finding: 'A part of it',
    });
    const text = await textOf(made, 'result');
    for (const part of [
      'We found that $30.01 of the $100.00 in dispute is due to you.',
      'Of the provisional credit of $100.00 that we gave you on March 2, 2026, $30.01 is final.',
      'On March 10, 2026 we will debit $69.99 of this credit from your account.',
      'Through March 9, 2026, the fifth business day',
    ])
      expect(text).toContain(part);
  });

  test('of a closed account a credit was sent to its bank, and nothing is taken back', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 500_00));
    await api.close(ana);
    await server.runJobs();
    const made = await api.played(
      api.dispute(ana, { payment_id: payment.id }),
      ...[...credited, 'resolved_denied'].map((step) => `dispute.${step}`),
    );
    const given = await textOf(made, 'provisional_credit');
    expect(given).toMatch(/Your account is closed. On March 2, 2026 we sent \$500.00 to your bank/);
    expect(given).not.toContain('debit');
    const denial = await textOf(made, 'denial');
    expect(denial).toContain('We will not take back any of the provisional credit of $500.00');
    const [order] = await engine.query<{ id: string }>(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      uuid('dispute', made.id),
    );
    const rejected = { outcome: 'failed', reason: 'AC04' } as const;
    const fact = { id: `fact ${made.id}`, orderId: order?.id ?? '', ...rejected };
    expect(await openInbound({ ...server.service, asks: false }).bank(engine.tenantId, fact)).toBe(
      'taken',
    );
    expect(await textOf(made, 'provisional_credit')).toContain(
      'we know no bank account that can receive your provisional credit of $500.00. We have held the money for you since March 2, 2026.',
    );
  });

  test('no letter is written of an erased customer', async () => {
    const made = await disputed(['resolved_denied']);
    const { download_url } = await api.get(pathOf(made, '/denial'));
    const erase = (at: string | null) =>
      server.service.pool.query('update customers set erased_at = $2 where id = $1', [
        uuid('customer', ana.customerId),
        at,
      ]);
    await erase('2026-03-02T15:00:00.000Z');
    expect(await refused(made, 'denial')).toMatchObject({ details: { reason: 'customer_erased' } });
    expect((await fetch(reachable(server, download_url))).status).toBe(404);
    await erase(null);
  });

  test('a name that is longer than a line goes on below, and is whole', async () => {
    const name = 'W'.repeat(60);
    await engine.change({ branding: { name, logo_url: null, primary_color: '#1f5eff' } });
    const made = await disputed(['resolved_denied']);
    const { pages } = await readPdf(await bytesOf(made, 'denial'));
    const texts = pages.flat().filter((text) => !/, page \d+$/.test(text));
    expect(texts.some((text) => text.includes(name))).toBe(false);
    // At the head and at the end.
    expect(texts.join('').replaceAll(' ', '').split(name)).toHaveLength(3);
  });
});
