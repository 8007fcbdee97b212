import { Select } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm } from '../../ui/use_form.ts';
import { usePage } from '../use_page.ts';
import type { PartProps } from './about_form.tsx';
import { missing, postalCodeOf } from './checks.ts';
import type { AddressField } from './person.ts';
import { states } from './states.ts';

interface AddressProps extends PartProps<AddressField> {
  readonly isBusy?: boolean;
}

/** An address in the United States. */
export function AddressForm(props: AddressProps) {
  const { initial, onNext, label, isOthers = false, isBusy = false } = props;
  const { texts } = usePage();
  const { forms, common } = texts;
  const form = useForm(initial, (values) => ({
    ...missing(values, { line1: forms.line1, city: forms.city, state: forms.state }, forms),
    postal_code: postalCodeOf(values.postal_code) === null ? forms.badPostalCode : undefined,
  }));
  const token = (name: string) => (isOthers ? 'off' : name);
  return (
    <Form form={form} onValid={onNext} label={label ?? common.next} isBusy={isBusy}>
      <Field
        {...form.field('line1')}
        label={forms.line1}
        autoComplete={token('address-line1')}
        maxLength={100}
      />
      <Field
        {...form.field('line2')}
        label={forms.line2}
        autoComplete={token('address-line2')}
        maxLength={100}
        isOptional
      />
      <Field
        {...form.field('city')}
        label={forms.city}
        autoComplete={token('address-level2')}
        maxLength={100}
      />
      <Select
        {...form.field('state')}
        label={forms.state}
        autoComplete={token('address-level1')}
        options={states}
      />
      <Field
        {...form.field('postal_code')}
        label={forms.postalCode}
        inputMode="numeric"
        autoComplete={token('postal-code')}
        maxLength={10}
        width="short"
      />
    </Form>
  );
}
