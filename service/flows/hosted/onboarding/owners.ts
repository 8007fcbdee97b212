import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type {
  nameOwner as contract,
  inviteOwnerAgain as reminder,
} from '@tenant-payments/contract/hosted/flows.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { hostedSite } from '../../../config/sites.ts';
import type { Messages } from '../../../rails/messages.ts';
import type { Rails } from '../../../rails/rails.ts';
import { collectIdentity } from '../../../resources/customers/identity.ts';
import { maskedEmail } from '../../../resources/customers/masks.ts';
import { sendOnce } from '../../../resources/customers/messages/send_once.ts';
import { type OnceMessage, tellOnce } from '../../../resources/customers/messages/tell.ts';
import { wordMessage } from '../../../resources/customers/messages/texts.ts';
import { brandOf, providerMessage } from '../../../resources/customers/messages/worded.ts';
import {
  contactSeal,
  inviteOwner,
  inviteOwnerAgain,
  mayNameOwners,
  nameOwner,
} from '../../../resources/customers/owners/invitations.ts';
import type { NamedOwner } from '../../../resources/customers/owners/moves.ts';
import type { Service } from '../../../service.ts';
import { answerOf } from '../answer.ts';
import type { PageCaller } from '../caller.ts';
import { openHourlyLimit } from '../hourly_limit.ts';
import { personData } from './application.ts';
import { ownerNames } from './owner_page.ts';

/** Owners of a business are named in its onboarding, present or by a link (rules/owners#7). */

type Given = BodyOf<typeof contract>;
type Reminder = BodyOf<typeof reminder>;

interface Dependencies {
  readonly service: Service;
  readonly identity: Rails['identity'];
  readonly messages: Messages;
}

type Business = Pick<PageCaller, 'tenantId' | 'customerId' | 'today' | 'newId' | 'locale'>;

interface Link {
  readonly id: string;
  readonly link_token: string;
}

/** Notes that a link is about to be sent. */
const tellLink = command('tell_owner_link', {
  load: async () => null,
  decide: (work, _, message: Omit<OnceMessage, 'expiresAt'>) => {
    const expiresAt = addSeconds(work.now, lifetimes.ownerInvite);
    const id = tellOnce(work, { ...message, expiresAt });
    return { value: { id, expiresAt, when: work.now, brand: brandOf(work.tenant.settings) } };
  },
});
type Told = Pick<Parameters<typeof providerMessage>[0], 'id' | 'expiresAt' | 'brand'> & {
  when: string;
};

/** The owner's page. The token stands in the fragment, which browsers send to no server. */
export const ownerLink = (publicUrl: string, tenantId: string, token: string): string =>
  `${publicUrl}/hosted/${tenantId.replaceAll('-', '')}/owner#${token}`;

/** @throws ApiError parameter_missing: only a control person may have no ownership */
function namedOwner({ name, role, ownership_percent: percent = null }: Given['owner']): NamedOwner {
  if (role !== 'control_person' && percent === null)
    throw fail('parameter_missing', { param: 'owner.ownership_percent' });
  return { name, role, ownershipPercent: percent };
}

export function openOwners({ service, identity, messages }: Dependencies) {
  const { engine, vault, config } = service;
  const invite = inviteOwner(vault);
  const again = inviteOwnerAgain(vault);
  const countLink = openHourlyLimit(30, 'links');

  async function send(
    { tenantId, customerId, locale }: Business,
    email: string,
    { id, link_token }: Link,
  ): Promise<void> {
    const names = await ownerNames(service, tenantId, uuidOf('owner', id) ?? '');
    const link = ownerLink(hostedSite(config), tenantId, link_token);
    const masked = maskedEmail(email);
    const input = { customerId, kind: 'owner_link', channel: 'email', masked, locale } as const;
    const { when, ...told } = await answerOf<Told>(engine.submit(tellLink, { tenantId, input }));
    const data = { link, business: names.businessName, owner: names.ownerName };
    const contents = wordMessage('owner_link', { ...data, tenant: told.brand.name, when });
    const message = { ...told, tenantId, template: 'owner_link', locale, to: { email } };
    await sendOnce({ engine, messages }, providerMessage({ ...message, contents, data }));
  }

  return {
    /** @throws ApiError parameter_missing, parameter_invalid, invalid_state */
    async name(business: Business, { owner, person, email }: Given) {
      const { tenantId, customerId, today, newId } = business;
      const named = namedOwner(owner);
      if (person && email)
        throw fail('parameter_invalid', { param: 'email', details: { reason: 'one_of_two' } });
      if (person) {
        const data = personData(person, today);
        const id = newId();
        await engine.submit(mayNameOwners, { tenantId, input: { id: customerId } });
        const subject = { subject: 'owner', id, customerId } as const;
        const identityReference = await collectIdentity(identity, tenantId, subject, data);
        const input = { id: customerId, owner: { ...named, id, identityReference, data } };
        await engine.submit(nameOwner, { tenantId, input });
        return;
      }
      if (!email) throw fail('parameter_missing', { param: 'email' });
      await countLink(customerId);
      const input = { id: customerId, owner: named, contact: { email } };
      const sent = await answerOf<Link>(engine.submit(invite, { tenantId, input }));
      await send(business, email, sent);
    },

    /** @throws ApiError not_found, parameter_missing, invalid_state */
    async remind(business: Business, ownerId: string, { owner, email }: Reminder) {
      const { tenantId, customerId } = business;
      const id = uuidOf('owner', ownerId);
      if (id === null) throw fail('not_found');
      const to = email ?? (await knownEmail(service, tenantId, id, customerId));
      if (to === null) throw fail('parameter_missing', { param: 'email' });
      await countLink(customerId);
      const corrected = owner ? { owner: namedOwner(owner) } : {};
      const input = { id, customer_id: customerId, contact: { email: to }, ...corrected };
      const sent = await answerOf<Link>(engine.submit(again, { tenantId, input }));
      await send(business, to, sent);
    },
  };
}

/** The e-mail address to which the last link went, if any. @throws ApiError not_found */
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
  const opened = vault.open(tenantId, contactSeal(customerId), row.contact_sealed);
  const { email = null } = opened as { email?: string };
  return email;
}

/**
 * Owners are named while the session of their business's onboarding is live. The commands check the
 * business; the session is checked here, before them, since a moment's delay harms nothing.
 * @throws ApiError invalid_state
 */
export async function assertOnboarding(
  { db, clocks }: Service,
  { tenantId, sessionId }: PageCaller,
): Promise<void> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.tenant_id', 'sessions.tenant_id')
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', '=', sessionId)
    .select([
      'sessions.flow',
      'sessions.status',
      'sessions.ends_at',
      'tenants.clock_offset_ms',
      'tenants.clock_at',
    ])
    .executeTakeFirst();
  const isOver = !row || row.ends_at <= clocks.at(tenantId, row).now;
  if (row?.flow === 'onboarding' && row.status === 'created' && !isOver) return;
  throw fail('invalid_state', {
    details: { current_status: row?.status ?? 'unknown', allowed: ['created'], reason: 'flow' },
  });
}
