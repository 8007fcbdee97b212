import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';

/** A customer (an individual, or the business itself) or one of its owners. */
export type IdentitySubject = 'customer' | 'owner';

export interface Address {
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  readonly postalCode: string;
}

interface PersonData {
  readonly firstName: string;
  readonly lastName: string;
  /** `1990-05-31`. */
  readonly birthDate: string;
  /** Nine digits: a Social Security number or an ITIN, see `taxNumberKind`. */
  readonly ssn: string;
  readonly address: Address;
}

interface BusinessData {
  readonly legalName: string;
  /** Nine digits. */
  readonly ein: string;
  readonly address: Address;
}

/** By which an applicant can be reached: a provider may compare it, or send a code to it. */
export interface ApplicantContact {
  readonly email?: string;
  /** In E.164. */
  readonly mobileNumber?: string;
}

/** A person's or business's data from the hosted pages. It is passed on, never logged. */
export interface Applicant {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  /** The uuid that later calls will use. */
  readonly subjectId: string;
  /** The customer; of an owner the business. */
  readonly customerId: string;
  readonly data: PersonData | BusinessData;
  /** Absent: the page does not know it, as of most owners. */
  readonly contact?: ApplicantContact;
  /** When the applicant agreed to the program's documents, the privacy notice among them; absent: nobody has asked. */
  readonly consentAt?: Instant;
}

/** A request for a decision: is this person or business who they say, and may they be served? */
export interface IdentityCheck {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  /** The time from which the application waits: the same subject and `since` is the same check. */
  readonly since: Instant;
  /** The answer of `collect`, where it is stored with the subject. */
  readonly reference: string | null;
}

/** A request for the provider's own step, in which the applicant takes part: a document, a photo. */
export interface IdentitySession extends Omit<IdentityCheck, 'subject'> {
  readonly subject: 'customer';
  /** In which language it opens; absent: the page does not say. */
  readonly locale?: 'en' | 'es';
}

/** The answers of an individual, or of the control person of a business. */
interface PersonAnswers {
  /** `1990-05-31`. */
  readonly birthDate: string;
  /** The last four digits, of an ITIN too. */
  readonly ssnLast4: string;
}

interface BusinessAnswers {
  /** Nine digits. */
  readonly ein: string;
}

/** The answers that prove an identity again, to set a new PIN (rules/hosted#18). */
export interface IdentityAnswers {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  /** The answer of `collect`. */
  readonly reference: string | null;
  readonly answers: PersonAnswers | BusinessAnswers;
}

/**
 * The identity provider. Its decision arrives later as an IdentityFact, with what each of its checks found.
 *
 * - `collect` takes an applicant's data and answers the provider's reference to it. The service
 *   stores only this reference, the decision and its time (rules/retention#2). It is called once all
 *   checks of a submission have passed, by one submission at a time (rules/customers#21). It may be
 *   called again, also for one that is refused meanwhile: later data replaces earlier, and nothing is
 *   decided yet.
 * - `check` requests a decision. It may be called again for the same check and must not begin a
 *   second one: the service repeats the call until it has recorded it. A business is checked when it
 *   submits and again once its owners are approved; approving it earlier moves nothing.
 * - `session` answers the token by which its widget opens for an individual whose check waits for them; null: it waits for
 *   nothing more of them. It may be called again, and begins no second check. It is an adapter's with a widget of its own.
 * - `matches` compares answers with the collected data, which only the provider has. It decides
 *   nothing and may be called again.
 */
export interface Identity {
  /** Absent: it takes no documents on our pages. */
  readonly can?: { readonly documents: boolean };
  collect(applicant: Applicant, call?: RailsCall): Promise<string>;
  check(question: IdentityCheck, call?: RailsCall): Promise<void>;
  session?(request: IdentitySession, call?: RailsCall): Promise<string | null>;
  matches(answers: IdentityAnswers, call?: RailsCall): Promise<boolean>;
}
