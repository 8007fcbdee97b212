import { Field, type FieldProps } from '../../ui/field.tsx';
import { usePage } from '../use_page.ts';

type Given = Pick<FieldProps, 'name' | 'label' | 'value' | 'onValue' | 'error'>;

/** A mobile number, as browsers fill it in. */
export function MobileField(props: Given) {
  const { forms } = usePage().texts;
  return (
    <Field
      {...props}
      hint={forms.mobileHint}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={32}
    />
  );
}
