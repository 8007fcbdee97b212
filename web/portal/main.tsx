import './mantine.css';
import './portal.css';
import './records.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Failed } from './api/call.ts';
import { router } from './router.tsx';
import { allowStyleSheets } from './trusted_types.ts';

/** What another try may mend. */
const isPassing = (error: Error): boolean =>
  error instanceof Failed && ['offline', 'service'].includes(error.failure.kind);

const queries = new QueryClient({
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

allowStyleSheets();

/** Styles that the page makes itself carry the nonce of the page's policy. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
// Where the library behind dialogs looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const app = document.getElementById('app');
if (app)
  createRoot(app).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
