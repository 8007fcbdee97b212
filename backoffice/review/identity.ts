import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { isUuid, publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { openContent } from '@tenant-payments/service/identity/documents/seal.ts';
import type { IdentityDocumentRow } from '@tenant-payments/service/resources/identity/documents.ts';
import { identityFieldNames } from '@tenant-payments/service/resources/identity/table.ts';
import {
  identitiesOf,
  openIdentitySealer,
  type OpenedIdentity as Values,
} from '@tenant-payments/service/resources/identity/vault.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type {
  OpenedIdentity,
  OpenedIdentityDocument,
  openIdentityDocument as oneDocument,
} from '../contract/operate/identity.ts';
import {
  type Grant,
  isOpenTo,
  isWaiting,
  type Named,
  type Reader,
  readDocuments,
  readGrant,
  readRecord,
} from './identity_record.ts';

/** Opens what the vault keeps, at the desk of the reviewers (rules/identity#6). */

const closed = (current_status: string) =>
  fail('invalid_state', {
    details: { current_status, allowed: [], reason: 'approval_required' },
    message:
      'two people must decide to open it: ask by POST /portal/api/approvals with move open_identity; it is open to both for 15 minutes',
  });

interface Basis {
  readonly status: string;
  readonly is_decided: boolean;
  readonly grant: Grant | null;
}

/** The reason for opening it: the case that waits, or what people have decided. @throws ApiError invalid_state */
function reasonOf(work: Work, { grant, ...basis }: Basis): string {
  if (isWaiting(basis)) return 'case';
  if (grant === null || !isOpenTo(work.actor, grant, work.now)) throw closed(basis.status);
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
