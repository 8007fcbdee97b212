import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { usePage } from '../../ui/page_context.ts';
import { useForm } from '../../ui/use_form.ts';
import type { PartProps } from '../parts/about_form.tsx';
import { missing } from '../parts/checks.ts';
import type { FactsField } from '../parts/person.ts';

const einLength = 9;

/** Names, industry and EIN of a business. */
export function FactsForm({ initial, onNext }: PartProps<FactsField>) {
  const { texts } = usePage();
  const { business, common, forms } = texts;
  const form = useForm(initial, (values) => ({
    ...missing(values, { legal_name: business.legalName }, forms),
    ein: values.ein.length === einLength ? undefined : business.badEin,
  }));
  return (
    <Form form={form} onValid={onNext} label={common.next}>
      <Field
        {...form.field('legal_name')}
        label={business.legalName}
        hint={business.legalNameHint}
        autoComplete="organization"
        maxLength={100}
      />
      <Field
        {...form.field('trading_name')}
        label={business.tradingName}
        hint={business.tradingNameHint}
        maxLength={100}
        isOptional
      />
      <Field
        {...form.field('industry')}
        label={business.industry}
        hint={business.industryHint}
        maxLength={100}
        isOptional
      />
      <Field
        {...form.field('ein')}
        onValue={(value) => form.set('ein', digitsOf(value, einLength))}
        label={business.ein}
        hint={business.einHint}
        inputMode="numeric"
        isSecret
      />
    </Form>
  );
}
