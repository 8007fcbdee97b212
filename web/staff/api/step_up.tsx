import { Button, Group, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { keepPage } from '../../ui/kept_page.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { call, Failed } from './call.ts';
import { askPasskey, loadCeremonies } from './passkey.ts';
import { useSession } from './session.tsx';

type Prove = () => Promise<boolean>;

const StepUpContext = createContext<Prove>(async () => false);

async function byPasskey(): Promise<void> {
  const { options } = await call('POST /portal/api/step-up/begin', {});
  const credential = await askPasskey(options);
  await call('POST /portal/api/step-up/finish', { credential });
}

/** Leaves for the provider. The page of sign-in says how that went wrong, or leads back here. */
async function byOrganization(): Promise<void> {
  const back = { return_to: '/portal/sign-in' };
  const { redirect_url } = await call('POST /portal/api/single-sign-on/step-up', back);
  keepPage(location.pathname + location.search);
  location.assign(redirect_url);
}

const passkeyWords = [
  'This needs your passkey again. It counts for five minutes.',
  'Use your passkey',
] as const;
const organizationWords = [
  'This needs a fresh sign-in at your organization, which counts for five minutes. You come back to this page and do this again: what is typed here and not sent is lost.',
  'Continue to your organization',
] as const;

/**
 * Asks for the passkey where an operation wants a fresh one, and whoever the own organization signed in to sign in there
 * again (rules/people#6).
 */
export function StepUp({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const answer = useRef<(proven: boolean) => void>(() => {});
  const isOfOrganization = useSession().opened_by === 'single_sign_on';
  const [text, button] = isOfOrganization ? organizationWords : passkeyWords;
  const close = (proven: boolean) => {
    setOpen(false);
    answer.current(proven);
  };
  const prove: Prove = () => {
    setError(null);
    setOpen(true);
    // Between the press of the button and the browser's question lies no loading.
    if (!isOfOrganization) loadCeremonies().catch(() => {});
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  };
  async function ask(): Promise<void> {
    try {
      if (isOfOrganization) return await byOrganization();
      await byPasskey();
      close(true);
    } catch (failed) {
      setError(failed as Error);
    }
  }
  return (
    <StepUpContext.Provider value={prove}>
      {children}
      <Dialog title="Confirm that it is you" isOpen={isOpen} onClose={() => close(false)}>
        <Text size="sm" mb="md">
          {text}
        </Text>
        {error && <Trouble error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button onClick={() => void ask()}>{button}</Button>
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
