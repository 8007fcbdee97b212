import { useState } from 'preact/hooks';
import { Actions } from '../../ui/button.tsx';
import { Radios } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { Locked } from '../confirm/locked.tsx';
import { PinForm } from '../confirm/pin_form.tsx';
import { isEmail, mobileOf } from '../parts/checks.ts';
import { CodeSteps } from '../parts/code_steps.tsx';
import { Ended } from '../parts/ended.tsx';
import { MobileField } from '../parts/mobile_field.tsx';
import { LeaveAction } from '../session/end_action.tsx';
import { useSession } from '../session/session.ts';

interface Wish {
  readonly what: string;
  readonly email: string;
  readonly mobile: string;
}
type StepName = 'choose' | 'code' | 'pin';
const all = 3;

function Choose({ initial, onNext }: { initial: Wish; onNext: (wish: Wish) => void }) {
  const { texts } = usePage();
  const { contact, forms, common } = texts;
  const { customer } = useSession().view;
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
          ]}
        />
        {form.values.what === 'email' ? (
          <Field
            {...form.field('email')}
            label={contact.newEmail}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={254}
          />
        ) : (
          <MobileField {...form.field('mobile')} label={contact.newMobile} />
        )}
      </Form>
    </Step>
  );
}

/** contact_change: the new address or number, a code to it, the PIN. */
export default function ContactChangeFlow() {
  const { texts } = usePage();
  const { contact } = texts;
  const { view } = useSession();
  const [step, setStep] = useState<StepName>('choose');
  const [wish, setWish] = useState<Wish>({ what: 'email', email: '', mobile: '' });
  const isEmailWish = wish.what === 'email';

  if (view.status !== 'created')
    return (
      <Ended
        title={contact.doneTitle}
        text={isEmailWish ? contact.doneEmail : contact.doneMobile}
      />
    );
  if (view.customer.is_pin_locked)
    return (
      <Locked>
        <Actions>
          <LeaveAction />
        </Actions>
      </Locked>
    );
  if (step === 'choose')
    return (
      <Choose
        initial={wish}
        onNext={(given) => {
          setWish(given);
          setStep('code');
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
