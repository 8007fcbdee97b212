import {
  type IdentityDocumentKind,
  ownerDocumentsWanted,
} from '@tenant-payments/contract/core/identity_documents.ts';
import type { IdentityDocumentGiven } from '@tenant-payments/contract/hosted/identity_documents.ts';
import type { OwnerView, PersonData } from '@tenant-payments/contract/hosted/view.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { type Sealer, tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Rails } from '../../../rails/rails.ts';
import { displayName } from '../../../resources/customers/names.ts';
import { giveByLink, submitByLink } from '../../../resources/customers/owners/by_link.ts';
import { linkSeconds } from '../../../resources/customers/owners/moves.ts';
import type { Service } from '../../../service.ts';
import { openHourlyLimit } from '../hourly_limit.ts';
import { refusal } from '../session.ts';
import { personData } from './application.ts';
import { keptFile, newDocument } from './documents.ts';

/** The page that an owner reaches by its link (rules/owners#8). */

const invalid = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

/** How an owner is addressed. */
export async function ownerNames({ db }: Service, tenantId: string, id: string) {
  const row = await db
    .selectFrom('owners')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.tenant_id', '=', 'owners.tenant_id')
        .onRef('customers.id', '=', 'owners.customer_id'),
    )
    .where('owners.tenant_id', '=', tenantId)
    .where('owners.id', '=', id)
    .select(['owners.name', 'customers.type', 'customers.legal_name', 'customers.trading_name'])
    .executeTakeFirst();
  const names = { given_name: null, family_name: null };
  return {
    ownerName: row?.name ?? '',
    businessName: row ? displayName({ ...names, ...row }) : '',
  };
}

const linkForm = /^Bearer (ol_[\w-]+)$/i;

/** The token of a link that is alive. @throws ApiError session_invalid {reason} */
export async function ownerLinkOf(service: Service, header: string | undefined): Promise<string> {
  const token = linkForm.exec(header ?? '')?.[1] ?? '';
  await ownerOf(service, token, false);
  return token;
}

/** The most files that are given for an owner in an hour. */
const hourlyFiles = 30;

async function papersOf({ db }: Service, tenantId: string, id: string) {
  const rows = await db
    .selectFrom('identity_documents')
    .where('tenant_id', '=', tenantId)
    .where('record_id', '=', id)
    .select('kind')
    .distinct()
    .execute();
  const given = rows.map(({ kind }) => kind as IdentityDocumentKind);
  return { wanted: [...ownerDocumentsWanted], given };
}

async function ownerOf(service: Service, token: string, takesDocuments: boolean) {
  const { db, clocks, environment, vault } = service;
  const tenantId = vault.tenantOf(token, 'ol');
  if (tenantId === null) throw invalid('unknown');
  const row = await db
    .selectFrom('owners')
    .innerJoin('tenants', 'tenants.tenant_id', 'owners.tenant_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.tenant_id', '=', 'owners.tenant_id')
        .onRef('customers.id', '=', 'owners.customer_id'),
    )
    .where('customers.withdrawn_reason', 'is', null)
    .where('owners.tenant_id', '=', tenantId)
    .where('owners.link_hash', '=', tokenHash(token))
    .select([
      'owners.id',
      'owners.customer_id',
      'owners.role',
      'owners.ownership_percent',
      'owners.status',
      'owners.invited_at',
      'tenants.name',
      'tenants.settings',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  if (!row?.invited_at) throw invalid('unknown');
  const expiresAt = addSeconds(row.invited_at, linkSeconds);
  const { now, newId } = clocks.at(tenantId, row);
  if (expiresAt <= now) throw invalid('expired');
  const { ownerName, businessName } = await ownerNames(service, tenantId, row.id);
  const view: OwnerView = {
    object: 'hosted_owner_view',
    environment,
    branding: settingsOf(tenantId, row).branding,
    business_name: businessName,
    owner_name: ownerName,
    role: row.role,
    ownership_percent: row.ownership_percent,
    status: row.status,
    identity_documents: takesDocuments ? await papersOf(service, tenantId, row.id) : null,
    now,
    expires_at: expiresAt,
  };
  const { id, customer_id: customerId } = row;
  return { tenantId, id, customerId, newId, today: now.slice(0, 10), view };
}

/** @param sealer of documents; null: the identity provider takes none here */
export const openOwnerPage = (
  service: Service,
  identity: Rails['identity'],
  sealer: Sealer | null,
) => {
  const takesDocuments = sealer !== null;
  const submit = submitByLink({ db: service.db, identity, takesDocuments });
  const count = openHourlyLimit(hourlyFiles, 'documents');
  const read = (token: string) => ownerOf(service, token, takesDocuments);
  return {
    /** @throws ApiError session_invalid {reason} */
    view: async (token: string): Promise<OwnerView> => (await read(token)).view,

    /** Takes a document of an owner (rules/identity#13). @throws ApiError session_invalid, invalid_state, parameter_invalid */
    async give(token: string, { kind, file: sent }: IdentityDocumentGiven): Promise<OwnerView> {
      if (sealer === null) throw refusal('no_documents');
      const { tenantId, id, customerId, newId } = await read(token);
      await count(id);
      const given = await keptFile(Buffer.from(sent, 'base64'));
      const owner = { tenantId, record_id: id, customer_id: customerId };
      const document = newDocument(sealer, newId(), owner, kind, given);
      await service.engine.submit(giveByLink, { tenantId, input: { token, id, document } });
      return (await read(token)).view;
    },

    /** @throws ApiError session_invalid {reason}, invalid_state, parameter_invalid */
    async submit(token: string, person: PersonData): Promise<OwnerView> {
      const { tenantId, today, view } = await read(token);
      const input = { token, data: personData(person, today) };
      await service.engine.submit(submit, { tenantId, input });
      // The link has ended with the submission, so the view is not read anew.
      return { ...view, status: 'pending' };
    },
  };
};
