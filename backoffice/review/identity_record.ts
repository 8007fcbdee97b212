import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  type IdentityDocumentKind,
  ownerDocumentsWanted,
} from '@tenant-payments/contract/core/identity_documents.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  givenOf,
  type IdentityDocumentRow,
  wantedOf,
} from '@tenant-payments/service/resources/identity/documents.ts';
import { readSamePerson } from '@tenant-payments/service/resources/identity/same_person.ts';
import type { IdentityRecordRow } from '@tenant-payments/service/resources/identity/table.ts';
import { sql } from 'kysely';
import {
  type getIdentity as contract,
  type IdentityRecord,
  identityResources,
} from '../contract/operate/identity.ts';

/** The desk's view of an identity record: it says what the vault keeps, and opens none of it (rules/identity#6). */

export type Named = ParamsOf<typeof contract>;
export type Reader = Pick<ReadContext, 'tenantId' | 'db'>;

/** The time for which a record may be read that two people have decided to open. */
const openSeconds = 900;

const kinds = { customers: 'customer', owners: 'owner' } as const;
const resources = { customer: 'customers', owner: 'owners' } as const;

/** @throws ApiError not_found */
function idOf({ resource, id }: Named): string {
  const named = identityResources.find((one) => one === resource);
  if (!named) throw fail('not_found', { param: 'resource' });
  const found = uuidOf(kinds[named], id);
  if (found === null) throw fail('not_found', { param: 'id' });
  return found;
}

type Found = Pick<IdentityRecordRow, 'collected_at' | 'tax_kind' | 'asked' | 'asked_at'> | null;

interface Subject {
  readonly id: string;
  readonly status: string;
  /** Null: an owner. */
  readonly type: 'individual' | 'business' | null;
  readonly more_requested: boolean;
  readonly kept: Found;
  /** True when it was approved or rejected after what is kept was given. */
  readonly is_decided: boolean;
}

/** The events of decisions. */
const decisions = ['customer.approved', 'customer.rejected', 'owner.approved', 'owner.rejected'];

const statusOf = {
  customers: sql`s.status::text, s.type::text as type, s.more_requested`,
  owners: sql`s.status::text, null as type, false as more_requested`,
};

/**
 * The record's status, and what is kept of it. The conditions on samples and ids are those of the index of events.
 * @throws ApiError not_found
 */
export async function readRecord({ tenantId, db }: Reader, named: Named): Promise<Subject> {
  const id = idOf(named);
  const columns = statusOf[named.resource as keyof typeof statusOf];
  const { rows } = await sql<Omit<Subject, 'id'>>`
    select ${columns}, case when r.id is not null then jsonb_build_object('collected_at', r.collected_at,
        'tax_kind', r.tax_kind, 'asked', r.asked, 'asked_at', r.asked_at) end as kept,
      exists (select from events e where e.tenant_id = r.tenant_id and e.object_id = r.id
        and not e.sample and e.id <> e.object_id and e.created_at >= r.collected_at
        and e.type::text = any(${decisions})) as is_decided
    from ${sql.table(named.resource)} s
      left join identity_records r on r.tenant_id = s.tenant_id and r.id = s.id
    where s.tenant_id = ${tenantId} and s.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return { id, ...row };
}

const undecided: readonly string[] = ['pending', 'in_review'];
const isUndecided = ({ status }: Pick<Subject, 'status'>): boolean => undecided.includes(status);

/**
 * Whether a reviewer opens it alone: in a case, what was given since the last decision. A decided record that is put in
 * review again has nothing newer to decide about, and one that is `pending` nothing yet (rules/identity#6).
 */
export const isWaiting = ({
  status,
  is_decided,
}: Pick<Subject, 'status' | 'is_decided'>): boolean => status === 'in_review' && !is_decided;

export const readDocuments = async ({ tenantId, db }: Reader, id: string) => {
  const { rows } = await sql<IdentityDocumentRow>`
    select id, kind, content_type, bytes, key_sealed, received_at from identity_documents
    where tenant_id = ${tenantId} and record_id = ${id} order by received_at desc, id desc`.execute(
    db,
  );
  return rows;
};

interface Person {
  readonly id: string;
  readonly status: string;
  readonly name: string | null;
}

/** The names of customers and owners, and the states of their checks. */
async function readPeople({ tenantId, db }: Reader, ids: readonly string[]) {
  const { rows } = await sql<Person>`
    select id, status::text, coalesce(legal_name, nullif(concat_ws(' ', given_name, family_name), ''), email) as name
      from customers where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    union all select id, status::text, name from owners where tenant_id = ${tenantId}
      and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readSame(reader: Reader, id: string): Promise<IdentityRecord['same_person']> {
  const found = await readSamePerson(reader.db, reader.tenantId, id);
  const people = await readPeople(
    reader,
    found.map((one) => one.id),
  );
  return found.map(({ id: other, subject, customer_id }) => ({
    resource: resources[subject],
    id: publicId(subject, other),
    customer_id: publicId('customer', customer_id),
    name: people.get(other)?.name ?? null,
    status: people.get(other)?.status ?? 'erased',
  }));
}

/** The people behind a business, with the documents that are missing. */
async function readOwners({ tenantId, db }: Reader, id: string): Promise<IdentityRecord['owners']> {
  const { rows } = await sql<Person & { given: IdentityDocumentKind[] }>`
    select o.id, o.status::text, o.name, array(select distinct d.kind::text from identity_documents d
      where d.tenant_id = o.tenant_id and d.record_id = o.id) as given
    from owners o where o.tenant_id = ${tenantId} and o.customer_id = ${id}
    order by o.created_at, o.id`.execute(db);
  return rows.map(({ given, ...owner }) => ({
    ...owner,
    id: publicId('owner', owner.id),
    missing: ownerDocumentsWanted.filter((kind) => !given.includes(kind)),
  }));
}

async function readChecks({ tenantId, db }: Reader, id: string) {
  return db
    .selectFrom('identity_checks')
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(20)
    .select(['decision', 'reasons', 'signals', 'created_at'])
    .execute();
}

/** Documents that the case still needs; those of one that is decided are past. */
function missingOf(subject: Subject, documents: readonly IdentityDocumentRow[]) {
  const { kept, type, more_requested } = subject;
  if (!kept || !isUndecided(subject)) return [];
  const customer = type && { type, more_requested };
  // JSON says times with an offset.
  const asked_at = kept.asked_at && (new Date(kept.asked_at).toISOString() as Instant);
  const record = { ...kept, asked_at };
  const wanted = customer ? wantedOf(customer, record) : ownerDocumentsWanted;
  const given = customer
    ? givenOf(customer, record, documents)
    : documents.map(({ kind }) => kind as IdentityDocumentKind);
  return wanted.filter((kind) => !given.includes(kind));
}

/** The grant that this reader has now, by who stands behind it. */
async function openUntilOf(context: ReadContext, named: Named): Promise<Instant | null> {
  const [grant, now] = await Promise.all([readGrant(context, named), context.now()]);
  return grant && isOpenTo(context.actor, grant, now) ? openUntil(grant) : null;
}

/** GET /portal/api/identity/{resource}/{id} @throws ApiError not_found */
export async function getIdentity(context: ReadContext, named: Named): Promise<IdentityRecord> {
  const subject = await readRecord(context, named);
  const { id, kept } = subject;
  const [documents, same, checks, owners, open_until] = await Promise.all([
    readDocuments(context, id),
    readSame(context, id),
    readChecks(context, id),
    subject.type === 'business' ? readOwners(context, id) : [],
    kept ? openUntilOf(context, named) : null,
  ]);
  return {
    object: 'identity_record',
    id: named.id,
    collected_at: kept && new Date(kept.collected_at).toISOString(),
    tax_kind: kept?.tax_kind ?? null,
    opens: kept && (isWaiting(subject) ? 'case' : 'two_people'),
    open_until,
    asked: [...(kept?.asked ?? [])] as IdentityRecord['asked'],
    missing: missingOf(subject, documents),
    documents: documents.map(
      ({ key_sealed: _, ...document }) => document,
    ) as IdentityRecord['documents'],
    owners,
    same_person: same,
    checks: checks.map((check) => ({
      ...check,
      reasons: [...check.reasons],
      signals: [...check.signals],
    })),
  };
}

/** A decision of people to open a record: the newest such move, and who stood behind it. */
export interface Grant {
  readonly operator: string;
  readonly decider: string | null;
  readonly approval_id: string | null;
  readonly created_at: Instant;
}

export async function readGrant(
  { tenantId, db }: Reader,
  { resource, id }: Named,
): Promise<Grant | null> {
  const { rows } = await sql<Grant>`
    select r.operator, a.decider, r.approval_id, r.created_at from reviews r
    left join approvals a on a.tenant_id = r.tenant_id and a.id = r.approval_id
    where r.tenant_id = ${tenantId} and r.resource = ${resource} and r.record_id = ${id}
      and r.move = 'open_identity' order by r.created_at desc, r.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

const openUntil = ({ created_at }: Grant): Instant => addSeconds(created_at, openSeconds);

/** Whether somebody stands behind what people have decided, and its time is not over. */
export function isOpenTo(actor: Actor, grant: Grant, now: Instant): boolean {
  const by = actorName(actor);
  return openUntil(grant) >= now && (grant.operator === by || grant.decider === by);
}
