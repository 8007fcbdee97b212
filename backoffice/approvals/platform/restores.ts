import { assertUnderWay, endRestore, loadRestore } from '@tenant-payments/service/restore/end.ts';
import {
  assertUnsettled,
  loadSettled,
  settleOrder,
} from '@tenant-payments/service/restore/settle.ts';
import { platformAct } from './act.ts';

/** A restore that was compared with the bank's book ends by two people (rules/restore#15). */
export const restoreActs = {
  'restores.end': platformAct({
    load: (read, { id }) => loadRestore(read, id),
    look(row, { id }) {
      assertUnderWay(row);
      const change = { object: 'restore', id, field: 'ended', before: false, after: true };
      return { facts: {}, effect: { postings: [], changes: [change] } };
    },
    run(work, row, _asked, { now, maker }) {
      const { ended_at } = endRestore(work, row, `${maker.kind} ${maker.id}`, now);
      return { after: { ended_at } };
    },
    event: 'restore_ended',
  }),
  /** One that nobody repeats afterwards: its money was put right by people (rules/restore#20). */
  'restores.settle': platformAct({
    load: (read, { id }) => loadSettled(read, id),
    look(row, { id }) {
      assertUnsettled(row);
      const change = { object: 'order', id, field: 'settled', before: false, after: true };
      return { facts: {}, effect: { postings: [], changes: [change] } };
    },
    run(work, _row, { id }, { now, maker }) {
      const { settled_at } = settleOrder(work, id, `${maker.kind} ${maker.id}`, now);
      return { after: { settled_at } };
    },
    event: 'restore_order_settled',
  }),
} as const;
