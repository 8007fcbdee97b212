import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../staff/parts/section.tsx';
import { lengthOf } from '../../../staff/parts/tell.ts';
import { SaveBar } from '../../../staff/settings/save_bar.tsx';
import { faultOf, type PartProps, useSave } from '../../../staff/settings/use_save.ts';

/** How long a dynamic payment request waits to be paid. */
export function Expiry({ settings: { payment_request_expires_in: saved } }: PartProps) {
  const { save, mayChange } = useSave();
  const [typed, setTyped] = useState<number | null>(null);
  const shown = typed ?? saved;
  const fault = faultOf(save.error);
  return (
    <Section
      title="Payment requests"
      text="How long a dynamic request waits to be paid, where it names no time of its own."
    >
      <NumberInput
        label="Expires after, in seconds"
        description={lengthOf(shown * 1_000)}
        maw={280}
        min={1}
        allowDecimal={false}
        disabled={!mayChange}
        value={shown}
        error={fault?.text}
        onChange={(value) => {
          save.reset();
          setTyped(Number(value));
        }}
      />
      <SaveBar
        label="the expiry of payment requests"
        save={save}
        isChanged={shown !== saved}
        mayChange={mayChange}
        onSave={() =>
          save.mutate({ payment_request_expires_in: shown }, { onSuccess: () => setTyped(null) })
        }
        onUndo={() => setTyped(null)}
      />
    </Section>
  );
}
