import { NumberInput, Table } from '@mantine/core';
import { limitLabel } from '@tenant-payments/contract/core/fields/settings.ts';
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

/** How much a customer of the Tenant may move. */
export function Limits({ settings }: PartProps) {
  const { limits: saved } = settings;
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Limits | null>(null);
  const [reason, setReason] = useState('');
  const shown = typed ?? saved;
  const fault = faultOf(save.error);
  const set = (name: LimitName, holder: (typeof holders)[number], dollars: string | number) => {
    save.reset();
    const cents = dollars === '' ? null : Math.round(Number(dollars) * 100);
    setTyped({ ...shown, [name]: { ...shown[name], [holder]: cents } });
  };
  return (
    <Section
      title="Limits"
      text="Of one customer. An empty field is no limit. In production a value above twice what it was a week ago needs a second admin."
    >
      <PlainTable label="Every limit" columns={['Limit', 'Covers', 'Individual', 'Business']}>
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Td miw={170}>{limitLabel(name)}</Table.Td>
            <Table.Td miw={170}>{limitTexts[name]}</Table.Td>
            {holders.map((holder) => (
              <Table.Td key={holder} miw={140}>
                <NumberInput
                  aria-label={`${limitLabel(name)} of ${holder === 'individual' ? 'individuals' : 'businesses'}`}
                  placeholder="no limit"
                  prefix="$"
                  thousandSeparator=","
                  min={0}
                  decimalScale={2}
                  hideControls
                  disabled={!mayChange}
                  value={((cents) => (cents === null ? '' : cents / 100))(shown[name][holder])}
                  error={fault?.param === `limits.${name}.${holder}` ? fault.text : undefined}
                  onChange={(dollars) => set(name, holder, dollars)}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </PlainTable>
      <WorseTerms
        settings={settings}
        changes={{ limits: shown }}
        reason={reason}
        onReason={setReason}
      />
      <PlatformSave
        label="limits"
        save={save}
        settings={settings}
        changes={{ limits: shown }}
        isChanged={JSON.stringify(shown) !== JSON.stringify(saved)}
        mayChange={mayChange}
        onSave={() =>
          save.mutate({ limits: shown, ...withReason(reason) }, { onSuccess: () => setTyped(null) })
        }
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
