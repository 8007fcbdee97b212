import { TenantProvider } from '../../staff/api/queries.ts';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { MoveForm } from '../case/move_form.tsx';
import type { Outcome } from '../case/outcome.tsx';
import type { Fields, Option, Subject } from '../case/use_move.ts';
import { moveName } from '../desk/words.ts';

/** A move that is about to be made. */
export interface Begun {
  readonly subject: Subject;
  readonly option: Pick<Option, 'move' | 'required'>;
  readonly given?: Partial<Fields>;
}

interface MoveDialogProps {
  readonly begun: Begun | null;
  readonly onClose: () => void;
  readonly onEnd: (outcome: Outcome) => void;
}

/** Shows what a move would do, and does it or asks for approval. */
export function MoveDialog({ begun, onClose, onEnd }: MoveDialogProps) {
  return (
    <Dialog
      title={begun ? moveName(begun.option.move) : ''}
      isOpen={begun !== null}
      onClose={onClose}
    >
      {begun && (
        <TenantProvider value={begun.subject.tenant_id}>
          <MoveForm
            file={begun.subject}
            option={{ ...begun.option, optional: [], may_need_approval: true }}
            given={begun.given ?? {}}
            onClose={onClose}
            onEnd={(outcome) => {
              onClose();
              onEnd(outcome);
            }}
          />
        </TenantProvider>
      )}
    </Dialog>
  );
}
