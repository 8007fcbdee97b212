import { useState } from 'preact/hooks';
import { callShop } from '../api.ts';
import { Button, Fault } from '../parts.tsx';
import { useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';

interface InPortalProps {
  readonly what: string;
  readonly id: string;
  /** The action of the shop's server, which calls the portal's JSON. */
  readonly action: 'request' | 'attempts';
  readonly label: string;
}

/** Shows what the portal has under an id, through the shop's server, which has the access token. */
export function InPortal({ what, id, action, label }: InPortalProps) {
  const { inspector } = useTexts().texts;
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
      {found === null && <p class="soft">{inspector.notKept}</p>}
      {found ? <pre class="record">{JSON.stringify(found, null, 2)}</pre> : null}
      <Fault fault={fault} />
    </>
  );
}
