import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import type { Check } from './check.ts';

/** Records that are made under a key, by the prefix of their public id. */
const made = [
  ['customer', 'customers'],
  ['session', 'sessions'],
  ['linked_account', 'linked_accounts'],
  ['load', 'loads'],
  ['payment_request', 'payment_requests'],
  ['payment', 'payments'],
] as const;

/** Replies that show a record, with its uuid and version; what shows none has no effect to look up. */
const replies = `(select tenant_id, key_hash, once_field, body::json ->> 'object' as object,
    body::json ->> 'id' as public_id, body::json ->> 'version' as version
  from idempotency where body is not null and body like '{"id":%')`;

const uuidOf = (prefix: string) => `substr(public_id, ${prefix.length + 2})::uuid`;

/** Keys and their effects (decisions 1.7; 2.3, number 13). One row for each key is its primary key. */
export const idempotencyChecks: readonly Check[] = [
  {
    name: '13.effect',
    clause: 'no row without its effect: the record that the reply shows exists',
    sql: made
      .map(
        ([kind, table]) => `select k.tenant_id, 'idempotency key' as kind, k.key_hash as id,
          format('no %s', k.public_id) as message
        from ${replies} k where k.object = '${kind}' and not exists (select from ${table} r
          where r.tenant_id = k.tenant_id and r.id = ${uuidOf(idPrefixes[kind])})`,
      )
      .join(' union all '),
  },
  {
    name: '13.one_key',
    clause: 'a record is made under one key',
    sql: `select tenant_id, 'idempotency key' as kind, min(key_hash::text)::uuid as id,
        format('%s keys made %s', count(*), public_id) as message
      from ${replies} k where once_field is not null or (version = '1' and object <> 'document_acceptance')
      group by tenant_id, public_id having count(*) > 1`,
  },
  {
    name: '13.stored',
    clause: 'a row holds its reply: plain, or sealed, or plain with the session that is sealed',
    sql: `select tenant_id, 'idempotency key' as kind, key_hash as id,
        'a reply that cannot be given again' as message
      from idempotency where (body is null and (once_sealed is null or once_field is not null))
        or (body is not null and (once_field is null) <> (once_sealed is null))
        or (once_field is not null and session_id is null)`,
  },
];
