import type { HostedEndpointId } from '@tenant-payments/contract/hosted/catalog.ts';
import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { EventName } from '../../../sdk/browser/messages.ts';
import type { Answer, Failure } from '../../ui/failure.ts';
import type { Api, Input, Success } from './api.ts';

/** An opened session, as the steps of a flow use it. */
export interface Session {
  readonly view: View;
  /** Calls an operation and shows the view in its reply. */
  readonly call: Api['call'];
  readonly event: (name: EventName, step?: string) => void;
  /** The customer has seen the end: returns to the page or app that opened this one. */
  readonly end: () => void;
  /** Leaves without a further question. */
  readonly leave: () => void;
  /** Null: no page or app waits, so this page may be closed. */
  readonly wayBack: 'sdk' | 'return_url' | null;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession() needs an opened session');
  return session;
}

/** The view in a reply, as the whole reply or as one field. */
export function viewIn(value: object): View | null {
  if ('object' in value && value.object === 'hosted_view') return value as View;
  return 'view' in value ? (value.view as View) : null;
}

type Call = <K extends HostedEndpointId>(id: K, input: Input<K>) => Promise<Answer<Success<K>>>;

/** One call at a time, with its failure. */
export function useCall(request: Call) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const call: Call = async (id, input) => {
    setBusy(true);
    setFailure(null);
    const answer = await request(id, input);
    setBusy(false);
    if (!answer.ok) setFailure(answer.failure);
    return answer;
  };
  return { isBusy, failure, setFailure, call };
}
