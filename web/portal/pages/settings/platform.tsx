import { Code, Table, Text } from '@mantine/core';
import type { RequestUse } from '@tenant-payments/contract/core/request_uses.ts';
import { limitTexts } from '@tenant-payments/contract/core/setting_facts.ts';
import { Cents } from '../../../staff/parts/cents.tsx';
import { Facts } from '../../../staff/parts/facts.tsx';
import { PlainTable } from '../../../staff/parts/plain_table.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { Mark } from '../../../staff/parts/state_badge.tsx';
import { counted, inWords } from '../../../staff/parts/tell.ts';
import { networkNames, useTexts } from '../../../staff/settings/request_uses.ts';
import type { PartProps } from '../../../staff/settings/use_save.ts';

type LimitName = keyof typeof limitTexts;
const limitNames = Object.keys(limitTexts) as LimitName[];

const lateMoney = {
  hold: 'waits for a person',
  credit: 'goes to its customer',
  return: 'goes back to where it came from',
} as const;

const limit = (cents: number | null) => (cents === null ? 'no limit' : <Cents value={cents} />);

/** What only the platform's admins change: shown, and not to be typed in. */
export function Platform({ settings }: PartProps) {
  const { flows, limits, fees } = settings;
  const rules = fees.filter(({ type }) => type === 'platform');
  return (
    <Section
      title="Set by the platform"
      text="Only an admin of the platform changes these. Ask your contact there; a raised limit may need a second person."
    >
      <Facts
        rows={[
          ['Account structure', inWords(settings.account_structure)],
          ['Withdrawal hold', counted(settings.withdrawal_hold_hours, 'hour')],
          [
            'Names of an account',
            `verified from ${settings.holder_match_verified}, reviewed from ${settings.holder_match_review} of 100`,
          ],
          ['Refund window', counted(settings.refund_window_days, 'day')],
          ['Late money', lateMoney[settings.late_money]],
          ['Rate limit', `${counted(settings.rate_limit_per_minute, 'request')} a minute`],
          ['Confirmation grace', counted(settings.confirmation_grace_seconds, 'second')],
          ['Industries', counted(settings.industries?.length ?? 0, 'industry', 'industries')],
        ]}
      />
      <PlainTable label="What customers can do" columns={['Feature', 'State']}>
        {Object.entries(flows).map(([name, isOn]) => (
          <Table.Tr key={name}>
            <Table.Td>{inWords(name)}</Table.Td>
            <Table.Td>
              <Mark tone={isOn ? 'good' : 'plain'} text={isOn ? 'on' : 'off'} />
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      <PlainTable label="Requests that the bank permits" columns={['Use', 'Networks']}>
        {Object.entries(useTexts).map(([use, { title }]) => (
          <Table.Tr key={use}>
            <Table.Td>{title}</Table.Td>
            <Table.Td>
              {settings.request_uses[use as RequestUse].networks
                .map((network) => networkNames[network])
                .join(', ') || 'not permitted'}
            </Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      <PlainTable
        label="Limits"
        columns={['Limit', 'Covers', 'Individual', 'Business']}
        right={['Individual', 'Business']}
      >
        {limitNames.map((name) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Code>{name}</Code>
            </Table.Td>
            <Table.Td>{limitTexts[name]}</Table.Td>
            <Table.Td ta="right">{limit(limits[name].individual)}</Table.Td>
            <Table.Td ta="right">{limit(limits[name].business)}</Table.Td>
          </Table.Tr>
        ))}
      </PlainTable>
      {rules.length === 0 ? (
        <Text size="sm" c="dimmed">
          The platform takes no fee.
        </Text>
      ) : (
        <PlainTable
          label="Fees of the platform"
          columns={['Payments', 'Source', 'Share', 'Fixed', 'Paid by']}
          right={['Share', 'Fixed']}
        >
          {rules.map(({ payment_type, source, basis_points, fixed, paid_by }) => (
            <Table.Tr key={`${payment_type} ${source}`}>
              <Table.Td>{inWords(payment_type)}</Table.Td>
              <Table.Td>{inWords(source)}</Table.Td>
              <Table.Td ta="right">{`${basis_points / 100} %`}</Table.Td>
              <Table.Td ta="right">
                <Cents value={fixed} />
              </Table.Td>
              <Table.Td>{paid_by}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Section>
  );
}
