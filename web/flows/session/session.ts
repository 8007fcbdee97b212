import type { HostedEndpointId } from '@tenant-payments/contract/hosted/catalog.ts';
import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { EventName } from '../../../sdk/browser/messages.ts';
import type { Answer, Api, Failure, Input, Success } from './api.ts';

/** An opened session, as the steps of a flow use it. */
export interface Session {
  readonly view: View;
  /** Asks; what the answer shows of the session is shown. */
  readonly call: Api['call'];
  readonly event: (name: EventName, step?: string) => void;
  /** The customer has seen how it ended: back to whoever opened the page. */
  readonly end: () => void;
  /** Leaves without a further question. */
  readonly leave: () => void;
  /** Null: nobody waits, and the page may be closed. */
  readonly wayBack: 'sdk' | 'return_url' | null;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('a flow stands in a session');
  return session;
}

/** The view that an answer brings, whole or among other facts. */
export function viewIn(value: object): View | null {
  if ('object' in value && value.object === 'hosted_view') return value as View;
  return 'view' in value ? (value.view as View) : null;
}

type Call = <K extends HostedEndpointId>(id: K, input: Input<K>) => Promise<Answer<Success<K>>>;

/** One thing at a time, with what became of it. */
export function useCall(ask: Call) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const call: Call = async (id, input) => {
    setBusy(true);
    setFailure(null);
    const answer = await ask(id, input);
    setBusy(false);
    if (!answer.ok) setFailure(answer.failure);
    return answer;
  };
  return { isBusy, failure, setFailure, call };
}
