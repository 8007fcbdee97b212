import { documents } from '../resources/customers/documents/table.ts';
import { effectOf, type NoticeEffects } from '../resources/customers/notices/port.ts';
import { scheduleReversal } from '../resources/disputes/deadlines.ts';
import { disputes } from '../resources/disputes/table.ts';
import { effectiveFrom } from '../resources/terms/effective.ts';
import { ofDocument } from '../resources/terms/tell.ts';

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
  // The job that puts worse settings in force looks at their notices itself.
  terms_changed: effectOf({
    load: async (read, { source_id, detail }) =>
      detail === ofDocument ? read.one(documents, source_id) : null,
    given: (work, document) => {
      // One that holds at once, for security, waits for nothing [1005.8(a)(2)].
      if (document?.effective_at && document.effective_at > document.created_at)
        work.change(document, { effective_at: effectiveFrom(work.now) });
    },
  }),
};
