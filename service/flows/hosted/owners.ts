import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  nameOwner as contract,
  inviteOwnerAgain as reminder,
} from '@tenant-payments/contract/hosted/flows.ts';
import type { OwnerView, PersonData } from '@tenant-payments/contract/hosted/view.ts';
import { fail } from '../../core/fail.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { tenantOfSecret, tokenHash } from '../../core/vault.ts';
import type { Messages } from '../../rails/messages.ts';
import type { Rails } from '../../rails/rails.ts';
import { collectIdentity } from '../../resources/customers/identity.ts';
import { displayName } from '../../resources/customers/names.ts';
import {
  inviteOwner,
  inviteOwnerAgain,
  nameOwner,
  submitByLink,
} from '../../resources/customers/owners/invitations.ts';
import { linkSeconds, type NamedOwner } from '../../resources/customers/owners/moves.ts';
import type { Service } from '../../service.ts';
import { answerOf } from './answer.ts';
import { openHourlyLimit } from './hourly.ts';
import { personData } from './onboarding.ts';

/** Owners of a business: named in the flow, present or by a link (decisions 1.1, Owner). */

type Given = BodyOf<typeof contract>;
type Reminder = BodyOf<typeof reminder>;

export interface OwnerParts {
  readonly service: Service;
  readonly identity: Rails['identity'];
  readonly messages: Messages;
}

interface Business {
  readonly tenantId: string;
  /** By uuid. */
  readonly customerId: string;
  readonly today: string;
  /** Ids of the tenant's clock. */
  readonly newId: () => string;
}

/** Where the owner's page is: the token stands in the fragment, which no server is sent. */
export const ownerLink = (publicUrl: string, tenantId: string, token: string): string =>
  `${publicUrl}/hosted/${tenantId.replaceAll('-', '')}/owner#${token}`;

/** @throws ApiError parameter_missing: only who merely controls may own nothing */
function namedOwner({ name, role, ownership_percent: percent = null }: Given['owner']): NamedOwner {
  if (role !== 'control_person' && percent === null)
    throw fail('parameter_missing', { param: 'owner.ownership_percent' });
  return { name, role, ownershipPercent: percent };
}

export function openOwners({ service, identity, messages }: OwnerParts) {
  const { engine, vault, db, config } = service;
  const invite = inviteOwner(vault);
  const again = inviteOwnerAgain(vault);
  const submit = submitByLink({ db, identity });
  const countLink = openHourlyLimit(30, 'links');

  async function send(
    tenantId: string,
    email: string,
    { id, link_token }: { readonly id: string; readonly link_token: string },
  ): Promise<void> {
    const owner = await ownerFacts(service, tenantId, uuidOf('owner', id) ?? '');
    const link = ownerLink(config.publicUrl, tenantId, link_token);
    const { businessName, ownerName } = owner;
    await messages.send(tenantId, { email }, { kind: 'owner_link', link, businessName, ownerName });
  }

  return {
    /** @throws ApiError parameter_missing, parameter_invalid, invalid_state */
    async name({ tenantId, customerId, today, newId }: Business, { owner, person, email }: Given) {
      const named = namedOwner(owner);
      if (person && email)
        throw fail('parameter_invalid', { param: 'email', details: { reason: 'one_of_two' } });
      if (person) {
        const data = personData(person, today);
        const id = newId();
        const subject = { subject: 'owner', id } as const;
        const identityReference = await collectIdentity(identity, tenantId, subject, data);
        const input = { id: customerId, owner: { ...named, id, identityReference } };
        await engine.submit(nameOwner, { tenantId, input });
        return;
      }
      if (!email) throw fail('parameter_missing', { param: 'email' });
      await countLink(customerId);
      const input = { id: customerId, owner: named, contact: { email } };
      const sent = await answerOf<{ id: string; link_token: string }>(
        engine.submit(invite, { tenantId, input }),
      );
      await send(tenantId, email, sent);
    },

    /** @throws ApiError not_found, parameter_missing, invalid_state */
    async remind({ tenantId, customerId }: Business, ownerId: string, { owner, email }: Reminder) {
      const id = uuidOf('owner', ownerId);
      if (id === null) throw fail('not_found');
      const to = email ?? (await knownEmail(service, tenantId, id, customerId));
      if (to === null) throw fail('parameter_missing', { param: 'email' });
      await countLink(customerId);
      const corrected = owner ? { owner: namedOwner(owner) } : {};
      const input = { id, customer_id: customerId, contact: { email: to }, ...corrected };
      const sent = await answerOf<{ id: string; link_token: string }>(
        engine.submit(again, { tenantId, input }),
      );
      await send(tenantId, to, sent);
    },

    /** What whoever follows a link sees. @throws ApiError session_invalid {reason} */
    view: (token: string) => ownerView(service, token),

    async submit(token: string, person: PersonData): Promise<OwnerView> {
      const { tenantId, today, view } = await ownerOf(service, token);
      const input = { token, data: personData(person, today) };
      await engine.submit(submit, { tenantId, input });
      // The link has gone with the submission, and what it showed is shown once more.
      return { ...view, status: 'pending' };
    },
  };
}

const invalid = (reason: 'unknown' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

async function ownerFacts({ db }: Service, tenantId: string, id: string) {
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

/** The address to which the last link went, if it was one. @throws ApiError not_found */
async function knownEmail(
  { db, vault }: Service,
  tenantId: string,
  id: string,
  customerId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('owners')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .select('contact_sealed')
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.contact_sealed === null) return null;
  const opened = vault.open(tenantId, `owner_contact ${customerId}`, row.contact_sealed);
  const { email = null } = opened as { email?: string };
  return email;
}

async function ownerOf(service: Service, token: string) {
  const tenantId = token.startsWith('ol_') ? tenantOfSecret(token) : null;
  if (tenantId === null) throw invalid('unknown');
  const { db, clocks, environment } = service;
  const row = await db
    .selectFrom('owners')
    .innerJoin('tenants', 'tenants.tenant_id', 'owners.tenant_id')
    .where('owners.tenant_id', '=', tenantId)
    .where('owners.link_hash', '=', tokenHash(token))
    .select([
      'owners.id',
      'owners.role',
      'owners.ownership_percent',
      'owners.status',
      'owners.invited_at',
      'tenants.settings',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  if (!row?.invited_at) throw invalid('unknown');
  const expiresAt: Instant = addSeconds(row.invited_at, linkSeconds);
  const { now } = clocks.at(tenantId, row);
  if (expiresAt <= now) throw invalid('expired');
  const { ownerName, businessName } = await ownerFacts(service, tenantId, row.id);
  const view: OwnerView = {
    object: 'hosted_owner_view',
    environment,
    branding: row.settings.branding,
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

const ownerView = async (service: Service, token: string): Promise<OwnerView> =>
  (await ownerOf(service, token)).view;
