import { Button, Group, Text } from '@mantine/core';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { isolated } from '../../ui/isolated.ts';
import { moveName } from '../desk/words.ts';
import { ApprovalForm } from './approval_form.tsx';
import { useOther } from './assignment.tsx';
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

/** What can be decided now. */
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
    // A new dialog does not bring the focus back to the button: the outcome takes it.
    setEnded((count) => count + 1);
    onEnd(outcome);
  };
  const name = open ? moveName(open.move) : '';
  const parts = { onClose: close, onEnd: end };
  return (
    <Section title="Decide">
      {options.length === 0 && <Text size="sm">Nothing is left to decide.</Text>}
      {isOwn && <Text size="sm">You asked for this: another person must approve it.</Text>}
      {other && options.length > 0 && (
        <Text size="sm">{`${isolated(other.name)} has this case. Take it over to decide it.`}</Text>
      )}
      <Group gap="xs">
        {options.map((option) => (
          <Button
            key={option.move}
            variant="default"
            disabled={other !== null}
            onClick={() => setOpen(option)}
          >
            {moveName(option.move)}
          </Button>
        ))}
      </Group>
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
