import { Checkbox, Stack } from '@mantine/core';
import { flowLabels } from '@tenant-payments/contract/core/fields/settings.ts';
import { useState } from 'react';
import { Section } from '../../../../staff/parts/section.tsx';
import type { PartProps, Settings } from '../../../../staff/settings/use_save.ts';
import { WorseTerms, withReason } from '../../../../staff/settings/worse_terms.tsx';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

type Flow = keyof Settings['flows'];

const flows = Object.entries(flowLabels) as [Flow, string][];

/** The features that the Tenant's customers can use. */
export function Flows({ settings }: PartProps) {
  const { flows: saved } = settings;
  const [reason, setReason] = useState('');
  const { save, mayChange } = usePlatformSave();
  const [typed, setTyped] = useState<Settings['flows'] | null>(null);
  const shown = typed ?? saved;
  return (
    <Section
      title="Features"
      text="What its customers can do. What is switched off is refused from the moment it is saved, for consumers after 21 days; what is under way goes on."
    >
      <Stack gap="xs">
        {flows.map(([name, label]) => (
          <Checkbox
            key={name}
            label={label}
            disabled={!mayChange}
            checked={shown[name]}
            onChange={({ currentTarget: { checked } }) => {
              save.reset();
              setTyped({ ...shown, [name]: checked });
            }}
          />
        ))}
      </Stack>
      <WorseTerms
        settings={settings}
        changes={{ flows: shown }}
        reason={reason}
        onReason={setReason}
      />
      <PlatformSave
        label="features"
        save={save}
        settings={settings}
        changes={{ flows: shown }}
        isChanged={JSON.stringify(shown) !== JSON.stringify(saved)}
        mayChange={mayChange}
        onSave={() =>
          save.mutate({ flows: shown, ...withReason(reason) }, { onSuccess: () => setTyped(null) })
        }
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
