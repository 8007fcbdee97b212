import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { nameOwner } from '@tenant-payments/contract/hosted/flows.ts';
import type { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { Radios } from '../../ui/choices.tsx';
import type { Failure } from '../../ui/failure.ts';
import { digitsOf, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm, type Values } from '../../ui/use_form.ts';
import { isEmail, missing } from '../parts/checks.ts';
import { usePage } from '../use_page.ts';
import { ownerRoles, runs } from './roles.ts';

export type OwnerField = 'name' | 'role' | 'percent' | 'email';
type OwnerInput = BodyOf<typeof nameOwner>['owner'];

export const noOwner: Values<OwnerField> = { name: '', role: '', percent: '', email: '' };

/** The form values of an owner; the page does not know the link's address. */
export const ownerValues = (owner: Owner): Values<OwnerField> => ({
  name: owner.name,
  role: owner.role,
  percent: owner.ownership_percent === null ? '' : String(owner.ownership_percent),
  email: '',
});

/** The owner as the service's input takes it. */
export function ownerInput({ name, role, percent }: Values<OwnerField>): OwnerInput {
  const known = ownerRoles.find((each) => each === role) ?? 'owner';
  return { name: name.trim(), role: known, ownership_percent: percent ? Number(percent) : null };
}

/** Whether a link is sent: none, to a new address, or to the same address as before. */
type Sending = 'none' | 'new' | 'again';

interface OwnerFormProps {
  readonly initial: Values<OwnerField>;
  readonly sending: Sending;
  /** Everybody else who was named: one of all runs the business, and no more. */
  readonly others: readonly Owner[];
  readonly onNext: (values: Values<OwnerField>) => void;
  readonly isBusy?: boolean;
  readonly failure?: Failure | null;
}

/**
 * The form for an owner's part in the business; for one who is not here, it also asks for the
 * address of the link.
 */
export function OwnerForm(props: OwnerFormProps) {
  const { initial, sending, others, onNext, isBusy = false, failure = null } = props;
  const { texts } = usePage();
  const { business, forms, common } = texts;
  const labels = { none: common.next, new: business.sendInvitation, again: business.saveAndSend };
  const form = useForm(initial, (values) => {
    const mayLack = values.role === 'control_person';
    const isPercent = values.percent !== '' && Number(values.percent) <= 100;
    const mayLackEmail = sending === 'none' || (sending === 'again' && values.email === '');
    return {
      ...(others.some(runs) && runs(values) && { role: business.ownersTwo }),
      ...missing(values, { name: business.ownerName, role: business.role }, forms),
      percent: isPercent || (mayLack && values.percent === '') ? undefined : business.badPercent,
      email: mayLackEmail || isEmail(values.email) ? undefined : forms.badEmail,
    };
  });
  return (
    <Form form={form} onValid={onNext} label={labels[sending]} isBusy={isBusy} failure={failure}>
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
      {sending !== 'none' && (
        <Field
          {...form.field('email')}
          label={forms.email}
          hint={sending === 'again' ? business.emailKept : undefined}
          isOptional={sending === 'again'}
          type="email"
          inputMode="email"
          maxLength={254}
        />
      )}
    </Form>
  );
}
