import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { disputeTypes } from '@tenant-payments/contract/core/dispute_types.ts';
import { inWords } from '../../staff/parts/tell.ts';
import { capitalized } from '../desk/words.ts';
import type { Fields, Subject } from './use_move.ts';

interface DisputeFieldsProps {
  readonly file: Subject;
  readonly takes: (name: string) => boolean;
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}

/** The fields of a dispute's moves: its kind, and what the customer bears of an unauthorized transfer. */
export function DisputeFields({ file: { record }, takes, fields, onChange }: DisputeFieldsProps) {
  if (record?.object !== 'dispute') return null;
  const handled = record.handled_as ?? record.type;
  return (
    <>
      {takes('handled_as') && (
        <NativeSelect
          label="Handle as"
          description="The deadlines count anew from the day of the notice"
          required
          value={fields.handled_as ?? ''}
          data={[
            { value: '', label: 'Choose a kind' },
            ...disputeTypes
              .filter((kind) => kind !== handled)
              .map((value) => ({ value, label: capitalized(inWords(value)) })),
          ]}
          onChange={({ currentTarget }) =>
            onChange({ ...fields, handled_as: currentTarget.value as Fields['handled_as'] })
          }
        />
      )}
      {takes('customer_bears') && record.liability_limited && (
        <Liability fields={fields} onChange={onChange} />
      )}
    </>
  );
}

const dates = [
  {
    name: 'learned_on',
    label: 'Loss or theft learned of on',
    description: 'By the customer; empty: nothing was lost or stolen',
  },
  {
    name: 'shown_on',
    label: 'Earlier statement sent on',
    description:
      'It showed an earlier unauthorized transfer, and a notice would have stopped this one',
  },
] as const;

/** The field for the loss that the customer bears by 12 CFR 1005.6; usually nothing. */
const Liability = ({ fields, onChange }: Pick<DisputeFieldsProps, 'fields' | 'onChange'>) => (
  <>
    <TextInput
      label="Customer bears, in dollars"
      description="Of an unauthorized transfer, within 12 CFR 1005.6; empty: nothing"
      inputMode="decimal"
      value={fields.customer_bears}
      onChange={({ currentTarget }) => onChange({ ...fields, customer_bears: currentTarget.value })}
    />
    {fields.customer_bears !== '' && (
      <Stack gap="md">
        {dates.map(({ name, ...texts }) => (
          <TextInput
            key={name}
            {...texts}
            type="date"
            value={fields[name]}
            onChange={({ currentTarget }) => onChange({ ...fields, [name]: currentTarget.value })}
          />
        ))}
      </Stack>
    )}
  </>
);
