import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { useState } from 'preact/hooks';
import type { Values } from '../../ui/use_form.ts';
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
});

/** The page where a refusal can be corrected, by its parameter or reason. */
function stepFor(param: string | null, reason: string | null): StepName | null {
  if (reason === 'code_required') return 'code';
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
  const keep = (part: Partial<Application>) => setApplication((now) => ({ ...now, ...part }));
  const go = (to: StepName) => {
    setFailure(null);
    setStep(to);
  };

  async function submit(): Promise<void> {
    const { about, facts, address, pin } = application;
    const isPerson = view.customer.type === 'individual';
    const isEntered = steps.includes(isPerson ? 'about' : 'facts');
    const answer = await call('submitOnboarding', {
      accepts_documents: true,
      ...(isEntered && isPerson ? { person: personData(about, address) } : {}),
      ...(isEntered && !isPerson ? { business: businessData(facts, address) } : {}),
      ...(pin === null ? {} : { pin }),
    });
    if (answer.ok || answer.failure.kind !== 'refused') return;
    const to = stepFor(answer.failure.param, answer.failure.reason);
    if (to && steps.includes(to)) setStep(to);
  }

  return { application, keep, step, go, submit: () => void submit(), isBusy, failure };
}
