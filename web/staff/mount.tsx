import './mantine.css';
import './staff.css';
import './usual.ts';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Failed, isOut } from './api/call.ts';
import { allowStyleSheets } from './trusted_types.ts';

/** Whether another try may succeed. */
const isPassing = (error: Error): boolean =>
  error instanceof Failed && ['offline', 'service'].includes(error.failure.kind);

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => count < 2 && isPassing(error) },
  },
});

/** The whole page says so, in place of whatever was asked. */
addEventListener(isOut, () => {
  void queries.invalidateQueries({ queryKey: ['GET /portal/api/session'] });
});

const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontWeight: '600' },
  colors: {
    blue: [
      '#eef3ff',
      '#dbe6ff',
      '#b8ccff',
      '#a9bfff',
      '#86a5ff',
      '#5c88ff',
      '#3f73ff',
      '#2f69ff',
      '#1f5eff',
      '#1a4fd8',
    ],
    gray: [
      '#f6f7f9',
      '#eff1f4',
      '#e8ebef',
      '#e1e4e9',
      '#cfd4db',
      '#aab1bc',
      '#7c8492',
      '#565d69',
      '#434955',
      '#14171c',
    ],
    dark: [
      '#f2f3f5',
      '#d5d9e0',
      '#aeb4bf',
      '#8b93a1',
      '#333842',
      '#2b303a',
      '#242830',
      '#1b1e24',
      '#16181d',
      '#101216',
    ],
  },
  primaryShade: 8,
  defaultRadius: 'md',
  respectReducedMotion: true,
});

/** Shows an application in the page, with the page's nonce on every style that it makes. */
export function mount(application: ReactNode): void {
  allowStyleSheets();
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  // The library behind dialogs looks for the nonce here.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  const app = document.getElementById('app');
  if (!app) return;
  createRoot(app).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <QueryClientProvider client={queries}>{application}</QueryClientProvider>
    </MantineProvider>,
  );
}
