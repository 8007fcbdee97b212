import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import type { Check } from './check.ts';

/** Records that are made under a key. */
const made = [
  ['customer', 'customers'],
  ['session', 'sessions'],
  ['linked_account', 'linked_accounts'],
  ['load', 'loads'],
  ['payment_request', 'payment_requests'],
  ['payment', 'payments'],
] as const;

/**
 * Replies that show a record, which is rendered with its id in front and, where it has one, its
 * version at the end. MATERIALIZED: each body is read once.
 */
const replies = `replies as materialized (select tenant_id, key_hash, shown,
    split_part(shown, '_', 1) as prefix,
    case when shown ~ '^[a-z]+_[0-9a-f]{32}$' then right(shown, 32)::uuid end as id,
    once_field is not null or strpos(body, '"version":1}') > 0 as creation
  from (select *, split_part(left(body, 64), '"', 4) as shown from idempotency
    where body like '{"id":"%') stored)`;

const records = made.map(
  ([kind, table]) =>
    `union all select tenant_id, '${idPrefixes[kind]}', id, null, null from ${table}`,
);
const prefixes = made.map(([kind]) => `'${idPrefixes[kind]}'`).join(', ');

/** Keys and their effects (decisions 1.7; 2.3, number 13). One row for each key is its primary key. */
export const idempotencyChecks: readonly Check[] = [
  {
    name: '13.effect',
    clause: 'no row without its effect: the record that the reply shows exists',
    sql: `with ${replies} select tenant_id, 'idempotency key' as kind,
        min(key_hash::text)::uuid as id, format('no %s', min(shown)) as message
      from (select tenant_id, prefix, id, key_hash, shown from replies
        where prefix in (${prefixes}) ${records.join(' ')}) r
      group by tenant_id, prefix, id having count(*) = count(key_hash)`,
  },
  {
    name: '13.one_key',
    clause: 'a record is made under one key',
    sql: `with ${replies} select tenant_id, 'idempotency key' as kind,
        min(key_hash::text)::uuid as id, format('%s keys made %s', count(*), min(shown)) as message
      from replies where id is not null and creation
      group by tenant_id, id having count(*) > 1`,
  },
  {
    name: '13.stored',
    clause: 'a row holds its reply: plain, or sealed, or plain with its session sealed',
    sql: `select tenant_id, 'idempotency key' as kind, key_hash as id,
        'a reply that cannot be given again' as message
      from idempotency where (body is null and (once_sealed is null or once_field is not null))
        or (body is not null and (once_field is null) <> (once_sealed is null))
        or (once_field is not null and session_id is null)`,
  },
];
