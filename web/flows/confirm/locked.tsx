import type { ComponentChildren } from 'preact';
import { Actions, Button } from '../../ui/button.tsx';
import { LockIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Step } from '../../ui/step.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

interface LockedProps {
  /** The text that says what the new PIN is for, or what to do instead. */
  readonly text: string;
  readonly onReset: () => void;
  /** Buttons for other things to do. */
  readonly children?: ComponentChildren;
}

/** Five wrong PINs: a new one is set here, and the flow goes on (rules/hosted#49). */
export function Locked({ text, onReset, children }: LockedProps) {
  const { texts, tenantName } = usePage();
  const { lockedTitle, locked, resetPin } = texts.confirm;
  const { leave, wayBack } = useSession();
  return (
    <Step name="pin_locked" title={lockedTitle} sign={{ tone: 'bad', icon: <LockIcon /> }}>
      <p class="lead">
        {locked} {text}
      </p>
      <Actions>
        <Button onClick={onReset}>{resetPin}</Button>
        <Button look="secondary" onClick={leave}>
          {wayBack === null ? texts.staying.leave : texts.common.backTo(isolated(tenantName))}
        </Button>
        {children}
      </Actions>
    </Step>
  );
}
