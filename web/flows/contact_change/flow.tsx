import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { hasWebAuthn } from '../../ui/ceremonies.ts';
import { Radios } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { Locked } from '../confirm/locked.tsx';
import { PinForm } from '../confirm/pin_form.tsx';
import { isEmail, mobileOf } from '../parts/checks.ts';
import { CodeSteps } from '../parts/code_steps.tsx';
import { Ended } from '../parts/ended.tsx';
import { MobileField } from '../parts/mobile_field.tsx';
import { PinReset } from '../pin_reset/flow.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { Passkeys } from './passkeys.tsx';

interface Wish {
  readonly what: string;
  readonly email: string;
  readonly mobile: string;
}
type StepName = 'choose' | 'code' | 'pin' | 'passkeys' | 'reset';
const all = 3;

function Choose({ initial, onNext }: { initial: Wish; onNext: (wish: Wish) => void }) {
  const { texts } = usePage();
  const { contact, forms, common } = texts;
  const { view } = useSession();
  const { customer } = view;
  const form = useForm({ ...initial }, ({ what, email, mobile }) => ({
    email: what === 'email' && !isEmail(email) ? forms.badEmail : undefined,
    mobile: what === 'mobile' && mobileOf(mobile) === null ? forms.badMobile : undefined,
  }));
  const ending = contact.endingIn(customer.mobile_number_last4);
  return (
    <Step name="choose" title={contact.title} progress={{ now: 1, all }}>
      <Form form={form} onValid={onNext} label={common.next}>
        <Radios
          {...form.field('what')}
          label={contact.title}
          isTitled
          options={[
            ['email', contact.email, contact.now(customer.email)],
            ['mobile', contact.mobile, contact.now(ending)],
            ['passkeys', contact.passkeys, contact.passkeyCount(view.passkeys?.length ?? 0)],
          ]}
        />
        {form.values.what === 'mobile' && (
          <MobileField {...form.field('mobile')} label={contact.newMobile} />
        )}
        {form.values.what === 'email' && (
          <Field
            {...form.field('email')}
            label={contact.newEmail}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={254}
          />
        )}
      </Form>
    </Step>
  );
}

/** contact_change: the new address or number, a code to it, the PIN; or the passkeys. */
export function ContactChangeFlow() {
  const { texts } = usePage();
  const { contact, passkeys } = texts;
  const { view } = useSession();
  const [step, setStep] = useState<StepName>('choose');
  const [wish, setWish] = useState<Wish>({ what: 'email', email: '', mobile: '' });
  const isEmailWish = wish.what === 'email';

  if (view.status !== 'created' && step === 'passkeys')
    return <Ended title={passkeys.doneTitle} text={passkeys.done} offersPasskey={false} />;
  if (view.status !== 'created')
    return (
      <Ended
        title={contact.doneTitle}
        text={isEmailWish ? contact.doneEmail : contact.doneMobile}
      />
    );
  const hasKey = view.customer.has_passkey && hasWebAuthn();
  if (view.customer.is_pin_locked && step === 'reset')
    return <PinReset onBack={() => setStep('choose')} />;
  if (view.customer.is_pin_locked && step !== 'passkeys')
    return (
      <Locked text={contact.lockedReset} onReset={() => setStep('reset')}>
        {hasKey && (
          <Button look="secondary" onClick={() => setStep('passkeys')}>
            {passkeys.title}
          </Button>
        )}
      </Locked>
    );
  if (step === 'passkeys') return <Passkeys onBack={() => setStep('choose')} />;
  // What a code had proven before the reset is no longer known.
  if (step === 'choose' || step === 'reset')
    return (
      <Choose
        initial={wish}
        onNext={(given) => {
          setWish(given);
          setStep(given.what === 'passkeys' ? 'passkeys' : 'code');
        }}
      />
    );
  if (step === 'code')
    return (
      <CodeSteps
        progress={{ now: 2, all }}
        onBack={() => setStep('choose')}
        address={
          isEmailWish
            ? { email: wish.email.trim() }
            : { mobile_number: mobileOf(wish.mobile) ?? '' }
        }
        onProven={() => setStep('pin')}
      />
    );
  return (
    <Step name="pin" title={contact.pinTitle} progress={{ now: 3, all }}>
      <PinForm operation="changeContact" label={contact.change} />
    </Step>
  );
}
