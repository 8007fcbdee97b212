import { spawn } from 'node:child_process';
import { createSignInLink } from '@tenant-payments/backoffice/contract/sandbox/sandbox.ts';
import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import { connectByKey, loopback } from '../connect.ts';
import { type Flag, print } from '../declare.ts';
import type { ExitCode } from '../terminal.ts';
import { accountOf } from './connection.ts';
import type { Declare } from './family.ts';
import { oneOf } from './nearest.ts';
import type { Console, Options } from './options.ts';
import { pageNames, pages } from './pages.ts';
import { findSandbox, operatorKeyHere } from './sandbox.ts';
import { columns } from './show.ts';

interface OpenOptions extends Options {
  readonly print?: true;
  readonly list?: true;
}

export const recordAddress = (baseUrl: string, id: string): string =>
  `${baseUrl}/portal/record/${id}`;

/** The page of a name or of any record's id. @throws UsageError for neither */
function addressOf(terminal: Console, options: Options, what: string): string {
  const { baseUrl } = accountOf(terminal, options);
  if (anyIdOf(what)) return recordAddress(baseUrl, what);
  const page = oneOf('a page, nor an id', what, pageNames, 'List them with: tpay open --list');
  const shop = page === 'demo' ? findSandbox(terminal)?.shop_url : null;
  return shop ?? `${baseUrl}${pages[page]}`;
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Only where somebody sits at a terminal; without a screen the address alone is of use. @returns it */
export function openInBrowser({ ask }: Console, address: string): string {
  if (!ask) return address;
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return address;
}

/**
 * A link that signs in, where the sandbox is on this machine and its files can be read: no other service
 * gets the operator key. Null: the page asks who it is.
 */
async function signInLink(terminal: Console, options: Options): Promise<string | null> {
  const { baseUrl, client, from } = accountOf(terminal, options);
  if (from !== 'sandbox' || !client) return null;
  const key = operatorKeyHere(terminal);
  if (key === null || !loopback.test(new URL(baseUrl).hostname)) return null;
  const asked = { client_id: client.clientId };
  return (await connectByKey(baseUrl, key).request(createSignInLink, asked)).data.url;
}

async function open(terminal: Console, options: OpenOptions, what: string): Promise<ExitCode> {
  if (options.list)
    return print(terminal, options, pages, columns(Object.entries(pages).map((row) => [...row])));
  const link = what === 'portal' ? await signInLink(terminal, options) : null;
  const url = link ?? addressOf(terminal, options, what);
  // A program wants the address, and no window.
  if (!options.print && !options.json && options.input !== false) openInBrowser(terminal, url);
  return print(terminal, options, { url }, [url]);
}

export const declareOpen: Declare = ({ terminal, fill }, command) => {
  const flags: readonly Flag[] = [
    ['--print', 'print the address alone'],
    ['--list', 'list the pages'],
  ];
  fill<OpenOptions>(command, flags, (options, [what = 'portal']) => open(terminal, options, what));
};
