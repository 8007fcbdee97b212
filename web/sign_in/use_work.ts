import { useRef, useState } from 'preact/hooks';
import { askPasskey, makePasskey } from '../ui/ceremonies.ts';
import type { Answer, Failure } from '../ui/failure.ts';
import { call, type Input, type Operation, type Success } from './api.ts';

type Options = { readonly options: Record<string, unknown> };

/** One thing at a time: whether it runs, and how it failed. `canceled`: no passkey was given. */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isCanceled, setCanceled] = useState(false);
  const running = useRef(false);

  function taken<T>(answer: Answer<T>): T | null {
    if (answer.ok) return answer.value;
    setFailure(answer.failure);
    return null;
  }

  const ask = async <K extends Operation>(
    id: K,
    input: Input<K>,
    shown?: string,
  ): Promise<Success<K> | null> => taken(await call(id, input, shown));

  async function credential(
    options: Options | null,
    way: typeof askPasskey,
  ): Promise<Record<string, unknown> | null> {
    if (options === null) return null;
    const given = await way(options.options).catch(() => null);
    if (given === null) setCanceled(true);
    return given;
  }

  return {
    isBusy,
    failure,
    isCanceled,
    ask,
    /** The answer of a passkey that is there; null: see `failure` and `isCanceled`. */
    answer: (options: Options | null) => credential(options, askPasskey),
    /** A new passkey. */
    make: (options: Options | null) => credential(options, makePasskey),
    /** Steps up with a passkey of the person where an operation wants it, and does it again. */
    async asked<K extends Operation>(
      id: K,
      input: Input<K>,
      shown?: string,
    ): Promise<Success<K> | null> {
      const first = await call(id, input, shown);
      if (first.ok || first.failure.kind !== 'refused' || first.failure.code !== 'step_up_required')
        return taken(first);
      const given = await credential(await ask('beginStepUp', {}), askPasskey);
      if (given === null || (await ask('finishStepUp', { credential: given })) === null)
        return null;
      return ask(id, input, shown);
    },
    /** Runs one piece of work; another that comes meanwhile is left out. */
    async run(work: () => Promise<void>): Promise<void> {
      if (running.current) return;
      running.current = true;
      setBusy(true);
      setFailure(null);
      setCanceled(false);
      await work();
      running.current = false;
      setBusy(false);
    },
  };
}

export type Work = ReturnType<typeof useWork>;
