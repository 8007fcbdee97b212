import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { isGrave, knownAmount, moveWords } from '../desk/move_words.ts';
import { centsOf } from './amount.ts';
import { Confirm, submitsByKey } from './confirm.tsx';
import { EffectTables } from './effect_tables.tsx';
import { LetterPreview } from './letter_preview.tsx';
import { demands, firstOf, MoveFields } from './move_fields.tsx';
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
  /** The values that are filled in from the start. */
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

/** Whether a field that must be filled is still empty. */
const isLacking = (file: Subject, option: Option, fields: Fields) =>
  (['amount', 'finding'] as const).some(
    (name) => demands(file, option, name) && fields[name].trim() === '',
  );

/** The fields of a move, what it would do, and the button that does it. */
export function MoveForm({ file, option, given = {}, onClose, onEnd }: MoveFormProps) {
  const [fields, setFields] = useState({ ...nothing, ...given });
  const [first] = useState(() => firstOf(file, option, given));
  const { move, required } = option;
  const body = isLacking(file, option, fields) ? null : bodyOf(option, fields);
  const previewing = usePreview(file, move, body);
  const { preview } = previewing;
  const decide = useDecide(file, move, onEnd);
  const needsApproval = preview?.needs_approval === true;
  const needsNote = needsApproval || required.includes('note');
  const note = fields.note.trim();
  const isReady = preview !== null && preview.obstacle === null && (note !== '' || !needsNote);
  return (
    <form
      onKeyDown={submitsByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && body && !decide.isPending) decide.mutate({ body, note, preview });
      }}
    >
      <div className={preview?.letter ? 'beside' : ''}>
        <Stack>
          <MoveFields
            file={file}
            option={option}
            fields={fields}
            needsNote={needsNote}
            first={first}
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
      <Confirm
        text={
          needsApproval
            ? 'Ask for approval'
            : moveWords(
                move,
                centsOf(fields.amount, move === 'adjust') ?? knownAmount(file.record, move),
              )
        }
        isReady={isReady}
        isPending={decide.isPending}
        isGrave={isGrave(move)}
        isFirst={first === null}
        onClose={onClose}
      />
    </form>
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
