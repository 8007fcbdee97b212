import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Actions } from '../../ui/button.tsx';
import { hasWebAuthn } from '../../ui/ceremonies.ts';
import { DateField } from '../../ui/date_field.tsx';
import { isoDay } from '../../ui/day.ts';
import type { Failure } from '../../ui/failure.ts';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LockIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { PasskeyButton } from '../confirm/passkey_button.tsx';
import { birthDateFault, einGroups, taxNumberLength } from '../parts/checks.ts';
import { CodeSteps } from '../parts/code_steps.tsx';
import { Ended } from '../parts/ended.tsx';
import { NewPinForm } from '../parts/new_pin_form.tsx';
import { LeaveAction } from '../session/end_action.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

interface Answers {
  readonly birthDate: string;
  readonly last4: string;
  readonly ein: string;
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
  const { pinReset, business, forms, common } = texts;
  const { view } = useSession();
  const isPerson = view.customer.type === 'individual';
  const words = isPerson ? pinReset : pinReset.ofBusiness;
  const form = useForm({ ...initial }, ({ birthDate, last4, ein }) => ({
    birthDate: birthDateFault(birthDate, view.now, forms)?.text,
    last4: last4.length === 4 ? undefined : pinReset.badLast4,
    ein: isPerson || ein.length === taxNumberLength ? undefined : business.badEin,
  }));
  return (
    <Step
      name="identity"
      title={pinReset.identityTitle}
      progress={{ now: 2, all }}
      startsIn="field"
    >
      <p class="lead" id="lead">
        {words.identityText}
      </p>
      <Form form={form} onValid={onNext} label={common.next} failure={failure}>
        <DateField
          {...form.field('birthDate')}
          label={words.birthDate}
          at={birthDateFault(form.values.birthDate, view.now, forms)?.part}
          describedBy="lead"
        />
        <Field
          {...form.field('last4')}
          onValue={(value) => form.set('last4', digitsOf(value, 4))}
          label={words.ssn4}
          inputMode="numeric"
          isSecret
          width="medium"
        />
        {!isPerson && (
          <Field
            {...form.field('ein')}
            label={business.ein}
            groups={einGroups}
            inputMode="numeric"
            isSecret
            width="medium"
          />
        )}
      </Form>
    </Step>
  );
}

/** A new PIN removes the passkeys, but for one that proves itself here (rules/hosted#37). */
function KeptPasskey() {
  const { texts } = usePage();
  const { customer, may_remove_passkeys: isProven } = useSession().view;
  const { passkeysGo, passkeyKept } = texts.pinReset;
  const words = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (isProven) words.current?.focus();
  }, [isProven]);
  if (!customer.has_passkey) return null;
  return (
    <>
      <p role="status" ref={words} tabIndex={-1}>
        {isProven ? passkeyKept : passkeysGo}
      </p>
      {!isProven && hasWebAuthn() && <PasskeyButton use="keep" look="secondary" />}
    </>
  );
}

/** Too many resets have failed: only a person can help now (rules/hosted#35). */
function Closed() {
  const { texts, tenantName } = usePage();
  const { closedTitle, closed } = texts.pinReset;
  return (
    <Step name="reset_closed" title={closedTitle} sign={{ tone: 'bad', icon: <LockIcon /> }}>
      <p class="lead">{closed(isolated(tenantName))}</p>
      <Actions>
        <LeaveAction />
      </Actions>
    </Step>
  );
}

interface PinResetProps {
  /** Goes back from the first step, where another flow led here. */
  readonly onBack?: () => void;
}

/** The mobile code, the identity answers, the new PIN. */
export function PinReset({ onBack }: PinResetProps) {
  const { texts } = usePage();
  const { pinReset } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, setFailure, call } = useCall(request);
  // In contact_change a code may have proven a new address, which lets nobody reset a PIN.
  const isProven = view.is_code_verified && view.flow !== 'contact_change';
  const [step, setStep] = useState<StepName>(isProven ? 'identity' : 'code');
  const [answers, setAnswers] = useState<Answers>({ birthDate: '', last4: '', ein: '' });

  async function reset(pin: string): Promise<void> {
    const { birthDate, last4, ein } = answers;
    const ofBusiness = view.customer.type === 'business' ? { ein } : {};
    const given = { birth_date: isoDay(birthDate) ?? '', ssn_last4: last4, pin, ...ofBusiness };
    const answer = await call('resetPin', given);
    if (answer.ok || answer.failure.kind !== 'refused') return;
    const { reason } = answer.failure;
    if (reason === 'no_match') setStep('identity');
    if (reason === 'code_required') setStep('code');
  }

  if (view.status !== 'created') return <Ended title={pinReset.doneTitle} text={pinReset.done} />;
  if (view.customer.is_pin_reset_closed) return <Closed />;
  if (step === 'code')
    return (
      <>
        <FailureNotice failure={failure} />
        <CodeSteps
          progress={{ now: 1, all }}
          onBack={onBack}
          onProven={() => setStep('identity')}
        />
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
      startsIn={view.customer.has_passkey ? 'heading' : 'field'}
    >
      <KeptPasskey />
      <NewPinForm
        label={pinReset.set}
        onNext={(pin) => void reset(pin)}
        isBusy={isBusy}
        failure={failure}
      />
    </Step>
  );
}
