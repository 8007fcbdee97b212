import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { digitsOf, Field, fieldId } from '../../ui/field.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

interface PinFormProps {
  readonly operation: 'confirmByPin' | 'changeContact' | 'proveByPin';
  /** The button's label: it says what a right PIN does. */
  readonly label: string;
  readonly children?: ComponentChildren;
}

const pinLength = 6;

/** The PIN that the sandbox gave to a customer whom it made (rules/hosted#42). */
function SandboxPin() {
  const { texts } = usePage();
  const { environment, customer } = useSession().view;
  if (environment !== 'sandbox' || customer.sandbox_pin === null) return null;
  return <p class="notice">{texts.confirm.pinSandbox(customer.sandbox_pin)}</p>;
}

/** The PIN, checked by the service: five wrong ones lock it. */
export function PinForm({ operation, label, children }: PinFormProps) {
  const { texts } = usePage();
  const { confirm, common } = texts;
  const { call: request, event } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  // Each error is a new object, so that the same one twice moves the focus twice.
  const [faults, setFaults] = useState(0);
  useLayoutEffect(() => {
    if (faults > 0) form.current?.querySelector<HTMLElement>(`#${fieldId('pin')}`)?.focus();
  }, [faults]);
  const refuse = (words: string) => {
    setError(words);
    setFaults((count) => count + 1);
  };

  async function submit(): Promise<void> {
    if (isBusy) return;
    if (pin.length < pinLength) return refuse(confirm.pinMissing);
    setError(undefined);
    const answer = await call(operation, { pin });
    if (!answer.ok) return;
    const { verdict, attempts_left: left } = answer.value;
    setPin('');
    if (verdict === 'right') return;
    event('pin_failed');
    // For a locked PIN the view shows another page.
    if (verdict === 'wrong') refuse(confirm.pinWrong(common.attempts[left] ?? ''));
  }

  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FailureNotice failure={failure} />
      <SandboxPin />
      <Field
        name="pin"
        label={confirm.pin}
        hint={confirm.pinHint}
        value={pin}
        onValue={(value) => setPin(digitsOf(value, pinLength))}
        error={error}
        inputMode="numeric"
        autoComplete="current-password"
        isSecret
      />
      <p class="visually-hidden" role="alert">
        {error}
      </p>
      <div class="actions">
        <Button type="submit" isBusy={isBusy}>
          {label}
        </Button>
        {children}
      </div>
    </form>
  );
}
