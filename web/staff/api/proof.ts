import { useCallback, useEffect, useRef, useState } from 'react';
import { Failed, failedBy, type ReplyOf } from './call.ts';
import { useTenant } from './queries.ts';
import { scopeHeaders } from './shown.ts';

interface Progress {
  readonly done: number;
  readonly all: number;
  readonly name: string;
}
export type Proof = ReplyOf<'GET /portal/api/ledger/verify'>;

interface State {
  readonly progress: Progress | null;
  readonly proof: Proof | null;
  readonly error: Error | null;
}

const message = /^event: (\w+)\ndata: (.*)$/;
const nothing: State = { progress: null, proof: null, error: null };

/** The messages of a `text/event-stream`, one by one. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<[string, unknown]> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data = 'null'] = message.exec(block) ?? [];
      if (name !== undefined) yield [name, JSON.parse(data)];
    }
  }
}

const broken = () => new Failed({ kind: 'service', requestId: null }, 'The proof broke off.');

async function follow(
  tenantId: string | null,
  signal: AbortSignal,
  show: (state: State) => void,
): Promise<void> {
  const reply = await fetch('/portal/api/ledger/proof', {
    credentials: 'same-origin',
    signal,
    headers: scopeHeaders(tenantId),
  });
  if (!reply.ok || reply.body === null) throw await failedBy(reply);
  for await (const [name, data] of messagesOf(reply.body)) {
    if (name === 'progress') show({ ...nothing, progress: data as Progress });
    if (name === 'proof') return show({ ...nothing, proof: data as Proof });
    if (name === 'failed') throw broken();
  }
  throw broken();
}

/** The proof of the ledger, followed as the service tells it; leaving the page ends it. */
export function useProof() {
  const tenantId = useTenant();
  const [state, setState] = useState<State>(nothing);
  const [isRunning, setRunning] = useState(false);
  const ended = useRef<AbortController | null>(null);
  useEffect(() => () => ended.current?.abort(), []);
  const start = useCallback(() => {
    const control = new AbortController();
    ended.current = control;
    setRunning(true);
    setState(nothing);
    follow(tenantId, control.signal, setState)
      .catch((error: unknown) => {
        if (!control.signal.aborted)
          setState({ ...nothing, error: error instanceof Failed ? error : broken() });
      })
      .finally(() => setRunning(false));
  }, [tenantId]);
  return { ...state, isRunning, start };
}
