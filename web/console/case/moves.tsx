import { Button, Group, Text } from '@mantine/core';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { isolated } from '../../ui/isolated.ts';
import { keysOf } from '../desk/move_keys.ts';
import { isGrave, knownAmount, moveWords } from '../desk/move_words.ts';
import { useKeys } from '../desk/use_keys.ts';
import { moveName } from '../desk/words.ts';
import { ApprovalForm } from './approval_form.tsx';
import { useOther } from './assignment.tsx';
import { KeyHint } from './confirm.tsx';
import { KeyHelp } from './key_help.tsx';
import { MoveForm } from './move_form.tsx';
import type { Outcome } from './outcome.tsx';
import type { Option } from './use_move.ts';
import { useIsMe } from './who.tsx';

interface MovesProps {
  readonly file: CaseFile;
  readonly onEnd: (outcome: Outcome) => void;
}

const takeBack: Option = {
  move: 'take_back',
  required: [],
  optional: ['note'],
  may_need_approval: false,
};

/** The customer is written to after it, and the letter stands beside the form. */
const hasLetter = (move: string) => move === 'credit' || move.startsWith('resolve_');

/** Whoever asked for a second person decides nothing, but may take the request back. */
function useOwn({ record, waiting_since }: CaseFile): boolean {
  const isMe = useIsMe();
  return record.object === 'approval' && waiting_since !== null && isMe(record.maker);
}

/** Words for the movement that a dispute waits for: an award beside money that never left would be paid twice. */
const awaitedWords: Readonly<Record<NonNullable<CaseFile['awaits']>, string>> = {
  refund: 'A bank is executing a refund of the payment. You can decide once that has ended.',
  payment: 'The bank is executing this payment. You can award money once that has ended.',
  withdrawal:
    'The bank is executing this withdrawal. You can award money once that has ended, and credit it provisionally now.',
};

/** The moves that can be decided now. */
export function Moves({ file, onEnd }: MovesProps) {
  const other = useOther(file);
  const isOwn = useOwn(file);
  const { record } = file;
  const options = isOwn ? [takeBack] : file.options;
  const [open, setOpen] = useState<Option | null>(null);
  const [ended, setEnded] = useState(0);
  const close = () => setOpen(null);
  const end = (outcome: Outcome) => {
    close();
    // The dialog is made anew, so that it does not bring the focus back to the button: the outcome
    // takes it.
    setEnded((count) => count + 1);
    onEnd(outcome);
  };
  const name = open ? moveName(open.move) : '';
  const parts = { onClose: close, onEnd: end };
  return (
    <Section title="What can be done">
      {options.length === 0 && <Text size="sm">Nothing is left to decide.</Text>}
      {file.awaits && <Text size="sm">{awaitedWords[file.awaits]}</Text>}
      {isOwn && <Text size="sm">You asked for this: another person must approve it.</Text>}
      {other && options.length > 0 && (
        <Text size="sm">{`${isolated(other.name)} has this case. Take it over to decide it.`}</Text>
      )}
      <MoveButtons record={record} options={options} isOff={other !== null} onChoose={setOpen} />
      <KeyHelp moves={options.map(({ move }) => move)} />
      <Dialog
        key={ended}
        title={name}
        isOpen={open !== null}
        onClose={close}
        isWide={open !== null && hasLetter(open.move)}
      >
        {open &&
          (record.object === 'approval' ? (
            <ApprovalForm approval={record} move={open.move} {...parts} />
          ) : (
            <MoveForm file={file} option={open} {...parts} />
          ))}
      </Dialog>
    </Section>
  );
}

interface MoveButtonsProps {
  readonly record: CaseFile['record'];
  readonly options: readonly Option[];
  /** Somebody else has the case. */
  readonly isOff: boolean;
  readonly onChoose: (option: Option) => void;
}

/** A button for each move, with its key. */
function MoveButtons({ record, options, isOff, onChoose }: MoveButtonsProps) {
  const keys = keysOf(options.map(({ move }) => move));
  const keyed = options.flatMap((option) => {
    const key = keys.get(option.move);
    return key === undefined || isOff ? [] : [[key, () => onChoose(option)] as const];
  });
  useKeys(Object.fromEntries(keyed));
  return (
    <Group gap="xs">
      {options.map((option) => {
        const { move } = option;
        const key = keys.get(move);
        return (
          <Button
            key={move}
            disabled={isOff}
            variant="default"
            {...(isGrave(move) && { className: 'is-grave' })}
            {...(key && { 'aria-keyshortcuts': key, rightSection: <KeyHint text={key} /> })}
            onClick={() => onChoose(option)}
          >
            {moveWords(move, knownAmount(record, move))}
          </Button>
        );
      })}
    </Group>
  );
}
