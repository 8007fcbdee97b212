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
 * Replies that show a record, with its id; others have no effect to look up. Every record is
 * rendered with its id in front and, where it has one, its version at the end.
 */
const replies = `(select tenant_id, key_hash,
    substring(body from '^{"id":"([a-z]+_[0-9a-f]{32})"') as shown,
    once_field is not null or body like '%"version":1}' as creation
  from idempotency)`;

/** Keys and their effects (decisions 1.7; 2.3, number 13). One row for each key is its primary key. */
export const idempotencyChecks: readonly Check[] = [
  {
    name: '13.effect',
    clause: 'no row without its effect: the record that the reply shows exists',
    sql: made
      .map(([kind, table]) => {
        const prefix = `${idPrefixes[kind]}_`;
        return `select k.tenant_id, 'idempotency key' as kind, k.key_hash as id,
            format('no %s', k.shown) as message
          from ${replies} k where starts_with(k.shown, '${prefix}') and not exists (
            select from ${table} r where r.tenant_id = k.tenant_id
              and r.id = substr(k.shown, ${prefix.length + 1})::uuid)`;
      })
      .join(' union all '),
  },
  {
    name: '13.one_key',
    clause: 'a record is made under one key',
    sql: `select tenant_id, 'idempotency key' as kind, min(key_hash::text)::uuid as id,
        format('%s keys made %s', count(*), shown) as message
      from ${replies} k where shown is not null and creation
      group by tenant_id, shown having count(*) > 1`,
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
