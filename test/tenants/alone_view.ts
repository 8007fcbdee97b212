import type { ReplyBody } from '../kit/http.ts';
import type { Teller } from './alone_wire.ts';

const lists = [
  'customers',
  'payments',
  'loads',
  'withdrawals',
  'refunds',
  'payment-requests',
  'sessions',
  'disputes',
  'review',
] as const;

const daysOf = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from.slice(0, 10)); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
};

/** What hangs on the order of what falls due at one instant, which nobody promises. */
const unordered = ['number', 'balance_after', 'ledger_after'];
const withoutPlaces = (entry: ReplyBody): ReplyBody =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !unordered.includes(name)));

/** The types of each record's events in the order of its versions, with the records that they showed. */
function historyOf(teller: Teller, events: readonly ReplyBody[]): string[] {
  const byRecord = new Map<string, string[]>();
  for (const { type, data, created_at } of events) {
    const { object } = data;
    const key = teller.plain(`${object.object} ${object.id ?? object.date}`);
    const lines = byRecord.get(key) ?? [];
    lines.unshift(`${type} ${created_at} ${teller.plain(JSON.stringify(data))}`);
    byRecord.set(key, lines);
  }
  return [...byRecord].map(([key, lines]) => {
    // Of what was never named by itself, such as a Transaction, one line holds several.
    const told = key.endsWith('#') ? [...lines].sort() : lines;
    return `${key}: ${told.join(' | ')}`;
  });
}

/**
 * All that a tenant can read of its records, sorted, by the order in which they were made and not by
 * their ids: two runs with the same effect have the same view.
 */
export async function viewOf(teller: Teller, beganAt: string): Promise<string[]> {
  const lines: string[] = [];
  const show = (what: string, found: readonly ReplyBody[]) =>
    lines.push(...found.map((one) => `${what} ${teller.plain(JSON.stringify(one))}`));
  for (const list of lists) show(list, await teller.all(`/portal/api/${list}`));
  show('entry', (await teller.all('/portal/api/ledger/entries')).map(withoutPlaces));
  for (const id of teller.known('cus')) {
    for (const part of ['owners', 'documents', 'linked-accounts'])
      show(part, (await teller.ask('GET', `/v1/customers/${id}/${part}`)).body.data ?? []);
    const { body: held } = await teller.ask('GET', `/v1/accounts?customer_id=${id}`);
    show('account', held.data);
    for (const account of held.data) {
      show('balance', [(await teller.ask('GET', `/v1/accounts/${account.id}/balance`)).body]);
      show('transaction', await teller.all(`/v1/accounts/${account.id}/transactions`));
      show('statement', await teller.all(`/v1/accounts/${account.id}/statements`));
    }
  }
  const { body: clock } = await teller.ask('GET', '/portal/api/clock');
  for (const day of daysOf(beganAt, clock.now)) {
    const report = await teller.ask('GET', `/v1/reports/reconciliation?date=${day}`);
    show(`report ${day} ${report.status}`, report.status === 200 ? [report.body] : []);
  }
  show('proof', [(await teller.ask('GET', '/portal/api/ledger/verify')).body]);
  lines.push(...historyOf(teller, await teller.all('/v1/webhook-events')));
  return lines.sort();
}
