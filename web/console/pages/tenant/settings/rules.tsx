import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { type SettingKey, settingFields } from '@tenant-payments/contract/core/fields/settings.ts';
import { useState } from 'react';
import { DurationField } from '../../../../staff/parts/duration_field.tsx';
import { Section } from '../../../../staff/parts/section.tsx';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

/** The settings that are lengths of time, each with the seconds of its unit. */
const lengths = [
  ['withdrawal_hold_hours', 'After a bank account is linked', 3_600],
  ['refund_window_days', 'How long a payment can be refunded', 86_400],
  ['confirmation_grace_seconds', 'After a session ends', 1],
] as const;
const numbers = [
  ['holder_match_verified', 'Of 100, how far holder and customer agree', 100],
  ['holder_match_review', 'Of 100; below, the link fails', 100],
  ['rate_limit_per_minute', 'Requests a minute', 10_000_000],
] as const;
const choices = [
  ['account_structure', 'Whose accounts hold the money'],
  ['late_money', 'Of a request that had failed'],
] as const;

type Rule = (typeof lengths | typeof numbers | typeof choices)[number][0];
type Typed = Partial<Pick<Settings, Rule>>;

const optionsOf = (name: (typeof choices)[number][0]) =>
  Object.entries(settingFields[name].choices ?? {}).map(([value, label]) => ({ value, label }));

/** Holds, windows and rates. */
export function Rules({ settings }: PartProps) {
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Typed>({});
  const fault = faultOf(save.error);
  const set = (change: Typed) => {
    save.reset();
    setTyped({ ...typed, ...change });
  };
  const common = (name: Rule & SettingKey, description: string) => ({
    label: settingFields[name].label,
    description,
    disabled: !mayChange,
    error: fault?.param === name ? fault.text : undefined,
  });
  const changed = Object.entries(typed).filter(([name, value]) => settings[name as Rule] !== value);
  return (
    <Section
      title="Holds, windows and rates"
      text="They hold from the moment they are saved. In production a shorter withdrawal hold, and any change of the window, the grace or the structure, or of late money that waits no more, needs a second admin."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
        {lengths.map(([name, description, unit]) => (
          <DurationField
            key={name}
            {...common(name, description)}
            unit={unit}
            value={typed[name] ?? settings[name]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        {numbers.map(([name, description, max]) => (
          <NumberInput
            key={name}
            {...common(name, description)}
            min={0}
            max={max}
            allowDecimal={false}
            value={typed[name] ?? settings[name]}
            onChange={(value) => set({ [name]: Number(value) })}
          />
        ))}
        {choices.map(([name, description]) => (
          <Select
            key={name}
            {...common(name, description)}
            allowDeselect={false}
            data={optionsOf(name)}
            value={typed[name] ?? settings[name]}
            onChange={(value) => value && set({ [name]: value } as Typed)}
          />
        ))}
      </SimpleGrid>
      <PlatformSave
        label="holds, windows and rates"
        save={save}
        settings={settings}
        changes={Object.fromEntries(changed)}
        isChanged={changed.length > 0}
        mayChange={mayChange}
        onSave={() => save.mutate(Object.fromEntries(changed), { onSuccess: () => setTyped({}) })}
        onUndo={() => setTyped({})}
      />
    </Section>
  );
}
