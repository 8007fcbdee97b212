import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { Chart } from '../../../staff/charts/chart.tsx';
import { money } from '../../../ui/money.ts';

type Days = Overview['money']['days'];
type Flow = 'loads' | 'withdrawals' | 'refunds';

const flows: readonly Flow[] = ['loads', 'withdrawals', 'refunds'];

const sumOf = (days: Days, flow: Flow): number => days.reduce((sum, day) => sum + day[flow], 0);

/**
 * The payments of each day as a chart; other money that came in and went out stands below it in
 * words.
 */
export const Volume = ({ money: { days } }: Pick<Overview, 'money'>) => (
  <Chart
    label="Payments by day"
    span={days.length === 1 ? 'first day' : `last ${days.length} days`}
    step="day"
    unit="cents"
    columns={days.map(({ day }) => day)}
    series={[{ name: 'paid', shade: 'money', values: days.map(({ payments }) => payments) }]}
    wayOf={(day) => ({ to: '/records/payments', search: { from: day, to: day } })}
  >
    <Text size="sm" mt="xs">
      {'Besides in this time: '}
      {flows.map((flow, at) => (
        <span key={flow}>
          {at > 0 && ', '}
          <Anchor component={Link} to={`/records/${flow}`} size="sm" underline="always">
            {flow}
          </Anchor>
          {` ${money(sumOf(days, flow), 'en')}`}
        </span>
      ))}
    </Text>
  </Chart>
);
