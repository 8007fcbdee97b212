import type { Check } from './check.ts';

/**
 * Rows that belong together without a foreign key: they are checked row by row and cost a batch
 * half of its time, so the engine and this list hold them (architecture 4). Columns of `from` name a
 * row of `to` by as many of its columns, always of the same tenant; a null names nothing.
 */
type Reference = readonly [
  kind: string,
  from: string,
  columns: readonly string[],
  to: string,
  toColumns: readonly string[],
  where?: string,
];

const references: readonly Reference[] = [
  ['customer', 'customers', ['account_id', 'id'], 'accounts', ['id', 'customer_id']],
  ['customer', 'customers', ['onboarding_session_id', 'id'], 'sessions', ['id', 'customer_id']],
  ['customer', 'customers', ['pin_reset_session_id', 'id'], 'sessions', ['id', 'customer_id']],
  ['customer', 'customers', ['contact_change_session_id', 'id'], 'sessions', ['id', 'customer_id']],
  ['customer', 'customers', ['terms_session_id', 'id'], 'sessions', ['id', 'customer_id']],
  ['pin of', 'pins', ['customer_id'], 'customers', ['id']],
  ['owner', 'owners', ['customer_id'], 'customers', ['id']],
  ['document_acceptance', 'documents', ['customer_id'], 'customers', ['id']],
  ['linked_account', 'linked_accounts', ['customer_id'], 'customers', ['id']],
  ['account', 'accounts', ['id', 'customer_id'], 'customers', ['account_id', 'id']],
  ['account', 'accounts', ['id'], 'balances', ['account_id']],
  ['account', 'balances', ['account_id'], 'accounts', ['id']],
  ['entry', 'entries', ['account_id'], 'balances', ['account_id']],
  ['entry', 'entries', ['source_id'], 'payments', ['id'], `f.source_type = 'payment'`],
  ['entry', 'entries', ['source_id'], 'loads', ['id'], `f.source_type = 'load'`],
  ['limit counter of', 'limit_counters', ['customer_id'], 'customers', ['id']],
  ['load', 'loads', ['account_id', 'customer_id'], 'accounts', ['id', 'customer_id']],
  ['load', 'loads', ['linked_account_id', 'customer_id'], 'linked_accounts', ['id', 'customer_id']],
  ['load', 'loads', ['session_id', 'id'], 'sessions', ['id', 'target_id']],
  ['payment', 'payments', ['payer_account_id', 'payer_customer_id'], 'accounts', ['id', 'customer_id']],
  ['payment', 'payments', ['payee_account_id', 'payee_customer_id'], 'accounts', ['id', 'customer_id']],
  [
    'payment',
    'payments',
    ['payment_request_id', 'payee_customer_id'],
    'payment_requests',
    ['id', 'merchant_customer_id'],
  ],
  ['payment', 'payments', ['session_id', 'id'], 'sessions', ['id', 'target_id']],
  [
    'payment_request',
    'payment_requests',
    ['merchant_account_id', 'merchant_customer_id'],
    'accounts',
    ['id', 'customer_id'],
  ],
  ['session', 'sessions', ['customer_id'], 'customers', ['id']],
  [
    'session',
    'sessions',
    ['target_id', 'customer_id'],
    'payments',
    ['id', 'payer_customer_id'],
    `f.target_type = 'payment'`,
  ],
  [
    'session',
    'sessions',
    ['target_id', 'customer_id'],
    'loads',
    ['id', 'customer_id'],
    `f.target_type = 'load'`,
  ],
  ['event', 'deliveries', ['event_id'], 'events', ['id']],
  ['event', 'attempts', ['event_id'], 'deliveries', ['event_id']],
  ['session', 'idempotency', ['session_id'], 'sessions', ['id']],
];

function referenceCheck([kind, from, columns, to, toColumns, where]: Reference): Check {
  const on = columns.map((column, index) => `and t.${toColumns[index]} = f.${column}`).join(' ');
  const id = columns.includes('id') ? 'id' : columns[0];
  const subject = ['entries', 'sessions', 'owners', 'documents'].includes(from) ? 'id' : id;
  return {
    name: `references.${from}.${columns[0]}`,
    clause: `${columns.join(', ')} of ${from} name a row of ${to} of the same tenant`,
    sql: `select f.tenant_id, '${kind}' as kind, f.${subject} as id,
        '${columns[0]} names no row of ${to}' as message
      from ${from} f where f.${columns[0]} is not null ${where ? `and ${where}` : ''}
        and not exists (select from ${to} t where t.tenant_id = f.tenant_id ${on})`,
  };
}

/** What foreign keys would hold (architecture 4). */
export const referenceChecks: readonly Check[] = references.map(referenceCheck);
