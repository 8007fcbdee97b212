import type { Check } from '../check.ts';

/** PINs, passkeys, documents and owners of customers. */
export const peopleChecks: readonly Check[] = [
  {
    name: 'people.pin',
    clause: 'a PIN that is set is stored, and locked after five attempts at the latest',
    sql: `select c.tenant_id, 'customer' as kind, c.id, format('PIN %s, %s, %s attempts',
        case when c.pin_set then 'set' else 'not set' end,
        case when c.pin_locked then 'locked' else 'not locked' end, coalesce(p.attempts, 0)) as message
      from customers c left join pins p on p.tenant_id = c.tenant_id and p.customer_id = c.id
      where c.pin_set <> (p.customer_id is not null) or p.attempts not between 0 and 5
        or (c.pin_locked and p.attempts is distinct from 5)`,
  },
  {
    name: 'people.passkeys',
    clause: 'passkeys and PIN are deleted once the account has closed, a passkey also once removed',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('a passkey was removed at %s and still works', removed_at) as message
      from passkeys where removed_at is not null and public_key <> ''
      union all select k.tenant_id, 'customer' as kind, k.customer_id as id,
        format('closed or withdrawn at %s, and %s is still there',
          coalesce(a.closed_at, c.updated_at), k.what) as message
      from (select tenant_id, customer_id, 'a passkey' as what from passkeys where public_key <> ''
        union all select tenant_id, customer_id, 'its PIN' from pins where hash <> '') k
      join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
      left join accounts a on a.tenant_id = k.tenant_id and a.customer_id = k.customer_id
      where a.status = 'closed' or c.withdrawn_reason is not null`,
  },
  {
    name: 'people.mobile',
    clause: 'a number is free once its customer has closed or withdrawn, and before it is not',
    sql: `select c.tenant_id, 'customer' as kind, c.id, format('%s, account %s, HMAC %s', c.status,
        coalesce(a.status, 'none'), case when c.mobile_hmac is null then 'dropped' else 'kept' end)
        as message
      from customers c left join accounts a on a.tenant_id = c.tenant_id and a.customer_id = c.id
      where (c.mobile_hmac is null) <>
          (c.withdrawn_reason is not null or coalesce(a.status = 'closed', false))
        and not exists (select from jobs d where d.tenant_id = c.tenant_id
          and d.name = 'account_closing' and d.ref = a.id)`,
  },
  {
    name: 'people.withdrawn',
    clause: 'a withdrawn application is rejected for good: no account, no session, no new attempt',
    sql: `select c.tenant_id, 'customer' as kind, c.id, format('withdrawn, and %s', c.status) as message
      from customers c where c.withdrawn_reason is not null and (c.status <> 'rejected'
        or c.account_id is not null or c.retry_available_at is not null
        or exists (select from sessions s where s.tenant_id = c.tenant_id and s.customer_id = c.id
          and s.status = 'created'))`,
  },
  {
    name: 'people.messages',
    clause:
      'a message keeps its one recipient while it waits, and not longer; a code or a link stands in none',
    sql: `select tenant_id, 'customer_message' as kind, id,
        format('%s by %s at %s', status, channel, sent_at) as message
      from customer_messages,
        lateral (select status = 'waiting' and kind not in ('code', 'owner_link',
          'dispute_letter', 'statement_ready', 'terms_changed') as keeps) k
      where (status = 'waiting' and sent_at is not null)
        or (status in ('sent', 'delivered') and sent_at is null)
        or (status in ('waiting', 'sent') and ended_at is not null)
        or (email is not null) <> (keeps and channel = 'email')
        or (mobile_sealed is not null) <> (keeps and channel = 'mobile')
        or (mobile_hmac is null) <> (mobile_sealed is null)
        or (facts is not null) <> keeps`,
  },
  {
    name: 'people.notices',
    clause: 'a notice is given once it was sent or a person gave it, and is kept as it was sent',
    sql: `select n.tenant_id, 'notice' as kind, n.id,
        format('%s, message %s, given %s', n.status, coalesce(m.status, 'none'), n.sent_at) as message
      from notices n left join customer_messages m on m.tenant_id = n.tenant_id and m.id = n.id
      where (n.status = 'waiting' and (n.sent_at is not null or m.status is distinct from 'waiting'))
        or (n.status = 'sent' and (n.sent_at is null or m.status not in ('sent', 'delivered')))
        or (n.status in ('task', 'done') and m.status in ('waiting', 'sent', 'delivered'))
        or (n.status in ('task', 'done') and n.task_at is null)
        or (n.status = 'done') <> (n.done_at is not null)
        or (n.status = 'sent' and n.kept_until is not null and n.rendered_sealed is null)
        or (n.kept_until is null and num_nonnulls(n.rendered_sealed, n.address_sealed) > 0)`,
  },
  {
    name: 'people.progress',
    clause: 'the progress of a page belongs to one session, from its opening on',
    sql: `select s.tenant_id, 'session' as kind, s.id,
        format('%s opened, progress %s', case when s.opened_at is null then 'not' else 'was' end,
          case when p.session_id is null then 'missing' else 'there' end) as message
      from sessions s left join session_progress p
        on p.tenant_id = s.tenant_id and p.session_id = s.id
      where (s.opened_at is null) <> (p.session_id is null)`,
  },
  {
    name: 'people.erased',
    clause: 'of an erased customer only the reserved fields are kept',
    sql: `select c.tenant_id, 'customer' as kind, c.id, format('erased %s, and still told of',
        c.erased_at) as message
      from customers c where c.erased_at is not null and not exists (select from jobs d
          where d.tenant_id = c.tenant_id and d.name = 'erasure' and d.ref = c.id)
        and (num_nonnulls(c.email, c.mobile_sealed, c.mobile_last4, c.given_name, c.family_name,
            c.legal_name, c.trading_name, c.identity_reference) > 0
          or exists (select from owners o where o.tenant_id = c.tenant_id and o.customer_id = c.id
            and num_nonnulls(o.name, o.ownership_percent, o.contact_sealed, o.identity_reference) > 0)
          or exists (select from linked_accounts l where l.tenant_id = c.tenant_id
            and l.customer_id = c.id and (l.reference_sealed is not null
              or l.institution_name <> 'erased' or l.account_mask <> 'erased')))`,
  },
  {
    name: 'people.documents',
    clause: 'of each document at most one version is in force and one waits',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s versions of %s are %s', count(*), document_type, status) as message
      from documents where status <> 'superseded'
      group by tenant_id, customer_id, document_type, status
      having count(*) > 1 or bool_or((status = 'accepted') <> (accepted_at is not null))`,
  },
  {
    name: 'people.versions',
    clause: 'no document is of a later version than the latest of its tenant',
    sql: `select d.tenant_id, 'document_acceptance' as kind, d.id,
        format('version %s, the latest is %s', d.document_version, coalesce(v.latest, 'none')) as message
      from documents d left join document_versions v
        on v.tenant_id = d.tenant_id and v.document_type = d.document_type
      where v.latest is null or v.in_force > v.latest or d.document_version > v.latest`,
  },
  {
    name: 'people.terms',
    clause: 'the documents of a customer are overdue 30 days after the first that waits',
    sql: `select c.tenant_id, 'customer' as kind, c.id,
        format('due %s, waiting since %s', c.terms_due_at, w.since) as message
      from customers c left join lateral (select min(created_at) as since from documents d
        where d.tenant_id = c.tenant_id and d.customer_id = c.id and d.status = 'pending_acceptance') w
        on true
      where c.terms_due_at is distinct from w.since + interval '30 days'`,
  },
  {
    name: 'people.owners_status',
    clause: 'complete: one control person, and every owner of 25 % or more, all approved',
    sql: `select c.tenant_id, 'customer' as kind, c.id,
        format('owners_status %s with %s owners', c.owners_status, o.named) as message
      from customers c cross join lateral (select count(*) as named,
          count(*) filter (where role <> 'owner') as controls,
          bool_and(status = 'approved')
            filter (where role <> 'owner' or ownership_percent >= 25) as approved
        from owners o where o.tenant_id = c.tenant_id and o.customer_id = c.id) o
      where c.owners_status is distinct from case when c.type = 'individual' then null
        when o.named = 0 then 'not_started' when o.controls = 1 and o.approved then 'complete'
        else 'pending' end`,
  },
  {
    name: 'people.owner_links',
    clause: 'only an invited owner has a link; only a rejected one waits for another attempt',
    sql: `select tenant_id, 'owner' as kind, id,
        format('%s after %s rejections: link or time do not fit', status, rejections) as message
      from owners where (link_hash is not null) <> (status = 'invited')
        or (status = 'invited' and invited_at is null)
        or (retry_available_at is not null and (status <> 'rejected' or rejections = 0))`,
  },
];
