import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Step } from '../../ui/step.tsx';
import { usePage } from '../use_page.ts';
import type { Result } from './result.ts';

interface SharedProps {
  readonly result: Result;
  /** Null: no page waits, and the token is shown to be copied. */
  readonly end: (() => void) | null;
}

/** The account was shared. */
export function Shared({ result, end }: SharedProps) {
  const { texts, tenantName } = usePage();
  const { bank, common } = texts;
  const { public_token, aggregator_account_id } = result;
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(public_token).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const sign = { tone: 'good', icon: <CheckIcon /> } as const;
  if (end)
    return (
      <Step name="done" title={bank.doneTitle} sign={sign}>
        <p class="lead">{bank.done(isolated(tenantName))}</p>
        <Actions>
          <Button onClick={end}>{common.done}</Button>
        </Actions>
      </Step>
    );
  return (
    <Step name="done" title={bank.doneTitle} sign={sign}>
      <p class="lead">{bank.tokenText}</p>
      <div>
        <h2>{bank.token}</h2>
        <code class="token">{public_token}</code>
      </div>
      {aggregator_account_id && (
        <div>
          <h2>{bank.accountId}</h2>
          <code class="token">{aggregator_account_id}</code>
        </div>
      )}
      <Actions>
        <Button onClick={() => void copy()}>{common.copy}</Button>
        <p role="status" class="aside">
          {isCopied && common.copied}
        </p>
      </Actions>
    </Step>
  );
}
