import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import { readColumns, shown } from '@tenant-payments/engine/table.ts';
import { addSeconds, epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import { passkeys } from '../../../resources/customers/credentials/passkeys.ts';
import { maximumResetFailures } from '../../../resources/customers/credentials/pins.ts';
import { dueInOnboarding, dueInTerms } from '../../../resources/customers/documents/due.ts';
import { maskedEmail } from '../../../resources/customers/masks.ts';
import { displayName } from '../../../resources/customers/names.ts';
import { owners } from '../../../resources/customers/owners/table.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import { lives } from '../../../resources/sessions/open_flow.ts';
import { sessionProgress } from '../../../resources/sessions/progress.ts';
import { type SessionRow, sessions } from '../../../resources/sessions/table.ts';
import type { Service } from '../../../service.ts';
import { isCodeProven } from '../codes.ts';
import { isStepOpen } from '../onboarding/identity_step.ts';
import { isPasskeyProven, isPinProven } from '../passkeys/prove.ts';
import { confirmationOf } from './confirmation.ts';
import { identityDocumentsOf } from './identity_documents.ts';
import { passkeyView } from './passkeys.ts';

export type Viewing = Pick<Service, 'db' | 'clocks' | 'environment' | 'sandboxTools'> & {
  /** The identity provider takes documents here. */
  readonly takesDocuments?: boolean;
  /** The identity provider has a step of its own, after the application. */
  readonly hasIdentityStep?: boolean;
};

interface Context {
  readonly db: Kysely<Database>;
  readonly tenantId: string;
  readonly takesDocuments: boolean;
  readonly hasIdentityStep: boolean;
}

const secondsBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Math.floor((epochMs(to) - epochMs(from)) / 1_000));

/** A session is over at its end, even where its job is late (rules/sessions#13). */
const statusOf = ({ status, ends_at }: SessionRow, now: Instant): View['status'] =>
  status === 'created' && ends_at <= now ? 'expired' : status;

/** The seconds until an open session ends; null once it has ended. */
function timeOf(session: SessionRow, now: Instant): View['time'] {
  const { flow, opened_at, ends_at } = session;
  if (statusOf(session, now) !== 'created' || opened_at === null) return null;
  return {
    seconds_left: secondsBetween(now, ends_at),
    longest_seconds_left: secondsBetween(now, addSeconds(opened_at, lives[flow].longestSeconds)),
  };
}

/** When it ended; null while it is open. A result token that is taken is no later end. */
function endOf(session: SessionRow, now: Instant): View['ended_at'] {
  if (session.status !== 'created') return session.updated_at;
  return statusOf(session, now) === 'expired' ? session.ends_at : null;
}

/** A session without `return_url` returns to the Tenant's first (rules/sessions#5). */
const returnUrlOf = ({ return_url }: SessionRow, { return_urls }: Settings): string | null =>
  return_url ?? return_urls[0] ?? null;

async function versionsInForce({ db, tenantId }: Context): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('document_versions')
    .where('tenant_id', '=', tenantId)
    .select(['document_type', 'in_force'])
    .execute();
  return new Map(rows.map(({ document_type, in_force }) => [document_type, in_force]));
}

/** The customer's documents that no later version has superseded. */
const heldDocuments = ({ db, tenantId }: Context, customerId: string) =>
  db
    .selectFrom('documents')
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['accepted', 'pending_acceptance'])
    .orderBy('document_type')
    .select(['document_type', 'document_version', 'status'])
    .execute();

async function onboardingOf(
  context: Context,
  customer: CustomerRow,
  settings: Settings,
): Promise<View['onboarding']> {
  const { db, tenantId } = context;
  const [versions, held, people, papers] = await Promise.all([
    versionsInForce(context),
    heldDocuments(context, customer.id),
    db
      .selectFrom('owners')
      .where('tenant_id', '=', tenantId)
      .where('customer_id', '=', customer.id)
      .orderBy('created_at')
      .orderBy('id')
      .select(readColumns(owners))
      .execute(),
    context.takesDocuments ? identityDocumentsOf(context, customer) : null,
  ]);
  return {
    status: customer.status,
    retry_available_at: customer.retry_available_at,
    is_more_requested: customer.more_requested,
    names: {
      first_name: customer.given_name,
      last_name: customer.family_name,
      legal_name: customer.legal_name,
      trading_name: customer.trading_name,
      industry: customer.industry,
    },
    documents: [...dueInOnboarding(customer, held, (type) => versions.get(type))],
    identity_documents: papers,
    has_identity_step: context.hasIdentityStep && isStepOpen(customer),
    owners: people.map((row) => shown(owners, row)),
    industries: customer.type === 'business' ? [...industriesOf(settings)] : [],
  };
}

/** The documents that wait; where none does, those in force (rules/sessions#4). */
async function termsOf(context: Context, customerId: string): Promise<View['terms']> {
  const held = await heldDocuments(context, customerId);
  const is_waiting = held.some(({ status }) => status === 'pending_acceptance');
  return dueInTerms(held).map((named) => ({ ...named, is_waiting }));
}

const rowOf = async <T>(row: Promise<T | undefined>): Promise<T> => {
  const found = await row;
  assert(found, 'a session has its tenant, its customer and its progress');
  return found;
};

/** Flows in which the customer sees the passkeys one by one. */
const showsPasskeys: readonly View['flow'][] = ['contact_change', 'pin_reset'];

/** Reads the facts of a session that every view needs. */
async function read({ db, tenantId }: Context, sessionId: string) {
  const session = await rowOf(
    db
      .selectFrom('sessions')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', sessionId)
      .select(readColumns(sessions))
      .executeTakeFirst(),
  );
  const { customer_id } = session;
  const [tenant, customer, progress, keys, pin] = await Promise.all([
    rowOf(
      db
        .selectFrom('tenants')
        .where('tenant_id', '=', tenantId)
        .select(['name', 'settings', 'clock_offset_ms', 'clock_at'])
        .executeTakeFirst(),
    ),
    rowOf(
      db
        .selectFrom('customers')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', customer_id)
        .select(readColumns(customers))
        .executeTakeFirst(),
    ),
    rowOf(
      db
        .selectFrom('session_progress')
        .where('tenant_id', '=', tenantId)
        .where('session_id', '=', sessionId)
        .select(readColumns(sessionProgress))
        .executeTakeFirst(),
    ),
    db
      .selectFrom('passkeys')
      .where('tenant_id', '=', tenantId)
      .where('customer_id', '=', customer_id)
      .where('public_key', '<>', '')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .select(readColumns(passkeys))
      .execute(),
    db
      .selectFrom('pins')
      .where('tenant_id', '=', tenantId)
      .where('customer_id', '=', customer_id)
      .select(['hash', 'generation', 'reset_failures', 'is_sample'])
      .executeTakeFirst(),
  ]);
  return { session, tenant, customer, progress, keys, pin };
}

/** Everything that a page shows of its session, as it is now. */
export async function readView(
  {
    db,
    clocks,
    environment,
    sandboxTools,
    takesDocuments = false,
    hasIdentityStep = false,
  }: Viewing,
  tenantId: string,
  sessionId: string,
): Promise<View> {
  const context = { db, tenantId, takesDocuments, hasIdentityStep };
  const { session, tenant, customer, progress, keys, pin } = await read(context, sessionId);
  const { flow, target_type, target_id } = session;
  const settings = settingsOf(tenantId, tenant);
  const { now } = clocks.at(tenantId, tenant);
  const pinProven = isPinProven(progress, pin);
  const [confirmation, onboarding, terms] = await Promise.all([
    target_type && target_id ? confirmationOf[target_type](context, target_id) : null,
    flow === 'onboarding' ? onboardingOf(context, customer, settings) : null,
    flow === 'terms_acceptance' ? termsOf(context, customer.id) : null,
  ]);
  return {
    object: 'hosted_view',
    session_id: publicId('session', sessionId),
    flow,
    status: statusOf(session, now),
    environment,
    branding: settings.branding,
    return_url: returnUrlOf(session, settings),
    now,
    ended_at: endOf(session, now),
    time: timeOf(session, now),
    customer: {
      type: customer.type,
      display_name: displayName(customer) || null,
      email: maskedEmail(customer.email ?? ''),
      mobile_number_last4: customer.mobile_last4 ?? '',
      has_pin: customer.pin_set,
      sandbox_pin: pin?.is_sample && sandboxTools ? sandboxTools.magic.pin : null,
      is_pin_locked: customer.pin_locked,
      is_pin_reset_closed: (pin?.reset_failures ?? 0) >= maximumResetFailures,
      has_passkey: keys.length > 0,
    },
    is_code_verified: isCodeProven(progress, customer),
    may_add_passkey: pinProven,
    may_remove_passkeys: pinProven || isPasskeyProven(progress, keys),
    passkeys: showsPasskeys.includes(flow) ? keys.map(passkeyView) : null,
    has_result: session.gave_result && session.exchanged_at === null,
    confirmation,
    onboarding,
    terms,
    terms_decision: session.terms_decision,
  };
}
