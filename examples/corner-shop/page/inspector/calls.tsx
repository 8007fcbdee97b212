import { useState } from 'preact/hooks';
import type { Call } from '../../demo/state.ts';
import { Badge } from '../parts.tsx';
import { useShop } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { InPortal } from './in_portal.tsx';

const toneOf = ({ status }: Call) =>
  status === null || status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good';

function Entry({ call }: { readonly call: Call }) {
  const { inspector } = useTexts().texts;
  const { method, path, status, duration_ms, curl, sdk, request_id } = call;
  return (
    <details class="entry">
      <summary>
        <span class="method">{method}</span>
        <span class="entry-name">{path}</span>
        <span class="soft">{duration_ms} ms</span>
        <Badge tone={toneOf(call)}>{status ?? inspector.noReply}</Badge>
      </summary>
      {sdk && (
        <figure class="source">
          <figcaption>{inspector.withSdk}</figcaption>
          <pre>{sdk}</pre>
        </figure>
      )}
      <figure class="source">
        <figcaption>{inspector.withCurl}</figcaption>
        <pre>{curl}</pre>
      </figure>
      {request_id && (
        <InPortal
          what={inspector.request}
          id={request_id}
          action="request"
          label={inspector.findRequest}
        />
      )}
    </details>
  );
}

/** Every request that the shop's server makes, secrets left out. */
export function Calls() {
  const { calls } = useShop().state;
  const { inspector } = useTexts().texts;
  const [hasReads, setReads] = useState(false);
  const shown = calls.filter(({ method }) => hasReads || method !== 'GET');
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={hasReads} onChange={() => setReads(!hasReads)} />
        <span>{inspector.reads}</span>
      </label>
      <div class="entries">
        {shown.map((call) => (
          <Entry key={call.number} call={call} />
        ))}
      </div>
    </>
  );
}
