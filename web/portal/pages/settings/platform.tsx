import { Table, Text } from '@mantine/core';
import {
  flowLabels,
  limitLabel,
  settingFields,
} from '@tenant-payments/contract/core/fields/settings.ts';
import { valueWords } from '@tenant-payments/contract/core/fields/values.ts';
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

/** Settings of one value each, in their order. */
const single = [
  'account_structure',
  'withdrawal_hold_hours',
  'holder_match_verified',
  'holder_match_review',
  'refund_window_days',
  'late_money',
  'payout_daily_maximum',
  'rate_limit_per_minute',
  'confirmation_grace_seconds',
] as const;

const limit = (cents: number | null) => (cents === null ? 'no limit' : <Cents value={cents} />);

/** The settings that only admins of the platform change: shown, and not to be typed in. */
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
          ...single.map(
            (name) =>
              [settingFields[name].label, valueWords(settingFields[name], settings[name])] as const,
          ),
          ['Industries', counted(settings.industries?.length ?? 0, 'industry', 'industries')],
        ]}
      />
      <PlainTable label="What customers can do" columns={['Feature', 'State']}>
        {Object.entries(flows).map(([name, isOn]) => (
          <Table.Tr key={name}>
            <Table.Td>{flowLabels[name as keyof typeof flowLabels]}</Table.Td>
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
            <Table.Td>{limitLabel(name)}</Table.Td>
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
              <Table.Td ta="right">{`${basis_points / 100}%`}</Table.Td>
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
