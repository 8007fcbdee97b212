import type { BankView } from '@tenant-payments/contract/hosted/bank.ts';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Meta } from '../../../sdk/browser/messages.ts';
import type { Failure } from '../../ui/failure.ts';
import { Frame, Waiting } from '../../ui/frame.tsx';
import { isWorthRetrying, Problem, problemOf } from '../../ui/problem.tsx';
import { openApi } from '../session/api.ts';
import type { Opening } from '../session/use_session.ts';
import { usePage } from '../use_page.ts';
import type { Result } from './result.ts';
import { Shared } from './shared.tsx';
import { BankSteps } from './steps.tsx';

function useBanks({ token, channel, onSteps }: Opening) {
  const [view, setView] = useState<BankView | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [isBusy, setBusy] = useState(false);
  const meta: Meta = useMemo(() => ({ session_id: null, flow: 'link', request_id: null }), []);
  const api = useMemo(
    () => openApi(({ requestId }) => channel.event('error', { ...meta, request_id: requestId })),
    [channel, meta],
  );
  const open = useCallback(async () => {
    setFailure(null);
    const answer = await api.call('openBank', { link_token: token });
    if (!answer.ok) return setFailure(answer.failure);
    setView(answer.value);
    channel.event('ready', meta);
  }, [api, token, channel, meta]);
  const leave = useCallback(
    () => channel.end({ status: 'canceled', result_token: null, error: null }, meta),
    [channel, meta],
  );
  useEffect(() => {
    onSteps((step) => channel.event('step_viewed', { ...meta, step }));
    channel.onClose(leave);
    void open();
  }, [open, leave, channel, onSteps, meta]);

  async function choose(bank: string, accountId: string | null): Promise<void> {
    setBusy(true);
    setFailure(null);
    const answer = await api.call('chooseAccount', {
      link_token: token,
      bank,
      account_id: accountId,
    });
    setBusy(false);
    if (answer.ok) setResult(answer.value);
    else setFailure(answer.failure);
  }
  /** The meta carries the account id, since the public token does not say which account it is. */
  const end = () => {
    if (!result) return leave();
    const { public_token, aggregator_account_id } = result;
    const endMeta = { ...meta, aggregator_account_id };
    channel.end({ status: 'completed', result_token: public_token, error: null }, endMeta);
  };
  return { view, failure, result, isBusy, open, choose, end, leave };
}

/** Sandbox Bank: takes the place of an aggregator's widget. */
export function BankPage(opening: Opening) {
  const { tenantName } = usePage();
  const { view, failure, result, isBusy, open, choose, end, leave } = useBanks(opening);
  const { isConnected } = opening.channel;
  const body = () => {
    if (result) return <Shared result={result} end={isConnected ? end : null} />;
    if (view)
      return (
        <BankSteps
          banks={view.banks}
          tenant={tenantName}
          choose={(bank, id) => void choose(bank, id)}
          isBusy={isBusy}
          failure={failure}
        />
      );
    if (!failure) return <Waiting />;
    return (
      <Problem
        name={problemOf(failure)}
        requestId={failure.requestId}
        onRetry={isWorthRetrying(failure) ? () => void open() : undefined}
      />
    );
  };
  return (
    <Frame isSandbox onClose={isConnected ? (result ? end : leave) : undefined}>
      {body()}
    </Frame>
  );
}
