import { DateField } from '../../ui/date_field.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm, type Values } from '../../ui/use_form.ts';
import { usePage } from '../use_page.ts';
import { birthDateFault, missing, ssnGroups, taxNumberLength } from './checks.ts';
import type { AboutField } from './person.ts';

export interface PartProps<K extends string> {
  readonly initial: Values<K>;
  readonly onNext: (values: Values<K>) => void;
  readonly label?: string;
  /** Data of another person, so the browser must not autofill or keep it. */
  readonly isOthers?: boolean;
}

interface AboutProps extends PartProps<AboutField> {
  /** Time of the Tenant's clock. */
  readonly now: string;
}

/** Name, date of birth and tax number, of either kind. */
export function AboutForm({ initial, now, onNext, label, isOthers = false }: AboutProps) {
  const { texts } = usePage();
  const { forms, common } = texts;
  const form = useForm(initial, (values) => ({
    ...missing(values, { first_name: forms.firstName, last_name: forms.lastName }, forms),
    birth_date: birthDateFault(values.birth_date, now, forms)?.text,
    ssn: values.ssn.length === taxNumberLength ? undefined : forms.badSsn,
  }));
  const token = (name: string) => (isOthers ? 'off' : name);
  return (
    <Form form={form} onValid={onNext} label={label ?? common.next}>
      <Field
        {...form.field('first_name')}
        label={forms.firstName}
        hint={isOthers ? forms.theirNameHint : forms.nameHint}
        autoComplete={token('given-name')}
        maxLength={100}
      />
      <Field
        {...form.field('last_name')}
        label={forms.lastName}
        autoComplete={token('family-name')}
        maxLength={100}
      />
      <DateField
        {...form.field('birth_date')}
        label={forms.birthDate}
        at={birthDateFault(form.values.birth_date, now, forms)?.part}
        isOthers={isOthers}
      />
      <Field
        {...form.field('ssn')}
        label={forms.ssn}
        hint={forms.ssnHint}
        groups={ssnGroups}
        inputMode="numeric"
        isSecret
      />
    </Form>
  );
}
