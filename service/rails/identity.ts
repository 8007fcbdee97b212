import type { Instant } from '../core/instant.ts';

/** Whom a question is about: a customer (an individual, or a business as such) or one of its owners. */
export type IdentitySubject = 'customer' | 'owner';

interface Address {
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
  /** Nine digits. */
  readonly ssn: string;
  readonly address: Address;
}

interface BusinessData {
  readonly legalName: string;
  /** Nine digits. */
  readonly ein: string;
  readonly address: Address;
}

/** What the hosted pages gathered of somebody. It is passed on and never kept or logged here. */
export interface Applicant {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  /** The uuid under which the provider will be asked. */
  readonly subjectId: string;
  readonly data: PersonData | BusinessData;
}

/** The question whether somebody is who they say, and may be served. */
export interface IdentityCheck {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  /** Since when the application waits: the same subject and `since` is the same question. */
  readonly since: Instant;
  /** What `collect` answered, where it is kept with the subject. */
  readonly reference: string | null;
}

/** The answers by which somebody says again who they are, to set a new PIN. */
export interface IdentityAnswers {
  readonly tenantId: string;
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  /** What `collect` answered. */
  readonly reference: string | null;
  /** Of an individual. */
  readonly birthDate: string | null;
  /** Last four digits of the SSN, or of a business's EIN. */
  readonly taxIdLast4: string;
}

/**
 * The identity provider. What it decides arrives later, as an identity fact (`inbound.ts`).
 *
 * - `collect` takes an applicant's data and answers the provider's reference to it: of all that was
 *   entered this, the decision and its time are what stays here (decisions 1.12). It is called
 *   before the command that submits, so it may be called again, and for an applicant who then does
 *   not submit: later data replaces earlier, and nothing is decided yet.
 * - `check` asks for a decision. It may be called again for a question that was asked, and must not
 *   begin a second check: the service asks until it has recorded that it did. A business is asked
 *   about when it submits and again once its owners are approved; approving it earlier moves nothing.
 * - `matches` says whether answers are those of whom it collected: nobody else could, since nothing of
 *   them was kept here. It decides nothing and may be called again.
 */
export interface Identity {
  collect(applicant: Applicant): Promise<string>;
  check(question: IdentityCheck): Promise<void>;
  matches(answers: IdentityAnswers): Promise<boolean>;
}
