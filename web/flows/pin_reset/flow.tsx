import { useState } from 'preact/hooks';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { birthDateFault } from '../parts/checks.ts';
import { CodeSteps } from '../parts/code_steps.tsx';
import { Ended } from '../parts/ended.tsx';
import { NewPinForm } from '../parts/new_pin_form.tsx';
import type { Failure } from '../session/api.ts';
import { useCall, useSession } from '../session/session.ts';

interface Answers {
  readonly birthDate: string;
  readonly last4: string;
}
type StepName = 'code' | 'identity' | 'pin';

const all = 3;

interface IdentityProps {
  readonly initial: Answers;
  /** Set when the answers did not match; shown above the form. */
  readonly failure: Failure | null;
  readonly onNext: (answers: Answers) => void;
}

function Identity({ initial, failure, onNext }: IdentityProps) {
  const { texts } = usePage();
  const { pinReset, forms, common } = texts;
  const { view } = useSession();
  const isPerson = view.customer.type === 'individual';
  const form = useForm({ ...initial }, ({ birthDate, last4 }) => ({
    birthDate: isPerson ? birthDateFault(birthDate, view.now, forms) : undefined,
    last4: last4.length === 4 ? undefined : pinReset.badLast4,
  }));
  return (
    <Step name="identity" title={pinReset.identityTitle} progress={{ now: 2, all }}>
      <p class="lead">{pinReset.identityText}</p>
      <Form form={form} onValid={onNext} label={common.next} failure={failure}>
        {isPerson && (
          <Field
            {...form.field('birthDate')}
            label={forms.birthDate}
            type="date"
            autoComplete="bday"
            width="medium"
          />
        )}
        <Field
          {...form.field('last4')}
          onValue={(value) => form.set('last4', digitsOf(value, 4))}
          label={isPerson ? pinReset.ssn4 : pinReset.ein4}
          inputMode="numeric"
          isSecret
          width="medium"
        />
      </Form>
    </Step>
  );
}

/** pin_reset: the mobile code, the identity answers, the new PIN. */
export default function PinResetFlow() {
  const { texts } = usePage();
  const { pinReset } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, setFailure, call } = useCall(request);
  const [step, setStep] = useState<StepName>(view.is_code_verified ? 'identity' : 'code');
  const [answers, setAnswers] = useState<Answers>({ birthDate: '', last4: '' });

  async function reset(pin: string): Promise<void> {
    const { birthDate, last4 } = answers;
    const isPerson = view.customer.type === 'individual';
    const given = { birth_date: isPerson ? birthDate : null, tax_id_last4: last4, pin };
    const answer = await call('resetPin', given);
    if (answer.ok || answer.failure.kind !== 'refused') return;
    const { reason } = answer.failure;
    if (reason === 'no_match') setStep('identity');
    if (reason === 'code_required') setStep('code');
  }

  if (view.status !== 'created') return <Ended title={pinReset.doneTitle} text={pinReset.done} />;
  if (step === 'code')
    return (
      <>
        <FailureNotice failure={failure} />
        <CodeSteps progress={{ now: 1, all }} onProven={() => setStep('identity')} />
      </>
    );
  if (step === 'identity')
    return (
      <Identity
        initial={answers}
        failure={failure}
        onNext={(given) => {
          // Clears the errors of the previous answers.
          setFailure(null);
          setAnswers(given);
          setStep('pin');
        }}
      />
    );
  return (
    <Step
      name="new_pin"
      title={pinReset.pinTitle}
      progress={{ now: 3, all }}
      onBack={() => setStep('identity')}
    >
      <NewPinForm
        label={pinReset.set}
        onNext={(pin) => void reset(pin)}
        isBusy={isBusy}
        failure={failure}
      />
    </Step>
  );
}
