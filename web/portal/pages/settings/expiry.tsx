import { settingFields } from '@tenant-payments/contract/core/fields/settings.ts';
import { useState } from 'react';
import { DurationField } from '../../../staff/parts/duration_field.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { SaveBar } from '../../../staff/settings/save_bar.tsx';
import { faultOf, type PartProps, useSave } from '../../../staff/settings/use_save.ts';

/** How long a dynamic payment request waits to be paid. */
export function Expiry({ settings }: PartProps) {
  const { payment_request_expires_in: saved } = settings;
  const { save, mayChange } = useSave();
  const [typed, setTyped] = useState<number | null>(null);
  const shown = typed ?? saved;
  const fault = faultOf(save.error);
  return (
    <Section
      title="Payment requests"
      text="How long a dynamic request waits to be paid, where it names no time of its own."
    >
      <DurationField
        label={settingFields.payment_request_expires_in.label}
        description="Such as 15 minutes"
        maw={280}
        unit={1}
        disabled={!mayChange}
        value={shown}
        error={fault?.text}
        onChange={(value) => {
          save.reset();
          setTyped(value);
        }}
      />
      <SaveBar
        label="the expiry of payment requests"
        save={save}
        settings={settings}
        changes={{ payment_request_expires_in: shown }}
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
