import { holds, useSession } from '../../../../staff/api/session.tsx';
import { SaveBar, type SaveBarProps } from '../../../../staff/settings/save_bar.tsx';
import { useSave } from '../../../../staff/settings/use_save.ts';
import { NotSaved } from '../../../approvals/second_person.tsx';

/** Saves what only an admin sets. */
export function usePlatformSave() {
  const { save } = useSave();
  return { save, mayChange: holds(useSession(), ['admin']) };
}

/** Saves one part, takes the typing back, or asks a second admin where one is needed. */
export const PlatformSave = (props: SaveBarProps) => (
  <SaveBar {...props} who="Admins">
    {props.save.error && <NotSaved error={props.save.error} changes={props.save.variables} />}
  </SaveBar>
);
