import type { DeskSummary } from '@tenant-payments/backoffice/contract/operate/attention.ts';
import { Chart } from '../../../staff/charts/chart.tsx';

/** How many cases are due on each day from today on. */
export const DueThisWeek = ({ due }: Pick<DeskSummary, 'due'>) => (
  <Chart
    label="Due this week"
    span="7 days from today"
    step="day"
    unit="count"
    columns={due.map(({ day }) => day)}
    series={[{ name: 'due', shade: 'warning', values: due.map(({ count }) => count) }]}
    wayOf={() => ({ to: '/desk' })}
  />
);
