import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { usePage } from '../../ui/page_context.ts';
import { useForm, type Values } from '../../ui/use_form.ts';
import { birthDateFault, digitsIn, missing } from './checks.ts';
import type { AboutField } from './person.ts';

export interface PartProps<K extends string> {
  readonly initial: Values<K>;
  readonly onNext: (values: Values<K>) => void;
  readonly label?: string;
  /** Data of another person, so the browser must not autofill or keep it. */
  readonly isOthers?: boolean;
}

const ssnLength = 9;

interface AboutProps extends PartProps<AboutField> {
  /** Time of the Tenant's clock. */
  readonly now: string;
}

/** Name, date of birth and Social Security number. */
export function AboutForm({ initial, now, onNext, label, isOthers = false }: AboutProps) {
  const { texts } = usePage();
  const { forms, common } = texts;
  const form = useForm(initial, (values) => ({
    ...missing(values, { first_name: forms.firstName, last_name: forms.lastName }, forms),
    birth_date: birthDateFault(values.birth_date, now, forms),
    ssn: digitsIn(values.ssn).length === ssnLength ? undefined : forms.badSsn,
  }));
  const token = (name: string) => (isOthers ? 'off' : name);
  return (
    <Form form={form} onValid={onNext} label={label ?? common.next}>
      <Field
        {...form.field('first_name')}
        label={forms.firstName}
        autoComplete={token('given-name')}
        maxLength={100}
      />
      <Field
        {...form.field('last_name')}
        label={forms.lastName}
        autoComplete={token('family-name')}
        maxLength={100}
      />
      <Field
        {...form.field('birth_date')}
        label={forms.birthDate}
        type="date"
        autoComplete={token('bday')}
        width="medium"
      />
      <Field
        {...form.field('ssn')}
        onValue={(value) => form.set('ssn', digitsOf(value, ssnLength))}
        label={forms.ssn}
        hint={forms.ssnHint}
        inputMode="numeric"
        isSecret
      />
    </Form>
  );
}
