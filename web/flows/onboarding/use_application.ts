import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { useState } from 'preact/hooks';
import type { Values } from '../../ui/use_form.ts';
import { type Shown, versionsOf } from '../documents/use_documents.ts';
import {
  type AboutField,
  type AddressField,
  businessData,
  type FactsField,
  noAbout,
  noAddress,
  personData,
} from '../parts/person.ts';
import { useCall, useSession } from '../session/session.ts';
import type { StepName } from './steps.ts';

/** The data entered so far, only in this page's memory. */
export interface Application {
  readonly about: Values<AboutField>;
  readonly facts: Values<FactsField>;
  readonly address: Values<AddressField>;
  readonly pin: string | null;
  /** The number that a code proved, masked. */
  readonly mobile: string | null;
  /** The texts that were shown and accepted. */
  readonly read: Shown | null;
  /** A sample statement was opened, as the service notes for the session (rules/documents#33). */
  readonly isSampleOpened: boolean;
}

/** Prefilled by the Tenant, or from an earlier application. */
const begun = ({ names, industries }: NonNullable<View['onboarding']>): Application => ({
  about: { ...noAbout, first_name: names.first_name ?? '', last_name: names.last_name ?? '' },
  facts: {
    legal_name: names.legal_name ?? '',
    trading_name: names.trading_name ?? '',
    industry: industries.find(({ key }) => key === names.industry)?.key ?? '',
    ein: '',
  },
  address: noAddress,
  pin: null,
  mobile: null,
  read: null,
  isSampleOpened: false,
});

/** The page where a refusal can be corrected, by its parameter or reason. */
function stepFor(param: string | null, reason: string | null): StepName | null {
  if (reason === 'code_required') return 'code';
  if (reason === 'documents_changed' || reason === 'sample_not_opened') return 'documents';
  if (reason === 'identity_documents_missing') return 'papers';
  if (param?.includes('address')) return 'address';
  if (param === 'pin') return 'pin';
  if (param?.startsWith('person')) return 'about';
  return param?.startsWith('business') ? 'facts' : null;
}

/** Keeps the data of an application and submits it. */
export function useApplication(
  onboarding: NonNullable<View['onboarding']>,
  steps: readonly StepName[],
) {
  const { view, call: request } = useSession();
  const { isBusy, failure, setFailure, call } = useCall(request);
  const [application, setApplication] = useState(() => begun(onboarding));
  const [step, setStep] = useState<StepName>(steps[0] ?? 'review');
  /** Raised when the texts have changed: the page that shows them begins anew. */
  const [readings, setReadings] = useState(0);
  /** All pages were answered once: a page that is changed leads back to the review. */
  const [isReviewed, setReviewed] = useState(false);
  const keep = (part: Partial<Application>) => setApplication((now) => ({ ...now, ...part }));
  const go = (to: StepName) => {
    setFailure(null);
    setStep(to);
    if (to === 'review') setReviewed(true);
  };

  async function submit(read: Shown | null): Promise<void> {
    const { about, facts, address, pin } = application;
    const isPerson = view.customer.type === 'individual';
    const isEntered = steps.includes(isPerson ? 'about' : 'facts');
    const answer = await call('submitOnboarding', {
      accepts_documents: read ? versionsOf(read) : [],
      ...(isEntered && isPerson ? { person: personData(about, address) } : {}),
      ...(isEntered && !isPerson ? { business: businessData(facts, address) } : {}),
      ...(pin === null ? {} : { pin }),
    });
    if (answer.ok || answer.failure.kind !== 'refused') return;
    if (answer.failure.reason === 'documents_changed') setReadings((count) => count + 1);
    if (answer.failure.reason === 'sample_not_opened') keep({ isSampleOpened: false });
    const to = stepFor(answer.failure.param, answer.failure.reason);
    if (to && steps.includes(to)) setStep(to);
  }

  return {
    application,
    keep,
    step,
    go,
    submit: (read = application.read) => void submit(read),
    isBusy,
    failure,
    readings,
    isReviewed,
  };
}
