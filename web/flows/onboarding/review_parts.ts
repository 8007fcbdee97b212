import type { Industry } from '@tenant-payments/contract/core/industries.ts';
import type { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { dayInWords } from '../../ui/dates.ts';
import { isoDay } from '../../ui/day.ts';
import { grouped } from '../../ui/grouped.ts';
import type { Row } from '../../ui/row.ts';
import { einGroups, ssnGroups } from '../parts/checks.ts';
import { addressLine } from '../parts/person.ts';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { industryName } from './industries.ts';
import type { StepName } from './steps.ts';
import type { Application } from './use_application.ts';

/** One page of the application, for the review. */
export interface ReviewPart {
  readonly step: StepName;
  readonly title: string;
  readonly rows: readonly Row[];
}

type Page = ReturnType<typeof usePage>;

const shownDigits = 4;

/** A tax number by its last four digits: `•••-••-9846`. */
const hidden = (digits: string, groups: readonly number[]): string =>
  grouped(digits.slice(-shownDigits).padStart(digits.length, '•'), groups);

const aboutPart = ({ about }: Application, { texts, locale }: Page): ReviewPart => ({
  step: 'about',
  title: texts.onboarding.aboutTitle,
  rows: [
    { name: texts.onboarding.name, value: `${about.first_name} ${about.last_name}` },
    { name: texts.forms.birthDate, value: dayInWords(isoDay(about.birth_date) ?? '', locale) },
    { name: texts.forms.ssn, value: hidden(about.ssn, ssnGroups) },
  ],
});

function factsPart(
  { facts }: Application,
  { texts, locale }: Page,
  industries: readonly Industry[],
): ReviewPart {
  const { business } = texts;
  const industry = industryName(industries, facts.industry, locale);
  return {
    step: 'facts',
    title: business.factsTitle,
    rows: [
      { name: business.legalName, value: facts.legal_name },
      ...(facts.trading_name ? [{ name: business.tradingName, value: facts.trading_name }] : []),
      ...(industry ? [{ name: business.industry, value: industry }] : []),
      { name: business.ein, value: hidden(facts.ein, einGroups) },
    ],
  };
}

/** Role, share and status of each; what they entered themselves was sent at once and is not here. */
const ownersPart = (owners: readonly Owner[], { texts: { business } }: Page): ReviewPart => ({
  step: 'owners',
  title: business.ownersTitle,
  rows: owners.map(({ name, role, ownership_percent: percent, verification_status }) => ({
    name,
    value: [
      business.roles[role],
      ...(percent === null ? [] : [business.percentOf(percent)]),
      business.statuses[verification_status],
    ].join(', '),
  })),
});

/** The number that a code proved, what was accepted, and that there is a PIN. */
function lastParts(application: Application, { texts, locale }: Page): readonly ReviewPart[] {
  const { mobile, read, pin } = application;
  const { onboarding, documents, forms, contact } = texts;
  const accepted = (read?.documents ?? []).map(({ title, version }) => ({
    name: title[locale],
    value: documents.version(version),
  }));
  const parts: readonly (ReviewPart | false)[] = [
    mobile !== null && {
      step: 'code',
      title: forms.mobile,
      rows: [{ name: onboarding.verified, value: contact.endingIn(mobile.slice(-shownDigits)) }],
    },
    { step: 'documents', title: documents.accepted, rows: accepted },
    pin !== null && {
      step: 'pin',
      title: onboarding.yourPin,
      rows: [{ name: forms.newPin, value: onboarding.pinChosen }],
    },
  ];
  return parts.filter((part) => part !== false);
}

/** Everything that was entered, page by page. */
export function useReviewParts(application: Application): readonly ReviewPart[] {
  const page = usePage();
  const { customer, onboarding } = useSession().view;
  const { address } = application;
  const { onboarding: words, business } = page.texts;
  const addressPart = (title: string): ReviewPart => ({
    step: 'address',
    title,
    rows: [{ name: words.address, value: addressLine(address) }],
  });
  const first =
    customer.type === 'individual'
      ? [aboutPart(application, page), addressPart(words.addressTitle)]
      : [
          factsPart(application, page, onboarding?.industries ?? []),
          addressPart(business.addressTitle),
          ownersPart(onboarding?.owners ?? [], page),
        ];
  return [...first, ...lastParts(application, page)];
}
