import type { Industry } from '@tenant-payments/contract/core/industries.ts';
import { Select } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm } from '../../ui/use_form.ts';
import type { PartProps } from '../parts/about_form.tsx';
import { einGroups, missing, taxNumberLength } from '../parts/checks.ts';
import type { FactsField } from '../parts/person.ts';
import { usePage } from '../use_page.ts';
import { industryNames } from './industries.ts';

interface FactsProps extends PartProps<FactsField> {
  readonly industries: readonly Industry[];
}

/** Names, industry and EIN of a business. */
export function FactsForm({ initial, onNext, industries }: FactsProps) {
  const { texts, locale } = usePage();
  const { business, common, forms } = texts;
  const form = useForm(initial, (values) => ({
    ...missing(values, { legal_name: business.legalName }, forms),
    ein: values.ein.length === taxNumberLength ? undefined : business.badEin,
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
      <Select
        {...form.field('industry')}
        label={business.industry}
        options={industryNames(industries, locale)}
        isOptional
      />
      <Field
        {...form.field('ein')}
        label={business.ein}
        hint={business.einHint}
        groups={einGroups}
        inputMode="numeric"
        isSecret
      />
    </Form>
  );
}
