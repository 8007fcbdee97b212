import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Console } from '../../cli/tpay/options.ts';
import { run } from '../../cli/tpay/run.ts';

interface Said {
  readonly code: number;
  readonly out: string[];
  readonly err: string[];
}

interface Tpay {
  /** Runs one command to its end. */
  (...args: string[]): Promise<Said>;
  /** The same with `--json`, which must be done. @returns what it printed */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** The same command line with what a person or a pipe gives. */
  with(more: Partial<Console>): Tpay;
  readonly home: string;
}

/** The Tenant's command line in this process, with a home of its own. */
export function openTpay(env: Readonly<Record<string, string>> = {}): Tpay {
  const home = mkdtempSync(join(tmpdir(), 'tpay-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const opened = (more: Partial<Console>): Tpay => {
    const command = async (...args: string[]): Promise<Said> => {
      const out: string[] = [];
      const err: string[] = [];
      const code = await run(args, {
        env: { HOME: home, DATA_DIR: '/nowhere', ...env },
        out: (line) => out.push(line),
        err: (line) => err.push(line),
        ...more,
      });
      return { code, out, err };
    };
    const json = async (...args: string[]) => {
      const { code, out, err } = await command(...args, '--json');
      if (code !== 0) throw new Error(`tpay ${args.join(' ')}: ${err.join('\n')}`);
      return JSON.parse(out.join('\n'));
    };
    return Object.assign(command, {
      json,
      home,
      with: (next: Partial<Console>) => opened({ ...more, ...next }),
    });
  };
  return opened({});
}

/** The settings with which `tpay` calls a Tenant of a test's server. */
export const accountEnv = (
  baseUrl: string,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
) => ({ PAY_BASE_URL: baseUrl, PAY_CLIENT_ID: client_id, PAY_CLIENT_SECRET: client_secret });
