import { FeeRules } from '../../../../staff/settings/fees.tsx';
import type { PartProps } from '../../../../staff/settings/use_save.ts';
import { PlatformSave, usePlatformSave } from './platform_save.tsx';

/** The fees that the platform takes of each payment. */
export function PlatformFees({ settings }: PartProps) {
  const { save, mayChange } = usePlatformSave();
  return (
    <FeeRules
      settings={settings}
      type="platform"
      title="Fees of the platform"
      text="They hold for payments made after they are saved. In production a lower fee needs a second admin."
      none="None: the platform takes nothing."
      save={save}
      mayChange={mayChange}
      Bar={PlatformSave}
    />
  );
}
