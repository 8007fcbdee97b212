import type { ComponentChildren } from 'preact';
import { LockIcon } from '../../ui/icons.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';

/** Five wrong PINs, and nothing in their place: a new one is the Tenant's to begin. */
export function Locked({ children }: { readonly children: ComponentChildren }) {
  const { texts, tenantName } = usePage();
  const { lockedTitle, locked, lockedReset } = texts.confirm;
  return (
    <Step name="pin_locked" title={lockedTitle} sign={{ tone: 'bad', icon: <LockIcon /> }}>
      <p class="lead">
        {locked} {lockedReset(tenantName)}
      </p>
      {children}
    </Step>
  );
}
