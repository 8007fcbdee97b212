import type { ComponentChildren } from 'preact';
import { LockIcon } from '../../ui/icons.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';

interface LockedProps {
  /** A passkey may be used in its place, here and now. */
  readonly hasPasskey: boolean;
  readonly children: ComponentChildren;
}

/** Five wrong PINs: what still works, and who can help. */
export function Locked({ hasPasskey, children }: LockedProps) {
  const { texts, tenantName } = usePage();
  const { lockedTitle, locked, lockedPasskey, lockedReset } = texts.confirm;
  return (
    <Step name="pin_locked" title={lockedTitle} sign={{ tone: 'bad', icon: <LockIcon /> }}>
      <p class="lead">
        {locked} {hasPasskey && lockedPasskey} {lockedReset(tenantName)}
      </p>
      {children}
    </Step>
  );
}
