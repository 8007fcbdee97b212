import { Failed } from '../../staff/api/call.ts';
import { askPasskey } from '../../staff/api/passkey.ts';
import { useProven } from '../../staff/api/step_up.tsx';

interface Signature {
  readonly credential?: Record<string, unknown>;
}

const hasNoPasskey = (error: unknown): boolean =>
  error instanceof Failed &&
  error.failure.kind === 'refused' &&
  error.failure.reason === 'no_passkey';

/**
 * Approves with the passkey's signature of what is approved, in one gesture. Whoever has no passkey proves
 * otherwise who it is (rules/approvals#23).
 */
export function useSigned() {
  const proven = useProven();
  return async <T>(
    begin: () => Promise<{ readonly options: unknown }>,
    approve: (signature: Signature) => Promise<T>,
  ): Promise<T> => {
    let options: unknown;
    try {
      ({ options } = await begin());
    } catch (error) {
      if (!hasNoPasskey(error)) throw error;
      return proven(() => approve({}));
    }
    return approve({ credential: await askPasskey(options) });
  };
}
