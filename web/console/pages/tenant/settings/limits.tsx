import { NumberInput, Table } from '@mantine/core';
import { limitLabel, settingFields } from '@tenant-payments/contract/core/fields/settings.ts';
import { limitTexts } from '@tenant-payments/contract/core/setting_facts.ts';
import { useState } from 'react';
import { PlainTable } from '../../../../staff/parts/plain_table.tsx';
import { Section } from '../../../../staff/parts/section.tsx';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { WorseTerms, withReason } from '../../../../staff/settings/worse_terms.tsx';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

type Limits = Settings['limits'];
type LimitName = keyof Limits;
const names = Object.keys(limitTexts) as LimitName[];
const holders = ['individual', 'business'] as const;

interface FieldProps<Value> {
  readonly value: Value;
  readonly isDisabled: boolean;
  readonly fault: ReturnType<typeof faultOf>;
  readonly onChange: (value: Value) => void;
}

const centsOf = (dollars: string | number): number | null =>
  dollars === '' ? null : Math.round(Number(dollars) * 100);
const dollarsOf = (cents: number | null): number | '' => (cents === null ? '' : cents / 100);

/** An amount in dollars; empty: no limit. */
const amount = {
  placeholder: 'no limit',
  prefix: '$',
  thousandSeparator: ',',
  min: 0,
  decimalScale: 2,
  hideControls: true,
} as const;

/** How much one customer may move. */
const OfOne = ({ value, isDisabled, fault, onChange }: FieldProps<Limits>) => (
  <PlainTable label="Every limit" columns={['Limit', 'Covers', 'Individual', 'Business']}>
    {names.map((name) => (
      <Table.Tr key={name}>
        <Table.Td miw={170}>{limitLabel(name)}</Table.Td>
        <Table.Td miw={170}>{limitTexts[name]}</Table.Td>
        {holders.map((holder) => (
          <Table.Td key={holder} miw={140}>
            <NumberInput
              {...amount}
              aria-label={`${limitLabel(name)} of ${holder === 'individual' ? 'individuals' : 'businesses'}`}
              disabled={isDisabled}
              value={dollarsOf(value[name][holder])}
              error={fault?.param === `limits.${name}.${holder}` ? fault.text : undefined}
              onChange={(dollars) =>
                onChange({ ...value, [name]: { ...value[name], [holder]: centsOf(dollars) } })
              }
            />
          </Table.Td>
        ))}
      </Table.Tr>
    ))}
  </PlainTable>
);

/** How much all customers may withdraw on a day. */
const OfAll = ({ value, isDisabled, fault, onChange }: FieldProps<number | null>) => (
  <NumberInput
    {...amount}
    label={settingFields.payout_daily_maximum.label}
    description="Of all customers together"
    maw={320}
    disabled={isDisabled}
    value={dollarsOf(value)}
    error={fault?.param === 'payout_daily_maximum' ? fault.text : undefined}
    onChange={(dollars) => onChange(centsOf(dollars))}
  />
);

type Typed = Partial<Pick<Settings, 'limits' | 'payout_daily_maximum'>>;

/** How much the Tenant's customers may move, each and together. */
export function Limits({ settings }: PartProps) {
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Typed>({});
  const [reason, setReason] = useState('');
  const { limits, payout_daily_maximum } = { ...settings, ...typed };
  const isOther = payout_daily_maximum !== settings.payout_daily_maximum;
  const changes = { limits, ...(isOther && { payout_daily_maximum }) };
  const set = (change: Typed) => {
    save.reset();
    setTyped({ ...typed, ...change });
  };
  const common = { isDisabled: !mayChange, fault: faultOf(save.error) };
  return (
    <Section
      title="Limits"
      text="An empty field is no limit. In production a value above twice what it was a week ago, and any higher maximum of all withdrawals, needs a second admin."
    >
      <OfOne {...common} value={limits} onChange={(value) => set({ limits: value })} />
      <OfAll
        {...common}
        value={payout_daily_maximum}
        onChange={(value) => set({ payout_daily_maximum: value })}
      />
      <WorseTerms settings={settings} changes={{ limits }} reason={reason} onReason={setReason} />
      <PlatformSave
        label="limits"
        save={save}
        settings={settings}
        changes={changes}
        isChanged={isOther || JSON.stringify(limits) !== JSON.stringify(settings.limits)}
        mayChange={mayChange}
        onSave={() =>
          save.mutate({ ...changes, ...withReason(reason) }, { onSuccess: () => setTyped({}) })
        }
        onUndo={() => setTyped({})}
      />
    </Section>
  );
}
