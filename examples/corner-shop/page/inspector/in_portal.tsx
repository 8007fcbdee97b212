import { useState } from 'preact/hooks';
import { callShop } from '../api.ts';
import { Button, Fault } from '../parts.tsx';
import { useTask } from '../shop.ts';

interface InPortalProps {
  readonly what: string;
  readonly id: string;
  /** Of the shop's server, which asks the portal's JSON. */
  readonly action: 'request' | 'attempts';
  readonly label: string;
}

/** What the portal knows under an id: its pages are JSON, which wants the tenant's token. */
export function InPortal({ what, id, action, label }: InPortalProps) {
  const { isBusy, fault, run } = useTask();
  const [found, setFound] = useState<unknown>();
  const look = () => run(async () => setFound(await callShop(action, { id })));
  return (
    <>
      <p>
        {what} <code>{id}</code>
      </p>
      {found === undefined && (
        <Button look="plain" isDisabled={isBusy} onClick={look}>
          {label}
        </Button>
      )}
      {found === null && <p class="soft">The portal keeps no record of its own calls.</p>}
      {found ? <pre class="record">{JSON.stringify(found, null, 2)}</pre> : null}
      <Fault fault={fault} />
    </>
  );
}
