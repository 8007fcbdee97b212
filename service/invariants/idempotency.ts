import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { codeAt } from '@tenant-payments/engine/packed_text/dictionary.ts';
import { words } from '@tenant-payments/engine/packed_text/words.ts';
import pg from 'pg';
import type { Check } from './check.ts';

/** Records that are made under a key. */
const made = [
  ['customer', 'customers'],
  ['session', 'sessions'],
  ['linked_account', 'linked_accounts'],
  ['load', 'loads'],
  ['payment_request', 'payment_requests'],
  ['payment', 'payments'],
  ['withdrawal', 'withdrawals'],
  ['refund', 'refunds'],
] as const;

const kinds = made.map(([kind]) => `('${kind}', '${idPrefixes[kind]}')`).join(', ');

const first = '{"id":"';
/** How a packed reply begins that shows a record, whose first field is its id. */
const begins = [
  first,
  ...words.flatMap((word, index) => (word.startsWith(first) ? [codeAt(index)] : [])),
].map((text) => `starts_with(i.body, ${pg.escapeLiteral(text)})`);

/**
 * Replies that show a record, by its public id. To unpack the others only to see that they do not took 50 us for each.
 * A first version, and a secret shown once, identify a creation.
 */
export const shownByBody = `select tenant_id, key_hash, reply ->> 'id' as shown,
    once_field is not null or coalesce(reply ->> 'version' = '1', false) as creates
  from (select i.tenant_id, i.key_hash, i.once_field, record_json(i.body) as reply
    from idempotency i where ${begins.join(' or ')} offset 0) stored`;

/** Replies that show a record: those that are stored, and those that an event shows. */
const replies = `${shownByBody}
  union all select i.tenant_id, i.key_hash, k.prefix || '_' || replace(e.object_id::text, '-', ''),
    i.once_field is not null or e.version = 1
  from idempotency i join events e on e.tenant_id = i.tenant_id and e.id = i.event_id
    join (values ${kinds}) k(kind, prefix) on k.kind = e.object_type::text offset 0`;

const records = made.map(
  ([
    kind,
    table,
  ]) => `select tenant_id, null::uuid, '${idPrefixes[kind]}_' || replace(id::text, '-', ''),
    false from ${table}`,
);
const prefixes = made.map(([kind]) => `'${idPrefixes[kind]}'`).join(', ');

const shownId = `split_part(shown, '_', 2)::uuid`;
const isThere = made
  .map(
    ([kind, table]) => `when '${idPrefixes[kind]}' then exists (select from ${table} t
      where t.tenant_id = r.tenant_id and t.id = ${shownId})`,
  )
  .join('\n');

/** The check `13.effect` where there are few rows: each reply looks its record up. */
export const recordsOfReplies = `select tenant_id, 'idempotency key' as kind,
    min(key_hash::text)::uuid as id, format('%s keys made %s, %s show it',
      count(*) filter (where creates), shown, count(*)) as message
  from (${replies}) r where split_part(shown, '_', 1) in (${prefixes})
  group by tenant_id, shown
  having count(*) filter (where creates) > 1
    or not bool_and(case split_part(shown, '_', 1) ${isThere} end)`;

/** Keys and their effects (rules/invariants#13). The primary key allows one row for each key. */
export const idempotencyChecks: readonly Check[] = [
  {
    name: '13.effect',
    clause: 'the record that a reply shows exists, and no record was created under two keys',
    sql: `select tenant_id, 'idempotency key' as kind, min(key_hash::text)::uuid as id,
        format('%s keys made %s, %s show it', count(*) filter (where creates), shown,
          count(key_hash)) as message
      from (select * from (${replies}) r where split_part(shown, '_', 1) in (${prefixes})
        union all ${records.join(' union all ')}) both_sides(tenant_id, key_hash, shown, creates)
      group by tenant_id, shown
      having count(*) = count(key_hash) or count(*) filter (where creates) > 1`,
  },
  {
    name: '13.stored',
    clause: 'a row has its reply: plain, or sealed, or plain with its session sealed',
    sql: `select tenant_id, 'idempotency key' as kind, key_hash as id,
        'a reply that cannot be given again' as message
      from idempotency
      where num_nonnulls(body, event_id) > 1
        or (num_nonnulls(body, event_id) = 0 and (once_sealed is null or once_field is not null))
        or (num_nonnulls(body, event_id) = 1 and (once_field is null) <> (once_sealed is null))
        or (once_field is not null and session_id is null)`,
  },
];
