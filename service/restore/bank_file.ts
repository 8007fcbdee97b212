import type { BankOutcome } from '../rails/facts.ts';
import type { BankLine } from './book.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** A line as the file has it; `order_id` with hyphens or as the end-to-end id without them. */
type Given = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

function idOf(value: unknown, at: string): string {
  const given = text(value) ?? '';
  if (!uuid.test(given)) throw new Error(`${at}: order_id is no order's id`);
  const digits = given.replaceAll('-', '').toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function amountOf(value: unknown, at: string): number | null {
  const given = text(value);
  if (given === null) return null;
  if (!/^\d{1,15}$/.test(given)) throw new Error(`${at}: amount is no number of cents`);
  return Number(given);
}

function outcomeOf(line: Given, amount: number | null, at: string): BankOutcome | null {
  const outcome = text(line.outcome);
  if (outcome === null) return null;
  if (outcome === 'failed') return { outcome, reason: text(line.reason) ?? '' };
  if (outcome !== 'settled' && outcome !== 'returned')
    throw new Error(`${at}: outcome is settled, failed, returned or empty`);
  if (amount === null) throw new Error(`${at}: ${outcome} needs the amount in cents`);
  return { outcome, amount };
}

function lineOf(line: Given, index: number): BankLine {
  const at = `line ${index + 1}`;
  const amount = amountOf(line.amount, at);
  const tenant = text(line.tenant_id);
  return {
    id: idOf(line.order_id, at),
    tenantId: tenant === null ? null : idOf(tenant, at),
    amount,
    outcome: outcomeOf(line, amount, at),
  };
}

/** Fields without quotes: ids, numbers and words of ours. */
function rowsOf(csv: string): Given[] {
  const [head = '', ...lines] = csv.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = head.split(',').map((name) => name.trim().toLowerCase());
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim()]));
  });
}

/**
 * A list of the bank as a file: JSON, an array of objects, or CSV with a head; `order_id`, and where they are known
 * `tenant_id`, `amount` in cents, `outcome`, `reason`.
 * @throws one line that says which line is wrong
 */
export function readBankFile(content: string): readonly BankLine[] {
  const trimmed = content.trim();
  const rows: unknown = trimmed.startsWith('[') ? JSON.parse(trimmed) : rowsOf(trimmed);
  if (!Array.isArray(rows)) throw new Error('the file is no list');
  return rows.map((row, index) => lineOf(row as Given, index));
}
