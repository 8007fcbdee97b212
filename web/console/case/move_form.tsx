import {
  Alert,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { useState } from 'react';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { AsksField } from './asks_field.tsx';
import { DisputeFields } from './dispute_fields.tsx';
import { EffectTables } from './effect_tables.tsx';
import { LetterPreview } from './letter_preview.tsx';
import type { Outcome } from './outcome.tsx';
import {
  bodyOf,
  type Fields,
  type Option,
  type Subject,
  useDecide,
  usePreview,
} from './use_move.ts';

interface MoveFormProps {
  readonly file: Subject;
  readonly option: Option;
  /** What is filled in from the start. */
  readonly given?: Partial<Fields>;
  readonly onClose: () => void;
  readonly onEnd: (outcome: Outcome) => void;
}

const nothing: Fields = {
  amount: '',
  failure_code: '',
  finding: '',
  asks: [],
  handled_as: '',
  customer_bears: '',
  learned_on: '',
  shown_on: '',
  account_id: '',
  note: '',
};

/** The fields of a move, what it would do, and the button that does it. */
export function MoveForm({ file, option, given, onClose, onEnd }: MoveFormProps) {
  const [fields, setFields] = useState({ ...nothing, ...given });
  const { move, required } = option;
  const isUnfound =
    option.optional.includes('finding') && wantsFinding(file) && !fields.finding.trim();
  const body = isUnfound ? null : bodyOf(option, fields);
  const previewing = usePreview(file, move, body);
  const { preview } = previewing;
  const decide = useDecide(file, move, onEnd);
  const needsApproval = preview?.needs_approval === true;
  const needsNote = needsApproval || required.includes('note');
  const note = fields.note.trim();
  const isReady = preview !== null && preview.obstacle === null && (note !== '' || !needsNote);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && body) decide.mutate({ body, note, preview });
      }}
    >
      <div className={preview?.letter ? 'beside' : ''}>
        <Stack>
          <MoveFields
            file={file}
            option={option}
            fields={fields}
            needsNote={needsNote}
            onChange={setFields}
          />
          <section aria-label="What it would do" aria-live="polite" aria-busy={!preview}>
            <WhatItDoes id={file.id} isComplete={body !== null} {...previewing} />
          </section>
          {needsApproval && (
            <Alert color="yellow" title="A second person must approve this">
              Your note tells that person why. Nothing changes before.
            </Alert>
          )}
          {decide.error && <Trouble error={decide.error} />}
        </Stack>
        {preview?.letter && <LetterPreview letter={preview.letter} />}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isReady} loading={decide.isPending}>
          {needsApproval ? 'Ask for approval' : 'Do it'}
        </Button>
      </Group>
    </form>
  );
}

/** What a field tells as it is typed in. */
interface Typed {
  readonly currentTarget: { readonly value: string };
}

interface MoveFieldsProps {
  readonly file: Subject;
  readonly option: Option;
  readonly fields: Fields;
  readonly needsNote: boolean;
  readonly onChange: (fields: Fields) => void;
}

/** A known amount of a dispute is not set again (rules/review#9). */
const isKnown = ({ record }: Subject, { required }: Option) =>
  record?.object === 'dispute' && record.disputed_amount !== null && !required.includes('amount');

function MoveFields({ file, option, fields, needsNote, onChange }: MoveFieldsProps) {
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
          data-autofocus
          required={required.includes('amount')}
          value={fields.amount}
          onChange={set('amount')}
        />
      )}
      {takes('failure_code') && (
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
      )}
      {takes('account_id') && (
        <TextInput
          label="Account"
          description={
            required.includes('account_id')
              ? 'Its id'
              : 'Its id; empty: the account that the money most likely belongs to'
          }
          required={required.includes('account_id')}
          value={fields.account_id}
          onChange={set('account_id')}
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
        set={set}
        finding={takes('finding') ? findingOf(file) : null}
        isDemanded={required.includes('finding') || wantsFinding(file)}
      />
    </>
  );
}

const amountHint: Readonly<Record<string, string>> = {
  adjust: 'Below zero takes money back, such as -12.50',
  accept: 'Empty: all that is asked for',
};

/** The law wants the customer told what was found. */
const wantsFinding = ({ record }: Subject) =>
  record?.object === 'dispute' && record.finding_required;

/** Who reads what was found. */
const findingOf = (file: Subject) =>
  findings[file.resource] ?? {
    label: 'What was found',
    description: wantsFinding(file)
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

interface WordsProps {
  readonly fields: Fields;
  /** Null: the move takes none. */
  readonly finding: ReturnType<typeof findingOf> | null;
  readonly isDemanded: boolean;
  readonly needsNote: boolean;
  readonly set: (name: keyof Fields) => (event: Typed) => void;
}

/** What is told of the move: to the customer, and to the staff. */
function Words({ fields, finding, isDemanded, needsNote, set }: WordsProps) {
  return (
    <>
      {finding && (
        <Textarea
          {...finding}
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
        rows={2}
        maxLength={1_000}
        required={needsNote}
        value={fields.note}
        onChange={set('note')}
      />
    </>
  );
}

interface WhatItDoesProps extends Pick<ReturnType<typeof usePreview>, 'preview' | 'error'> {
  readonly id: string;
  readonly isComplete: boolean;
}

function WhatItDoes({ id, isComplete, preview, error }: WhatItDoesProps) {
  if (!isComplete) return <Text size="sm">Fill in the fields to see what it would do.</Text>;
  if (error) return <Trouble error={error} />;
  if (preview === null) return <Text size="sm">Working out what it would do…</Text>;
  const { obstacle, effect } = preview;
  if (obstacle)
    return (
      <Alert color="yellow" title="It cannot be done now">
        {inWords(obstacle.reason ?? obstacle.code)}
      </Alert>
    );
  return effect ? (
    <EffectTables id={id} effect={effect} />
  ) : (
    <Text size="sm">Nothing changes.</Text>
  );
}
