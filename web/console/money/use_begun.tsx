import { type ReactNode, useState } from 'react';
import { Ended, type Outcome } from '../case/outcome.tsx';
import { type Begun, MoveDialog } from './move_dialog.tsx';

/** A move of a page: how it is begun, its dialog, and how it ended. */
export function useBegun(first: Begun | null = null): {
  readonly begin: (begun: Begun) => void;
  readonly dialog: ReactNode;
  readonly ended: ReactNode;
} {
  const [begun, begin] = useState<Begun | null>(first);
  const [done, setDone] = useState<{ id: string; outcome: Outcome } | null>(null);
  const [count, setCount] = useState(0);
  const end = (outcome: Outcome) => {
    setDone({ id: begun?.subject.id ?? '', outcome });
    // A new dialog does not bring the focus back to its button: the outcome takes it.
    setCount(count + 1);
  };
  return {
    begin,
    dialog: <MoveDialog key={count} begun={begun} onClose={() => begin(null)} onEnd={end} />,
    ended: done && <Ended id={done.id} outcome={done.outcome} />,
  };
}
