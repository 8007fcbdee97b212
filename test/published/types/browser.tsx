// The lines that the guides have for a page, as a new project compiles them (sdk/browser/README).
import { open } from '@tenant-payments/sdk-browser';
import { useHostedFlow } from '@tenant-payments/sdk-browser/react';

const baseUrl = 'https://pay.example';

export const payByScript = () =>
  open({ baseUrl, token: () => Promise.resolve('st_1'), onSuccess: (result) => result.trim() });

export function Pay({ token }: { readonly token: string }) {
  const flow = useHostedFlow({ baseUrl, token, onExit: (error) => error?.code });
  return (
    <button type="button" onClick={() => flow.open()}>
      Pay
    </button>
  );
}
