import { command } from '@tenant-payments/engine/command.ts';
import type { ServiceJobName } from '@tenant-payments/engine/job_names.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Aggregator } from '../../rails/aggregator.ts';
import { scheduleConsentEnd } from './consent_end.ts';
import { scheduleRefresh } from './refresh.ts';
import { activeStatuses, type LinkedAccountRow, linkedAccounts } from './table.ts';

/** A job that begins with a move of a link, which a release that did not know the job has made without it. */
export interface LateJob {
  readonly job: ServiceJobName;
  /** SQL on `linked_accounts l`: it has something to do for the link. */
  readonly when: string;
  readonly schedule: (work: Work, link: LinkedAccountRow) => void;
}

const active = activeStatuses.map((status) => `'${status}'`).join(', ');
const hasEnded = `(l.status not in (${active}) or exists (select from accounts a
  where a.tenant_id = l.tenant_id and a.customer_id = l.customer_id and a.status = 'closed'))`;

/** Such jobs, as this aggregator needs them (rules/linking#36). */
export const lateJobs = ({
  refresh,
  remove,
}: Pick<Aggregator, 'refresh' | 'remove'>): readonly LateJob[] => [
  {
    job: 'link_refresh',
    when: refresh ? `l.status in (${active}) and l.reference_sealed is not null` : 'false',
    schedule: (work, link) =>
      scheduleRefresh(work, link, { withdrawal: link.offered_withdraw, load: link.offered_load }),
  },
  {
    job: 'link_consent',
    when: `${hasEnded} and (l.numbers_sealed is not null${remove ? ' or l.reference_sealed is not null' : ''})`,
    schedule: scheduleConsentEnd,
  },
];

/** Schedules it for these links. */
export const beginLateJob = ({ schedule }: LateJob) =>
  command('begin_late_jobs', {
    load: (read, { ids }: { readonly ids: readonly string[] }) =>
      Promise.all(ids.map((id) => read.one(linkedAccounts, id))),
    decide: (work, links) => {
      for (const link of links) schedule(work, link);
      return { value: null };
    },
  });
