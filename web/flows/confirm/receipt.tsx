import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { momentInZone } from '../../ui/dates.ts';
import { Rows } from '../../ui/rows.tsx';
import { EndAction } from '../session/end_action.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { receiptOf } from './places.ts';

interface ReceiptProps {
  readonly confirmation: Confirmation;
  /** Whether money was moved. */
  readonly isPaid: boolean;
}

/** The receipt of a decision: which record, in whose favor and when (rules/hosted#41). */
export function Receipt({ confirmation, isPaid }: ReceiptProps) {
  const { texts, dollars, locale } = usePage();
  const { ended_at: at } = useSession().view;
  const date = at === null ? null : momentInZone(at, locale);
  return (
    <section aria-label={texts.confirm.receipt}>
      <Rows rows={receiptOf(confirmation, texts.confirm, dollars, { date, isPaid })} />
    </section>
  );
}

/** The way back, and the page on paper or in a file: what is on paper has no buttons. */
export function ReceiptActions() {
  const { texts } = usePage();
  return (
    <Actions>
      <EndAction />
      <Button look="secondary" onClick={() => print()}>
        {texts.confirm.print}
      </Button>
    </Actions>
  );
}
