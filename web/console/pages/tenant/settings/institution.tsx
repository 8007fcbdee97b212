import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../../staff/parts/section.tsx';
import { faultOf, type PartProps, type Settings } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

type Value = NonNullable<Settings['institution']>;

const fields = [
  ['name', 'Institution', 'Who answers for the accounts'],
  ['bank', 'Bank', 'It holds the money'],
  ['address', 'Address', 'Where customers write to, on one line'],
  ['phone', 'Telephone', 'As +12125550100'],
  ['hours', 'Hours', 'When somebody answers'],
] as const satisfies readonly (readonly [keyof Value, string, string])[];

const none: Value = { name: '', bank: '', address: '', phone: '', hours: '' };

/** The institution that statements and letters name. */
export function Institution({ settings }: PartProps) {
  const { institution: saved } = settings;
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Value | null>(null);
  const shown = typed ?? saved ?? none;
  const fault = faultOf(save.error);
  return (
    <Section
      title="Institution"
      text="On statements and letters. Production takes no customers without it; a sandbox shows a sample."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
        {fields.map(([name, label, description]) => (
          <TextInput
            key={name}
            {...(name === 'address' && { className: 'spans' })}
            label={label}
            description={description}
            disabled={!mayChange}
            value={shown[name]}
            error={fault?.param === `institution.${name}` ? fault.text : undefined}
            onChange={({ currentTarget: { value } }) => {
              save.reset();
              setTyped({ ...shown, [name]: value });
            }}
          />
        ))}
      </SimpleGrid>
      <PlatformSave
        label="institution"
        save={save}
        settings={settings}
        changes={{ institution: shown }}
        isChanged={typed !== null && JSON.stringify(typed) !== JSON.stringify(saved)}
        mayChange={mayChange}
        onSave={() => save.mutate({ institution: shown }, { onSuccess: () => setTyped(null) })}
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
