import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid, publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { openContent } from '@tenant-payments/service/identity/documents/seal.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { IdentityDocumentRow } from '@tenant-payments/service/resources/identity/documents.ts';
import { readSamePerson } from '@tenant-payments/service/resources/identity/same_person.ts';
import {
  type IdentityRecordRow,
  identityFieldNames,
} from '@tenant-payments/service/resources/identity/table.ts';
import {
  identitiesOf,
  openIdentitySealer,
  type OpenedIdentity as Values,
} from '@tenant-payments/service/resources/identity/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type getIdentity as contract,
  type IdentityRecord,
  identityResources,
  type OpenedIdentity,
  type OpenedIdentityDocument,
  type openIdentityDocument as oneDocument,
} from '../contract/operate/identity.ts';

/** What the vault keeps, at the desk of the reviewers (rules/identity#6). */

type Named = ParamsOf<typeof contract>;
type Reader = Pick<ReadContext, 'tenantId' | 'db'>;

/** So long may be read what two people have decided to open. */
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

type Found = Pick<IdentityRecordRow, 'collected_at' | 'tax_kind' | 'asked'> | null;

/** The record's status, and what is kept of it. @throws ApiError not_found */
async function readRecord({ tenantId, db }: Reader, named: Named) {
  const id = idOf(named);
  const { rows } = await sql<{ status: string; kept: Found }>`
    select s.status, (select jsonb_build_object('collected_at', r.collected_at, 'tax_kind', r.tax_kind,
        'asked', r.asked) from identity_records r
        where r.tenant_id = s.tenant_id and r.id = s.id) as kept
    from ${sql.table(named.resource)} s where s.tenant_id = ${tenantId} and s.id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return { id, ...row };
}

const waiting: readonly string[] = ['pending', 'in_review'];

const readDocuments = async ({ tenantId, db }: Reader, id: string) => {
  const { rows } = await sql<IdentityDocumentRow>`
    select id, kind, content_type, bytes, key_sealed, received_at from identity_documents
    where tenant_id = ${tenantId} and record_id = ${id} order by received_at desc, id desc`.execute(
    db,
  );
  return rows;
};

async function readSame({ tenantId, db }: Reader, id: string) {
  const found = await readSamePerson(db, tenantId, id);
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status::text from customers where tenant_id = ${tenantId}
      and id = any(${found.map((one) => one.id)}::uuid[])
    union all select id, status::text from owners where tenant_id = ${tenantId}
      and id = any(${found.map((one) => one.id)}::uuid[])`.execute(db);
  const statuses = new Map(rows.map((row) => [row.id, row.status]));
  return found.map(({ id: other, subject, customer_id }) => ({
    resource: resources[subject],
    id: publicId(subject, other),
    customer_id: publicId('customer', customer_id),
    status: statuses.get(other) ?? 'erased',
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

/** GET /portal/api/identity/{resource}/{id} @throws ApiError not_found */
export async function getIdentity(context: ReadContext, named: Named): Promise<IdentityRecord> {
  const { id, status, kept } = await readRecord(context, named);
  const [documents, same, checks] = await Promise.all([
    readDocuments(context, id),
    readSame(context, id),
    readChecks(context, id),
  ]);
  return {
    object: 'identity_record',
    id: named.id,
    collected_at: kept && new Date(kept.collected_at).toISOString(),
    tax_kind: kept?.tax_kind ?? null,
    opens: kept && (waiting.includes(status) ? 'case' : 'two_people'),
    asked: [...(kept?.asked ?? [])] as IdentityRecord['asked'],
    documents: documents.map(
      ({ key_sealed: _, ...document }) => document,
    ) as IdentityRecord['documents'],
    same_person: same,
    checks: checks.map((check) => ({
      ...check,
      reasons: [...check.reasons],
      signals: [...check.signals],
    })),
  };
}

/** What people have decided to open: the newest such move, and who stood behind it. */
interface Grant {
  readonly operator: string;
  readonly decider: string | null;
  readonly approval_id: string | null;
  readonly created_at: Instant;
}

async function readGrant({ tenantId, db }: Reader, { resource, id }: Named): Promise<Grant | null> {
  const { rows } = await sql<Grant>`
    select r.operator, a.decider, r.approval_id, r.created_at from reviews r
    left join approvals a on a.tenant_id = r.tenant_id and a.id = r.approval_id
    where r.tenant_id = ${tenantId} and r.resource = ${resource} and r.record_id = ${id}
      and r.move = 'open_identity' order by r.created_at desc, r.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

const closed = (current_status: string) =>
  fail('invalid_state', {
    details: { current_status, allowed: [], reason: 'approval_required' },
    message:
      'two people must decide to open it: ask by POST /portal/api/approvals with move open_identity; it is open to both for 15 minutes',
  });

interface Basis {
  readonly status: string;
  readonly grant: Grant | null;
}

/** What it is opened for: the case that waits, or what people have decided. @throws ApiError invalid_state */
function reasonOf(work: Work, { status, grant }: Basis): string {
  if (waiting.includes(status)) return 'case';
  const by = actorName(work.actor);
  const isOpen = grant !== null && grant.created_at >= addSeconds(work.now, -openSeconds);
  if (!isOpen || (grant.operator !== by && grant.decider !== by)) throw closed(status);
  return grant.approval_id === null ? 'review' : publicId('approval', grant.approval_id);
}

const nothingKept = () => fail('not_found', { param: 'id', message: 'nothing is kept of it here' });

function shown(id: string, values: Values): OpenedIdentity {
  const { name, birth_date = null, tax_number = null, address } = values;
  const lines = address && [
    address.line1,
    ...(address.line2 === null ? [] : [address.line2]),
    `${address.city}, ${address.state} ${address.postalCode}`,
  ];
  return {
    object: 'opened_identity',
    id,
    name:
      name === undefined
        ? null
        : 'legalName' in name
          ? name.legalName
          : `${name.firstName} ${name.lastName}`,
    birth_date,
    tax_number,
    address: lines?.join('\n') ?? null,
  };
}

type Parts = Pick<Service, 'db' | 'engine' | 'vault' | 'config'>;

const basisOf = async (reader: Reader, named: Named) => {
  const [record, grant] = await Promise.all([readRecord(reader, named), readGrant(reader, named)]);
  return { ...record, grant };
};

/**
 * POST /portal/api/identity/{resource}/{id}/open: the reply leaves once the row of the audit is committed.
 * @throws ApiError not_found; invalid_state {reason: approval_required}
 */
export function openIdentity(parts: Parts) {
  const identities = identitiesOf(parts);
  return command('desk_open_identity', {
    prepare: async (named: Named, { tenantId }) => {
      const basis = await basisOf({ tenantId, db: parts.db }, named);
      const values = await identities?.read(tenantId, basis.id, identityFieldNames);
      return { basis, values };
    },
    load: async () => null,
    decide: (work, _nothing, { id }, { basis, values }) => {
      if (!values) throw nothingKept();
      const reason = reasonOf(work, basis);
      const fields = Object.keys(values);
      work.audit({ record: id, after: { fields, by: 'desk', for: reason } });
      return { value: shown(id, values) };
    },
  });
}

async function fileOf(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  tenantId: string,
  document: IdentityDocumentRow,
): Promise<Buffer> {
  const sealer = openIdentitySealer(config);
  assert(sealer, 'a document has a key of the vault');
  const file = await openContent({ db, sealer }, tenantId, document);
  if (!file) throw fail('not_found', { param: 'document_id' });
  return file;
}

/**
 * POST /portal/api/identity/{resource}/{id}/documents/{document_id}/open
 * @throws ApiError not_found; invalid_state {reason: approval_required}
 */
export function openIdentityDocument(parts: Parts) {
  return command('desk_open_document', {
    prepare: async ({ document_id, ...named }: ParamsOf<typeof oneDocument>, { tenantId }) => {
      const reader = { tenantId, db: parts.db };
      const basis = await basisOf(reader, named);
      const all = isUuid(document_id) ? await readDocuments(reader, basis.id) : [];
      const found = all.find(({ id }) => id === document_id);
      if (!found) throw fail('not_found', { param: 'document_id' });
      return { basis, found, file: await fileOf(parts, tenantId, found) };
    },
    load: async () => null,
    decide: (work, _nothing, { id }, { basis, found, file }) => {
      const reason = reasonOf(work, basis);
      const after = { fields: ['documents'], document: found.id, by: 'desk', for: reason };
      work.audit({ record: id, after });
      const value: OpenedIdentityDocument = {
        object: 'opened_identity_document',
        id: found.id,
        kind: found.kind,
        content_type: found.content_type,
        file: file.toString('base64'),
      };
      return { value };
    },
  });
}
