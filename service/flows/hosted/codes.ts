import { randomInt, timingSafeEqual } from 'node:crypto';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { sendCode as contract } from '@tenant-payments/contract/hosted/flows.ts';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { hash128 } from '@tenant-payments/engine/hash128.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { MessageBrand, MessageLocale, Messages, MessageTo } from '../../rails/messages.ts';
import { maskedEmail, maskedMobile } from '../../resources/customers/masks.ts';
import { sendOnce } from '../../resources/customers/messages/send_once.ts';
import { tellOnce } from '../../resources/customers/messages/tell.ts';
import { wordMessage } from '../../resources/customers/messages/texts.ts';
import { brandOf, providerMessage } from '../../resources/customers/messages/worded.ts';
import {
  openMobile,
  type StoredMobile,
  storeMobile,
} from '../../resources/customers/mobile_number.ts';
import { type CustomerRow, customers } from '../../resources/customers/table.ts';
import type { ProgressRow } from '../../resources/sessions/progress.ts';
import type { PageCaller } from './caller.ts';
import { openHourlyLimit } from './hourly_limit.ts';
import {
  assertOpen,
  assertOpenForReset,
  loadOpenedSession,
  type OfSession,
  type OpenedSession,
  refusal,
} from './session.ts';

/** Codes that prove a mobile number or an e-mail address (rules/hosted#22). */

const codeSeconds = lifetimes.messageCode;
const maximumTries = 5;
const maximumSent = 5;

type Given = BodyOf<typeof contract>;

/** The recipient of a code, and the values that the customer record takes once it is proven. */
interface Recipient {
  readonly to: MessageTo;
  readonly email: string | null;
  /** Null: the customer's present number. */
  readonly mobile: StoredMobile | null;
  /** The customer's present number, where the code goes there; null: it goes elsewhere. */
  readonly own: string | null;
  readonly masked: string;
}

interface Dependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly vault: Vault;
  readonly messages: Messages;
  /** The sandbox's code; null: each code is drawn at random. */
  readonly fixedCode: string | null;
}

const codeHash = (vault: Vault, tenantId: string, sessionId: string, code: string): string =>
  vault.index(tenantId, `code ${sessionId} ${code}`);

/** The number that a code went to, in the one session: it finds nobody, also once the number is free (rules/retention#1). */
const ownHash = (sessionId: string, hmac: string): string => hash128(`${sessionId} ${hmac}`);

async function readContact(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  return { opened, customer: await read.one(customers, opened.session.customer_id) };
}

/** The customer's number is decrypted for this message alone. */
function ownNumber(vault: Vault, tenantId: string, customer: CustomerRow): Recipient {
  if (customer.mobile_hmac === null || customer.mobile_sealed === null) throw refusal('closed');
  return {
    to: { mobile_number: openMobile(vault, tenantId, customer) },
    email: null,
    mobile: null,
    own: customer.mobile_hmac,
    masked: maskedMobile(customer.mobile_last4 ?? ''),
  };
}

/** @throws ApiError parameter_missing, parameter_invalid */
function recipientOf(
  { vault }: Dependencies,
  tenantId: string,
  given: Given,
  { session }: OpenedSession,
  customer: CustomerRow,
): Recipient {
  const { email = null, mobile_number: number = null } = given;
  if (email !== null && number !== null)
    throw fail('parameter_invalid', { param: 'email', details: { reason: 'one_at_a_time' } });
  if (email !== null && session.flow !== 'contact_change')
    throw fail('parameter_invalid', { param: 'email', details: { reason: 'flow' } });
  if (number !== null && (session.flow === 'pin_reset' || session.flow === 'payment_confirm'))
    throw fail('parameter_invalid', { param: 'mobile_number', details: { reason: 'flow' } });
  // A number that guards an account changes by contact_change alone, with the PIN.
  if (number !== null && session.flow === 'onboarding' && customer.account_id !== null)
    throw fail('parameter_invalid', {
      param: 'mobile_number',
      details: { reason: 'contact_change' },
    });
  if (email !== null)
    return { to: { email }, email, mobile: null, own: null, masked: maskedEmail(email) };
  // A locked PIN is reset first, by the customer's present number.
  if (number === null && session.flow === 'contact_change' && !customer.pin_locked)
    throw fail('parameter_missing', { param: 'mobile_number' });
  if (number === null) return ownNumber(vault, tenantId, customer);
  const mobile = storeMobile(vault, tenantId, number);
  return {
    to: { mobile_number: openMobile(vault, tenantId, mobile) },
    email: null,
    mobile,
    own: null,
    masked: maskedMobile(mobile.mobile_last4),
  };
}

/** @throws ApiError invalid_state {reason?: expired, flow} */
function assertTakesCode(
  work: Work,
  session: OpenedSession['session'],
  customer: CustomerRow,
): void {
  if (session.flow === 'onboarding' || session.flow === 'contact_change') assertOpen(work, session);
  else assertOpenForReset(work, session, customer);
}

interface Sending extends OfSession, Given {
  readonly code: string;
  readonly locale: MessageLocale | null;
}

/** A message to send, once it is stored. */
interface Stored {
  readonly id: string;
  readonly to: MessageTo;
  readonly masked: string;
  readonly brand: MessageBrand;
  readonly when: Instant;
  readonly expiresAt: Instant;
}

/** Stores the code as a keyed hash in place of the one before. */
const storeCode = (parts: Dependencies) =>
  command('send_code', {
    prepare: async (_input: Sending, { tenantId }) => tenantId,
    load: async (read, input) => {
      const { opened, customer } = await readContact(read, input);
      return { opened, customer };
    },
    decide: (work: Work, { opened, customer }, input, tenantId) => {
      const { session, progress } = opened;
      assertTakesCode(work, session, customer);
      if (progress.codes_sent >= maximumSent) throw refusal('too_many_codes');
      const recipient = recipientOf(parts, tenantId, input, opened, customer);
      const { email, mobile, own, masked, to } = recipient;
      const expiresAt = addSeconds(work.now, codeSeconds);
      work.change(progress, {
        codes_sent: progress.codes_sent + 1,
        code_hash: codeHash(parts.vault, tenantId, session.id, input.code),
        code_tries: 0,
        code_expires_at: expiresAt,
        code_verified: false,
        code_own_hash: own && ownHash(session.id, own),
        proven_email: email,
        proven_mobile_hmac: mobile?.mobile_hmac ?? null,
        proven_mobile_sealed: mobile?.mobile_sealed ?? null,
        proven_mobile_last4: mobile?.mobile_last4 ?? null,
      });
      const channel = email === null ? 'mobile' : 'email';
      const { locale } = input;
      const message = { customerId: customer.id, kind: 'code', channel, masked, locale } as const;
      const id = tellOnce(work, { ...message, expiresAt });
      const brand = brandOf(work.tenant.settings);
      const value: Stored = { id, to, masked, brand, when: work.now, expiresAt };
      return { value, sealed: true };
    },
  });

/** The page that requests a code. */
type Requester = Pick<PageCaller, 'tenantId' | 'sessionId' | 'customerId' | 'locale'>;

/**
 * Sends a code after its hash was stored.
 * @returns where it went, masked, and in a sandbox the code itself
 * @throws ApiError invalid_state {reason: message_bounced, message_undeliverable, message_opted_out}
 */
export function openCodes(parts: Dependencies) {
  const { engine, messages, fixedCode } = parts;
  const store = storeCode(parts);
  const count = openHourlyLimit(20, 'codes');
  return async ({ tenantId, sessionId, customerId, locale }: Requester, given: Given) => {
    await count(customerId);
    const code = fixedCode ?? String(randomInt(1_000_000)).padStart(6, '0');
    const { body } = await engine.submit(store, {
      tenantId,
      input: { sessionId, ...given, code, locale },
    });
    const { masked, when, ...stored } = JSON.parse(body) as Stored;
    const contents = wordMessage('code', { code, tenant: stored.brand.name, when });
    const message = { ...stored, tenantId, template: 'code', locale, contents, data: { code } };
    const told = await sendOnce({ engine, messages }, providerMessage(message));
    if (told.as !== 'sent') throw refusal(`message_${told.as}`);
    return { sent_to: masked, hint: fixedCode };
  };
}

interface Check extends OfSession {
  readonly code: string;
}

/** Checks a code: five tries within ten minutes. @throws ApiError invalid_state {reason} */
export const checkCode = (vault: Vault) =>
  command('check_code', {
    prepare: async ({ sessionId, code }: Check, { tenantId }) =>
      codeHash(vault, tenantId, sessionId, code),
    load: (read, input) => readContact(read, input),
    decide: (work, { opened, customer }, _input, given) => {
      const { session, progress } = opened;
      assertTakesCode(work, session, customer);
      const { code_hash, code_tries, code_expires_at } = progress;
      const isOpen = code_hash !== null && code_expires_at !== null;
      if (!isOpen || !isOfPresent(progress, customer)) throw refusal('no_code');
      if (code_expires_at <= work.now) throw refusal('code_expired');
      if (code_tries >= maximumTries) throw refusal('too_many_tries');
      const isRight = timingSafeEqual(Buffer.from(code_hash), Buffer.from(given));
      work.change(
        progress,
        isRight
          ? { code_verified: true, code_hash: null, code_tries: 0 }
          : { code_tries: code_tries + 1 },
      );
      const left = maximumTries - (isRight ? 0 : code_tries + 1);
      return { value: { is_right: isRight, tries_left: left } };
    },
  });

/** The number that a code proved, where it is not the customer's present one. */
export function provenMobile({ progress }: OpenedSession): StoredMobile | undefined {
  const { proven_mobile_hmac, proven_mobile_sealed, proven_mobile_last4 } = progress;
  if (!proven_mobile_hmac || !proven_mobile_sealed || !proven_mobile_last4) return undefined;
  return {
    mobile_hmac: proven_mobile_hmac,
    mobile_sealed: proven_mobile_sealed,
    mobile_last4: proven_mobile_last4,
  };
}

type SentTo = Pick<
  ProgressRow,
  'session_id' | 'code_own_hash' | 'proven_email' | 'proven_mobile_hmac'
>;
type Present = Pick<CustomerRow, 'mobile_hmac'>;

const isElsewhere = ({ proven_email, proven_mobile_hmac }: SentTo): boolean =>
  proven_email !== null || proven_mobile_hmac !== null;

/**
 * A code to the customer's own number, which is still the number (rules/hosted#24). A code that 1.0.0 sends elsewhere
 * leaves the hash of the one before.
 */
const isOwn = (sent: SentTo, { mobile_hmac }: Present): boolean =>
  !isElsewhere(sent) &&
  mobile_hmac !== null &&
  sent.code_own_hash === ownHash(sent.session_id, mobile_hmac);

/** A code to a number that was the customer's, and is no more, counts for nothing. */
const isOfPresent = (sent: SentTo, customer: Present): boolean =>
  isElsewhere(sent) || isOwn(sent, customer);

/** Whether a code that counts was proven. */
export const isCodeProven = (
  progress: SentTo & Pick<ProgressRow, 'code_verified'>,
  customer: Present,
): boolean => progress.code_verified && isOfPresent(progress, customer);

/** @throws ApiError invalid_state {reason: code_required} */
export function assertCode({ progress }: OpenedSession, customer: Present): void {
  if (!isCodeProven(progress, customer)) throw refusal('code_required');
}

/**
 * Refuses a code that was sent to another address or number: such a code lets nobody reset a PIN.
 * @throws ApiError invalid_state {reason: code_required}
 */
export function assertOwnCode({ progress }: OpenedSession, customer: Present): void {
  if (!isOwn(progress, customer)) throw refusal('code_required');
}
