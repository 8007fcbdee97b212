import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../../staff/parts/section.tsx';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

const numbers = [
  ['withdrawal_hold_hours', 'Withdrawal hold, in hours', 'After a bank account is linked', 168],
  ['holder_match_verified', 'Names that verify', 'Of 100, how far holder and customer agree', 100],
  ['holder_match_review', 'Names that a reviewer sees', 'Of 100; below, the link fails', 100],
  ['refund_window_days', 'Refund window, in days', 'How long a payment can be refunded', 365],
  ['confirmation_grace_seconds', 'Confirmation grace, in seconds', 'After a session ends', 86_400],
  ['rate_limit_per_minute', 'Rate limit', 'Requests a minute', 10_000_000],
] as const;

const structures: readonly { value: Settings['account_structure']; label: string }[] = [
  { value: 'dedicated_fbo', label: 'An FBO account of its own' },
  { value: 'tenant_scheme', label: "The tenant's own scheme" },
];

const lateMoney: readonly { value: Settings['late_money']; label: string }[] = [
  { value: 'hold', label: 'Waits for a person' },
  { value: 'credit', label: 'To its customer' },
  { value: 'return', label: 'Back to where it came from' },
];

type Rule = (typeof numbers)[number][0] | 'account_structure' | 'late_money';
type Typed = Partial<Pick<Settings, Rule>>;

/** Holds, windows and rates. */
export function Rules({ settings }: PartProps) {
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Typed>({});
  const fault = faultOf(save.error);
  const set = (change: Typed) => {
    save.reset();
    setTyped({ ...typed, ...change });
  };
  const changed = Object.entries(typed).filter(([name, value]) => settings[name as Rule] !== value);
  return (
    <Section
      title="Holds, windows and rates"
      text="They hold from the moment they are saved. In production a shorter withdrawal hold, and any change of the window, the grace or the structure, or of late money that waits no more, needs a second admin."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
        {numbers.map(([name, label, description, max]) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            min={0}
            max={max}
            allowDecimal={false}
            disabled={!mayChange}
            value={typed[name] ?? settings[name]}
            error={fault?.param === name ? fault.text : undefined}
            onChange={(value) => set({ [name]: Number(value) })}
          />
        ))}
        <Select
          label="Account structure"
          description="Whose accounts hold the money"
          allowDeselect={false}
          disabled={!mayChange}
          data={structures}
          value={typed.account_structure ?? settings.account_structure}
          error={fault?.param === 'account_structure' ? fault.text : undefined}
          onChange={(value) =>
            value && set({ account_structure: value as Settings['account_structure'] })
          }
        />
        <Select
          label="Late money"
          description="Of a request that had failed"
          allowDeselect={false}
          disabled={!mayChange}
          data={lateMoney}
          value={typed.late_money ?? settings.late_money}
          error={fault?.param === 'late_money' ? fault.text : undefined}
          onChange={(value) => value && set({ late_money: value as Settings['late_money'] })}
        />
      </SimpleGrid>
      <PlatformSave
        label="holds, windows and rates"
        save={save}
        isChanged={changed.length > 0}
        mayChange={mayChange}
        onSave={() => save.mutate(Object.fromEntries(changed), { onSuccess: () => setTyped({}) })}
        onUndo={() => setTyped({})}
      />
    </Section>
  );
}
