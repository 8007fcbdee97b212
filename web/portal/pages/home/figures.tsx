import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Overview } from '@tenant-payments/backoffice/contract/traffic/overview.ts';
import { money } from '../../../ui/money.ts';

/** `98.7%`; it is rounded down, so that 100% means all. */
const shareOf = (good: number, bad: number): string =>
  good + bad === 0 ? 'None yet' : `${Math.floor((good / (good + bad)) * 1_000) / 10}%`;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);
const inFigures = (count: number): string => count.toLocaleString('en-US');

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** How it is counted. */
  readonly text: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

const Figure = ({ name, value, text, to, search = {} }: FigureProps) => (
  <Paper withBorder p="md" className="figure-card">
    <Text size="sm" c="dimmed">
      <Anchor component={Link} to={to} search={search as never} size="sm" className="row-link">
        {name}
      </Anchor>
    </Text>
    <Text size="xl" fw={700} className="figures">
      {value}
    </Text>
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  </Paper>
);

interface FiguresProps {
  readonly overview: Overview;
  readonly isDeveloper: boolean;
}

/** The four figures that one looks at first, each with the way to its list. */
export function Figures({ overview, isDeveloper }: FiguresProps) {
  const { money: own, payments, deliveries, p95_ms } = overview;
  const delivered = sumOf(deliveries.map((hour) => hour.delivered));
  const failed = sumOf(deliveries.map((hour) => hour.failed));
  const ended = payments.completed + payments.failed;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Figure
        name="Balances held"
        value={own.held === null ? 'not known yet' : money(own.held, 'en')}
        text={
          own.held === null ? 'days behind are still to be reported' : 'of all your customers now'
        }
        to="/records/accounts"
      />
      <Figure
        name="Payments that succeed"
        value={shareOf(payments.completed, payments.failed)}
        text={`${inFigures(payments.failed)} of ${inFigures(ended)} failed in 7 days${payments.is_all ? '' : ', of the newest 10,000'}`}
        to="/records/payments"
        search={{ status: 'failed' }}
      />
      {isDeveloper && (
        <>
          <Figure
            name="Webhooks accepted"
            value={shareOf(delivered, failed)}
            text={`${inFigures(failed)} of ${inFigures(delivered + failed)} attempts failed in 24 hours`}
            to="/deliveries"
          />
          <Figure
            name="Requests answered within"
            value={p95_ms === null ? 'None yet' : `${inFigures(p95_ms)} ms`}
            text="19 of 20 requests of 24 hours (p95)"
            to="/requests"
          />
        </>
      )}
    </SimpleGrid>
  );
}
