import type { Check } from './check.ts';

/** PINs and documents of customers (decisions 1.1, DocumentAcceptance; 1.8, PIN). */
export const peopleChecks: readonly Check[] = [
  {
    name: 'people.pin',
    clause: 'a PIN that is set is kept, and is locked after five attempts at the latest',
    sql: `select c.tenant_id, 'customer' as kind, c.id, format('PIN %s, %s, %s attempts',
        case when c.pin_set then 'set' else 'not set' end,
        case when c.pin_locked then 'locked' else 'not locked' end, coalesce(p.attempts, 0)) as message
      from customers c left join pins p on p.tenant_id = c.tenant_id and p.customer_id = c.id
      where c.pin_set <> (p.customer_id is not null) or p.attempts not between 0 and 5
        or (c.pin_locked and p.attempts is distinct from 5)`,
  },
  {
    name: 'people.documents',
    clause: 'of each document one version is in force and one waits at most',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s versions of %s are %s', count(*), document_type, status) as message
      from documents where status <> 'superseded'
      group by tenant_id, customer_id, document_type, status
      having count(*) > 1 or bool_or((status = 'accepted') <> (accepted_at is not null))`,
  },
];
