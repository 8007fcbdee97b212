import type { Failure } from '../../ui/failure.ts';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm } from '../../ui/use_form.ts';
import { usePage } from '../use_page.ts';
import { pinFault } from './checks.ts';

interface NewPinProps {
  readonly onNext: (pin: string) => void;
  readonly label: string;
  readonly isBusy?: boolean;
  readonly failure?: Failure | null;
  /** The id of what is read out with the first field. */
  readonly describedBy?: string;
}

const pinLength = 6;

/** A new PIN, twice. */
export function NewPinForm(props: NewPinProps) {
  const { onNext, label, isBusy = false, failure = null, describedBy } = props;
  const { texts } = usePage();
  const { forms } = texts;
  const form = useForm({ pin: '', repeated: '' }, ({ pin, repeated }) => {
    const fault = pinFault(pin, forms);
    return { pin: fault, repeated: !fault && pin !== repeated ? forms.pinsDiffer : undefined };
  });
  const digits = (name: 'pin' | 'repeated') => ({
    ...form.field(name),
    onValue: (value: string) => form.set(name, digitsOf(value, pinLength)),
    inputMode: 'numeric' as const,
    autoComplete: 'new-password',
    isSecret: true,
  });
  return (
    <Form
      form={form}
      onValid={({ pin }) => onNext(pin)}
      label={label}
      isBusy={isBusy}
      failure={failure}
    >
      <Field
        {...digits('pin')}
        label={forms.newPin}
        hint={forms.newPinHint}
        {...(describedBy === undefined ? {} : { describedBy })}
      />
      <Field {...digits('repeated')} label={forms.repeatPin} />
    </Form>
  );
}
