import { useState } from 'preact/hooks';
import { makePasskey } from '../../ui/ceremonies.ts';
import { useCall, useSession } from '../session/session.ts';

/** Makes a passkey and stores it. `refused`: by the customer or the browser; `failed`: see `failure`. */
export function useNewPasskey() {
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [isAsking, setAsking] = useState(false);
  async function add(): Promise<'added' | 'refused' | 'failed'> {
    const options = await call('newPasskeyOptions', {});
    if (!options.ok) return 'failed';
    setAsking(true);
    const credential = await makePasskey(options.value.options).catch(() => null);
    setAsking(false);
    if (credential === null) return 'refused';
    return (await call('addPasskey', { credential })).ok ? 'added' : 'failed';
  }
  return { isBusy: isBusy || isAsking, failure, add };
}
