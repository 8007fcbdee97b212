import { sumOf } from '@tenant-payments/contract/core/money.ts';
import { openInbound } from '@tenant-payments/service/inbound/inbound.ts';
import type { BankOutcome } from '@tenant-payments/service/rails/facts.ts';
import { adjustAccount } from '@tenant-payments/service/resources/accounts/adjust.ts';
import { expect, test } from 'vitest';
import { type BusyDay, openStatements } from '../../../../test/kit/bank_statements.ts';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import { uuid } from '../../../../test/kit/ids.ts';

/** The alarms that a statement of the bank raises, and the bank's own ids in it (rules/money-desk#12). */

const { server, maria, busyDay, sandboxFile, upload, compared } = await openStatements();

/** The alarms of this name of a Tenant. */
async function alarmsOf(
  { tenantId }: Pick<BusyDay, 'tenantId'>,
  alarm: string,
): Promise<ReplyBody[]> {
  const { peers } = server.service;
  await Promise.all(peers.open.map(({ alarmLog }) => alarmLog.flush()));
  return (await maria.ask('GET', `/alarms?alarm=${alarm}&tenant_id=${tenantId}`)).body.data;
}

test('a statement that does not agree raises an alarm when it is uploaded, and one that agrees none', async () => {
  const busy = await busyDay();
  const csv = await sandboxFile(busy);
  await compared(busy, csv);
  expect(await alarmsOf(busy, 'bank_difference')).toEqual([]);
  const { statement } = await compared(busy, `${csv}${busy.day},-333,FEE-1,Account fee,\n`);
  expect(await alarmsOf(busy, 'bank_difference')).toMatchObject([
    { record_id: statement.id, facts: { open: 1, day: busy.day } },
  ]);
  expect(await alarmsOf(busy, 'fbo_short')).toEqual([]);
});

test('a bank account that holds less than its customers have raises an alarm, though the statement ties', async () => {
  const busy = await busyDay();
  const id = uuid('account', busy.ana.accountId);
  await busy.engine.run(adjustAccount, { id, amount: 20_000_00 });
  const comparison = await compared(busy, await sandboxFile(busy));
  const { statement, customers_closing_balance } = comparison;
  const { ledger } = await busy.api.balance(busy.ana);
  expect([comparison.ties, customers_closing_balance]).toEqual([true, ledger]);
  expect(await alarmsOf(busy, 'fbo_short')).toMatchObject([
    { record_id: statement.id, facts: { customers: ledger } },
  ]);
});

test('what customers had at the end of a day leaves out what came after it', async () => {
  const busy = await busyDay();
  const { ledger } = await busy.api.balance(busy.ana);
  await busy.api.advance(2 * 86_400);
  await busy.api.funded('individual', 80_00);
  const { customers_closing_balance } = await compared(busy, await sandboxFile(busy));
  expect(customers_closing_balance).toBe(ledger);
});

test('lines are matched by the ids that the bank gave an order and a payment', async () => {
  const busy = await busyDay();
  const { api, tenantId, ana, engine } = busy;
  const inbound = openInbound({ ...server.service, asks: false });
  const orderOf = async (kind: 'load' | 'withdrawal', { id }: ReplyBody): Promise<string> =>
    (
      await engine.query(
        'select id from instructions where tenant_id = $1 and source_id = $2',
        uuid(kind, id),
      )
    )[0].id;
  const tell = (id: string, orderId: string, fact: BankOutcome) =>
    inbound.bank(tenantId, { id, orderId, ...fact });
  const load = await orderOf('load', await api.confirmed(api.load(ana, 31_00)));
  const withdrawal = await orderOf('withdrawal', await api.confirmed(api.withdraw(ana, 13_00)));
  await tell('a', load, { outcome: 'settled', amount: 31_00, paymentId: 'PAY-77' });
  await tell('b', withdrawal, { outcome: 'sent', providerId: 'TRF-78' });
  await tell('c', withdrawal, { outcome: 'settled', amount: 13_00 });
  const lines = (await sandboxFile(busy)).replace(load, 'pay 77').replace(withdrawal, 'trf 78');
  expect(lines).toContain('pay 77');
  const comparison = await compared(busy, lines);
  expect(comparison).toMatchObject({ ties: true, matched_by_amount: 0 });
});

/** The rows of a file of the sandbox's bank as BAI2, with the orders in the bank's words. */
function asBai2(csv: string, day: string): string {
  const date = day.slice(2).replaceAll('-', '');
  const cells = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','));
  const closing = Number(cells.at(-1)?.[4]);
  const moved = cells
    .slice(0, -1)
    .map(([, cents, order = '']) => ({ cents: Number(cents), order }));
  const details = moved.map(
    ({ cents, order }, at) =>
      `16,${cents > 0 ? 195 : 495},${Math.abs(cents)},,B-${at},,ORDER ${order.replaceAll('-', '')}/`,
  );
  const total = closing + sumOf(moved, ({ cents }) => Math.abs(cents));
  return [
    `01,121140399,PROGRAM,${date},0754,1,,,2/`,
    `02,PROGRAM,121140399,1,${date},,USD,2/`,
    `03,1234567890,USD,015,${closing},,/`,
    ...details,
    `49,${total},${details.length + 2}/`,
    `98,${total},1,${details.length + 4}/`,
    `99,${total},1,${details.length + 6}/`,
  ].join('\n');
}

test('a statement in BAI2 is compared as one in CSV, by the orders that the bank names in its words', async () => {
  const busy = await busyDay();
  const file = asBai2(await sandboxFile(busy), busy.day);
  const comparison = await compared(busy, file);
  expect(comparison).toMatchObject({ ties: true, matched_by_amount: 0 });
  const { statement, ledger_closing_balance } = comparison;
  expect(statement.lines).toBeGreaterThanOrEqual(4);
  expect(statement.closing_balance).toBe(ledger_closing_balance);
  const cut = await upload(busy, file.replace(/^16,.*\n/m, ''));
  expect(cut.body.error).toMatchObject({ param: 'csv', details: { reason: 'not_whole' } });
});
