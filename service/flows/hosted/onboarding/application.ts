import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { industriesOf } from '@tenant-payments/contract/core/industries.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { taxNumberKind } from '@tenant-payments/contract/core/tax_numbers.ts';
import type { submitOnboarding as contract } from '@tenant-payments/contract/hosted/flows.ts';
import type { BusinessData, PersonData } from '@tenant-payments/contract/hosted/view.ts';
import { type AskContext, command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { callFor } from '../../../rails/call.ts';
import type { ApplicantContact, Identity } from '../../../rails/identity.ts';
import type { MessageLocale } from '../../../rails/messages.ts';
import { type Answered, claim, openClaims } from '../../../resources/claims.ts';
import { assertPin, firstPin, hashPin } from '../../../resources/customers/credentials/pins.ts';
import { assertReadInOnboarding } from '../../../resources/customers/documents/moves.ts';
import { collectIdentity, type IdentityData } from '../../../resources/customers/identity.ts';
import {
  assertMayOnboard,
  assertNamesOfRecord,
  loadOnboarding,
  submitOnboarding,
} from '../../../resources/customers/onboarding.ts';
import type { CustomerRow } from '../../../resources/customers/table.ts';
import { assertDocumentsGiven, loadDocuments } from '../../../resources/identity/documents.ts';
import { completeSession } from '../../../resources/sessions/open.ts';
import { noProvenContact, sessionProgress } from '../../../resources/sessions/progress.ts';
import { assertCode, provenMobile } from '../codes.ts';
import { assertOpen, loadOpenedSession, type OfSession } from '../session.ts';
import { assertSampleOpened } from './sample_statement.ts';

type Given = BodyOf<typeof contract>;

const youngestYears = 18;

const bad = (param: string, reason: string) =>
  fail('parameter_invalid', { param, details: { reason } });

/** A person's data for the provider. @throws ApiError parameter_invalid: a minor, a number of nobody */
export function personData(person: PersonData, today: string): IdentityData {
  const [year = 0] = today.split('-').map(Number);
  const adultSince = `${year - youngestYears}${today.slice(4)}`;
  if (person.birth_date > adultSince) throw bad('person.birth_date', 'too_young');
  if (taxNumberKind(person.ssn) === null) throw bad('person.ssn', 'never_given');
  const { line1, line2, city, state, postal_code: postalCode } = person.address;
  return {
    firstName: person.first_name,
    lastName: person.last_name,
    birthDate: person.birth_date,
    ssn: person.ssn,
    address: { line1, line2, city, state, postalCode },
  };
}

function businessData(business: BusinessData): IdentityData {
  const { line1, line2, city, state, postal_code: postalCode } = business.address;
  return {
    legalName: business.legal_name,
    ein: business.ein,
    address: { line1, line2, city, state, postalCode },
  };
}

interface Dependencies {
  readonly identity: Pick<Identity, 'collect'>;
  readonly pinPeppers: KeyRing;
  /** The identity provider wants documents (rules/identity#13). */
  readonly takesDocuments: boolean;
}

type Application = Given &
  OfSession & {
    /** The session's customer when the request came. */
    readonly customer: Pick<CustomerRow, 'id' | 'type' | 'pin_set' | 'status'>;
    /** `2026-11-21`, of the tenant's clock. */
    readonly today: string;
    /** The documents that the page showed were accepted then. */
    readonly now: Instant;
    readonly contact: ApplicantContact;
    /** The language of the page. */
    readonly locale: MessageLocale | null;
  };

/** The data that this type of customer must give; null where none is needed any more. */
function dataOf({ customer, person, business, today }: Application): IdentityData | null {
  const param = customer.type === 'individual' ? 'person' : 'business';
  const other = customer.type === 'individual' ? business : person;
  if (other) throw bad(param === 'person' ? 'business' : 'person', 'type');
  if (person) return personData(person, today);
  if (business) return businessData(business);
  // An application that lacks only owners needs no data again.
  if (customer.status === 'pending') return null;
  throw fail('parameter_missing', { param });
}

function namesOf({ person, business }: Pick<Given, 'person' | 'business'>) {
  if (person) return { given_name: person.first_name, family_name: person.last_name };
  if (!business) return {};
  const { legal_name, trading_name, industry } = business;
  return { legal_name, trading_name, industry };
}

/** @throws ApiError parameter_invalid {reason: not_allowed, allowed}: not of the program's list */
function assertIndustry({ business }: Pick<Given, 'business'>, settings: Settings): void {
  const industry = business?.industry ?? null;
  const allowed = industriesOf(settings).map(({ key }) => key);
  if (industry !== null && !allowed.includes(industry))
    throw fail('parameter_invalid', {
      param: 'business.industry',
      details: { reason: 'not_allowed', allowed },
    });
}

/** Every row that an application reads or changes. */
async function loadApplication(read: Read, input: OfSession) {
  const opened = await loadOpenedSession(read, input);
  const { customer_id } = opened.session;
  const [rows, papers] = await Promise.all([
    loadOnboarding(read, customer_id),
    loadDocuments(read, customer_id),
  ]);
  return { opened, rows, papers };
}

type Loaded = Awaited<ReturnType<typeof loadApplication>>;

/**
 * Asserts that this session may apply, and with what it gives. A page that has proven no code learns nothing of that.
 * @throws ApiError invalid_state {reason?: code_required, documents_changed, sample_not_opened,
 *   identity_documents_missing, ...}, parameter_missing, parameter_invalid
 */
function assertMayApply(
  work: Work,
  { opened, rows, papers }: Loaded,
  input: Application,
  { takesDocuments }: Pick<Dependencies, 'takesDocuments'>,
): void {
  assertOpen(work, opened.session, ['onboarding']);
  assertIndustry(input, work.tenant.settings);
  assertCode(opened, rows.customer);
  assertMayOnboard(work, rows.customer);
  assertNamesOfRecord(rows.customer, namesOf(input));
  assertReadInOnboarding(rows.customer, rows, input.accepts_documents);
  assertSampleOpened(rows.customer, rows.held, opened.progress);
  if (takesDocuments) assertDocumentsGiven(rows.customer, papers);
  checkPin(input);
  dataOf(input);
}

const collecting = openClaims(sessionProgress, 'collecting_until');

/** The new PIN's hash, and the provider's reference to the data, where they are given. */
async function collect(
  { identity, pinPeppers }: Dependencies,
  input: Application,
  { tenantId, actor }: AskContext,
) {
  const { pin, customer, contact, now: consentAt } = input;
  const data = dataOf(input);
  const { id } = customer;
  const subject = { subject: 'customer', id, customerId: id } as const;
  const [pinHash, identityReference] = await Promise.all([
    pin ? hashPin(pinPeppers, { tenantId, customerId: id }, pin) : undefined,
    data
      ? collectIdentity(identity, tenantId, subject, data, {
          contact,
          consentAt,
          call: callFor(actor),
        })
      : undefined,
  ]);
  return {
    ...(pinHash === undefined ? {} : { pinHash }),
    ...(identityReference === undefined ? {} : { identityReference }),
  };
}

/** @throws ApiError parameter_missing, parameter_invalid */
function checkPin({ pin, customer }: Application): void {
  // An existing PIN changes by pin_reset alone (rules/hosted#17).
  if (pin && customer.pin_set) throw bad('pin', 'already_set');
  if (pin) assertPin(pin);
  else if (!customer.pin_set) throw fail('parameter_missing', { param: 'pin' });
}

type Collected = Answered<Awaited<ReturnType<typeof collect>>>;

/**
 * A whole application: data to the provider, documents, PIN, pending. The provider is called after all checks, so that of
 * an application that is refused it learns nothing, and only its reference is stored (rules/retention#2).
 * @throws ApiError as `assertMayApply`
 */
export const submitApplication = (parts: Dependencies) =>
  command('submit_application', {
    prepare: async (): Promise<Collected | null> => null,
    load: (read, input: Application) => loadApplication(read, input),
    decide: (work, loaded, input, collected) => {
      const { opened, rows } = loaded;
      const { session, progress } = opened;
      // Much may have changed meanwhile, and another code may have been requested.
      assertMayApply(work, loaded, input, parts);
      const { collecting_until } = progress;
      // Another call has overtaken this one: what the provider has now is not this application.
      if (collected === null || collecting_until !== collected.claim)
        return claim(work, collecting_until, (until) =>
          work.change(progress, { collecting_until: until }),
        );
      const given = collected.answer;
      const mobile = provenMobile(opened);
      submitOnboarding(work, rows, {
        ...given,
        names: namesOf(input),
        owners: [],
        read: input.accepts_documents,
        sampleOpenedAt: progress.sample_opened_at,
        locale: input.locale,
        ...(mobile ? { mobile } : {}),
      });
      work.change(progress, {
        ...noProvenContact,
        collecting_until: null,
        ...(given.pinHash === undefined ? {} : { proven_pin: firstPin }),
      });
      completeSession(work, session, rows.customer.status);
      return { value: null };
    },
    ask: (input, context) =>
      collecting(input.sessionId, context, () => collect(parts, input, context)),
  });
