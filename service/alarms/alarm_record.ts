import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { recordOf } from '@tenant-payments/engine/job_facts.ts';

type Facts = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The fields of the lines that name a record of ours by its uuid, and its kind. */
const kinds = { dispute_id: 'dispute', statement_id: 'statement' } as const;

/** The record that an alarm is about; null: it names none. */
export function alarmRecord(alarm: string, facts: Facts): string | null {
  for (const [field, kind] of Object.entries(kinds) as [keyof typeof kinds, 'dispute'][]) {
    const id = text(facts[field]);
    if (id !== null) return publicId(kind, id);
  }
  const [name, ref] = [text(facts.job), text(facts.ref)];
  if (name !== null && ref !== null) return recordOf(name, ref) ?? `${name} ${ref}`;
  const fact = facts.fact as Facts | undefined;
  return (
    text(fact?.orderId) ??
    text(fact?.id) ??
    text(facts.id) ??
    text(facts.order_id) ??
    text(facts.method) ??
    (alarm === 'audit' ? text(facts.scope) : null)
  );
}
