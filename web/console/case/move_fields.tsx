import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { Section } from '../../staff/parts/section.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Activity } from '../customer/activity_table.tsx';
import { AsksField } from './asks_field.tsx';
import { useDemanded } from './confirm.tsx';
import { DisputeFields } from './dispute_fields.tsx';
import { spanOf } from './span.ts';
import type { Fields, Option, Subject } from './use_move.ts';

/** The part of a field's event that holds the typed text. */
interface Typed {
  readonly currentTarget: { readonly value: string };
}

interface MoveFieldsProps {
  readonly file: Subject;
  readonly option: Option;
  readonly fields: Fields;
  readonly needsNote: boolean;
  /** The field that has the focus as the form opens. */
  readonly first: keyof Fields | null;
  readonly onChange: (fields: Fields) => void;
}

/** A known amount of a dispute is not set again (rules/review#9). */
const isKnown = ({ record }: Subject, { required }: Option) =>
  record?.object === 'dispute' && record.disputed_amount !== null && !required.includes('amount');

/** A dispute whose notice gave no amount gets one by the first move that needs it (rules/disputes#8). */
const lacksAmount = ({ record }: Subject, { optional }: Option) =>
  record?.object === 'dispute' && record.disputed_amount === null && optional.includes('amount');

/** The law wants the customer told what was found. */
const lacksFinding = ({ record }: Subject, { optional }: Option) =>
  optional.includes('finding') && record?.object === 'dispute' && record.finding_required;

/** Whether a move wants a field to be filled in. */
export const demands = (file: Subject, option: Option, name: keyof Fields): boolean =>
  option.required.includes(name) ||
  (name === 'amount' && lacksAmount(file, option)) ||
  (name === 'finding' && lacksFinding(file, option));

const inOrder = ['amount', 'account_id', 'handled_as', 'finding', 'note'] as const;

/** The first field that must be filled and is not; null: none. */
export const firstOf = (file: Subject, option: Option, given: Partial<Fields>) =>
  inOrder.find((name) => demands(file, option, name) && !given[name]) ?? null;

const focused = (is: boolean) => (is ? { 'data-autofocus': true } : {});

interface PartProps {
  readonly fields: Fields;
  readonly set: (name: keyof Fields) => (event: Typed) => void;
}

const FailureCode = ({ fields, set }: PartProps) => (
  <NativeSelect
    label="Failure code"
    value={fields.failure_code}
    data={[
      { value: '', label: 'Review rejected (as usual)' },
      ...failureCodesOf('linked_account')
        .filter((code) => code !== 'review_rejected')
        .map((value) => ({ value, label: inWords(value) })),
    ]}
    onChange={set('failure_code')}
  />
);

interface AccountProps extends PartProps {
  readonly isRequired: boolean;
  readonly isFirst: boolean;
}

const Account = ({ fields, set, isRequired, isFirst }: AccountProps) => (
  <TextInput
    label="Account"
    description={
      isRequired ? 'Its id' : 'Its id; empty: the account that the money most likely belongs to'
    }
    {...focused(isFirst)}
    required={isRequired}
    value={fields.account_id}
    onChange={set('account_id')}
  />
);

/** The fields that a move takes. */
export function MoveFields(props: MoveFieldsProps) {
  const { file, option, fields, needsNote, first, onChange } = props;
  const { move, required, optional } = option;
  const takes = (name: string) => required.includes(name) || optional.includes(name);
  const set =
    (name: keyof Fields) =>
    ({ currentTarget }: Typed) =>
      onChange({ ...fields, [name]: currentTarget.value });
  return (
    <>
      {takes('amount') && !isKnown(file, option) && (
        <TextInput
          label="Amount in dollars"
          description={amountHint[move]}
          inputMode="decimal"
          placeholder="12.50"
          {...focused(first === 'amount')}
          required={demands(file, option, 'amount')}
          value={fields.amount}
          onChange={set('amount')}
        />
      )}
      {lacksAmount(file, option) && file.record && file.customer_id && (
        <Section title="Movements near the date" text="Choose one, and its amount is filled in.">
          <Activity
            customerId={file.customer_id}
            span={spanOf(file.record)}
            onChoose={({ amount }) => onChange({ ...fields, amount: (amount / 100).toFixed(2) })}
          />
        </Section>
      )}
      {takes('failure_code') && <FailureCode fields={fields} set={set} />}
      {takes('account_id') && (
        <Account
          fields={fields}
          set={set}
          isRequired={required.includes('account_id')}
          isFirst={first === 'account_id'}
        />
      )}
      {takes('asks') && (
        <AsksField
          file={file}
          asks={fields.asks}
          onChange={(asks) => onChange({ ...fields, asks })}
        />
      )}
      <DisputeFields file={file} takes={takes} fields={fields} onChange={onChange} />
      <Words
        fields={fields}
        needsNote={needsNote}
        first={first}
        set={set}
        finding={takes('finding') ? findingOf(file, option) : null}
        isDemanded={demands(file, option, 'finding')}
      />
    </>
  );
}

const amountHint: Readonly<Record<string, string>> = {
  adjust: 'Below zero takes money back, such as -12.50',
  accept: 'Empty: all that is asked for',
};

/** The label of the field for the finding, and a hint that says who reads it. */
const findingOf = (file: Subject, option: Option) =>
  findings[file.resource] ?? {
    label: 'What was found',
    description: lacksFinding(file, option)
      ? 'The customer reads it in the letter'
      : 'The customer reads it in the letter; empty: the letter says it in general words',
  };
const findings: Readonly<Record<string, { readonly label: string; readonly description: string }>> =
  {
    'return-requests': {
      label: 'Words for the other bank',
      description: 'The bank is told them with the answer',
    },
    notices: {
      label: 'How it was given',
      description: 'By post to which address, or by telephone: an examiner reads it',
    },
  };

interface WordsProps extends Pick<MoveFieldsProps, 'fields' | 'needsNote' | 'first'> {
  /** Null: the move takes none. */
  readonly finding: ReturnType<typeof findingOf> | null;
  readonly isDemanded: boolean;
  readonly set: (name: keyof Fields) => (event: Typed) => void;
}

/** The fields for words about the move: one for the customer, one for the staff. */
function Words({ fields, finding, isDemanded, needsNote, first, set }: WordsProps) {
  const note = useDemanded<HTMLTextAreaElement>(needsNote);
  return (
    <>
      {finding && (
        <Textarea
          {...finding}
          {...focused(first === 'finding')}
          required={isDemanded}
          rows={4}
          maxLength={2_000}
          value={fields.finding}
          onChange={set('finding')}
        />
      )}
      <Textarea
        label="Note"
        description="Why; only staff see it"
        ref={note}
        {...focused(first === 'note')}
        rows={2}
        maxLength={1_000}
        required={needsNote}
        value={fields.note}
        onChange={set('note')}
      />
    </>
  );
}
