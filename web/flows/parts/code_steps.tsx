import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import type { Failure } from '../../ui/failure.ts';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { mobileOf } from './checks.ts';
import { MobileField } from './mobile_field.tsx';

interface Sent {
  readonly to: string;
  /** The code itself, which only a sandbox tells. */
  readonly hint: string | null;
}

interface Address {
  readonly email?: string;
  readonly mobile_number?: string;
}

/** The state of the sending; its failure is shown in the form. */
interface Sending {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
}

interface CodeProps {
  readonly progress?: { readonly now: number; readonly all: number };
  readonly onBack?: (() => void) | undefined;
  /** The address to which the code is sent; absent: the customer's number. */
  readonly address?: Address;
  /** The customer may verify another number. */
  readonly mayChange?: boolean;
  /** Gets the masked number or address once the right code was entered. */
  readonly onProven: (to: string) => void;
}

const codeLength = 6;

/** Enters the six digits, with five tries. */
function EnterCode(
  props: CodeProps & { sent: Sent; again: () => Promise<boolean>; sending: Sending },
) {
  const { sent, again, sending, onProven, progress, onBack } = props;
  const { texts } = usePage();
  const { codes, forms, common } = texts;
  const { call: request } = useSession();
  const { isBusy, failure, setFailure, call } = useCall(request);
  const [isNew, setNew] = useState(false);
  const form = useForm({ code: '' }, ({ code }) => ({
    code: code.length === codeLength ? undefined : forms.badCode,
  }));
  async function check(code: string): Promise<void> {
    setNew(false);
    const answer = await call('checkCode', { code });
    if (!answer.ok) return;
    if (answer.value.is_right) return onProven(sent.to);
    form.set('code', '');
    form.refuse({ code: forms.wrongCode(common.attempts[answer.value.tries_left] ?? '') });
  }
  /** Clears the errors of the previous code. */
  async function renew(): Promise<void> {
    setNew(false);
    if (!(await again())) return;
    form.reset();
    setFailure(null);
    setNew(true);
  }
  return (
    <Step name="code" title={codes.enterTitle} progress={progress} onBack={onBack} startsIn="field">
      <p class="lead" id="lead" role="status">
        {isNew && codes.sentAgain} {codes.sent(sent.to)}
      </p>
      {sent.hint && <p class="notice">{forms.codeSandbox(sent.hint)}</p>}
      <Form
        form={form}
        onValid={({ code }) => void check(code)}
        label={codes.check}
        isBusy={isBusy}
        failure={failure ?? sending.failure}
        more={
          <Button look="quiet" isBusy={sending.isBusy} onClick={() => void renew()}>
            {codes.again}
          </Button>
        }
      >
        <Field
          {...form.field('code')}
          onValue={(value) => form.set('code', digitsOf(value, codeLength))}
          label={forms.code}
          hint={forms.codeHint}
          describedBy="lead"
          inputMode="numeric"
          autoComplete="one-time-code"
          width="short"
        />
      </Form>
    </Step>
  );
}

/** A number other than the one that the business gave. */
function OtherNumber(props: CodeProps & { send: (address: Address) => void; sending: Sending }) {
  const { send, sending, progress, onBack } = props;
  const { texts } = usePage();
  const { codes, forms } = texts;
  const form = useForm({ mobile: '' }, ({ mobile }) => ({
    mobile: mobileOf(mobile) === null ? forms.badMobile : undefined,
  }));
  return (
    <Step
      name="other_number"
      title={codes.otherTitle}
      progress={progress}
      onBack={onBack}
      startsIn="field"
    >
      <Form
        form={form}
        onValid={({ mobile }) => send({ mobile_number: mobileOf(mobile) ?? '' })}
        label={codes.send}
        isBusy={sending.isBusy}
        failure={sending.failure}
      >
        <MobileField {...form.field('mobile')} label={forms.mobile} />
      </Form>
    </Step>
  );
}

/** Sends a code and verifies it. */
export function CodeSteps(props: CodeProps) {
  const { address = {}, mayChange = false, progress, onBack } = props;
  const { texts } = usePage();
  const { codes } = texts;
  const { view, call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const sending: Sending = { isBusy, failure };
  const [sent, setSent] = useState<Sent | null>(null);
  const [given, setGiven] = useState<Address>(address);
  const [isOther, setOther] = useState(false);
  async function send(to: Address): Promise<boolean> {
    setGiven(to);
    const answer = await call('sendCode', to);
    if (answer.ok) setSent({ to: answer.value.sent_to, hint: answer.value.hint });
    return answer.ok;
  }
  if (sent)
    return (
      <EnterCode
        {...props}
        onBack={() => setSent(null)}
        sent={sent}
        again={() => send(given)}
        sending={sending}
      />
    );
  if (isOther)
    return (
      <OtherNumber
        {...props}
        onBack={() => setOther(false)}
        send={(to) => void send(to)}
        sending={sending}
      />
    );
  const to =
    address.email ?? address.mobile_number ?? codes.ownNumber(view.customer.mobile_number_last4);
  const title = address.email === undefined ? codes.title.mobile : codes.title.email;
  return (
    <Step name="send_code" title={title} progress={progress} onBack={onBack}>
      <p class="lead">{codes.text(to)}</p>
      <FailureNotice failure={failure} />
      <Actions>
        <Button isBusy={isBusy} onClick={() => void send(address)}>
          {codes.send}
        </Button>
        {mayChange && (
          <Button look="secondary" onClick={() => setOther(true)}>
            {codes.other}
          </Button>
        )}
      </Actions>
    </Step>
  );
}
