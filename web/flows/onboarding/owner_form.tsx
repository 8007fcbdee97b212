import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { nameOwner } from '@tenant-payments/contract/hosted/flows.ts';
import { Radios } from '../../ui/choices.tsx';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { usePage } from '../../ui/page_context.ts';
import { useForm, type Values } from '../../ui/use_form.ts';
import type { Failure } from '../api.ts';
import { isEmail, missing } from '../parts/checks.ts';
import { ownerRoles } from './roles.ts';

export type OwnerField = 'name' | 'role' | 'percent' | 'email';
type OwnerInput = BodyOf<typeof nameOwner>['owner'];

export const noOwner: Values<OwnerField> = { name: '', role: '', percent: '', email: '' };

/** As the service takes it. */
export function ownerInput({ name, role, percent }: Values<OwnerField>): OwnerInput {
  const known = ownerRoles.find((each) => each === role) ?? 'owner';
  return { name: name.trim(), role: known, ownership_percent: percent ? Number(percent) : null };
}

interface OwnerFormProps {
  readonly initial: Values<OwnerField>;
  readonly isInvitation: boolean;
  readonly onNext: (values: Values<OwnerField>) => void;
  readonly isBusy?: boolean;
  readonly failure?: Failure | null;
}

/** Who an owner is to the business; of one who is not here, also where the link goes. */
export function OwnerForm(props: OwnerFormProps) {
  const { initial, isInvitation, onNext, isBusy = false, failure = null } = props;
  const { texts } = usePage();
  const { business, forms, common } = texts;
  const form = useForm(initial, (values) => {
    const mayLack = values.role === 'control_person';
    const isPercent = values.percent !== '' && Number(values.percent) <= 100;
    return {
      ...missing(values, { name: business.ownerName, role: business.role }, forms),
      percent: isPercent || (mayLack && values.percent === '') ? undefined : business.badPercent,
      email: isInvitation && !isEmail(values.email) ? forms.badEmail : undefined,
    };
  });
  return (
    <Form
      form={form}
      onValid={onNext}
      label={isInvitation ? business.sendInvitation : common.next}
      isBusy={isBusy}
      failure={failure}
    >
      <Field {...form.field('name')} label={business.ownerName} maxLength={100} />
      <Radios
        {...form.field('role')}
        label={business.role}
        options={ownerRoles.map((role) => [role, business.roles[role]])}
      />
      <Field
        {...form.field('percent')}
        onValue={(value) => form.set('percent', digitsOf(value, 3))}
        label={business.percent}
        inputMode="numeric"
        width="short"
        isOptional={form.values.role === 'control_person'}
      />
      {isInvitation && (
        <Field
          {...form.field('email')}
          label={forms.email}
          type="email"
          inputMode="email"
          maxLength={254}
        />
      )}
    </Form>
  );
}
