import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Meta } from '../../../sdk/browser/messages.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { Frame, Waiting } from '../../ui/frame.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { Opening } from '../session/use_session.ts';
import { usePage } from '../use_page.ts';
import type { Result } from './result.ts';
import { Shared } from './shared.tsx';

/** Plaid Link, as its script gives it. */
export interface Link {
  open(): void;
  destroy(): void;
}
interface LinkOptions {
  readonly token: string;
  onSuccess(publicToken: string, metadata: { readonly accounts?: readonly { id: string }[] }): void;
  onExit(): void;
}
declare global {
  interface Window {
    Plaid?: { create(options: LinkOptions): Link };
  }
}

/** Resolves when Plaid's script has run. */
export const loaded = (): Promise<void> =>
  new Promise((resolve, reject) => {
    if (window.Plaid) return resolve();
    const script = document.querySelector('script[data-widget]');
    script?.addEventListener('load', () => resolve());
    script?.addEventListener('error', () => reject(new Error('the script cannot be loaded')));
  });

type Stage = 'loading' | 'open' | 'left' | 'failed' | Result;

function useLink({ token, channel, onSteps }: Opening) {
  const [stage, setStage] = useState<Stage>('loading');
  const link = useRef<Link | null>(null);
  const meta: Meta = useMemo(() => ({ session_id: null, flow: 'link', request_id: null }), []);
  const { isConnected } = channel;
  const leave = useCallback(
    () => channel.end({ status: 'canceled', result_token: null, error: null }, meta),
    [channel, meta],
  );
  const succeed = useCallback(
    ({ public_token, aggregator_account_id }: Result) =>
      channel.end(
        { status: 'completed', result_token: public_token, error: null },
        { ...meta, aggregator_account_id },
      ),
    [channel, meta],
  );
  const open = useCallback(async () => {
    try {
      await loaded();
      link.current?.destroy();
      link.current =
        window.Plaid?.create({
          token,
          onSuccess(public_token, { accounts = [] }) {
            const [only, ...others] = accounts;
            const aggregator_account_id = only && others.length === 0 ? only.id : null;
            const result = { public_token, aggregator_account_id };
            if (isConnected) succeed(result);
            else setStage(result);
          },
          onExit: () => (isConnected ? leave() : setStage('left')),
        }) ?? null;
      setStage('open');
      link.current?.open();
      channel.event('ready', meta);
    } catch {
      setStage('failed');
      channel.event('error', meta);
    }
  }, [token, channel, meta, isConnected, leave, succeed]);
  useEffect(() => {
    onSteps((step) => channel.event('step_viewed', { ...meta, step }));
    channel.onClose(leave);
    void open();
    return () => link.current?.destroy();
  }, [open, leave, channel, onSteps, meta]);
  return { stage, open, leave, isConnected };
}

/** Plaid Link, where Plaid is the aggregator: its own window over this page. */
export function PlaidPage(opening: Opening) {
  const { texts } = usePage();
  const { stage, open, leave, isConnected } = useLink(opening);
  const body = () => {
    if (typeof stage === 'object') return <Shared result={stage} end={null} />;
    if (stage === 'failed') return <Problem name="service" onRetry={() => location.reload()} />;
    if (stage !== 'left') return <Waiting />;
    return (
      <Actions>
        <Button onClick={() => void open()}>{texts.common.retry}</Button>
      </Actions>
    );
  };
  const { environment } = document.documentElement.dataset;
  return (
    <Frame isSandbox={environment === 'sandbox'} onClose={isConnected ? leave : undefined}>
      {body()}
    </Frame>
  );
}
