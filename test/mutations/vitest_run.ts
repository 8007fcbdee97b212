import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The outcome of the tests. */
export type Outcome =
  | {
      readonly kind: 'passed';
      readonly msByFile: ReadonlyMap<string, number>;
      /** The names of the tests that were run, each behind its file. */
      readonly names: readonly string[];
    }
  /** `by` is the test that failed first. */
  | { readonly kind: 'failed'; readonly by: string; readonly message: string }
  | { readonly kind: 'hung' }
  /** No test was run: nothing is known. */
  | { readonly kind: 'broken'; readonly message: string };

export interface RunOptions {
  /** The folder with the tests and the code that they are to judge. */
  readonly folder: string;
  /** A superuser's url of the server on which the tests make their databases. */
  readonly databaseUrl: string;
  readonly tests: readonly string[];
  /** Parts of the names of the tests that are run; absent: all. */
  readonly named?: readonly string[];
  /** Past this a run has hung. */
  readonly limitMs: number;
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

const withoutColors = (text: string): string =>
  text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
const firstLine = (text = ''): string => withoutColors(text).trim().split('\n', 1)[0] ?? '';
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const underWay = new Set<ChildProcess>();
/** Its workers too: it leads a group of its own. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The run ended by itself.
  }
}
/** Ends what is being run. */
export const endRuns = (): void => underWay.forEach(kill);
process.on('exit', endRuns);

/** Runs a program to its end. @returns its exit code and what it said last; null: it hung */
function runProgram(args: readonly string[], options: RunOptions) {
  return new Promise<{ code: number | null; said: string } | null>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: options.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TEST_DATABASE_URL: options.databaseUrl, NO_COLOR: '1' },
    });
    underWay.add(child);
    let said = '';
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      kill(child);
    }, options.limitMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      underWay.delete(child);
      resolve(hung ? null : { code, said });
    });
  });
}

/** The first test that failed, or the file where it was none of its tests. */
function failureOf(folder: string, files: readonly FileReport[]) {
  const failed = files.filter(({ status }) => status === 'failed');
  for (const { name, assertionResults } of failed)
    for (const { fullName, status, failureMessages } of assertionResults)
      if (status === 'failed')
        return {
          by: `${relative(folder, name)}: ${fullName}`,
          message: firstLine(failureMessages[0]),
        };
  const [file] = failed;
  if (!file) return null;
  return {
    by: `${relative(folder, file.name)}: before or after its tests`,
    message: firstLine(file.message),
  };
}

/** Runs tests until the first that fails. */
export async function runTests(options: RunOptions): Promise<Outcome> {
  const { folder, tests, named } = options;
  const report = join(folder, 'mutation-report.json');
  await rm(report, { force: true });
  const only = named === undefined ? [] : ['-t', named.map(escaped).join('|')];
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const asked = ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`];
  const ended = await runProgram([vitest, ...asked, ...only, ...tests], options);
  if (ended === null) return { kind: 'hung' };
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return { kind: 'broken', message: ended.said };
  const files: readonly FileReport[] = JSON.parse(text).testResults;
  const names = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => `${relative(folder, name)}: ${fullName}`),
  );
  const failure = failureOf(folder, files);
  if (failure) return { kind: 'failed', ...failure };
  if (ended.code !== 0)
    return { kind: 'failed', by: 'no test: a fault of its own', message: firstLine(ended.said) };
  if (names.length === 0)
    return { kind: 'broken', message: `no test of ${tests} is called ${named}` };
  const msByFile = new Map(
    files.map(({ name, startTime, endTime }) => [relative(folder, name), endTime - startTime]),
  );
  return { kind: 'passed', msByFile, names };
}
