import { effectOf, type NoticeEffects } from '../resources/customers/notices/port.ts';
import { scheduleReversal } from '../resources/disputes/deadlines.ts';
import { disputes } from '../resources/disputes/table.ts';

/** The effect of a given notice, by its kind (rules/messages#10). */
export const noticeEffects: NoticeEffects = {
  dispute_letter: effectOf({
    load: (read, { source_id }) => read.one(disputes, source_id),
    given: (work, dispute, { detail }) => {
      // Five business days after the notice, and not after the determination [1005.11(d)(2)].
      const takesBack = dispute.status === 'resolved' && dispute.reversal_due_at !== null;
      if (detail === 'result' && takesBack) scheduleReversal(work, dispute);
    },
  }),
};
