import { Button, Group, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { askPasskey } from '../../ui/ceremonies.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { call, Failed } from './call.ts';

type Prove = () => Promise<boolean>;

const StepUpContext = createContext<Prove>(async () => false);

/** Asks for the passkey where an operation wants a fresh one (rules/people#6). */
export function StepUp({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const answer = useRef<(proven: boolean) => void>(() => {});
  const close = (proven: boolean) => {
    setOpen(false);
    answer.current(proven);
  };
  const prove: Prove = () => {
    setError(null);
    setOpen(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  };
  async function ask(): Promise<void> {
    try {
      const { options } = await call('POST /portal/api/step-up/begin', {});
      const credential = await askPasskey(options as Record<string, unknown>);
      await call('POST /portal/api/step-up/finish', { credential });
      close(true);
    } catch (failed) {
      setError(failed instanceof Failed ? failed : new Error('No passkey was used.'));
    }
  }
  return (
    <StepUpContext.Provider value={prove}>
      {children}
      <Dialog title="Confirm that it is you" isOpen={isOpen} onClose={() => close(false)}>
        <Text size="sm" mb="md">
          This needs your passkey again. It counts for five minutes.
        </Text>
        {error && <Trouble error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button onClick={() => void ask()}>Use your passkey</Button>
        </Group>
      </Dialog>
    </StepUpContext.Provider>
  );
}

const wantsProof = (error: unknown, reason?: string): boolean =>
  error instanceof Failed &&
  error.failure.kind === 'refused' &&
  error.failure.code === 'step_up_required' &&
  (reason === undefined || error.failure.reason === reason);

/** Refusals for which somebody would not prove to be there: nobody asks again. */
const declined = new WeakSet<object>();

async function withProof<T>(work: () => Promise<T>, prove: Prove, reason?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!wantsProof(error, reason) || declined.has(error as object)) throw error;
    if (await prove()) return work();
    declined.add(error as object);
    throw error;
  }
}

/** Runs any write; where the session has appeared elsewhere, asks for a passkey first (rules/sign-in#19). */
export function useProvenHere(): <T>(work: () => Promise<T>) => Promise<T> {
  const prove = useContext(StepUpContext);
  return (work) => withProof(work, prove, 'moved');
}

/** Runs an operation; where it wants a fresh passkey, asks for that and runs it again. */
export function useProven(): <T>(work: () => Promise<T>) => Promise<T> {
  const prove = useContext(StepUpContext);
  return (work) => withProof(work, prove);
}
