import './mantine.css';
import './staff.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Failed } from './api/call.ts';
import { allowStyleSheets } from './trusted_types.ts';

/** What another try may mend. */
const isPassing = (error: Error): boolean =>
  error instanceof Failed && ['offline', 'service'].includes(error.failure.kind);

/** A visit that is over is said in place of the page, whatever was asked for. */
const isVisitOver = (error: Error): boolean =>
  error instanceof Failed && error.details.reason === 'visit_over';
const onError = (error: Error): void => {
  if (isVisitOver(error)) void queries.invalidateQueries({ queryKey: ['GET /portal/api/session'] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => count < 2 && isPassing(error) },
  },
});

const theme = createTheme({
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  primaryShade: 8,
  defaultRadius: 'md',
  respectReducedMotion: true,
});

/** Shows an application in the page, with the page's nonce on every style that it makes. */
export function mount(application: ReactNode): void {
  allowStyleSheets();
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  // Where the library behind dialogs looks for it.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  const app = document.getElementById('app');
  if (!app) return;
  createRoot(app).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <QueryClientProvider client={queries}>{application}</QueryClientProvider>
    </MantineProvider>,
  );
}
