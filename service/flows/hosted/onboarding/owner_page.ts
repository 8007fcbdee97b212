import type { OwnerView, PersonData } from '@tenant-payments/contract/hosted/view.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash } from '@tenant-payments/engine/vault.ts';
import type { Rails } from '../../../rails/rails.ts';
import { displayName } from '../../../resources/customers/names.ts';
import { submitByLink } from '../../../resources/customers/owners/invitations.ts';
import { linkSeconds } from '../../../resources/customers/owners/moves.ts';
import type { Service } from '../../../service.ts';
import { personData } from './application.ts';

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

async function ownerOf(service: Service, token: string) {
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
  const { now } = clocks.at(tenantId, row);
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
    now,
    expires_at: expiresAt,
  };
  return { tenantId, today: now.slice(0, 10), view };
}

export const openOwnerPage = (service: Service, identity: Rails['identity']) => {
  const submit = submitByLink({ db: service.db, identity });
  return {
    /** @throws ApiError session_invalid {reason} */
    view: async (token: string): Promise<OwnerView> => (await ownerOf(service, token)).view,

    /** @throws ApiError session_invalid {reason}, parameter_invalid */
    async submit(token: string, person: PersonData): Promise<OwnerView> {
      const { tenantId, today, view } = await ownerOf(service, token);
      const input = { token, data: personData(person, today) };
      await service.engine.submit(submit, { tenantId, input });
      // The link has ended with the submission, so the view is not read anew.
      return { ...view, status: 'pending' };
    },
  };
};
