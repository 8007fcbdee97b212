import { Table, Text } from '@mantine/core';
import type { TenantProofs } from '@tenant-payments/backoffice/contract/operate/ledger_proofs.ts';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark, type Tone } from '../../../staff/parts/state_badge.tsx';

type Days = TenantProofs['days'];
type State = Days[number]['state'];

const tones: Readonly<Record<State, Tone>> = { ok: 'good', violated: 'bad', missing: 'plain' };
/** The sign of each state, so that the strip can be read without its colors. */
const signs: Readonly<Record<State, string>> = { ok: '+', violated: '!', missing: '–' };

const said = (days: Days): string =>
  (['ok', 'violated', 'missing'] as const)
    .map((state) => [days.filter((day) => day.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state}`)
    .join(', ');

/** A sign for each day, oldest first; a screen reader hears how many there are of each. */
export const DayStrip = ({ days }: { readonly days: Days }) =>
  days.length === 0 ? (
    <Text size="sm" c="dimmed">
      no day yet
    </Text>
  ) : (
    <span className="strip" role="img" aria-label={said(days)}>
      {days.map(({ day, state }) => (
        <span key={day} className={`mark is-${tones[state]}`} title={`${day}: ${state}`}>
          {signs[state]}
        </span>
      ))}
    </span>
  );

/** The same in words. */
export const DayTable = ({ days }: { readonly days: Days }) => (
  <Section title="By day" text="In Eastern Time, the newest first.">
    <PlainTable label="Results by day" columns={['Day', 'Result']}>
      {[...days].reverse().map(({ day, state }) => (
        <Table.Tr key={day}>
          <Table.Td>{day}</Table.Td>
          <Table.Td>
            <Mark tone={tones[state]} text={state} />
          </Table.Td>
        </Table.Tr>
      ))}
    </PlainTable>
  </Section>
);
